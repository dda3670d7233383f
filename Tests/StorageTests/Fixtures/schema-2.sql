-- A database of schema 2, with data: what 'sqlite3 assent.db .dump' of such a version gives.
PRAGMA foreign_keys=OFF;
BEGIN TRANSACTION;
CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY);
INSERT INTO grdb_migrations VALUES ('1 workflows');
INSERT INTO grdb_migrations VALUES ('2 people');
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
) STRICT;
CREATE INDEX workflows_open ON workflows (id) WHERE outcome IS NULL;
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
    updated_at INTEGER NOT NULL,
    PRIMARY KEY (workflow, step)
) STRICT, WITHOUT ROWID;
CREATE TABLE runs (
    workflow INTEGER NOT NULL,
    step INTEGER NOT NULL,
    attempt INTEGER NOT NULL,
    kind TEXT NOT NULL CHECK (kind = 'tool' OR kind = 'import'),
    started_at INTEGER NOT NULL,
    finished_at INTEGER,
    ending TEXT CHECK (ending = 'succeeded' OR ending = 'failed' OR ending = 'cancelled' OR ending = 'lost'),
    failure TEXT,
    inputs TEXT NOT NULL,
    params TEXT NOT NULL,
    digest TEXT,
    PRIMARY KEY (workflow, step, attempt),
    FOREIGN KEY (workflow, step) REFERENCES steps (workflow, step)
) STRICT, WITHOUT ROWID;
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
CREATE INDEX events_of_workflow ON events (workflow) WHERE workflow IS NOT NULL;
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
    closed_at INTEGER,
    FOREIGN KEY (workflow, step) REFERENCES steps (workflow, step)
) STRICT;
CREATE UNIQUE INDEX awaits_one_per_need ON awaits (workflow, step) WHERE status <> 'done';
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
CREATE INDEX approvals_of_step ON approvals (workflow, step) WHERE used_at IS NULL;
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
CREATE INDEX decisions_of_step ON decisions (workflow, step, attempt);
CREATE TABLE commands (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    workflow INTEGER NOT NULL REFERENCES workflows (id),
    step INTEGER,
    verb TEXT NOT NULL CHECK (verb = 'cancel' OR verb = 'retry' OR verb = 'answer'),
    argument TEXT NOT NULL,
    at INTEGER NOT NULL,
    taken_at INTEGER
) STRICT;
CREATE INDEX commands_waiting ON commands (workflow) WHERE taken_at IS NULL;
INSERT INTO workflows (id,title,session,workspace,mode,on_ask,template,created_at,updated_at,outcome,cancel_requested,owner,fence,revision) VALUES (1,'a note',1,'/w','adaptive','park','{"schema":"app.workflow/v2","name":"a note","nodes":[{"id":"text","kind":"Text","params":{"text":"hello"}},{"id":"write","kind":"WriteFile","params":{"path":"note.txt"}}],"edges":[{"from":["text","text"],"to":["write","text"]}]}',1700000000001,1700000001001,'succeeded',0,'dead-1',1,5);
INSERT INTO workflows (id,title,session,workspace,mode,on_ask,template,created_at,updated_at,outcome,cancel_requested,owner,fence,revision) VALUES (2,'it''s broken',NULL,'/w','auto','park','{"schema":"app.workflow/v2","name":"a note","nodes":[{"id":"text","kind":"Text","params":{"text":"hello"}},{"id":"write","kind":"WriteFile","params":{"path":"note.txt"}}],"edges":[{"from":["text","text"],"to":["write","text"]}]}',1700000000002,1700000001002,'failed',0,'dead-1',1,4);
INSERT INTO workflows (id,title,session,workspace,mode,on_ask,template,created_at,updated_at,outcome,cancel_requested,owner,fence,revision) VALUES (3,'under way',NULL,'/w','always-ask','park','{"schema":"app.workflow/v2","name":"a note","nodes":[{"id":"text","kind":"Text","params":{"text":"hello"}},{"id":"write","kind":"WriteFile","params":{"path":"note.txt"}}],"edges":[{"from":["text","text"],"to":["write","text"]}]}',1700000000003,1700000001003,NULL,0,'dead-1',2,3);
INSERT INTO workflows (id,title,session,workspace,mode,on_ask,template,created_at,updated_at,outcome,cancel_requested,owner,fence,revision) VALUES (5,'waits ü',NULL,'/w','adaptive','park','{"schema":"app.workflow/v2","name":"a note","nodes":[{"id":"text","kind":"Text","params":{"text":"hello"}},{"id":"write","kind":"WriteFile","params":{"path":"note.txt"}}],"edges":[{"from":["text","text"],"to":["write","text"]}]}',1700000000005,1700000001005,NULL,0,'nobody',1,2);
INSERT INTO steps (workflow,step,node,kind,state,reason_code,reason_words,attempt,tries,failure,due_at,updated_at) VALUES (1,1,'text','Text','succeeded',NULL,NULL,1,1,NULL,NULL,1700000000500),(1,2,'write','WriteFile','succeeded',NULL,NULL,1,1,NULL,NULL,1700000001001),(2,1,'text','Text','succeeded',NULL,NULL,1,1,NULL,NULL,1700000000502),(2,2,'write','WriteFile','failed',NULL,NULL,2,2,'{"code":"processFailed","message":"It broke.","remedy":"Mend it.","cause":"x"}',NULL,1700000001002),(3,1,'text','Text','succeeded',NULL,NULL,1,1,NULL,NULL,1700000000503),(3,2,'write','WriteFile','runningLocal',NULL,NULL,1,1,NULL,NULL,1700000001003),(5,1,'text','Text','succeeded',NULL,NULL,1,1,NULL,NULL,1700000000505),(5,2,'write','WriteFile','ready','backoff','Trying again in 30 s.',1,1,'{"code":"busy","message":"Busy."}',1700000031005,1700000001005);
INSERT INTO runs (workflow,step,attempt,kind,started_at,finished_at,ending,failure,inputs,params,digest) VALUES (1,1,1,'tool',1700000000401,1700000000501,'succeeded',NULL,'{}','{"text":"hello"}',NULL),(2,1,1,'tool',1700000000402,1700000000502,'succeeded',NULL,'{}','{"text":"hello"}',NULL),(3,1,1,'tool',1700000000403,1700000000503,'succeeded',NULL,'{}','{"text":"hello"}',NULL),(5,1,1,'tool',1700000000405,1700000000505,'succeeded',NULL,'{}','{"text":"hello"}',NULL),(1,2,1,'tool',1700000000600,1700000001001,'succeeded',NULL,'{"text":"1.1.text"}','{"path":"note.txt"}','dddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddd'),(2,2,1,'tool',1700000000600,1700000000700,'lost',NULL,'{"text":"1.1.text"}','{"path":"note.txt"}','dddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddd'),(2,2,2,'tool',1700000000800,1700000001002,'failed','{"code":"processFailed","message":"It broke."}','{"text":"1.1.text"}','{"path":"note.txt"}','dddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddd'),(3,2,1,'tool',1700000001003,NULL,NULL,NULL,'{"text":"1.1.text"}','{"path":"note.txt"}','dddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddd'),(5,2,1,'tool',1700000000700,1700000001005,'failed','{"code":"busy","message":"Busy."}','{"text":"1.1.text"}','{"path":"note.txt"}','dddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddd');
INSERT INTO assets (workflow,step,attempt,port,type,sha256,bytes,name,meta) VALUES (1,1,1,'text','text','aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa',5,'note.txt','{}'),(2,1,1,'text','text','aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa',5,'note.txt','{}'),(3,1,1,'text','text','aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa',5,'note.txt','{}'),(5,1,1,'text','text','aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa',5,'note.txt','{}'),(1,2,1,'file','file','bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb',5,'note.txt','{"path":"/w/note.txt"}');
INSERT INTO events (seq,at,session,turn,workflow,step,attempt,type,body) VALUES (1,1700000000001,1,NULL,1,NULL,NULL,'workflow.created','{"title":"a note","steps":2}');
INSERT INTO events (seq,at,session,turn,workflow,step,attempt,type,body) VALUES (2,1700000000002,NULL,NULL,1,1,NULL,'step.changed','{"state":"ready"}');
INSERT INTO events (seq,at,session,turn,workflow,step,attempt,type,body) VALUES (3,1700000000003,NULL,NULL,1,1,1,'step.changed','{"state":"runningLocal"}');
INSERT INTO events (seq,at,session,turn,workflow,step,attempt,type,body) VALUES (4,1700000000004,NULL,NULL,1,1,1,'step.changed','{"state":"succeeded"}');
INSERT INTO events (seq,at,session,turn,workflow,step,attempt,type,body) VALUES (5,1700000000005,NULL,NULL,1,2,NULL,'step.changed','{"state":"ready","reason":"waitingForSlot","words":"It waits for a free slot."}');
INSERT INTO events (seq,at,session,turn,workflow,step,attempt,type,body) VALUES (6,1700000000006,NULL,NULL,1,2,1,'step.changed','{"state":"runningLocal"}');
INSERT INTO events (seq,at,session,turn,workflow,step,attempt,type,body) VALUES (7,1700000000007,NULL,NULL,1,2,1,'step.changed','{"state":"succeeded"}');
INSERT INTO events (seq,at,session,turn,workflow,step,attempt,type,body) VALUES (8,1700000000008,NULL,NULL,1,NULL,NULL,'workflow.finished','{"outcome":"succeeded","outputs":[{"step":2,"port":"file","type":"file","path":"/w/note.txt","sha256":"bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb","bytes":5}]}');
INSERT INTO events (seq,at,session,turn,workflow,step,attempt,type,body) VALUES (9,1700000000009,NULL,NULL,2,NULL,NULL,'workflow.created','{"title":"a note","steps":2}');
INSERT INTO events (seq,at,session,turn,workflow,step,attempt,type,body) VALUES (10,1700000000010,NULL,NULL,2,1,NULL,'step.changed','{"state":"ready"}');
INSERT INTO events (seq,at,session,turn,workflow,step,attempt,type,body) VALUES (11,1700000000011,NULL,NULL,2,1,1,'step.changed','{"state":"runningLocal"}');
INSERT INTO events (seq,at,session,turn,workflow,step,attempt,type,body) VALUES (12,1700000000012,NULL,NULL,2,1,1,'step.changed','{"state":"succeeded"}');
INSERT INTO events (seq,at,session,turn,workflow,step,attempt,type,body) VALUES (13,1700000000013,NULL,NULL,2,2,NULL,'step.changed','{"state":"ready","reason":"waitingForSlot","words":"It waits for a free slot."}');
INSERT INTO events (seq,at,session,turn,workflow,step,attempt,type,body) VALUES (14,1700000000014,NULL,NULL,2,2,1,'step.changed','{"state":"runningLocal"}');
INSERT INTO events (seq,at,session,turn,workflow,step,attempt,type,body) VALUES (15,1700000000015,NULL,NULL,2,2,1,'step.changed','{"state":"ready","reason":"processLost","words":"The process was lost; it runs again."}');
INSERT INTO events (seq,at,session,turn,workflow,step,attempt,type,body) VALUES (16,1700000000016,NULL,NULL,2,2,2,'step.changed','{"state":"runningLocal"}');
INSERT INTO events (seq,at,session,turn,workflow,step,attempt,type,body) VALUES (17,1700000000017,NULL,NULL,2,2,2,'step.changed','{"state":"failed","failure":{"code":"processFailed","message":"It broke.","remedy":"Mend it."}}');
INSERT INTO events (seq,at,session,turn,workflow,step,attempt,type,body) VALUES (18,1700000000018,NULL,NULL,2,NULL,NULL,'workflow.finished','{"outcome":"failed","outputs":[]}');
INSERT INTO events (seq,at,session,turn,workflow,step,attempt,type,body) VALUES (19,1700000000019,NULL,NULL,3,NULL,NULL,'workflow.created','{"title":"a note","steps":2}');
INSERT INTO events (seq,at,session,turn,workflow,step,attempt,type,body) VALUES (20,1700000000020,NULL,NULL,3,1,NULL,'step.changed','{"state":"ready"}');
INSERT INTO events (seq,at,session,turn,workflow,step,attempt,type,body) VALUES (21,1700000000021,NULL,NULL,3,1,1,'step.changed','{"state":"runningLocal"}');
INSERT INTO events (seq,at,session,turn,workflow,step,attempt,type,body) VALUES (22,1700000000022,NULL,NULL,3,1,1,'step.changed','{"state":"succeeded"}');
INSERT INTO events (seq,at,session,turn,workflow,step,attempt,type,body) VALUES (23,1700000000023,NULL,NULL,3,2,NULL,'step.changed','{"state":"ready","reason":"waitingForSlot","words":"It waits for a free slot."}');
INSERT INTO events (seq,at,session,turn,workflow,step,attempt,type,body) VALUES (24,1700000000024,NULL,NULL,3,2,1,'step.changed','{"state":"runningLocal"}');
INSERT INTO events (seq,at,session,turn,workflow,step,attempt,type,body) VALUES (25,1700000000025,NULL,NULL,5,NULL,NULL,'workflow.created','{"title":"a note","steps":2}');
INSERT INTO events (seq,at,session,turn,workflow,step,attempt,type,body) VALUES (26,1700000000026,NULL,NULL,5,1,NULL,'step.changed','{"state":"ready"}');
INSERT INTO events (seq,at,session,turn,workflow,step,attempt,type,body) VALUES (27,1700000000027,NULL,NULL,5,1,1,'step.changed','{"state":"runningLocal"}');
INSERT INTO events (seq,at,session,turn,workflow,step,attempt,type,body) VALUES (28,1700000000028,NULL,NULL,5,1,1,'step.changed','{"state":"succeeded"}');
INSERT INTO events (seq,at,session,turn,workflow,step,attempt,type,body) VALUES (29,1700000000029,NULL,NULL,5,2,NULL,'step.changed','{"state":"ready","reason":"waitingForSlot","words":"It waits for a free slot."}');
INSERT INTO events (seq,at,session,turn,workflow,step,attempt,type,body) VALUES (30,1700000000030,NULL,NULL,5,2,1,'step.changed','{"state":"runningLocal"}');
INSERT INTO events (seq,at,session,turn,workflow,step,attempt,type,body) VALUES (31,1700000000031,NULL,NULL,5,2,1,'step.changed','{"state":"ready","reason":"backoff","words":"Trying again in 30 s.","failure":{"code":"busy","message":"Busy."}}');
UPDATE steps SET state='awaitingUser', reason_code='needsYou', reason_words='overwrites', failure=NULL, due_at=NULL WHERE workflow=5 AND step=2;
INSERT INTO awaits (number,workflow,step,type,status,title,reason,urgency,created_at,expires_at,digest,question,resolution,answered_by,closed_at) VALUES (2,1,2,'confirmCall','done','create a file','creates','normal',1700000000550,NULL,'dddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddd','{"call":{}}','approved','person on /dev/pts/1',1700000000590),(4,5,2,'confirmCall','pending','overwrite a file','overwrites','high',1700000001005,NULL,'eeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee','{"call":{"tool":"WriteFile"}}',NULL,NULL,NULL);
INSERT INTO approvals (await,workflow,step,digest,is_planned,answered_by,policy_epoch,at,expires_at,used_at) VALUES (2,1,2,'dddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddd',0,'person on /dev/pts/1','epoch',1700000000590,1700086400590,1700000000600);
INSERT INTO decisions (workflow,step,attempt,digest,call,decision,because,mode,decided_by,policy_epoch,at) VALUES (1,2,1,'dddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddd','{"tool":"WriteFile"}','ask','["built-in"]','adaptive','person on /dev/pts/1','epoch',1700000000600);
INSERT INTO commands (id,workflow,step,verb,argument,at,taken_at) VALUES (1,1,2,'answer','{"await":2,"answer":"yes","by":"me"}',1700000000590,1700000000600),(3,2,NULL,'retry','{}',1700000002000,NULL);
INSERT INTO events (seq,at,session,turn,workflow,step,attempt,type,body) VALUES (100,1700000001005,NULL,NULL,5,2,1,'step.changed','{"state":"awaitingUser","reason":"needsYou","words":"overwrites"}'),(101,1700000001005,NULL,NULL,5,2,NULL,'await.opened','{"await":4,"number":4,"kind":"confirmCall","digest":"eeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee","title":"overwrite a file","reason":"overwrites","link":"assent://workflow/w5/node/2?await=4"}');
COMMIT;
PRAGMA journal_mode=WAL;
