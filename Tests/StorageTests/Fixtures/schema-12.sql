-- A database of schema 12, with data: what 'sqlite3 assent.db .dump' of such a version gives.
PRAGMA foreign_keys=OFF;
BEGIN TRANSACTION;
CREATE TABLE approvals (
    await INTEGER NOT NULL REFERENCES awaits (number),
    workflow INTEGER NOT NULL,
    step INTEGER NOT NULL,
    digest TEXT NOT NULL,
    is_planned INTEGER NOT NULL CHECK (is_planned IN (0, 1)),
    answered_by TEXT NOT NULL,
    policy_epoch TEXT NOT NULL,
    at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL,
    used_at INTEGER,
    PRIMARY KEY (await, step, digest)
) STRICT, WITHOUT ROWID;
INSERT INTO approvals VALUES(2,1,2,'dddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddd',0,'person on /dev/pts/1','epoch',1700000000590,1700086400590,1700000000600);
CREATE TABLE assets (
    workflow INTEGER NOT NULL,
    step INTEGER NOT NULL,
    attempt INTEGER NOT NULL,
    port TEXT NOT NULL,
    type TEXT NOT NULL,
    sha256 TEXT NOT NULL,
    bytes INTEGER NOT NULL,
    name TEXT NOT NULL,
    meta TEXT NOT NULL,
    PRIMARY KEY (workflow, step, attempt, port),
    FOREIGN KEY (workflow, step, attempt) REFERENCES runs (workflow, step, attempt)
) STRICT, WITHOUT ROWID;
INSERT INTO assets VALUES(1,1,1,'text','text','aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa',5,'note.txt','{}');
INSERT INTO assets VALUES(1,2,1,'file','file','bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb',5,'note.txt','{"path":"/w/note.txt"}');
INSERT INTO assets VALUES(2,1,1,'text','text','aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa',5,'note.txt','{}');
INSERT INTO assets VALUES(3,1,1,'text','text','aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa',5,'note.txt','{}');
INSERT INTO assets VALUES(5,1,1,'text','text','aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa',5,'note.txt','{}');
CREATE TABLE awaits (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    workflow INTEGER NOT NULL,
    step INTEGER NOT NULL,
    type TEXT NOT NULL,
    status TEXT NOT NULL CHECK (status = 'pending' OR status = 'claimed' OR status = 'snoozed' OR status = 'done'),
    title TEXT NOT NULL,
    reason TEXT NOT NULL,
    urgency TEXT NOT NULL CHECK (urgency = 'high' OR urgency = 'normal' OR urgency = 'low'),
    created_at INTEGER NOT NULL,
    expires_at INTEGER,
    digest TEXT,
    question TEXT,
    resolution TEXT,
    answered_by TEXT,
    closed_at INTEGER, claim INTEGER NOT NULL DEFAULT 0, claimed_by TEXT, until INTEGER, snoozes INTEGER NOT NULL DEFAULT 0, draft TEXT,
    FOREIGN KEY (workflow, step) REFERENCES steps (workflow, step)
) STRICT;
INSERT INTO awaits VALUES(2,1,2,'confirmCall','done','create a file','creates','normal',1700000000550,NULL,'dddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddd','{"call":{}}','approved','person on /dev/pts/1',1700000000590,0,NULL,NULL,0,NULL);
INSERT INTO awaits VALUES(4,5,2,'confirmCall','claimed','overwrite a file','overwrites','high',1700000001005,NULL,'eeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee','{"call":{"tool":"WriteFile"}}',NULL,NULL,NULL,3,'person on /dev/pts/1',1700000301005,0,'{"text":"half"}');
CREATE TABLE IF NOT EXISTS "commands" (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            workflow INTEGER NOT NULL REFERENCES workflows (id),
            step INTEGER,
            verb TEXT NOT NULL,
            argument TEXT NOT NULL,
            at INTEGER NOT NULL,
            taken_at INTEGER
        ) STRICT;
INSERT INTO commands VALUES(1,1,2,'answer','{"await":2,"answer":"yes","by":"me"}',1700000000590,1700000000600);
INSERT INTO commands VALUES(3,2,NULL,'retry','{}',1700000002000,NULL);
CREATE TABLE decisions (
    workflow INTEGER NOT NULL,
    step INTEGER NOT NULL,
    attempt INTEGER NOT NULL,
    digest TEXT NOT NULL,
    call TEXT NOT NULL,
    decision TEXT NOT NULL CHECK (decision = 'allow' OR decision = 'ask' OR decision = 'deny'),
    because TEXT NOT NULL,
    mode TEXT NOT NULL,
    decided_by TEXT NOT NULL,
    policy_epoch TEXT NOT NULL,
    at INTEGER NOT NULL
) STRICT;
INSERT INTO decisions VALUES(1,2,1,'dddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddd','{"tool":"WriteFile"}','ask','["built-in"]','adaptive','person on /dev/pts/1','epoch',1700000000600);
CREATE TABLE events (
    seq INTEGER PRIMARY KEY,
    at INTEGER NOT NULL,
    session INTEGER,
    turn INTEGER,
    workflow INTEGER,
    step INTEGER,
    attempt INTEGER,
    type TEXT NOT NULL,
    body TEXT NOT NULL
) STRICT;
INSERT INTO events VALUES(1,1700000000001,1,NULL,1,NULL,NULL,'workflow.created','{"title":"a note","steps":2}');
INSERT INTO events VALUES(2,1700000000002,NULL,NULL,1,1,NULL,'step.changed','{"state":"ready"}');
INSERT INTO events VALUES(3,1700000000003,NULL,NULL,1,1,1,'step.changed','{"state":"runningLocal"}');
INSERT INTO events VALUES(4,1700000000004,NULL,NULL,1,1,1,'step.changed','{"state":"succeeded"}');
INSERT INTO events VALUES(5,1700000000005,NULL,NULL,1,2,NULL,'step.changed','{"state":"ready","reason":"waitingForSlot","words":"It waits for a free slot."}');
INSERT INTO events VALUES(6,1700000000006,NULL,NULL,1,2,1,'step.changed','{"state":"runningLocal"}');
INSERT INTO events VALUES(7,1700000000007,NULL,NULL,1,2,1,'step.changed','{"state":"succeeded"}');
INSERT INTO events VALUES(8,1700000000008,NULL,NULL,1,NULL,NULL,'workflow.finished','{"outcome":"succeeded","outputs":[{"step":2,"port":"file","type":"file","path":"/w/note.txt","sha256":"bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb","bytes":5}]}');
INSERT INTO events VALUES(9,1700000000009,NULL,NULL,2,NULL,NULL,'workflow.created','{"title":"a note","steps":2}');
INSERT INTO events VALUES(10,1700000000010,NULL,NULL,2,1,NULL,'step.changed','{"state":"ready"}');
INSERT INTO events VALUES(11,1700000000011,NULL,NULL,2,1,1,'step.changed','{"state":"runningLocal"}');
INSERT INTO events VALUES(12,1700000000012,NULL,NULL,2,1,1,'step.changed','{"state":"succeeded"}');
INSERT INTO events VALUES(13,1700000000013,NULL,NULL,2,2,NULL,'step.changed','{"state":"ready","reason":"waitingForSlot","words":"It waits for a free slot."}');
INSERT INTO events VALUES(14,1700000000014,NULL,NULL,2,2,1,'step.changed','{"state":"runningLocal"}');
INSERT INTO events VALUES(15,1700000000015,NULL,NULL,2,2,1,'step.changed','{"state":"ready","reason":"processLost","words":"The process was lost; it runs again."}');
INSERT INTO events VALUES(16,1700000000016,NULL,NULL,2,2,2,'step.changed','{"state":"runningLocal"}');
INSERT INTO events VALUES(17,1700000000017,NULL,NULL,2,2,2,'step.changed','{"state":"failed","failure":{"code":"processFailed","message":"It broke.","remedy":"Mend it."}}');
INSERT INTO events VALUES(18,1700000000018,NULL,NULL,2,NULL,NULL,'workflow.finished','{"outcome":"failed","outputs":[]}');
INSERT INTO events VALUES(19,1700000000019,NULL,NULL,3,NULL,NULL,'workflow.created','{"title":"a note","steps":2}');
INSERT INTO events VALUES(20,1700000000020,NULL,NULL,3,1,NULL,'step.changed','{"state":"ready"}');
INSERT INTO events VALUES(21,1700000000021,NULL,NULL,3,1,1,'step.changed','{"state":"runningLocal"}');
INSERT INTO events VALUES(22,1700000000022,NULL,NULL,3,1,1,'step.changed','{"state":"succeeded"}');
INSERT INTO events VALUES(23,1700000000023,NULL,NULL,3,2,NULL,'step.changed','{"state":"ready","reason":"waitingForSlot","words":"It waits for a free slot."}');
INSERT INTO events VALUES(24,1700000000024,NULL,NULL,3,2,1,'step.changed','{"state":"runningLocal"}');
INSERT INTO events VALUES(25,1700000000025,NULL,NULL,5,NULL,NULL,'workflow.created','{"title":"a note","steps":2}');
INSERT INTO events VALUES(26,1700000000026,NULL,NULL,5,1,NULL,'step.changed','{"state":"ready"}');
INSERT INTO events VALUES(27,1700000000027,NULL,NULL,5,1,1,'step.changed','{"state":"runningLocal"}');
INSERT INTO events VALUES(28,1700000000028,NULL,NULL,5,1,1,'step.changed','{"state":"succeeded"}');
INSERT INTO events VALUES(29,1700000000029,NULL,NULL,5,2,NULL,'step.changed','{"state":"ready","reason":"waitingForSlot","words":"It waits for a free slot."}');
INSERT INTO events VALUES(30,1700000000030,NULL,NULL,5,2,1,'step.changed','{"state":"runningLocal"}');
INSERT INTO events VALUES(31,1700000000031,NULL,NULL,5,2,1,'step.changed','{"state":"ready","reason":"backoff","words":"Trying again in 30 s.","failure":{"code":"busy","message":"Busy."}}');
INSERT INTO events VALUES(100,1700000001005,NULL,NULL,5,2,1,'step.changed','{"state":"awaitingUser","reason":"needsYou","words":"overwrites"}');
INSERT INTO events VALUES(101,1700000001005,NULL,NULL,5,2,NULL,'await.opened','{"await":4,"number":4,"kind":"confirmCall","digest":"eeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee","title":"overwrite a file","reason":"overwrites","link":"assent://workflow/w5/node/2?await=4"}');
CREATE TABLE graph_revisions (
            workflow INTEGER NOT NULL REFERENCES workflows (id),
            revision INTEGER NOT NULL,
            template TEXT NOT NULL,
            replaced_at INTEGER NOT NULL,
            PRIMARY KEY (workflow, revision)
        ) STRICT, WITHOUT ROWID;
INSERT INTO graph_revisions VALUES(3,1,'{"schema":"app.workflow/v2","name":"a note","nodes":[{"id":"text","kind":"Text","params":{"text":"hello"}},{"id":"write","kind":"WriteFile","params":{"path":"note.txt"}}],"edges":[{"from":["text","text"],"to":["write","text"]}]}',1700000000800);
CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY);
INSERT INTO grdb_migrations VALUES('1 workflows');
INSERT INTO grdb_migrations VALUES('2 people');
INSERT INTO grdb_migrations VALUES('3 conversations');
INSERT INTO grdb_migrations VALUES('4 waiting lines');
INSERT INTO grdb_migrations VALUES('5 engine');
INSERT INTO grdb_migrations VALUES('6 keeping');
INSERT INTO grdb_migrations VALUES('7 checksums');
INSERT INTO grdb_migrations VALUES('8 history');
INSERT INTO grdb_migrations VALUES('9 deadlines');
INSERT INTO grdb_migrations VALUES('10 heard');
INSERT INTO grdb_migrations VALUES('11 pictures');
INSERT INTO grdb_migrations VALUES('12 told');
CREATE TABLE house (
            name TEXT PRIMARY KEY,
            value TEXT NOT NULL
        ) STRICT, WITHOUT ROWID;
INSERT INTO house VALUES('installation','a1b2c3d4e5f6');
CREATE TABLE messages (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    session INTEGER NOT NULL REFERENCES sessions (id),
    turn INTEGER NOT NULL,
    role TEXT NOT NULL CHECK (role = 'system' OR role = 'user' OR role = 'assistant' OR role = 'tool'),
    text TEXT NOT NULL,
    calls TEXT NOT NULL,
    call_id TEXT,
    is_partial INTEGER NOT NULL CHECK (is_partial IN (0, 1)),
    at INTEGER NOT NULL
, thought TEXT, called TEXT) STRICT;
INSERT INTO messages VALUES(1,1,1,'user','make a note','[]',NULL,0,1700000000001,NULL,NULL);
INSERT INTO messages VALUES(2,1,1,'assistant','','[{"id":"1","name":"propose_workflow","arguments":{}}]',NULL,0,1700000000002,NULL,'propose_workflow {}');
INSERT INTO messages VALUES(3,1,1,'tool',replace('done\nü','\n',char(10)),'[]','1',1,1700000000003,NULL,NULL);
CREATE TABLE pins (
            workflow INTEGER NOT NULL,
            step INTEGER NOT NULL,
            port TEXT NOT NULL,
            producer INTEGER NOT NULL,
            producer_port TEXT NOT NULL,
            attempt INTEGER NOT NULL,
            PRIMARY KEY (workflow, step, port),
            FOREIGN KEY (workflow, step) REFERENCES steps (workflow, step),
            FOREIGN KEY (workflow, producer, attempt, producer_port) REFERENCES assets (workflow, step, attempt, port)
        ) STRICT, WITHOUT ROWID;
INSERT INTO pins VALUES(1,2,'text',1,'text',1);
CREATE TABLE IF NOT EXISTS "runs" (
            workflow INTEGER NOT NULL,
            step INTEGER NOT NULL,
            attempt INTEGER NOT NULL,
            kind TEXT NOT NULL CHECK (kind = 'tool' OR kind = 'import' OR kind = 'person'),
            started_at INTEGER NOT NULL,
            finished_at INTEGER,
            ending TEXT CHECK (ending = 'succeeded' OR ending = 'failed' OR ending = 'cancelled' OR ending = 'lost'),
            failure TEXT,
            inputs TEXT NOT NULL,
            params TEXT NOT NULL,
            digest TEXT,
            tool_version TEXT,
            phase TEXT CHECK (phase = 'submitIntent' OR phase = 'submitted' OR phase = 'submitUnknown' OR phase = 'cancelRequested' OR phase = 'collecting'),
            job TEXT,
            PRIMARY KEY (workflow, step, attempt),
            FOREIGN KEY (workflow, step) REFERENCES steps (workflow, step)
        ) STRICT, WITHOUT ROWID;
INSERT INTO runs VALUES(1,1,1,'tool',1700000000401,1700000000501,'succeeded',NULL,'{}','{"text":"hello"}',NULL,'cccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccc',NULL,NULL);
INSERT INTO runs VALUES(1,2,1,'tool',1700000000600,1700000001001,'succeeded',NULL,'{"text":"1.1.text"}','{"path":"note.txt"}','dddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddd','cccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccc',NULL,NULL);
INSERT INTO runs VALUES(2,1,1,'tool',1700000000402,1700000000502,'succeeded',NULL,'{}','{"text":"hello"}',NULL,NULL,NULL,NULL);
INSERT INTO runs VALUES(2,2,1,'tool',1700000000600,1700000000700,'lost',NULL,'{"text":"1.1.text"}','{"path":"note.txt"}','dddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddd',NULL,NULL,NULL);
INSERT INTO runs VALUES(2,2,2,'tool',1700000000800,1700000001002,'failed','{"code":"processFailed","message":"It broke."}','{"text":"1.1.text"}','{"path":"note.txt"}','dddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddd',NULL,NULL,NULL);
INSERT INTO runs VALUES(3,1,1,'tool',1700000000403,1700000000503,'succeeded',NULL,'{}','{"text":"hello"}',NULL,NULL,NULL,NULL);
INSERT INTO runs VALUES(3,2,1,'tool',1700000001003,NULL,NULL,NULL,'{"text":"1.1.text"}','{"path":"note.txt"}','dddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddd',NULL,NULL,NULL);
INSERT INTO runs VALUES(5,1,1,'tool',1700000000405,1700000000505,'succeeded',NULL,'{}','{"text":"hello"}',NULL,NULL,NULL,NULL);
INSERT INTO runs VALUES(5,2,1,'tool',1700000000700,1700000001005,'failed','{"code":"busy","message":"Busy."}','{"text":"1.1.text"}','{"path":"note.txt"}','dddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddd',NULL,NULL,NULL);
CREATE TABLE sessions (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    title TEXT NOT NULL,
    workspace TEXT NOT NULL,
    started_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL
, owner TEXT, model TEXT, compaction TEXT) STRICT;
INSERT INTO sessions VALUES(1,'make a note','/w',1700000000000,1700000001000,NULL,NULL,NULL);
INSERT INTO sessions VALUES(4,'ü','/v',1700000000000,1700000001000,NULL,NULL,NULL);
CREATE TABLE steps (
    workflow INTEGER NOT NULL REFERENCES workflows (id),
    step INTEGER NOT NULL,
    node TEXT NOT NULL,
    kind TEXT NOT NULL,
    state TEXT NOT NULL CHECK (state = 'blocked' OR state = 'ready' OR state = 'awaitingUser' OR state = 'runningLocal' OR state = 'queuedRemote' OR state = 'runningRemote' OR state = 'downloading' OR state = 'succeeded' OR state = 'failed' OR state = 'cancelled'),
    reason_code TEXT,
    reason_words TEXT,
    attempt INTEGER NOT NULL,
    tries INTEGER NOT NULL,
    failure TEXT,
    due_at INTEGER,
    updated_at INTEGER NOT NULL, stale_since TEXT, replays INTEGER, edits TEXT, agreed TEXT, due_by TEXT,
    PRIMARY KEY (workflow, step)
) STRICT, WITHOUT ROWID;
INSERT INTO steps VALUES(1,1,'text','Text','succeeded',NULL,NULL,1,1,NULL,NULL,1700000000500,NULL,NULL,NULL,NULL,NULL);
INSERT INTO steps VALUES(1,2,'write','WriteFile','succeeded',NULL,NULL,1,1,NULL,NULL,1700000001001,'w1.1.1',1,'{"path":"other.txt"}',NULL,NULL);
INSERT INTO steps VALUES(2,1,'text','Text','succeeded',NULL,NULL,1,1,NULL,NULL,1700000000502,NULL,NULL,NULL,NULL,NULL);
INSERT INTO steps VALUES(2,2,'write','WriteFile','failed',NULL,NULL,2,2,'{"code":"processFailed","message":"It broke.","remedy":"Mend it.","cause":"x"}',NULL,1700000001002,NULL,NULL,NULL,NULL,NULL);
INSERT INTO steps VALUES(3,1,'text','Text','succeeded',NULL,NULL,1,1,NULL,NULL,1700000000503,NULL,NULL,NULL,NULL,NULL);
INSERT INTO steps VALUES(3,2,'write','WriteFile','runningLocal',NULL,NULL,1,1,NULL,NULL,1700000001003,NULL,NULL,NULL,NULL,NULL);
INSERT INTO steps VALUES(5,1,'text','Text','succeeded',NULL,NULL,1,1,NULL,NULL,1700000000505,NULL,NULL,NULL,NULL,NULL);
INSERT INTO steps VALUES(5,2,'write','WriteFile','awaitingUser','needsYou','overwrites',1,1,NULL,NULL,1700000001005,NULL,NULL,NULL,NULL,NULL);
CREATE TABLE waiting_lines (
    session INTEGER NOT NULL REFERENCES sessions (id),
    position INTEGER NOT NULL,
    text TEXT NOT NULL,
    owner TEXT NOT NULL,
    PRIMARY KEY (session, position)
) STRICT, WITHOUT ROWID;
INSERT INTO waiting_lines VALUES(1,1,'and another','dead-1');
INSERT INTO waiting_lines VALUES(1,2,'one more','dead-1');
CREATE TABLE workflows (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    title TEXT NOT NULL,
    session INTEGER,
    workspace TEXT NOT NULL,
    mode TEXT NOT NULL CHECK (mode = 'always-ask' OR mode = 'adaptive' OR mode = 'auto'),
    on_ask TEXT NOT NULL CHECK (on_ask = 'inline' OR on_ask = 'deny' OR on_ask = 'park' OR on_ask = 'fail'),
    template TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    outcome TEXT CHECK (outcome = 'succeeded' OR outcome = 'failed' OR outcome = 'cancelled'),
    cancel_requested INTEGER NOT NULL DEFAULT 0 CHECK (cancel_requested IN (0, 1)),
    owner TEXT,
    fence INTEGER NOT NULL DEFAULT 0,
    revision INTEGER NOT NULL DEFAULT 0
, polling_paused_at INTEGER, archived_at INTEGER, graph_revision INTEGER NOT NULL DEFAULT 1, rests INTEGER NOT NULL DEFAULT 0 CHECK (rests = 0 OR rests = 1)) STRICT;
INSERT INTO workflows VALUES(1,'a note',1,'/w','adaptive','park','{"schema":"app.workflow/v2","name":"a note","nodes":[{"id":"text","kind":"Text","params":{"text":"hello"}},{"id":"write","kind":"WriteFile","params":{"path":"note.txt"}}],"edges":[{"from":["text","text"],"to":["write","text"]}]}',1700000000001,1700000001001,'succeeded',0,'dead-1',1,5,NULL,1700000003000,1,0);
INSERT INTO workflows VALUES(2,'it''s broken',NULL,'/w','auto','park','{"schema":"app.workflow/v2","name":"a note","nodes":[{"id":"text","kind":"Text","params":{"text":"hello"}},{"id":"write","kind":"WriteFile","params":{"path":"note.txt"}}],"edges":[{"from":["text","text"],"to":["write","text"]}]}',1700000000002,1700000001002,'failed',0,'dead-1',1,4,NULL,NULL,1,0);
INSERT INTO workflows VALUES(3,'under way',NULL,'/w','always-ask','park','{"schema":"app.workflow/v2","name":"a note","nodes":[{"id":"text","kind":"Text","params":{"text":"hello"}},{"id":"write","kind":"WriteFile","params":{"path":"note.txt"}}],"edges":[{"from":["text","text"],"to":["write","text"]}]}',1700000000003,1700000001003,NULL,0,'dead-1',2,3,1700000000900,NULL,2,0);
INSERT INTO workflows VALUES(5,'waits ü',NULL,'/w','adaptive','park','{"schema":"app.workflow/v2","name":"a note","nodes":[{"id":"text","kind":"Text","params":{"text":"hello"}},{"id":"write","kind":"WriteFile","params":{"path":"note.txt"}}],"edges":[{"from":["text","text"],"to":["write","text"]}]}',1700000000005,1700000001005,NULL,0,'nobody',1,2,NULL,NULL,1,0);
CREATE TABLE kept_assets (
            sha256 TEXT NOT NULL PRIMARY KEY,
            bytes INTEGER NOT NULL,
            workflow INTEGER NOT NULL,
            step INTEGER NOT NULL,
            attempt INTEGER NOT NULL,
            port TEXT NOT NULL,
            name TEXT NOT NULL,
            at INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;
INSERT INTO kept_assets VALUES('aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa',5,1,1,1,'text','note.txt',1700000002000);
CREATE TABLE quarantine (
            workflow INTEGER PRIMARY KEY REFERENCES workflows (id) ON DELETE CASCADE,
            cause TEXT NOT NULL CHECK (cause = 'damaged' OR cause = 'imported'),
            reason TEXT NOT NULL,
            at INTEGER NOT NULL
        ) STRICT;
CREATE TABLE imports (
            workflow INTEGER PRIMARY KEY REFERENCES workflows (id) ON DELETE CASCADE,
            bundle TEXT NOT NULL,
            at INTEGER NOT NULL
        ) STRICT;
INSERT INTO imports VALUES(2,'/home/person/two.assent',1700000002500);
CREATE TABLE checksums (
    subject INTEGER PRIMARY KEY,
    events INTEGER NOT NULL,
    rows INTEGER NOT NULL,
    "check" INTEGER NOT NULL
) STRICT;
INSERT INTO checksums VALUES(-2,0,222408799279695,3780949587754815);
INSERT INTO checksums VALUES(-1,0,3262546520799323,1420095325142539);
INSERT INTO checksums VALUES(0,0,4047956187155670,5764860398459446);
INSERT INTO checksums VALUES(1,6453850704757787,1627222541842971,2552173690297104);
INSERT INTO checksums VALUES(2,7759164897591927,7121496709811257,1311585702501426);
INSERT INTO checksums VALUES(3,1787629534294833,3083758527638260,8761218730839331);
INSERT INTO checksums VALUES(5,6257831397485086,6540327129886532,7940759123655974);
CREATE TABLE usage (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    session INTEGER REFERENCES sessions (id),
    turn INTEGER,
    at INTEGER NOT NULL,
    model TEXT NOT NULL,
    prompt_tokens INTEGER NOT NULL,
    cached_tokens INTEGER NOT NULL,
    completion_tokens INTEGER NOT NULL,
    reasoning_tokens INTEGER NOT NULL,
    cost INTEGER
) STRICT;
CREATE TABLE model_lessons (
    address TEXT NOT NULL,
    model TEXT NOT NULL,
    lesson TEXT NOT NULL,
    at INTEGER NOT NULL,
    PRIMARY KEY (address, model, lesson)
) STRICT, WITHOUT ROWID;
PRAGMA writable_schema=ON;
INSERT INTO sqlite_schema(type,name,tbl_name,rootpage,sql)VALUES('table','message_index','message_index',0,'CREATE VIRTUAL TABLE message_index USING fts5(
    text, called, content=''messages'', content_rowid=''id'', tokenize=''unicode61 remove_diacritics 2'', prefix=''2 3'', columnsize=0
)');
CREATE TABLE IF NOT EXISTS 'message_index_data'(id INTEGER PRIMARY KEY, block BLOB);
INSERT INTO message_index_data VALUES(1,X'030502');
INSERT INTO message_index_data VALUES(10,X'000000000101010001010101');
INSERT INTO message_index_data VALUES(137438953473,X'0000009d0230610102030104646f6e6503020201046d616b6501020201046e6f7465010204010770726f706f736502060101020101750302030108776f726b666c6f770206010103000331646f03020201026d6101020201026e6f0102040102707202060101020102776f0206010103000432646f6e03020201036d616b01020201036e6f74010204010370726f02060101020103776f72020601010304060909090e060f08070709090908080a');
CREATE TABLE IF NOT EXISTS 'message_index_idx'(segid, term, pgno, PRIMARY KEY(segid, term)) WITHOUT ROWID;
INSERT INTO message_index_idx VALUES(1,X'',2);
CREATE TABLE IF NOT EXISTS 'message_index_config'(k PRIMARY KEY, v) WITHOUT ROWID;
INSERT INTO message_index_config VALUES('version',4);
CREATE TABLE heard (
    session INTEGER NOT NULL REFERENCES sessions (id),
    workflow INTEGER NOT NULL REFERENCES workflows (id) ON DELETE CASCADE,
    seq INTEGER NOT NULL,
    is_reported INTEGER NOT NULL,
    PRIMARY KEY (session, workflow)
) STRICT, WITHOUT ROWID;
INSERT INTO heard VALUES(1,1,3,1);
CREATE TABLE pictures (
    id INTEGER PRIMARY KEY,
    bytes BLOB NOT NULL,
    session INTEGER NOT NULL REFERENCES sessions (id),
    message INTEGER NOT NULL REFERENCES messages (id),
    position INTEGER NOT NULL,
    name TEXT NOT NULL,
    mime TEXT NOT NULL,
    width INTEGER NOT NULL,
    height INTEGER NOT NULL,
    UNIQUE (message, position)
) STRICT;
CREATE TABLE told (
    workflow INTEGER NOT NULL REFERENCES workflows (id) ON DELETE CASCADE,
    mark INTEGER NOT NULL,
    PRIMARY KEY (workflow, mark)
) STRICT, WITHOUT ROWID;
DELETE FROM sqlite_sequence;
INSERT INTO sqlite_sequence VALUES('workflows',5);
INSERT INTO sqlite_sequence VALUES('awaits',4);
INSERT INTO sqlite_sequence VALUES('sessions',4);
INSERT INTO sqlite_sequence VALUES('messages',3);
INSERT INTO sqlite_sequence VALUES('commands',3);
CREATE INDEX workflows_open ON workflows (id) WHERE outcome IS NULL;
CREATE INDEX events_of_workflow ON events (workflow) WHERE workflow IS NOT NULL;
CREATE UNIQUE INDEX awaits_one_per_need ON awaits (workflow, step) WHERE status <> 'done';
CREATE INDEX approvals_of_step ON approvals (workflow, step) WHERE used_at IS NULL;
CREATE INDEX decisions_of_step ON decisions (workflow, step, attempt);
CREATE INDEX messages_of_session ON messages (session, id);
CREATE INDEX events_of_session ON events (session) WHERE session IS NOT NULL;
CREATE INDEX awaits_expiring ON awaits (expires_at) WHERE expires_at IS NOT NULL AND status <> 'done';
CREATE INDEX commands_waiting ON commands (workflow) WHERE taken_at IS NULL;
CREATE TRIGGER quarantine_holds BEFORE UPDATE OF owner ON workflows
        WHEN new.owner IS NOT NULL AND EXISTS (SELECT 1 FROM quarantine WHERE workflow = old.id)
        BEGIN
            SELECT RAISE(IGNORE);
        END;
CREATE INDEX usage_of_session ON usage (session);
CREATE TRIGGER messages_indexed AFTER INSERT ON messages
BEGIN
    INSERT INTO message_index (rowid, text, called) VALUES (new.id, new.text, new.called);
END;
CREATE TRIGGER messages_unindexed AFTER DELETE ON messages
BEGIN
    INSERT INTO message_index (message_index, rowid, text, called) VALUES ('delete', old.id, old.text, old.called);
END;
CREATE TRIGGER messages_reindexed AFTER UPDATE OF text, called ON messages
BEGIN
    INSERT INTO message_index (message_index, rowid, text, called) VALUES ('delete', old.id, old.text, old.called);
    INSERT INTO message_index (rowid, text, called) VALUES (new.id, new.text, new.called);
END;
CREATE INDEX pictures_of_session ON pictures (session);
PRAGMA writable_schema=OFF;
COMMIT;
