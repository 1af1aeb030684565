// Layers of a connection: one of each state.

import type { SafetyLayer } from "../../src/host/bindings";

export const SAFETY: SafetyLayer[] = [
  {
    kind: "proof",
    state: "partly",
    says: "Only a statement that is proven to be a single query reaches the database: no writes, no settings, no locks, no files, and only functions that are known to compute values. You also allowed margin: their effects are not proven.",
    how: "By construction: an engine accepts nothing else.",
  },
  {
    kind: "engine",
    state: "holds",
    says: "In DuckDB the file is opened read-only, no other file and no address can be read, settings can no longer be changed.",
    how: "The open connection was asked for its settings and databases.",
  },
  {
    kind: "process",
    state: "unknown",
    says: "The engine's process did not tell.",
    how: "It was asked.",
  },
  {
    kind: "rights",
    state: "missing",
    says: "You may change this file, and Vitrine runs as you: the other layers keep it from that.",
    how: "The rights of /data/shop.duckdb were looked up.",
  },
];
