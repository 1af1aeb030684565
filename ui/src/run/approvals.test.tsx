// Connections that run only approved SQL: the text is shown with its hash, and runs with the user's word alone.

import { act, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, it } from "vitest";
import { SAMPLE } from "../../test/fake/data";
import { start } from "../../test/start";
import { mayRun } from "../domain/approval";
import { openOrigin } from "../features/grid/origin";
import { host } from "../host/host";
import { navigate, useRoute } from "../navigation/route";
import { watchWaiting } from "./waitingNotice";

beforeEach(async () => {
  await start();
});

const GUARDED = "SELECT guarded FROM orders";

async function asked() {
  await userEvent.type(screen.getByLabelText("Question"), "Customers with approval{Enter}");
  return screen.findByRole("region", { name: "Approve this query?" });
}
const press = (within_: HTMLElement, name: string) => userEvent.click(within(within_).getByRole("button", { name }));

describe("a question on such a connection", () => {
  it("shows the query with its hash, and answers once it is approved", async () => {
    const card = await asked();
    expect(card.textContent).toContain("COUNT(DISTINCT cust_id)");
    expect(card.textContent).toMatch(/SHA-256 [0-9a-f]{64}/);
    expect(screen.queryByText("18,462")).toBeNull();
    await press(card, "Approve and run");
    expect(await screen.findByText("18,462")).toBeTruthy();
    expect(screen.queryByRole("region", { name: "Approve this query?" })).toBeNull();
  });

  it("ends where the query is refused", async () => {
    await press(await asked(), "Refuse and stop");
    await waitFor(() => expect(screen.queryByRole("region", { name: "Approve this query?" })).toBeNull());
    expect(screen.queryByText("18,462")).toBeNull();
  });

  it("says on other pages that it waits", async () => {
    const leave = watchWaiting();
    await asked();
    const { route } = useRoute.getState();
    act(() => navigate({ page: "audit" }));
    expect(await screen.findByText("A query needs your approval.")).toBeTruthy();
    await userEvent.click(screen.getByRole("button", { name: "Review query" }));
    expect(useRoute.getState().route).toMatchObject(route);
    leave();
  });
});

describe("other queries", () => {
  const dialog = () => screen.findByRole("dialog", { name: "Approve this query?" });

  it("run after the approval, which holds for the same text and no other", async () => {
    const opened = openOrigin({ warehouse: "w", sql: GUARDED }, 10);
    const shown = await dialog();
    expect(shown.textContent).toContain(GUARDED);
    await press(shown, "Approve and run");
    expect((await opened).resultId).toBeTruthy();
    expect((await openOrigin({ warehouse: "w", sql: GUARDED }, 10)).resultId).toBeTruthy();
    expect(await mayRun("w", GUARDED)).toBe(true);
    const other = mayRun("w", `${GUARDED} LIMIT 1`);
    await press(await dialog(), "Don't run");
    expect(await other).toBe(false);
  });

  it("fail with what is missing where they are refused, and need nothing elsewhere", async () => {
    const opened = openOrigin({ warehouse: "w", sql: GUARDED }, 10);
    const failed = expect(opened).rejects.toMatchObject({ app: { code: "notApproved" } });
    await press(await dialog(), "Don't run");
    await failed;
    expect((await openOrigin({ warehouse: "w", sql: "SELECT 1" }, 10)).resultId).toBeTruthy();
    expect(screen.queryByRole("dialog")).toBeNull();
  });
});

describe("what was approved", () => {
  it("stands at the connection, is taken back there, and given again by its undo", async () => {
    const { sqlSha256 } = await host().approval(SAMPLE, GUARDED);
    await host().approveSql(SAMPLE, GUARDED, sqlSha256);
    act(() => navigate({ page: "connections", uri: SAMPLE }));
    const list = within(await screen.findByRole("region", { name: "Approved queries" }));
    const row = list.getByRole("button", { name: /SELECT guarded FROM orders.*3 Nov 2026.*by ann/ });
    await userEvent.click(row);
    expect(list.getByText(`SHA-256 ${sqlSha256}`)).toBeTruthy();
    await userEvent.click(list.getByRole("button", { name: "Revoke" }));
    // Nothing asks for approval here and none is left, so that there is nothing to say.
    await waitFor(() => expect(screen.queryByRole("region", { name: "Approved queries" })).toBeNull());
    expect(document.activeElement?.id).toBe("page");
    expect((await host().approval(SAMPLE, GUARDED)).approved).toBe(false);
    await userEvent.click(await screen.findByRole("button", { name: "Undo" }));
    expect(await screen.findByRole("region", { name: "Approved queries" })).toBeTruthy();
    expect((await host().approval(SAMPLE, GUARDED)).approved).toBe(true);
  });
});
