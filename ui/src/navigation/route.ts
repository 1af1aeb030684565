// The current page, kept in the address so that a reload restores it.

import { create } from "zustand";

export const RUN_TABS = ["answer", "graph", "sql", "sent"] as const;
export type RunTab = (typeof RUN_TABS)[number];

/** The content of the graph: the data flow of the answer, or the run. */
export const FACES = ["data", "work"] as const;
export type Face = (typeof FACES)[number];
/** The display of the graph. */
export const FORMS = ["picture", "outline"] as const;
export type Form = (typeof FORMS)[number];

/** Tabs of earlier versions. */
const FORMER: Record<string, { face: Face; form: Form }> = {
  explanation: { face: "data", form: "outline" },
  steps: { face: "work", form: "outline" },
};

const SETTINGS_TABS = [
  "models",
  "asking",
  "costs",
  "keyboard",
  "appearance",
  "backup",
  "steps",
  "methods",
  "rules",
] as const;

export type Route =
  | { page: "ask" }
  | {
      page: "run";
      runId: string;
      tab: RunTab;
      /** Of the graph, if it differs from the last selection. */
      face?: Face;
      form?: Form;
    }
  /** Two runs side by side; without the second, the user chooses it. */
  | { page: "compare"; left: string; right: string | null }
  | { page: "tables" }
  | { page: "audit" }
  /** All of them, or one by its address. */
  | { page: "connections"; uri: string | null }
  | { page: "saved"; id: string | null }
  | { page: "watches" }
  | { page: "board" }
  | { page: "evaluations"; id: string | null; question: string | null }
  | { page: "settings"; tab: (typeof SETTINGS_TABS)[number] };

export function parseRoute(hash: string): Route {
  const [page, id, tab, face, form] = hash
    .replace(/^#?\/?/, "")
    .split("/")
    .map(decodeURIComponent);
  if (page === "run" && id) {
    const former = FORMER[tab ?? ""];
    if (former) return { page, runId: id, tab: "graph", ...former };
    const known = RUN_TABS.find((t) => t === tab) ?? "answer";
    if (known !== "graph") return { page, runId: id, tab: known };
    return { page, runId: id, tab: known, face: FACES.find((f) => f === face), form: FORMS.find((f) => f === form) };
  }
  if (page === "compare" && id) return { page, left: id, right: tab || null };
  if (page === "tables" || page === "audit" || page === "watches" || page === "board") return { page };
  if (page === "connections") return { page, uri: id || null };
  if (page === "saved") return { page, id: id || null };
  if (page === "evaluations") return { page, id: id || null, question: (id && tab) || null };
  if (page === "settings") return { page, tab: SETTINGS_TABS.find((t) => t === id) ?? "models" };
  return { page: "ask" };
}

export function formatRoute(route: Route): string {
  switch (route.page) {
    case "ask":
      return "#/";
    case "run":
      return [
        `#/run/${encodeURIComponent(route.runId)}`,
        ...(route.tab === "answer" ? [] : [route.tab]),
        ...(route.tab === "graph" && route.face ? [route.face, ...(route.form ? [route.form] : [])] : []),
      ].join("/");
    case "compare":
      return ["#/compare", ...[route.left, route.right ?? ""].filter(Boolean).map(encodeURIComponent)].join("/");
    case "tables":
      return "#/tables";
    case "audit":
      return "#/audit";
    case "watches":
      return "#/watches";
    case "board":
      return "#/board";
    case "connections":
      return route.uri ? `#/connections/${encodeURIComponent(route.uri)}` : "#/connections";
    case "saved":
      return route.id ? `#/saved/${encodeURIComponent(route.id)}` : "#/saved";
    case "evaluations": {
      const parts = [route.id, route.id && route.question].filter((part) => part !== null);
      return ["#/evaluations", ...parts.map(encodeURIComponent)].join("/");
    }
    case "settings":
      return `#/settings/${route.tab}`;
  }
}

export const useRoute = create<{ route: Route }>(() => ({ route: { page: "ask" } }));

export function navigate(route: Route) {
  const hash = formatRoute(route);
  if (location.hash !== hash) location.hash = hash;
  useRoute.setState({ route });
}

/** The settings, at their first page. */
export const openSettings = () => navigate({ page: "settings", tab: SETTINGS_TABS[0] });

export function startRoutes() {
  const read = () => useRoute.setState({ route: parseRoute(location.hash) });
  read();
  window.addEventListener("hashchange", read);
}
