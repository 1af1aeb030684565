// A person lets queries call functions of the database's own.

import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import { SAMPLE } from "../../../test/fake/data";
import { start } from "../../../test/start";
import { navigate } from "../../navigation/route";

test("functions are allowed beside the tables, and taken back there", async () => {
  const user = userEvent.setup();
  const host = await start();
  navigate({ page: "tables" });
  await user.click(await screen.findByRole("button", { name: "Functions" }));
  const dialog = within(await screen.findByRole("dialog"));

  await user.type(dialog.getByLabelText("Function"), "Sales.Margin{Enter}");
  expect(await dialog.findByText("sales.margin")).toBeDefined();
  await user.type(dialog.getByLabelText("Function"), "pg_read_file{Enter}");
  expect((await dialog.findByRole("alert")).textContent).toContain("never allowed");
  expect(await host.allowedFunctions(SAMPLE)).toEqual(["sales.margin"]);

  await user.click(dialog.getByRole("button", { name: "Disallow sales.margin" }));
  const undo = await dialog.findByRole("button", { name: "Allow sales.margin again" });
  expect(await host.allowedFunctions(SAMPLE)).toEqual([]);
  expect(dialog.queryByRole("alert")).toBeNull();
  await waitFor(() => expect(document.activeElement).toBe(undo));

  await user.click(undo);
  const disallow = await dialog.findByRole("button", { name: "Disallow sales.margin" });
  expect(await host.allowedFunctions(SAMPLE)).toEqual(["sales.margin"]);
  await user.click(disallow);
  await user.click(dialog.getByRole("button", { name: "Close" }));
  await user.click(await screen.findByRole("button", { name: "Functions" }));
  const again = within(await screen.findByRole("dialog"));
  await waitFor(() => expect(again.queryByText("sales.margin")).toBeNull());
});
