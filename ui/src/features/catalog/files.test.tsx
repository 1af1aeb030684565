// The reading of a file is shown beside its table and can be changed.

import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import { FILES, SAMPLE } from "../../../test/fake/data";
import { READINGS } from "../../../test/fake/files";
import { start } from "../../../test/start";
import { navigate, useRoute } from "../../navigation/route";
import { readingText, watchOpenedFiles } from "../../shell/openedFiles";
import { openWarehouse, useConnections } from "../connections/state";

test("what was set aside is listed, and kept where the user says so", async () => {
  const user = userEvent.setup();
  const host = await start();
  navigate({ page: "tables" });
  await user.click(await screen.findByRole("button", { name: /^orders/ }));
  const file = within(await screen.findByRole("region", { name: "File" }));
  expect(file.getByText(/windows-1252 · delimiter ; · decimal comma · day first/)).toBeDefined();
  expect(within(file.getByRole("list", { name: "Rows set aside" })).getByText("Summe | 1.204.331,50")).toBeDefined();
  expect(file.getByText(/may have the day or the month first/)).toBeDefined();

  await user.click(file.getByRole("button", { name: "Change…" }));
  const dialog = within(await screen.findByRole("dialog"));
  await user.click(dialog.getByRole("switch", { name: "Keep totals and notes as rows" }));
  await user.click(dialog.getByRole("radio", { name: "Month first" }));
  await user.type(dialog.getByRole("textbox", { name: /Header row/ }), "2");
  await user.click(dialog.getByRole("button", { name: "Reload file" }));
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  expect(file.queryByText("Summe | 1.204.331,50")).toBeNull();
  const [read] = await host.fileReadings(SAMPLE);
  expect(read?.options).toMatchObject({ keepRows: true, dateOrder: "monthFirst", headerRow: 2 });
});

test("a table that no file says anything about has no such part", async () => {
  const user = userEvent.setup();
  await start();
  navigate({ page: "tables" });
  await user.click(await screen.findByRole("button", { name: /^customers/ }));
  expect(await screen.findByRole("heading", { name: "customers" })).toBeDefined();
  expect(screen.queryByRole("region", { name: "File" })).toBeNull();
});

test("how files were read is said when they are opened, and nothing where they were read as they stand", async () => {
  const user = userEvent.setup();
  await start();
  const leave = watchOpenedFiles();
  await openWarehouse(FILES);
  expect(await screen.findByText("Review how the files were read")).toBeDefined();
  expect(screen.getByText("2 rows set aside, 2 columns converted, 1 to check")).toBeDefined();
  await user.click(screen.getByRole("button", { name: "Show" }));
  expect(await screen.findByRole("button", { name: /^orders/ })).toBeDefined();
  leave();
  const plain = READINGS.map((reading) => ({ ...reading, setAside: [], converted: [], doubts: [] }));
  expect(readingText(plain)).toBe("");
  expect(readingText([])).toBe("");
});

test("a file that is not read is listed with the reason", async () => {
  const [first] = READINGS;
  const leftOut = {
    ...first!,
    table: "",
    file: "users.csv",
    leftOut: "It is a symbolic link that leads out of the folder.",
  };
  expect(readingText([leftOut])).toContain("1 file not read");
  const host = await start();
  host.fileReadings = async () => [...READINGS, leftOut];
  navigate({ page: "tables" });
  const list = await screen.findByRole("list", { name: "Files not read" });
  expect(within(list).getByText("users.csv").parentElement?.textContent).toBe(`users.csv: ${leftOut.leftOut}`);
});

test("whoever opens a file from the answer of other data can ask it at once; an answer of the same data stays", async () => {
  const user = userEvent.setup();
  await start();
  const openTyped = async (uri: string) => {
    useConnections.setState({ dialog: true });
    const dialog = within(await screen.findByRole("dialog", { name: "Open warehouse" }));
    await user.type(dialog.getByLabelText("Path"), `${uri}{Enter}`);
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  };
  navigate({ page: "run", runId: "r3", tab: "answer" });
  await openTyped(SAMPLE);
  expect(useRoute.getState().route.page).toBe("run");
  await openTyped(FILES);
  expect(await screen.findByRole("heading", { name: "What would you like to know?" })).toBeDefined();
});
