import Actions
import Consent
import Engine
import Files
import Jobs
import Services
import Storage
import Synchronization
import Tools
import Vocabulary

/// The world of the real engine: the archive is its ledger, the toolbox its tools, the clock the machine's.
struct EngineWorlds: EngineSurroundings {
    func world(of life: EngineLife, in workspace: OpenWorkspace) throws(Failure) -> EngineWorld {
        try workspace.engineWorld(of: life)
    }
}

extension OpenWorkspace {
    fileprivate func engineWorld(of life: EngineLife) throws(Failure) -> World {
        let owner = life.name
        let archive = try archive.get()
        try archive.openToWrite()
        let toolbox = try toolbox.get()
        let folders = folders
        let (slots, budget) = (try settings.slots(), try settings.budget())
        return World(
            now: MachineClock.started(), clocks: MachineClock.reading,
            ledger: World.Ledger(
                commit: { batches throws(Failure) in try archive.commit(batches) },
                claim: claiming(archive, owner),
                ownedByOthers: { ids throws(Failure) in try archive.owned(byOthersThan: owner, of: ids) },
                load: { id throws(Failure) in try archive.loadSound(id, for: owner) },
                waitingCommands: { () throws(Failure) in try archive.waitingCommands(for: owner) },
                take: { commands throws(Failure) in try archive.take(commands, for: owner, at: Self.now()) },
                approvals: { id throws(Failure) in try archive.approvals(of: id) },
                history: { id throws(Failure) in try archive.history(of: id) },
                await: { number throws(Failure) in try archive.await(numbered: number) },
                isJobHeld: { provider, id, key throws(Failure) in
                    try archive.isJobHeld(provider: provider, id: id, key: key)
                },
                expiries: { () throws(Failure) in try archive.expiries(for: owner) },
                putAside: { id, failure throws(Failure) in
                    try archive.quarantine(id, reason: failure.message, at: Self.now())
                },
                version: { () throws(Failure) in try archive.dataVersion() },
                lostRuns: { run throws(Failure) in try archive.lostRuns(before: run) },
                spendingOfTurn: { id throws(Failure) in try archive.spendingOfTurn(of: id) },
                mayReadRepository: { call, id, epoch, now throws(Failure) in
                    try archive.mayReadRepository(call, for: id, policyEpoch: epoch, at: now)
                }),
            tools: World.Tools(
                catalogue: { [self] in knownEngineTools },
                prepare: { [keyRing, sealedValues] assignment in
                    do throws(Failure) {
                        return .success(try toolbox.prepare(try sealedValues.opened(assignment)))
                    } catch {
                        return .failure(keyRing.filter.cut(error))
                    }
                },
                rehearse: { [self] assignment, call, hasTurn in rehearse(assignment, call, toolbox, hasTurn) },
                forget: { run, workspace in toolbox.forgetRehearsal(of: run, workspace: workspace) },
                run: { [self] assignment, call in run(assignment, call, toolbox) },
                recover: { [self] assignment in recover(assignment, toolbox) },
                expect: { [self] run in running.withLock { $0[run] = Cancellation() } },
                kill: { [self] run in running.withLock { $0[run] }?.cancel() },
                job: try jobs(of: life), missingKey: { [self] provider in missingKey(of: provider) },
                isJobHost: HostPermissions(self).isJobHost, isOffline: Offline.isNow,
                runFolder: { run in "\(folders.runs)/\(run.step.workflow)/\(run.step.index)-\(run.attempt)" },
                isInstant: Toolbox.isInstant,
                path: { toolbox.store.path($0) }, holds: { (try? toolbox.store.path(of: $0)) != nil },
                keep: { (try? toolbox.store.add($0))?.hash }),
            onWorker: { [workers] job in
                life.begin()
                workers.run {
                    job()
                    life.done()
                }
            },
            emit: { [hub] event in
                if case .error(let failure) = event.kind {
                    Log(folder: folders.data, now: Self.now).warn(event.workflow?.description ?? "engine", failure)
                }
                hub.post(event)
            },
            takingUp: { Crashes.take(up: $0) }, working: { Crashes.work(on: $0) },
            policy: { [policies] workspace in policies.policy(of: workspace) },
            surroundings: consentSurroundings,
            slots: World.Slots(local: slots.local, remote: slots.remote),
            shared: World.SharedSlots(
                take: { life.slots.take($0, of: $1) }, give: { life.slots.give($1, of: $0) },
                stopWaiting: { life.slots.stopWaiting(for: $0) }),
            budget: budget, jobPrefix: "assent-\(try archive.installation())", templates: templates)
    }

    /// Returns the function by which an engine claims the workflows of dead engines. The function reads the database
    /// only if another connection has written, or if an engine that owned workflows has died.
    private func claiming(_ archive: Archive, _ owner: String) -> @Sendable () throws(Failure) -> [Claimed] {
        let folder = folders.engines
        let seen = Mutex<(version: Int, others: Set<String>)>((-1, []))
        return { () throws(Failure) in
            let version = try archive.dataVersion()
            let before = seen.withLock { $0 }
            if version == before.version, before.others.allSatisfy({ EngineLock.isAlive($0, in: folder) }) { return [] }
            var others: Set<String> = []
            let claimed = try archive.claim(for: owner) { name in
                guard EngineLock.isAlive(name, in: folder) else { return false }
                others.insert(name)
                return true
            }
            // Our own claim is a change, too: it is looked at once more, and then no more.
            let living = others
            seen.withLock { $0 = (version, living) }
            return claimed
        }
    }

    private func run(_ assignment: Assignment, _ call: Call?, _ toolbox: Toolbox) -> RunEnding {
        do throws(Failure) {
            let open = try sealedValues.opened(assignment, isRun: true)
            return keyRing.filter.cut(
                withCancellation(of: assignment.run) { cancel in toolbox.run(open, call: call, cancel: cancel) })
        } catch {
            return .failed(error)
        }
    }

    private func recover(_ assignment: Assignment, _ toolbox: Toolbox) -> RunEnding {
        do throws(Failure) {
            let open = try sealedValues.opened(assignment, isRun: true)
            let ending: RunEnding = withCancellation(of: assignment.run) { cancel in
                switch toolbox.adopt(open) {
                case .finished(let ending): ending
                case .alive: toolbox.resume(open, cancel: cancel)
                case .gone: .lost
                }
            }
            return keyRing.filter.cut(ending)
        } catch {
            return .failed(error)
        }
    }

    private func rehearse(
        _ assignment: Assignment, _ call: Call, _ toolbox: Toolbox, _ hasTurn: @Sendable (Bool) -> Void
    ) -> Result<Call, Failure> {
        withCancellation(of: assignment.run) { cancel in
            do throws(Failure) {
                return .success(
                    try toolbox.rehearse(
                        try sealedValues.opened(assignment), agreed: call, cancel: cancel, hasTurn: hasTurn))
            } catch {
                return .failure(keyRing.filter.cut(error))
            }
        }
    }

    private func withCancellation<Value>(of run: RunID, _ body: (Cancellation) -> Value) -> Value {
        let cancel = running.withLock { $0[run] } ?? Cancellation()
        defer { _ = running.withLock { $0.removeValue(forKey: run) } }
        return body(cancel)
    }
}

extension OpenWorkspace {
    /// Returns the function by which the engine asks providers of jobs (`World`).
    private func jobs(of life: EngineLife) throws(Failure)
        -> @Sendable (JobRequest, @escaping @Sendable (JobAnswer) -> Void) -> Void
    {
        let toolbox = try toolbox.get()
        let archive = try archive.get()
        let keyRing = keyRing
        let ask = Jobs.jobs(
            through: client,
            JobClient.Surroundings(
                // Read when the first job is: not before the first prompt.
                provider: { [providers] id in (try? providers.get())?[id] }, store: toolbox.store, own: toolbox.own,
                secret: { [self] name in providerKey(name) },
                onWorker: { [workers] work in workers.run(work) },
                isHeld: { provider, id, key in (try? archive.isJobHeld(provider: provider, id: id, key: key)) ?? false
                },
                refusal: HostPermissions(self).refusal))
        let log = Log(folder: folders.data, now: Self.now)
        return { [sealedValues] sealed, reply in
            var request = sealed
            do throws(Failure) { request.assignment = try sealedValues.opened(sealed.assignment) } catch {
                return reply(
                    sealed.verb == .submit
                        ? .notTaken(error) : sealed.verb == .collect ? .spoiled(error) : .stuck(error))
            }
            life.begin()
            ask(request) { [request] answer in
                defer { life.done() }
                guard case .collected(let assets) = answer else { return reply(keyRing.filter.cut(answer)) }
                let named = assets.map { $0.withProviderSchema() }
                if named.contains(where: \.wasMissing) {
                    log.warn(
                        "\(request.assignment.run): \(request.job.provider) did not name the form of its data; \"v1\" is stored."
                    )
                }
                reply(.collected(named.map(\.asset)))
            }
        }
    }
}

extension KeyFilter {
    /// Removes keys from the messages and warnings of an attempt's end, since these are stored and shown.
    fileprivate func cut(_ ending: RunEnding) -> RunEnding {
        switch ending {
        case .failed(let failure): return .failed(cut(failure))
        case .succeeded(let assets) where assets.contains { $0.warning != nil }:
            return .succeeded(
                assets.map { asset in
                    var asset = asset
                    asset.warning = asset.warning.map(cut)
                    return asset
                })
        case .succeeded, .cancelled, .lost: return ending
        }
    }

    fileprivate func cut(_ answer: JobAnswer) -> JobAnswer {
        switch answer {
        case .notTaken(let failure): .notTaken(cut(failure))
        case .unclear(let failure): .unclear(cut(failure))
        case .unreachable(let failure): .unreachable(cut(failure))
        case .stuck(let failure): .stuck(cut(failure))
        case .strike(let failure, let limit): .strike(cut(failure), limit: limit)
        case .spoiled(let failure): .spoiled(cut(failure))
        case .cancelRefused(let failure): .cancelRefused(cut(failure))
        case .accepted, .notFound, .several, .status, .collected, .cancelTaken: answer
        }
    }
}
