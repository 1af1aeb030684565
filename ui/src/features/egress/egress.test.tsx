import { act, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it, vi } from "vitest";
import { FIRST_BODY } from "../../../test/fake/egress";
import type { FakeHost } from "../../../test/fake/host";
import { start } from "../../../test/start";
import type { EgressPolicy } from "../../host/bindings";
import { AppFailure } from "../../host/host";
import { navigate } from "../../navigation/route";
import { isMasked, policySummary, withColumn } from "./policy";
import { formatReadable } from "./readable";

const GONE = {
  code: "internal" as const,
  message: "The workspace is locked.",
  hint: "Close the other window.",
  detail: null,
};
const refuse = (host: FakeHost) => vi.spyOn(host, "setEgress").mockRejectedValueOnce(new AppFailure(GONE));
const kept = async (host: FakeHost) => (await host.egress("")).policy;

const open = async () => {
  act(() => navigate({ page: "tables" }));
  await userEvent.click(await screen.findByRole("button", { name: "Privacy" }));
  return within(await screen.findByRole("dialog", { name: "Privacy" }));
};
type Dialog = Awaited<ReturnType<typeof open>>;

const level = (dialog: Dialog, name: string) => dialog.getByRole("radio", { name });
const mask = (dialog: Dialog, name: string) => dialog.getByRole("switch", { name: `Mask ${name}` });

describe("what leaves of a warehouse", () => {
  it("says what is true, and what each level adds", async () => {
    await start();
    const dialog = await open();
    expect(dialog.getByText(/see everything, and nothing leaves this computer/)).toBeTruthy();
    const levels = await dialog.findAllByRole("radio");
    expect(levels.map((radio) => radio.getAttribute("aria-checked"))).toEqual([
      "false",
      "false",
      "false",
      "false",
      "true",
    ]);
    expect(dialog.getByText(/comments and view definitions/)).toBeTruthy();
  });

  it("saves a level at once, and takes it back", async () => {
    const host = await start();
    const dialog = await open();
    await dialog.findAllByRole("radio");
    await userEvent.click(level(dialog, "Statistics"));
    expect(await dialog.findByText("Saved. Allowed to send: names, comments and statistics.")).toBeTruthy();
    expect((await kept(host)).level).toBe("profile");
    expect(dialog.getByText(/no stored values are sent/)).toBeTruthy();
    await userEvent.click(dialog.getByRole("button", { name: "Undo" }));
    await waitFor(() => expect(level(dialog, "Results").getAttribute("aria-checked")).toBe("true"));
    expect(await dialog.findByText("Saved. Undone.")).toBeTruthy();
    expect((await kept(host)).level).toBe("results");
    await userEvent.click(dialog.getByRole("button", { name: "Redo" }));
    await waitFor(async () => expect((await kept(host)).level).toBe("profile"));
  });

  it("goes through the levels with the keys of a radio group", async () => {
    const host = await start();
    const dialog = await open();
    await dialog.findAllByRole("radio");
    act(() => level(dialog, "Results").focus());
    await userEvent.keyboard("{ArrowUp}");
    expect(level(dialog, "Sample values").getAttribute("aria-checked")).toBe("true");
    await userEvent.keyboard("{Home}");
    await waitFor(async () => expect((await kept(host)).level).toBe("names"));
  });

  it("rolls a refused change back and says why", async () => {
    const host = await start();
    const dialog = await open();
    await dialog.findAllByRole("radio");
    refuse(host);
    await userEvent.click(level(dialog, "Names"));
    expect(await dialog.findByText("The workspace is locked.")).toBeTruthy();
    expect(level(dialog, "Results").getAttribute("aria-checked")).toBe("true");
    expect(level(dialog, "Names").getAttribute("aria-checked")).toBe("false");
    expect(dialog.getByText("Not saved.")).toBeTruthy();
    await userEvent.click(level(dialog, "Names"));
    expect(await dialog.findByText("Saved. Allowed to send: names.")).toBeTruthy();
    expect(dialog.queryByText("The workspace is locked.")).toBeNull();
  });

  it("tells and masks single columns, and all of them", async () => {
    const host = await start();
    const dialog = await open();
    const rows = within(await dialog.findByRole("list", { name: "Personal columns" }));
    expect(rows.getAllByRole("listitem").map((row) => row.textContent)).toEqual([
      "customers.full_nmName of a personMasked",
      "customers.emailE-mail addressMasked",
      "staff.mobileTelephone numberMasked",
    ]);
    await userEvent.click(mask(dialog, "customers.email"));
    await waitFor(async () => expect((await kept(host)).allowed).toEqual(["customers.email"]));
    expect(rows.getAllByText("Not masked")).toHaveLength(1);
    await userEvent.click(mask(dialog, "customers.email"));
    await waitFor(async () => expect((await kept(host)).allowed).toEqual([]));
    await userEvent.click(dialog.getByRole("switch", { name: "Mask columns that look personal" }));
    expect(rows.getAllByText("Not masked")).toHaveLength(3);
    await userEvent.click(mask(dialog, "staff.mobile"));
    await waitFor(async () => expect((await kept(host)).masked).toEqual(["staff.mobile"]));
  });

  it("masks another column by name, and says which name is wrong", async () => {
    const host = await start();
    const dialog = await open();
    const field = await dialog.findByRole("combobox", { name: "Mask another column" });
    const add = async (name: string) => {
      await userEvent.clear(field);
      await userEvent.type(field, name);
      await userEvent.keyboard("{Escape}");
      await userEvent.click(screen.getByRole("button", { name: "Mask", hidden: true }));
    };
    await add("region");
    expect(await dialog.findByText("Enter the column as table.column.")).toBeTruthy();
    await add("Customers.EMAIL");
    expect(await dialog.findByText("customers.email is already masked.")).toBeTruthy();
    await add("stores.regoin");
    expect(await dialog.findByText(/Column 'stores.regoin' not found in retail/)).toBeTruthy();
    expect((await kept(host)).masked).toEqual([]);
    await userEvent.type(field, "x");
    expect(dialog.queryByText(/Column 'stores/)).toBeNull();
    await userEvent.keyboard("{Escape}");
    await add("stores.region");
    expect(await dialog.findByRole("switch", { name: "Mask stores.region" })).toBeTruthy();
    expect(dialog.getByText("Chosen by you")).toBeTruthy();
    expect(dialog.queryByText(/not found in retail/)).toBeNull();
    // The switch takes it back, and stays there to mask it again.
    await userEvent.click(mask(dialog, "stores.region"));
    await waitFor(async () => expect((await kept(host)).masked).toEqual([]));
    await userEvent.click(mask(dialog, "stores.region"));
    await waitFor(async () => expect((await kept(host)).masked).toEqual(["stores.region"]));
  });

  it("keeps the other changes where one is refused", async () => {
    const host = await start();
    const dialog = await open();
    await dialog.findAllByRole("radio");
    refuse(host);
    await userEvent.click(mask(dialog, "customers.email"));
    await userEvent.click(level(dialog, "Comments"));
    await waitFor(async () => expect(await kept(host)).toMatchObject({ level: "comments", allowed: [] }));
    expect(mask(dialog, "customers.email").getAttribute("aria-checked")).toBe("true");
  });

  it("says why it cannot be told, asks again, and says that nothing looks personal", async () => {
    const host = await start();
    vi.spyOn(host, "egress")
      .mockRejectedValueOnce(new AppFailure(GONE))
      .mockResolvedValueOnce({
        policy: { level: "results", maskPersonal: true, allowed: [], masked: [] },
        personal: [],
      });
    const dialog = await open();
    expect(await dialog.findByText("The workspace is locked.")).toBeTruthy();
    expect(dialog.queryByRole("radio")).toBeNull();
    await userEvent.click(dialog.getByRole("button", { name: "Try again" }));
    expect(await dialog.findByText(/No personal columns found so far/)).toBeTruthy();
  });
});

describe("what a run sent", () => {
  const show = async (runId: string) => {
    await start();
    act(() => navigate({ page: "run", runId, tab: "answer" }));
    await userEvent.click(await screen.findByRole("tab", { name: "Sent out" }));
  };

  it("is nothing where every model ran here", async () => {
    await show("r3");
    expect(await screen.findByText("Nothing left this computer: all models ran locally")).toBeTruthy();
    expect(screen.queryByRole("list", { name: "Requests" })).toBeNull();
  });

  it("is listed request by request, with what was allowed", async () => {
    await show("remote");
    const list = within(await screen.findByRole("list", { name: "Requests" }));
    const rows = list.getAllByRole("button").map((row) => row.textContent);
    expect(rows).toHaveLength(3);
    expect(rows[0]).toMatch(/^1 Question.*B.*api\.openai\.comValues from customers, stores$/);
    expect(rows[2]).toMatch(/^3 SQL.*No values$/);
    const told =
      "Allowed to send: names, comments, statistics and sample values. Personal columns and stores.region masked.";
    expect(screen.getByText(told)).toBeTruthy();
  });

  it("is shown laid out, and byte for byte, as text alone", async () => {
    const host = await start();
    const copied = vi.spyOn(host, "copyText");
    act(() => navigate({ page: "run", runId: "remote", tab: "sent" }));
    const shown = within(await screen.findByRole("region", { name: "Request 1" }));
    const text = () => shown.getByText(/gpt-4.1-mini/).textContent;
    expect(text()).toContain('\n  "seed": 9007199254740993');
    expect(text()).toContain("\n          email TEXT, -- [masked]");
    expect(
      shown.getByText(`${new TextEncoder().encode(FIRST_BODY).length.toLocaleString("en-US")} bytes`),
    ).toBeTruthy();
    await userEvent.click(shown.getByRole("radio", { name: "Exact" }));
    expect(text()).toBe(FIRST_BODY);
    expect(FIRST_BODY).toContain("<img src=x onerror=alert(1)>");
    expect(document.querySelector("img")).toBeNull();
    await userEvent.click(shown.getByRole("button", { name: "Copy exact text" }));
    expect(copied).toHaveBeenCalledWith(FIRST_BODY);
    // The next request is shown in the same form.
    await userEvent.keyboard("{Escape}");
    await userEvent.click(screen.getByRole("button", { name: /^3 SQL/ }));
    const next = within(await screen.findByRole("region", { name: "Request 3" }));
    expect(next.getByRole("radio", { name: "Exact" }).getAttribute("aria-checked")).toBe("true");
    expect(next.getByText("no table")).toBeTruthy();
    await userEvent.click(next.getByRole("button", { name: "Show step" }));
    expect(await screen.findByRole("region", { name: "Details of generator" })).toBeTruthy();
  });

  it("was not recorded by earlier versions", async () => {
    await show("remote-old");
    expect(await screen.findByText("The requests of this run were not recorded")).toBeTruthy();
    expect(screen.getByText(/with gpt-4.1-mini \(OpenAI\)/)).toBeTruthy();
    expect(screen.queryByText(/Nothing left/)).toBeNull();
  });
});

it("a policy is read as the program reads it", () => {
  const policy: EgressPolicy = { level: "names", maskPersonal: true, allowed: ["customers.NAME"], masked: [] };
  const name = { table: "shop.customers", column: "name", kind: "personName" as const, masked: false };
  expect(isMasked(policy, name)).toBe(false);
  expect(withColumn(policy, name, true)).toMatchObject({ allowed: [], masked: [] });
  const all = { ...policy, allowed: [], maskPersonal: false };
  expect(withColumn(all, name, true).masked).toEqual(["shop.customers.name"]);
  expect(withColumn(withColumn(all, name, true), name, false)).toMatchObject({ allowed: [], masked: [] });
  expect(policySummary(policy)).toBe("Allowed to send: names. Personal columns (except customers.NAME) masked.");
  expect(policySummary(all)).toBe("Allowed to send: names. No columns masked.");
});

it("a body is laid out without a change to what it says", () => {
  const body = '{"a":[],"b":{ },"c":[1.50,-0,1e400,"x\\"\\u00e9"],"t":"one\\ntwo \\"q\\"","e":"\\\\n"}';
  expect(formatReadable(body)).toBe(
    '{\n  "a": [],\n  "b": {},\n  "c": [\n    1.50,\n    -0,\n    1e400,\n    "x\\"\\u00e9"\n  ],\n  "t": "one\n    two "q"",\n  "e": "\\\\n"\n}',
  );
  expect(formatReadable("not {json}")).toBeNull();
});
