// Keys that the database does not declare are shown with their reason; a person confirms or removes them.

import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import { SAMPLE } from "../../../test/fake/data";
import { start } from "../../../test/start";
import { navigate } from "../../navigation/route";

const ID = "orders(cust_id) -> customers(cust_id)";

test("an inferred key is confirmed, removed and restored beside its table", async () => {
  const user = userEvent.setup();
  const host = await start();
  navigate({ page: "tables" });
  await user.click(await screen.findByRole("button", { name: /^orders/ }));
  const keys = within(await screen.findByRole("region", { name: "Inferred keys" }));
  expect(keys.getByText("cust_id references customers (cust_id)")).toBeDefined();
  expect(keys.getByText(/all 18,462 values of orders.cust_id/)).toBeDefined();
  expect(keys.getByText("inferred")).toBeDefined();

  await user.click(keys.getByRole("button", { name: `Confirm ${ID}` }));
  expect(await keys.findByText("confirmed")).toBeDefined();
  // The button that was pressed is gone, and the focus is not.
  expect(document.activeElement?.getAttribute("aria-label")).toBe(`Remove ${ID}`);
  await user.click(keys.getByRole("button", { name: `Remove ${ID}` }));
  expect(await keys.findByText("removed")).toBeDefined();
  expect(document.activeElement?.getAttribute("aria-label")).toBe(`Restore ${ID}`);
  expect((await host.inferredKeys(SAMPLE))[0]?.decision).toBe("struck");

  const messages = within(screen.getByRole("region", { name: "Notifications" }));
  const undo = messages.getAllByRole("button", { name: "Undo" });
  await user.click(undo[undo.length - 1]!);
  expect(await keys.findByText("confirmed")).toBeDefined();
  await user.click(keys.getByRole("button", { name: `Remove ${ID}` }));
  await user.click(await keys.findByRole("button", { name: `Restore ${ID}` }));
  await waitFor(() => expect(keys.getByText("inferred")).toBeDefined());
});

test("a table whose keys are declared has no such list", async () => {
  const user = userEvent.setup();
  await start();
  navigate({ page: "tables" });
  await user.click(await screen.findByRole("button", { name: /^customers/ }));
  expect(await screen.findByRole("heading", { name: "customers" })).toBeDefined();
  expect(screen.queryByRole("region", { name: "Inferred keys" })).toBeNull();
});
