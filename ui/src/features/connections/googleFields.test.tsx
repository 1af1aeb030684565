// A person signs in to Google in the browser before a connection to BigQuery is saved.

import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import { start } from "../../../test/start";
import { navigate } from "../../navigation/route";

async function filled(clientId: string, options: Parameters<typeof start>[0] = {}) {
  const user = userEvent.setup();
  const host = await start({ unnamed: true, ...options });
  navigate({ page: "connections", uri: null });
  await user.click(await screen.findByRole("button", { name: /BigQuery/ }));
  const form = within(await screen.findByRole("form", { name: /New connection/ }));
  await user.type(form.getByLabelText(/^Project/), "my-project");
  await user.click(form.getByRole("combobox", { name: "Sign-in" }));
  await user.click(await screen.findByRole("option", { name: /In the browser/ }));
  const part = within(form.getByRole("region", { name: "Sign in with Google" }));
  const button = part.getByRole("button", { name: "Sign in with Google" });
  expect(button).toHaveProperty("disabled", true);
  await user.type(part.getByLabelText(/^Client ID/), clientId);
  await user.type(part.getByLabelText(/^Client secret/), "hidden");
  await user.click(button);
  return { user, host, form, part };
}

test("the secret goes to the host alone, once, and never into the address", async () => {
  const { user, host, form, part } = await filled("1234-abc.apps.googleusercontent.com");
  expect(await part.findByText(/Signed in/)).toBeDefined();
  const begun = host.calls.filter(([name]) => name === "beginGoogleSignIn");
  expect(begun).toEqual([
    ["beginGoogleSignIn", ["bigquery://my-project?client_id=1234-abc.apps.googleusercontent.com", "hidden"]],
  ]);
  await user.type(form.getByLabelText(/^Name/), "Sales");
  await user.click(form.getByRole("button", { name: "Save" }));
  await waitFor(() => expect(host.calls.some(([name]) => name === "keepConnection")).toBe(true));
  expect(JSON.stringify(host.calls.filter(([name]) => name === "keepConnection"))).not.toContain("hidden");
});

test("what was denied is said, with what to do next", async () => {
  const { part } = await filled("denied.apps.googleusercontent.com");
  expect((await part.findByRole("alert")).textContent).toContain("denied in the browser");
  expect(part.getByRole("button", { name: "Sign in with Google" })).toHaveProperty("disabled", false);
});

test("while the browser is waited for there is no second tab, and the sign-in can be given up", async () => {
  const { user, host, part } = await filled("slow.apps.googleusercontent.com");
  expect(await part.findByText(/Waiting for the browser/)).toBeDefined();
  expect(part.queryByRole("button", { name: "Sign in with Google" })).toBeNull();
  await user.click(part.getByRole("button", { name: "Cancel" }));
  expect((await part.findByRole("alert")).textContent).toContain("cancelled");
  expect(host.calls.filter(([name]) => name === "beginGoogleSignIn").length).toBe(1);
});

test("without a keychain it is said how long the sign-in lasts", async () => {
  const { part } = await filled("1234.apps.googleusercontent.com", { keychain: false });
  expect(await part.findByText(/Only until Vitrine is closed/)).toBeDefined();
});
