// The workspace as one file: out with or without rows, and in without losing anything.

import { act, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, it } from "vitest";
import { FOUND } from "../../../test/fake/backup";
import type { FakeHost } from "../../../test/fake/host";
import { start } from "../../../test/start";
import { useToasts } from "../../kit/toast";
import { navigate } from "../../navigation/route";

let host: FakeHost;
beforeEach(async () => {
  host = await start();
  act(() => navigate({ page: "settings", tab: "backup" }));
  await screen.findByText(/412 questions asked, 38 saved questions and 3 connections/);
});

const called = (name: string) => host.calls.filter(([called]) => called === name).map(([, args]) => args);
const press = (name: string, where = within(screen.getByRole("main"))) =>
  userEvent.click(where.getByRole("button", { name }));
const dialog = async (name: string) => within(await screen.findByRole("dialog", { name }));

describe("the workspace", () => {
  it("is exported with its rows unless they are left out, and says what that means", async () => {
    await press("Export workspace");
    const open = await dialog("Export workspace");
    open.getByText(/as confidential as the databases/);
    open.getByText(/Passwords, keys, the audit log/);
    await userEvent.click(open.getByRole("switch", { name: "Include rows of results" }));
    open.getByText(/Rows are not, nor are steps/);
    await press("Choose where to save", open);
    await waitFor(() => expect(called("exportWorkspace")).toHaveLength(1));
    const [file, results] = called("exportWorkspace")[0] as [string, boolean];
    expect(file).toMatch(/vitrine-\d{4}-\d\d-\d\d\.zip$/);
    expect(results).toBe(false);
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    await waitFor(
      () =>
        expect(
          useToasts
            .getState()
            .items.map((item) => item.title)
            .join(),
        ).toMatch(/Exported the workspace to/),
      { timeout: 8000 },
    );
  }, 15_000);

  it("is imported after a look at it, and the import can be taken back", async () => {
    await press("Choose file");
    const open = await dialog("Import workspace");
    const row = (await open.findByRole("rowheader", { name: "Questions asked" })).closest("tr")!;
    expect(
      within(row)
        .getAllByRole("cell")
        .map((cell) => cell.textContent),
    ).toEqual(["400", "12", "0"]);
    open.getByText(/'Revenue by month' differs here/);
    expect(called("beginWorkspaceImport")).toEqual([["/home/ada/vitrine-2026-11-23.zip", false, false, []]]);
    await userEvent.click(open.getByRole("switch", { name: "Import settings too" }));
    await press("Import", open);
    const done = await dialog("Imported");
    expect(called("beginWorkspaceImport")[1]).toEqual(["/home/ada/vitrine-2026-11-23.zip", true, true, []]);
    done.getByText("The settings in the file now apply.");
    const runs = called("runs").length + called("history").length;
    await press("Undo", done);
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    expect(called("undoWorkspaceImport")).toHaveLength(1);
    expect(called("runs").length + called("history").length).toBeGreaterThan(runs);
  });

  it("that would loosen a policy takes only what is confirmed", async () => {
    const looser = [
      { id: "a1", address: "shop", what: "Columns of shop that look personal are not masked", taken: false },
      { id: "b2", address: "shop", what: "The column customers.email of shop is not masked", taken: false },
    ];
    host.workspaceImport = async () => ({ ...FOUND, looser });
    await press("Choose file");
    const open = await dialog("Import workspace");
    const first = await open.findByRole<HTMLInputElement>("switch", { name: looser[0]!.what });
    expect(first.getAttribute("aria-checked")).not.toBe("true");
    await userEvent.click(open.getByRole("switch", { name: looser[1]!.what }));
    host.workspaceImport = async () => ({ ...FOUND, looser: [looser[0]!, { ...looser[1]!, taken: true }] });
    await press("Import", open);
    const done = await dialog("Imported");
    expect(called("beginWorkspaceImport")[1]).toEqual(["/home/ada/vitrine-2026-11-23.zip", false, true, ["b2"]]);
    done.getByText("Not imported");
    done.getByText(looser[0]!.what);
  });

  it("that is here already offers no import", async () => {
    const all = { added: 0, here: 3, differs: 0 };
    host.workspaceImport = async () => ({
      ...FOUND,
      ...{ runs: all, saved: all, connections: all, descriptions: all, readings: all, models: all },
      settingsDiffer: false,
      notes: [],
    });
    await press("Choose file");
    const open = await dialog("Import workspace");
    await open.findByText("Everything in this file already exists here.");
    expect(open.getByRole<HTMLButtonElement>("button", { name: "Import" }).disabled).toBe(true);
    await press("Cancel", open);
    expect(screen.queryByRole("dialog")).toBeNull();
  });

  it("that cannot be read says why and what to do", async () => {
    host.pickOpenPath = async () => "/data/nowhere.zip";
    await press("Choose file");
    const open = await dialog("Import workspace");
    expect((await open.findByRole("alert")).textContent).toMatch(
      /not a complete exported workspace.*export it again/i,
    );
    expect(open.queryByRole("button", { name: "Import" })).toBeNull();
  });

  it("is no longer imported once that is stopped", async () => {
    let refuse = (_: unknown) => {};
    host.workspaceImport = () => new Promise((_, reject) => (refuse = reject));
    await press("Choose file");
    const open = await dialog("Import workspace");
    await open.findByRole("progressbar", { name: "Reading the file" });
    await press("Stop", open);
    await waitFor(() => expect(called("cancelJob")).toHaveLength(1));
    refuse({ code: "cancelled", message: "Stopped", hint: null, detail: null });
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  });
});
