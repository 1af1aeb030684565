-- One row a run: its header, kept in step with its events by every append.
CREATE TABLE runs (
  run_id      TEXT PRIMARY KEY,
  question    TEXT NOT NULL,
  strategy    TEXT NOT NULL,
  warehouse   TEXT NOT NULL,
  status      TEXT NOT NULL CHECK (status IN ('running', 'answered', 'failed', 'cancelled')),
  started_at  TEXT NOT NULL,               -- RFC 3339, UTC
  finished_at TEXT,
  wall_ms     INTEGER NOT NULL DEFAULT 0,  -- at_ms of the last event
  row_count   INTEGER,
  error       TEXT,
  usage       TEXT NOT NULL,               -- JSON of Usage
  last_seq    INTEGER NOT NULL,
  owner       INTEGER                      -- which running program writes it; see presence.rs
);
CREATE INDEX runs_by_start ON runs (started_at DESC, run_id DESC);
CREATE INDEX runs_open ON runs (owner) WHERE status = 'running';

CREATE TABLE run_events (
  run_id TEXT NOT NULL REFERENCES runs (run_id) ON DELETE CASCADE,
  seq    INTEGER NOT NULL CHECK (seq > 0),
  at_ms  INTEGER NOT NULL,
  body   TEXT NOT NULL,                    -- JSON of EventBody
  PRIMARY KEY (run_id, seq)
);

CREATE TABLE saved_questions (
  id         TEXT PRIMARY KEY,
  title      TEXT NOT NULL,
  question   TEXT NOT NULL,
  sql        TEXT NOT NULL,
  warehouse  TEXT NOT NULL,
  status     TEXT NOT NULL CHECK (status IN ('draft', 'reviewed', 'verified')),
  run_id     TEXT REFERENCES runs (run_id) ON DELETE SET NULL,
  notes      TEXT NOT NULL,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL
);
CREATE INDEX saved_by_run ON saved_questions (run_id);

CREATE TABLE settings (
  key   TEXT PRIMARY KEY,
  value TEXT NOT NULL                      -- JSON
);

CREATE TABLE warehouses (
  uri       TEXT PRIMARY KEY,
  title     TEXT NOT NULL,
  last_used TEXT NOT NULL
);

-- Keys are in the system's keychain, not here.
CREATE TABLE remote_models (
  id             TEXT PRIMARY KEY,
  title          TEXT NOT NULL,
  provider       TEXT NOT NULL,
  base_url       TEXT NOT NULL,
  model          TEXT NOT NULL,
  context_tokens INTEGER NOT NULL
);
