/// The codes by which scripts recognise a failure, a problem or a reason. They are stable: a code that scripts may know
/// is never renamed.
///
/// `docs/guide/scripting.md` prints the codes with their exit codes. A test compares that table with `allCases`.
package enum Code: String, Hashable, Sendable, CaseIterable {
    // MARK: Words of the user, or a file that the user wrote, cannot be used as they are (exit 2).

    case ambiguous, backwards, badAddress, badAnswer, badAnswers, badAwait, badBundle, badCommand, badCondition,
        badFallback, badField, badGuide, badHost, badID, badIdempotency, badLine, badLink, badManifest, badName,
        badOption, badParam, badPath, badPattern, badPolicy, badPort, badRights, badRule, badSchema, badSettings,
        badStep, badTemplate, badURL, badUsage, badYAML, cameraOnly, cannotSkip, checkFailed, clipboardOff, cycle,
        cycleDetected, duplicateID, duplicateNode, duplicatePort, emptyMask, exampleFails, fileNotFound, fixtureFailed,
        hostsBroken, isFolder, keyExists, keyInCall, keyInCommand, keyInFile, keyInLine, keyInName, keyInText,
        laterStep, lineTooLong, missingField, missingInput, missingRequiredInput, multiProducerOnOptionalPort,
        multiProducerOnRequiredPort, noChoice, noTerminal, notADate, notAFile, notAFolder, notANumber, notAPicture,
        notAText, notHeld, notText, nothingToUndo, otherWorkspace, ownFile, ownFolder, policyVersion, portTypeMismatch,
        programsBroken, reservedKind, sealedValue, skipFeedsRequiredPort, targetExists, tooLarge, tooManyPictures,
        unknownAsset,
        unknownAwait, unknownChoice, unknownConnection, unknownFile, unknownGuide, unknownKey, unknownKind,
        unknownModel, unknownNode, unknownOutput, unknownPart, unknownPlaceholder, unknownPort, unknownProgram,
        unknownProvider, unknownRequest, unknownSession, unknownStep, unknownTool, unknownTurn, unknownVariable,
        unknownWorkflow, unreachable, unreadableFile, workspaceCannotAllow, wrongAnswer, wrongType

    // MARK: Not allowed (exit 4).

    case changedSince, declined, denied, hiddenTracked, hostNotAllowed, insecureHost, notByChild, programNotAllowed,
        rejected, repositoryElsewhere

    // MARK: What is stored cannot be read or written (exit 6).

    case indexDamaged, storageBroken, storageBusy, storageFull, storageNewer, storageReadOnly

    // MARK: The model cannot answer now (exit 5).

    case modelOverloaded, modelRateLimited, modelTruncated, modelUnreachable, sessionBusy, truncated

    // MARK: Ctrl-C (exit 130).

    case interrupted

    // MARK: All else (exit 1).

    case alreadyAnswered, answerTooLarge, approvalExpired, approvalUsed, archived, assetDamaged, attributeLost,
        awaitExpired, backoff, badArchive, badArguments, badCall, badDrawing, badImage, badJSON, badPDF, badPlan,
        badQuestion, badRequest, badRevision, blurred, callChanged, cameraBusy, cameraDenied, cameraFailed, cancelAsked,
        cancelRefused, cancelRequested, cancelUnconfirmed, cancelUnsupported, cancelled, cancelledByProvider,
        cannotCompress, cannotLook, checkNotPassed, claimIsOver, claimedByOther, clipped, commandUnreadable,
        contentDamaged, cooldown,
        definitionChanged, digestMismatch, diskLimit, doesNotFit, duplicate, duplicateKind, duplicateProvider,
        editAsked, editMissed,
        editorFailed, engineEnding, engineRuns, exited, failed, fileDamaged, fileFailed, forbidden, foreignHost, halted,
        httpStatus, inputChanged, jobFailed, jobLost, jobUnderWay, keyInOutput, keyMissing, keyNotKept, keyRefused,
        leadsOut, listTooLong, logMissing, lost, malformedAnswer, manifestFault, metadataLeft, missingValue,
        modelAddress, modelBadReply, modelBadRequest, modelContextOverflow, modelEmpty, modelFailed, modelFiltered,
        modelForbidden, modelLength, modelMoved, modelNoCredit, modelRefusedKey, modelUnknown,
        modelWrongDialect, moved, needsApproval, needsPassword, needsYou, networkFailed, networkImpossible, noCamera,
        noClipboard, noCode, noFrame, noFreeName, noNetwork, noProvider, noRehearsal, notApplied, notAsked, notBegun,
        noted,
        notFoundThere, notFromPaste, notOver, notRequested, notRunHere, nothingChanged, nothingFound, nothingToCancel,
        offline,
        otherGuide,
        otherMount, otherSession, otherStep, outputCut, outputFailed, outputLimit, outputMissing, outputTooLong,
        outputUnread, ownerWouldChange, partial, pauseAsked, paused, paymentRequired, permissionDenied, pinAsked,
        pinned, pinnedInputMissing, policyChanged, `private`, processFailed, processKilled, processLimit, processLost,
        programFailed,
        providerBusy, providerFailed, providerMismatch, providerNotInstalled, queueFull, queueTimeout, rateLimited,
        reconnecting, redirected, rehearsal, rehearsalFailed, rehearsalImpossible, rehearsalLost, rehearsalRefused,
        removed, repeatedKey, rerunAsked, rerunQueued, resultExpired, resumeAsked, resumed, resumedInTime, retryAsked,
        revised,
        revisionMoved, revisionRefused, runTimeout, sandboxFailed, saveFailed, secretFile, secretGone, sessionOpen,
        setAside, skipped, snoozeLimitReached, stepRunning, standsAfter, stillRunning, storageFailed, stuck,
        submitUnknown,
        targetChanged, terminalTaken, termsChanged, timeLimit, timedOut, tooBright, tooDark, tooLittleMemory,
        tooManyCalls,
        tooManyChanges, tooManyFiles, tooManyLines, tooManyProcesses, tooSmall, toolChanged, toolNotInstalled,
        turnUnderWay, unarchived, unauthorized, undoFailed, undoLost, unknownAnswer, unknownProfile, unknownStatus,
        unpinned, unreadable, upstreamFailed, upstreamSkipped, upstreamStale, waitingForSlot, waitingForWorkspace,
        warned, workflowDamaged, workflowFailed, workflowHeld, workflowUnderWay, workflowUnreadable,
        workspaceBusy
}

extension Code {
    /// The exit code of a command that ends with a failure of this code.
    package var exit: ExitStatus {
        switch self {
        case .changedSince, .declined, .denied, .hiddenTracked, .hostNotAllowed, .insecureHost, .notByChild,
            .programNotAllowed, .rejected, .repositoryElsewhere:
            .denied
        case .indexDamaged, .storageBroken, .storageBusy, .storageFull, .storageNewer, .storageReadOnly:
            .storage
        case .modelOverloaded, .modelRateLimited, .modelTruncated, .modelUnreachable, .sessionBusy, .truncated:
            .modelUnreachable
        case .interrupted:
            .interrupted
        case .ambiguous, .backwards, .badAddress, .badAnswer, .badAnswers, .badAwait, .badBundle, .badCommand,
            .badCondition, .badFallback, .badField, .badGuide, .badHost, .badID, .badIdempotency, .badLine, .badLink,
            .badManifest, .badName, .badOption, .badParam, .badPath, .badPattern, .badPolicy, .badPort, .badRights,
            .badRule, .badSchema, .badSettings, .badStep, .badTemplate, .badURL, .badUsage, .badYAML, .cameraOnly,
            .cannotSkip, .checkFailed, .clipboardOff, .cycle, .cycleDetected, .duplicateID, .duplicateNode,
            .duplicatePort, .emptyMask, .exampleFails, .fileNotFound, .fixtureFailed, .hostsBroken, .isFolder,
            .keyExists, .keyInCall, .keyInCommand, .keyInFile, .keyInLine, .keyInName, .keyInText, .laterStep,
            .lineTooLong, .missingField, .missingInput, .missingRequiredInput, .multiProducerOnOptionalPort,
            .multiProducerOnRequiredPort, .noChoice, .noTerminal, .notADate, .notAFile, .notAFolder, .notANumber,
            .notAPicture, .notAText, .notHeld, .notText, .nothingToUndo, .otherWorkspace, .ownFile, .ownFolder,
            .policyVersion, .portTypeMismatch, .programsBroken, .reservedKind, .sealedValue, .skipFeedsRequiredPort,
            .targetExists,
            .tooLarge, .tooManyPictures, .unknownAsset, .unknownAwait, .unknownChoice, .unknownConnection, .unknownFile,
            .unknownGuide, .unknownKey, .unknownKind, .unknownModel, .unknownNode, .unknownOutput, .unknownPart,
            .unknownPlaceholder, .unknownPort, .unknownProgram, .unknownProvider, .unknownRequest, .unknownSession,
            .unknownStep, .unknownTool, .unknownTurn, .unknownVariable, .unknownWorkflow, .unreachable, .unreadableFile,
            .workspaceCannotAllow, .wrongAnswer, .wrongType:
            .badUsage
        default: .failed
        }
    }

    /// The code whose text this is; `nil` for a text of another program, or of an older or newer Assent.
    package init?(text: String) {
        guard let code = Self.byText[text] else { return nil }
        self = code
    }

    /// `init(rawValue:)` compares one code after the other.
    private static let byText = Dictionary(uniqueKeysWithValues: allCases.map { ($0.rawValue, $0) })
}
