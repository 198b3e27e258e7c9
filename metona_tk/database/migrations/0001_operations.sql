CREATE TABLE calls (
    number INTEGER PRIMARY KEY,
    at REAL NOT NULL,
    chat TEXT NOT NULL,
    turn TEXT NOT NULL,
    call TEXT NOT NULL,
    tool TEXT NOT NULL,
    arguments TEXT NOT NULL,
    by_program INTEGER NOT NULL,
    decision TEXT NOT NULL,
    decided_by TEXT NOT NULL,
    rule TEXT NOT NULL,
    answer_ms INTEGER NOT NULL,
    outcome TEXT NOT NULL,
    seconds REAL NOT NULL,
    operation TEXT NOT NULL
);
CREATE INDEX calls_at ON calls (at);
-- what a tool changed, and the run that made it as it is now
CREATE TABLE operations (
    number INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    at REAL NOT NULL,
    chat TEXT NOT NULL,
    turn TEXT NOT NULL,
    call TEXT NOT NULL,
    tool TEXT NOT NULL,
    state TEXT NOT NULL,
    run INTEGER,
    changed REAL NOT NULL
);
CREATE INDEX operations_turn ON operations (turn);
-- doing, undoing and redoing an operation; `steps` is JSON, in order
CREATE TABLE runs (
    number INTEGER PRIMARY KEY,
    operation TEXT NOT NULL,
    at REAL NOT NULL,
    direction TEXT NOT NULL,
    state TEXT NOT NULL,
    steps TEXT NOT NULL
);
CREATE INDEX runs_state ON runs (state);
CREATE TABLE objects (
    run INTEGER NOT NULL,
    digest TEXT NOT NULL,
    PRIMARY KEY (run, digest)
) WITHOUT ROWID;
CREATE INDEX objects_digest ON objects (digest);
