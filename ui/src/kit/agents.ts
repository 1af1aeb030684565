// What each agent does, in words.

import type { Agent } from "../host/bindings";

export const AGENTS: Record<Agent, { title: string; help: string }> = {
  rewriter: { title: "Understanding the question", help: "Restates the question as task, columns and conditions." },
  linker: {
    title: "Choosing tables",
    help: "Selects relevant tables and columns. Used by DSR-SQL, ReFoRCE and ProSPy.",
  },
  explorer: { title: "Checking the data", help: "Writes probing queries. Used by DSR-SQL and ReFoRCE." },
  "view-generator": {
    title: "Writing views",
    help: "Writes views and selects tables. Used by AV-SQL, Auto and ProSPy.",
  },
  exemplar: { title: "Writing examples", help: "Writes example questions with SQL. Used by CHASE-SQL." },
  planner: { title: "Planning", help: "Plans the final query." },
  generator: { title: "Writing the SQL", help: "Writes and repairs the final query." },
  judge: { title: "Comparing results", help: "Compares two results if attempts disagree." },
  revisor: { title: "Checking the SQL", help: "Compares the final query with the question." },
  analyst: { title: "Analysing", help: "Computes the answer from fetched views. Used by ProSPy." },
  assessor: { title: "Checking the answer", help: "Asks again behind the answer, to see how sure it is." },
};
