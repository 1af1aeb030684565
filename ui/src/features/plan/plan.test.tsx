// The plan of a query by its engine, as the SQL tab shows it.

import { act, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, it } from "vitest";
import type { FakeHost } from "../../../test/fake/host";
import { PLAN } from "../../../test/fake/plan";
import { start } from "../../../test/start";
import { navigate } from "../../navigation/route";
import { setDraft } from "../editor/state";
import { costliestStep, planRows } from "./rows";

let host: FakeHost;
beforeEach(async () => {
  host = await start();
  act(() => navigate({ page: "run", runId: "r1", tab: "sql" }));
  await screen.findByRole("textbox", { name: "SQL" });
});

const opened = async () => {
  await userEvent.click(screen.getByRole("button", { name: "Plan" }));
  return within(await screen.findByRole("region", { name: "Database plan" }));
};
const names = () => screen.getAllByRole("treeitem").map((item) => item.textContent);

describe("a query without a row yet", () => {
  it("is stopped at the database, and can be run again", async () => {
    const open = host.openResult;
    let fail: (error: unknown) => void = () => {};
    host.openResult = () => new Promise((_, reject) => (fail = reject));
    act(() => setDraft("run:r1", "SELECT count(*) FROM customers"));
    await userEvent.click(screen.getByRole("button", { name: "Run" }));
    host.stopAsking = async () => {
      fail({ code: "cancelled", message: "The query was cancelled", hint: null, detail: null });
    };
    await userEvent.click(await screen.findByRole("button", { name: "Stop" }));
    const stopped = host.calls.filter(([name]) => name === "stopAsking").map(([, args]) => args);
    expect(stopped).toEqual([["rows", expect.any(String), "SELECT count(*) FROM customers"]]);
    expect(screen.queryByRole("alert")).toBeNull();
    host.openResult = open;
    await userEvent.click(await screen.findByRole("button", { name: "Run" }));
    expect(await screen.findByRole("grid", { name: /[Rr]esult/ })).toBeTruthy();
  });
});

describe("a plan", () => {
  it("is shown of the query as it is written, with what the database expects", async () => {
    act(() => setDraft("run:r1", "SELECT 1 AS mine"));
    const pane = await opened();
    const tree = await pane.findByRole("tree", { name: "Steps of the plan" });
    expect(host.calls.filter(([name]) => name === "queryPlan").map(([, args]) => args[1])).toEqual([
      "SELECT 1 AS mine",
    ]);
    const items = within(tree).getAllByRole("treeitem");
    expect(items[0]!.textContent).toContain("Limitabout 10 rows · cost 21,870");
    expect(items.map((item) => item.getAttribute("aria-level"))).toEqual(["1", "2", "3", "4", "5", "5", "6"]);
    expect(
      items.filter((item) => item.textContent!.includes("Costliest step")).map((item) => item.textContent),
    ).toEqual([expect.stringContaining("Seq Scan on order_items oi")]);
    expect(pane.getByText("Costliest step, 68%")).toBeTruthy();
    expect(pane.getByText(/Nothing was run/)).toBeTruthy();
    // The explanation in words takes its place, and neither is there twice.
    await userEvent.click(screen.getByRole("button", { name: "Explain" }));
    expect(await screen.findByRole("region", { name: "Explanation" })).toBeTruthy();
    expect(screen.queryByRole("region", { name: "Database plan" })).toBeNull();
  });

  it("is one tab stop, and arrow keys lead through it, open and close it", async () => {
    const pane = await opened();
    const tree = await pane.findByRole("tree");
    expect(
      within(tree)
        .getAllByRole("treeitem")
        .map((item) => item.tabIndex),
    ).toEqual([0, -1, -1, -1, -1, -1, -1]);
    act(() => within(tree).getAllByRole("treeitem")[0]!.focus());
    await userEvent.keyboard("{ArrowDown}{ArrowRight}");
    expect(document.activeElement?.textContent).toContain("HashAggregate");
    await userEvent.keyboard("{ArrowLeft}");
    expect(names()).toHaveLength(3);
    expect(document.activeElement?.getAttribute("aria-expanded")).toBe("false");
    await userEvent.keyboard("{ArrowLeft}");
    expect(document.activeElement?.textContent).toContain("Sort");
    await userEvent.keyboard("{End}{ArrowRight}");
    expect(names()).toHaveLength(7);
    await userEvent.keyboard("{Home} ");
    expect(names()).toHaveLength(1);
  });

  it("that the database does not tell says why, and can be asked for again", async () => {
    const queryPlan = host.queryPlan;
    host.queryPlan = () =>
      Promise.reject({ code: "query", message: "BigQuery offers no plan", hint: null, detail: null });
    const pane = await opened();
    expect((await pane.findByRole("alert")).textContent).toContain("BigQuery offers no plan");
    host.queryPlan = queryPlan;
    await userEvent.click(pane.getByRole("button", { name: "Try again" }));
    expect(await pane.findByRole("tree")).toBeTruthy();
  });

  it("that nobody waits for any more is stopped at the database", async () => {
    host.queryPlan = () => new Promise(() => {});
    const pane = await opened();
    expect((await pane.findByRole("status")).textContent).toContain("Asking the database");
    await userEvent.click(screen.getByRole("button", { name: "Plan" }));
    const sql = expect.stringContaining("SELECT");
    const stopped = () => host.calls.filter(([name]) => name === "stopAsking").map(([, args]) => args);
    await waitFor(() => expect(stopped()).toEqual([["plan", expect.any(String), sql]]));
    // One that has come is not.
    host.queryPlan = async () => PLAN;
    await opened();
    await screen.findByRole("tree");
    await userEvent.click(screen.getByRole("button", { name: "Plan" }));
    expect(stopped()).toHaveLength(1);
  });

  it("without any step says so", async () => {
    host.queryPlan = async () => ({ steps: [] });
    const pane = await opened();
    expect(await pane.findByText("The database returned no plan")).toBeTruthy();
  });

  it("without costs marks no step", () => {
    const bare = { label: "SCAN orders", details: [], rows: null, cost: null, share: null, children: [] };
    expect(costliestStep({ steps: [bare, bare] })).toBeNull();
    expect(costliestStep({ steps: [{ ...bare, share: 1 }] })).toBeNull();
    expect(costliestStep(PLAN)).toBe("0.0.0.0.0");
    expect(planRows(PLAN, new Set(["0.0"])).map(({ id }) => id)).toEqual(["0", "0.0"]);
  });
});
