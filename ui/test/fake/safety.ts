// Layers of a connection: one of each state.

import type { SafetyLayer } from "../../src/host/bindings";

export const SAFETY: SafetyLayer[] = [
  {
    kind: "proof",
    state: "partly",
    says: "Only what is proven to be one query reaches the database: no writes, no settings, no locks, no files, and no functions but those that are known to compute. You also allowed margin: nobody has proven what they do.",
    how: "By construction: nothing else can be handed to an engine.",
  },
  {
    kind: "engine",
    state: "holds",
    says: "In DuckDB the file is open for reading alone, no other file and no address can be read, settings cannot be changed any more.",
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
