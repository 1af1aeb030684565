// A key behind a passphrase: it is asked for, goes to the host alone, and is remembered once it is right.

import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import { LOCKED } from "../../../test/fake/host";
import { start } from "../../../test/start";
import { openWarehouse, useConnections } from "./state";

test("the passphrase of a key is asked for again where it is wrong, and remembered where it is right", async () => {
  const user = userEvent.setup();
  const host = await start();
  void openWarehouse(LOCKED.uri);
  expect(await screen.findByText("A passphrase is needed for the key /keys/ann.key")).toBeDefined();
  const field = await screen.findByLabelText<HTMLInputElement>(/^Passphrase/);
  expect(screen.getByText(/is not sent to the server/)).toBeDefined();
  expect(screen.queryByLabelText(/^Password/)).toBeNull();
  await waitFor(() => expect(document.activeElement).toBe(field));
  await user.type(field, "wrong word{Enter}");
  expect(await screen.findByText("This is not the passphrase of the key /keys/ann.key")).toBeDefined();
  await waitFor(() => expect(field.value).toBe(""));
  await user.type(field, `${LOCKED.passphrase}{Enter}`);
  await waitFor(() => expect(useConnections.getState().current?.uri).toBe(LOCKED.uri));
  expect(host.calls.filter(([name]) => name === "signIn")).toEqual([]);
  expect(host.calls.filter(([name]) => name === "rememberPassword")).toEqual([["rememberPassword", [LOCKED.uri]]]);
  expect(JSON.stringify(useConnections.getState())).not.toContain(LOCKED.passphrase);
});
