// A model's profile: what is known, from where, changed and taken back, tested; and picking a server's model.

import { act, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, it } from "vitest";
import type { FakeHost } from "../../../test/fake/host";
import { start } from "../../../test/start";
import type { ProfileFacts } from "../../host/bindings";
import { navigate } from "../../navigation/route";
import { useSettings } from "./state";

let host: FakeHost;
beforeEach(async () => {
  host = await start();
  act(() => navigate({ page: "settings", tab: "models" }));
});

const said = () => host.calls.filter(([name]) => name === "setModelProfile").at(-1)?.[1][1] as ProfileFacts;

async function open() {
  await userEvent.click(await screen.findByRole("button", { name: "gpt-4.1-mini (OpenAI): profile" }));
  const dialog = await screen.findByRole("dialog", { name: "gpt-4.1-mini (OpenAI)" });
  await within(dialog).findByLabelText("Context");
  return dialog;
}

const line = (dialog: HTMLElement, label: string) => within(dialog).getByText(label).closest("li")!;

it("says of each line where it comes from", async () => {
  const dialog = await open();
  expect(line(dialog, "Context").textContent).toContain("Known, 24 Nov 2026");
  expect(line(dialog, "Prefilled replies").textContent).toContain("Assumed");
  expect((within(dialog).getByLabelText("Context") as HTMLInputElement).value).toBe("1047576");
});

it("takes what the user says, beside what was said before, and takes it back", async () => {
  const dialog = await open();
  await userEvent.click(within(dialog).getByRole("switch", { name: "Grammar" }));
  await waitFor(() => expect(line(dialog, "Grammar").textContent).toContain("Set by you"));
  const context = within(dialog).getByLabelText("Context");
  await userEvent.clear(context);
  await userEvent.type(context, "64000{Enter}");
  expect(said()).toEqual({ grammar: true, contextTokens: 64_000 });
  await userEvent.click(await within(dialog).findByRole("button", { name: "Undo for Context" }));
  expect(said()).toEqual({ grammar: true });
  await waitFor(() => expect((within(dialog).getByLabelText("Context") as HTMLInputElement).value).toBe("1047576"));
});

it("lets nobody say where a model runs", async () => {
  const dialog = await open();
  const reuse = within(dialog).getByRole("combobox", { name: "Prompt caching" });
  await userEvent.click(reuse);
  const choices = await screen.findAllByRole("option");
  expect(choices.map((choice) => choice.textContent)).toEqual(["No", "Automatic", "Where marked"]);
});

it("sets a price by its parts, and forgets it with the last", async () => {
  const dialog = await open();
  const read = within(dialog).getByLabelText("Price: Input");
  await userEvent.clear(read);
  await userEvent.type(read, "0.25{Enter}");
  expect(said()).toEqual({ price: { input: 0.25, cached: 0.1, output: 1.6 } });
});

it("knows the levels of effort and chooses among them", async () => {
  const dialog = await open();
  await userEvent.click(within(dialog).getByRole("button", { name: "High" }));
  expect(said()).toEqual({ efforts: ["high"] });
  await waitFor(() =>
    expect(within(dialog).getByRole("button", { name: "High" }).getAttribute("aria-pressed")).toBe("true"),
  );
});

it("says line by line what a test found", async () => {
  const dialog = await open();
  await userEvent.click(within(dialog).getByRole("button", { name: "Test" }));
  expect(await within(dialog).findByText(/answered “391” in 0.9 s/)).toBeTruthy();
  expect(line(dialog, "Reproducible").textContent).toContain("Test: two replies with one seed are the same");
  expect(line(dialog, "Reproducible").textContent).toContain("Tested, 24 Nov 2026");
  expect(line(dialog, "Context").textContent).toContain("does not tell it");
  expect(line(dialog, "Context").textContent).toContain("Known, 24 Nov 2026");
});

it("opens the profile and tests at once from the list, and says why a test failed", async () => {
  host.testModel = async () => Promise.reject({ code: "model", message: "No connection.", hint: null, detail: null });
  const [, remote] = await screen.findAllByRole("button", { name: "Test" });
  await userEvent.click(remote!);
  expect(await screen.findByText("No connection.")).toBeTruthy();
  expect(screen.getByLabelText("Context")).toBeTruthy();
});

it("has no profile of a model that is not here, nor of one that answers nothing", async () => {
  await screen.findByText("Qwen2.5 Coder 0.5B");
  expect(screen.queryByRole("button", { name: "Qwen2.5 Coder 0.5B: profile" })).toBeNull();
  expect(screen.getByText(/^all-MiniLM/)).toBeTruthy();
  const profiles = screen.getAllByRole("button", { name: /: profile$/ }).map((b) => b.getAttribute("aria-label"));
  expect(profiles).toEqual(["Qwen2.5 Coder 1.5B: profile", "gpt-4.1-mini (OpenAI): profile"]);
});

it("lists the models of a server to pick from", async () => {
  await userEvent.click(await screen.findByRole("button", { name: "Add remote model" }));
  const field = await screen.findByRole("combobox", { name: "Model" });
  await userEvent.click(field);
  expect(await screen.findAllByRole("option")).toHaveLength(5);
  expect(screen.getByRole("option", { name: /^gpt-5/ }).textContent).toContain("400k context · $1.25 in, $10 out");
  await userEvent.clear(field);
  await userEvent.type(field, "o4");
  await waitFor(() => expect(screen.getAllByRole("option")).toHaveLength(1));
  await userEvent.click(screen.getByRole("option"));
  expect((field as HTMLInputElement).value).toBe("o4-mini");
  expect(host.calls.filter(([name]) => name === "servedModels")).toHaveLength(1);
});

it("says why a server lists nothing, and takes a typed name all the same", async () => {
  host.servedModels = async () =>
    Promise.reject({ code: "model", message: "The key was refused", hint: "Check it", detail: null });
  await userEvent.click(await screen.findByRole("button", { name: "Add remote model" }));
  const field = await screen.findByRole("combobox", { name: "Model" });
  await userEvent.click(field);
  expect(await screen.findByText("The key was refused. Check it")).toBeTruthy();
  await userEvent.clear(field);
  await userEvent.type(field, "my-model");
  // Closes the list, not the dialog.
  await userEvent.keyboard("{Escape}");
  await userEvent.click(screen.getByRole("button", { name: "Save" }));
  await waitFor(() => {
    const sent = host.calls.filter(([name]) => name === "setRemoteModel").map(([, args]) => args[0]);
    expect(sent).toEqual([expect.objectContaining({ model: "my-model", contextTokens: 0 })]);
  });
});

it("asks before the first remote model is added, and says what it receives", async () => {
  await userEvent.click(await screen.findByRole("button", { name: "Add remote model" }));
  await screen.findByRole("combobox", { name: "Model" });
  act(() => useSettings.setState({ remotes: [] }));
  await userEvent.click(screen.getByRole("button", { name: "Save" }));
  const asked = await screen.findByRole("alert");
  expect(asked.textContent).toContain("names, comments, statistics, sample values and rows of results");
  const sent = () => host.calls.filter(([name]) => name === "setRemoteModel");
  expect(sent()).toHaveLength(0);
  await userEvent.click(screen.getByRole("button", { name: "Back" }));
  expect(screen.queryByRole("alert")).toBeNull();
  await userEvent.click(screen.getByRole("button", { name: "Save" }));
  await userEvent.click(await screen.findByRole("button", { name: "Add model" }));
  await waitFor(() => expect(sent()).toHaveLength(1));
});
