// Every page of the window and its main states: one list for what axe checks and for what the pictures show.
import { write } from "./person.mjs";

/** A way to show a dialog or panel on top of a page, and what has to be there before it is looked at. */
const keys = (pressed) => (page) => page.keyboard.press(pressed);

/** Asks a question at the first page, and waits for what it leads to. */
const asking = (question, shows) => async (page) => {
  await page.locator("#page textarea").fill(question);
  await page.keyboard.press("Enter");
  await shows(page);
};

/** What a column's menu leads to. */
const ofColumn = (column, ...items) => async (page) => {
  await page.getByRole("columnheader", { name: column }).click({ button: "right" });
  for (const item of items) await page.getByRole("menuitem", { name: item }).first().click();
};

/** The first value of the answer's rows, and keys that are pressed there. */
const atCell = (pressed) => async (page) => {
  await page.getByRole("gridcell").nth(1).click();
  if (pressed) await page.keyboard.press(pressed);
};

/** The keys of all tables, as a picture. */
const schema = async (page) => {
  await page.getByRole("tab", { name: "Keys" }).click();
  await page.getByRole("radio", { name: "Schema" }).click();
};

/** The form of a new connection of a kind, in place of another one that is still open. */
const connecting = async (page, kind) => {
  const cancel = page.getByRole("button", { name: "Cancel", exact: true });
  if ((await cancel.count()) > 0) await cancel.click();
  await page.getByRole("button", { name: kind }).click();
};

/**
 * `at` is where a state is, `shows` what is there once it is drawn, `open` what leads to it from there, `inside` the dialog that it
 * is, and `query` what the made-up host is told (`ui/test/fake/main.tsx`). `main` marks those that are also looked at in other
 * languages and sizes.
 */
export const STATES = [
  { name: "home", main: true, at: "", shows: '[data-tour="ask"] ~ * button' },
  { name: "first start", at: "", query: "missing", shows: '[data-tour="ask"]' },
  { name: "home without history", at: "", query: "fresh", shows: "[data-tour-card]" },
  { name: "answer with one value", main: true, at: "run/r3", shows: '[data-tour="answer"]' },
  { name: "answer with rows and a chart", main: true, at: "run/a-series", shows: "svg.marks, canvas.marks, .vega-embed, [role=grid]" },
  { name: "answer with rows", main: true, at: "run/r1", shows: "[role=grid]" },
  { name: "answer without rows", at: "run/a-empty", shows: "#page h1" },
  { name: "answer with a million rows", at: "run/r4", shows: "[role=grid]" },
  {
    name: "menu of a column",
    at: "run/r1",
    shows: "[role=grid]",
    open: ofColumn(/revenue/),
    inside: "[role=menu]",
  },
  { name: "filter of a column", at: "run/r1", shows: "[role=grid]", open: ofColumn(/revenue/, /^Filter/), inside: "[role=dialog]" },
  { name: "statistics of a column", at: "run/r1", shows: "[role=grid]", open: ofColumn(/revenue/, /statistics/i), inside: "[role=dialog]" },
  { name: "detail of a row", at: "run/r1", shows: "[role=grid]", open: atCell("Space"), inside: "[role=dialog]" },
  {
    name: "search in rows",
    at: "run/r1",
    shows: "[role=grid]",
    open: async (page) => {
      await atCell("Control+f")(page);
      await page.keyboard.type("sofa");
      await page.locator("mark").first().waitFor();
    },
  },
  { name: "answer in high contrast", at: "run/r1", query: "theme=contrast", shows: "svg.marks, canvas.marks" },
  { name: "stopped run", at: "run/r5", shows: '#page [role="alert"], #page h1' },
  { name: "graph of the data", main: true, at: "run/r1/graph/data/picture", shows: "[data-node]" },
  {
    name: "graph of the data as a map",
    at: "run/steps-40/graph/data/picture",
    shows: "[data-node]",
    open: (page) => page.getByRole("button", { name: "Fit to view" }).click().then(() => page.locator('.data-flow[data-level="name"]').waitFor()),
  },
  {
    name: "search in the graph of the data",
    at: "run/r1/graph/data/picture",
    shows: "[data-node]",
    open: async (page) => {
      await page.getByRole("button", { name: "Find in the graph" }).click();
      await page.keyboard.type("orders");
      await page.getByText(/^1 of /).waitFor();
    },
  },
  {
    name: "format of a column",
    at: "run/r1",
    shows: "[role=grid]",
    open: async (page) => {
      await page.getByRole("columnheader", { name: /revenue/ }).click({ button: "right" });
      await page.getByRole("menuitem", { name: "Format", exact: true }).click();
    },
    inside: "[role=dialog]",
  },
  { name: "graph of the run", main: true, at: "run/r1/graph/work/picture", shows: "[data-node]" },
  { name: "node of the graph", at: "run/r1/graph/work/picture", shows: "[data-node]", open: (page) => page.locator("[data-node]").first().click() },
  {
    name: "replay of a run",
    at: "run/r1/graph/work/picture",
    shows: "[data-node]",
    open: async (page) => {
      await page.getByRole("button", { name: "Replay" }).click();
      for (let stage = 0; stage < 12; stage++) await page.getByRole("button", { name: "Next stage" }).click();
    },
  },
  {
    name: "lineage of a column",
    at: "run/r1/graph/data/picture",
    shows: "[data-node]",
    open: async (page) => {
      await page.locator('[data-node="result"]').locator("..").getByRole("button", { name: "revenue" }).click();
      await page.getByRole("status").getByRole("button", { name: "Clear", exact: true }).waitFor();
    },
  },
  { name: "graph of a large run", main: true, at: "run/nodes-40/graph/work/picture", query: "sized=40", shows: "[data-node]" },
  { name: "outline of the run", main: true, at: "run/r1/graph/work/outline", shows: "[role=tree]" },
  { name: "explanation", main: true, at: "run/r1/graph/data/outline", shows: "#page section" },
  { name: "SQL", main: true, at: "run/r1/sql", shows: ".cm-content" },
  {
    name: "SQL: plan",
    at: "run/r1/sql",
    shows: ".cm-content",
    open: (page) => page.getByRole("button", { name: "Plan", exact: true }).click().then(() => page.getByRole("tree").waitFor()),
  },
  {
    name: "SQL with parameters",
    main: true,
    at: "run/r1/sql",
    shows: ".cm-content",
    open: async (page) => {
      await write(page, "SELECT channel, count(*) AS orders\nFROM orders\nWHERE year(order_dt) = :year\nGROUP BY channel");
      // In any language.
      await page.getByRole("button", { name: /^Param/ }).click();
      const fields = page.getByRole("form", { name: /^Param/ });
      await fields.getByLabel(":year", { exact: true }).waitFor();
      await fields.getByLabel("Channel", { exact: true }).waitFor();
    },
  },
  { name: "SQL and Python", at: "run/prospy/sql", shows: ".cm-content" },
  { name: "sent", at: "run/remote/sent", shows: "#page section" },
  { name: "tables", main: true, at: "tables", shows: "#page h2, #page section" },
  ...["Sample rows", "Keys", "What the model sees"].map((tab) => ({
    name: `tables: ${tab}`,
    at: "tables",
    shows: "#page h2",
    open: async (page) => {
      await page.getByRole("tab", { name: tab }).click();
      await page.waitForTimeout(600);
    },
  })),
  { name: "tables: keys of many", at: "tables", query: "tables=60", shows: "#page h2", open: schema },
  { name: "two runs compared", main: true, at: "compare/r1/r3", shows: "#page section" },
  { name: "connections", main: true, at: "connections", shows: "#page h1" },
  { name: "no connections", at: "connections", query: "unnamed", shows: "#page h1" },
  {
    name: "connection with definitions",
    at: "connections",
    shows: "#page h1",
    open: async (page) => {
      await page.locator("#page").getByRole("button", { name: /Retail sample/ }).first().click();
      await page.getByRole("region", { name: "Definitions" }).getByRole("button", { name: "Add" }).click();
      await page.getByLabel("Term").fill("active customer");
    },
  },
  { name: "connection form", at: "connections", shows: "#page h1", open: (page) => connecting(page, /^PostgreSQL/) },
  {
    name: "ClickHouse form",
    at: "connections",
    shows: "#page h1",
    open: async (page) => {
      await connecting(page, /^ClickHouse/);
      const read = page.getByRole("group", { name: "Read limits" });
      await read.getByLabel("Price per TiB").waitFor();
      await read.scrollIntoViewIfNeeded();
    },
  },
  {
    name: "driver form",
    at: "connections",
    shows: "#page h1",
    open: async (page) => {
      await connecting(page, /^Driver/);
      await page.getByRole("button", { name: "Add a driver" }).click();
      await page.getByRole("radio", { name: /^mssql/ }).waitFor();
      await page.getByLabel("Address", { exact: true }).fill("mssql://ann:hidden@sql.example:1433?database=sales");
    },
  },
  { name: "saved questions", main: true, at: "saved", shows: "#page h1" },
  { name: "saved question", main: true, at: "saved/s1", shows: "[role=grid]" },
  {
    name: "saved question: SQL",
    at: "saved/s1",
    shows: "#page h1",
    open: (page) => page.locator("#page").getByText("SQL", { exact: true }).first().click().then(() => page.locator(".cm-content").first().waitFor()),
  },
  { name: "saved question whose schema changed", at: "saved/s2", shows: "#page [role=status]" },
  { name: "saved question with code", at: "saved/s3", shows: "#page h1" },
  {
    name: "saving a changed verified question",
    at: "saved/s1",
    shows: "#page h1",
    open: async (page) => {
      await page.getByRole("radio", { name: "SQL" }).click();
      await page.locator(".cm-content").click();
      await page.keyboard.press("Control+End");
      await page.keyboard.type("  ");
      await page.keyboard.type("-- another");
      await page.keyboard.press("Escape");
      await page.getByRole("button", { name: "Save", exact: true }).click();
    },
    inside: "[role=dialog]",
  },
  {
    name: "thread of questions",
    main: true,
    at: "run/thread-3",
    query: "thread",
    shows: "[role=grid]",
    open: async (page) => {
      await page.locator("#page ol li button[aria-expanded]").first().click();
      await page.locator("#page ol [role=grid]").waitFor();
    },
  },
  {
    name: "value of a condition",
    at: "run/chips",
    query: "thread",
    shows: "[role=grid]",
    open: (page) => page.locator('[data-part="understood"] button[aria-expanded]').first().click().then(() => page.locator('[data-part="understood"] form').waitFor()),
  },
  {
    name: "what is wrong with an answer",
    main: true,
    at: "run/r1",
    shows: "[role=grid]",
    open: async (page) => {
      await page.locator("[data-wrong] button").click();
      await page.locator("[data-wrong-kind=rows]").click();
    },
  },
  { name: "watched answers", main: true, at: "watches", shows: "#page dl" },
  { name: "no watched answers", at: "watches", query: "fresh", shows: "#page h1" },
  {
    name: "watching an answer",
    at: "saved/s1",
    shows: "#page h1",
    open: (page) => page.getByRole("button", { name: /^Watch/ }).and(page.locator("#page button")).click(),
    inside: "[role=dialog]",
  },
  { name: "empty board", at: "board", shows: "#page h1" },
  {
    name: "board",
    main: true,
    at: "saved/s1",
    shows: "[role=grid]",
    open: async (page) => {
      await page.locator("#page [data-board]").click();
      await page.evaluate(() => (location.hash = "#/saved/s2"));
      await page.locator("#page [data-board][aria-pressed=false]").click();
      await page.evaluate(() => (location.hash = "#/board"));
      await page.locator("#page li svg.marks, #page li canvas.marks").first().waitFor();
    },
  },
  { name: "audit log", main: true, at: "audit", shows: "#page h1" },
  { name: "evaluation", at: "evaluations/shop-questions-auto", shows: "#page h1" },
  { name: "evaluations", at: "evaluations", shows: "#page h1" },
  ...["models", "asking", "costs", "keyboard", "appearance", "backup", "steps", "methods", "rules"].map((tab) => ({
    name: `settings: ${tab}`,
    main: ["models", "costs", "appearance"].includes(tab),
    at: `settings/${tab}`,
    shows: "#page h2",
  })),
  {
    name: "run that waits for the user",
    at: "",
    shows: "#page textarea",
    open: async (page) => {
      await page.locator("#page textarea").fill("How many active customers are there?");
      await page.keyboard.press("Enter");
      await page.getByRole("heading", { name: "Which do you mean?" }).waitFor();
      await page.getByRole("button", { name: /Waiting for you/ }).waitFor();
    },
  },
  {
    name: "answer with the interpretation that was chosen",
    at: "",
    shows: "#page textarea",
    open: asking("How many active customers are there?", async (page) => {
      await page.getByRole("button", { name: /18,462/ }).click();
      await page.getByRole("region", { name: "Interpretation of the question" }).waitFor();
      await page.getByText("Saved for this question.").waitFor();
    }),
  },
  {
    name: "run with the best so far",
    at: "",
    shows: "#page textarea",
    open: asking("Average basket in each country", (page) => page.getByRole("button", { name: /keep looking/i }).waitFor()),
  },
  {
    name: "run that waits for an approval",
    at: "",
    shows: "#page textarea",
    open: asking("Revenue with approval", (page) => page.getByRole("button", { name: /approve/i }).first().waitFor()),
  },
  {
    name: "methods to choose from",
    at: "",
    shows: "#page textarea",
    open: (page) => page.getByLabel("Method").click(),
    inside: "[role=listbox]",
  },
  { name: "question being edited", at: "run/r3", shows: '[role=tablist]', open: (page) => page.getByRole("button", { name: "Edit question", exact: true }).click() },
  {
    name: "tour",
    at: "",
    shows: "#page h1",
    open: async (page) => {
      await page.getByRole("button", { name: "Help" }).click();
      await page.getByRole("menuitem", { name: "Take the tour" }).click();
    },
    inside: "[role=dialog]",
  },
  { name: "dialog", at: "", shows: "#page h1", open: keys("Control+o"), inside: "[role=dialog]" },
  {
    name: "export of the workspace",
    at: "settings/backup",
    shows: "#page h2",
    open: (page) => page.getByRole("button", { name: "Export workspace" }).click(),
    inside: "[role=dialog]",
  },
  {
    name: "import of a workspace",
    at: "settings/backup",
    shows: "#page h2",
    open: (page) =>
      page.getByRole("button", { name: "Choose file" }).click().then(() => page.locator("[role=dialog] table").waitFor()),
    inside: "[role=dialog]",
  },
  { name: "palette", at: "", shows: "#page h1", open: keys("Control+k"), inside: "[role=dialog]" },
  { name: "shortcuts", at: "", shows: "#page h1", open: (page) => page.locator("#page").focus().then(() => page.keyboard.press("?")), inside: "[role=dialog]" },
  {
    name: "history without a match",
    at: "",
    shows: "[data-run]",
    open: async (page) => {
      await page.getByPlaceholder("Search history").fill("weather on mars");
      await page.waitForFunction(() => document.querySelector("[data-run]") === null);
    },
  },
];
