// The first start of an installed program: models are downloaded, paused and resumed, or one elsewhere is used.

import { act, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it } from "vitest";
import { start } from "../../test/start";
import { useSettings } from "../features/settings/state";
import type { JobEvent } from "../host/bindings";
import { AppFailure } from "../host/host";

const panel = async () => within(await screen.findByLabelText("Models to download"));
const part = async () => Number((await panel()).getByRole("progressbar").getAttribute("aria-valuenow"));
const click = async (name: string) => userEvent.click((await panel()).getByRole("button", { name }));
const pulled = (host: Awaited<ReturnType<typeof start>>) =>
  host.calls.filter(([name]) => name === "pullModel").map(([, [id]]) => id);

it("downloads all that a first question needs, at a click and not before", async () => {
  const host = await start({ modelMissing: true });
  expect((await panel()).getByText(/A single download of 1.21 GB/)).toBeTruthy();
  expect(pulled(host)).toEqual([]);
  await click("Download");
  expect(pulled(host)).toEqual(["qwen2.5-coder-1.5b", "minilm-l6-v2"]);
  expect((await panel()).getByRole("progressbar")).toBeTruthy();
});

it("pauses, says how much is here, and resumes", async () => {
  const host = await start({ modelMissing: true });
  await click("Download");
  await waitFor(async () => expect(await part()).toBeGreaterThan(0));
  await click("Pause");
  await waitFor(async () => expect((await panel()).getByText(/of 1.21 GB, \d+%, paused/)).toBeTruthy());
  const before = await part();
  await click("Resume");
  expect(pulled(host)).toHaveLength(4);
  await (await panel()).findByRole("button", { name: "Pause" });
  expect(await part()).toBeGreaterThanOrEqual(before);
});

it("offers to go on with what an earlier start of the program left", async () => {
  const host = await start({ modelMissing: true });
  const models = await host.models();
  host.models = async () => models.map((m) => (m.answers ? { ...m, fetched: m.bytes / 2 } : m));
  await act(async () => useSettings.setState({ models: await host.models() }));
  expect((await panel()).getByText(/paused/)).toBeTruthy();
  expect((await panel()).getByRole("button", { name: "Resume" })).toBeTruthy();
});

it("says why a download failed, and resumes it", async () => {
  const host = await start({ modelMissing: true });
  const error = { code: "internal" as const, message: "The disk is full.", hint: "Make room.", detail: null };
  const job: JobEvent = {
    jobId: "j",
    kind: "modelPull",
    title: "Qwen2.5 Coder 1.5B",
    done: 1,
    total: 2,
    unit: "bytes",
    state: "failed",
    error,
    path: null,
  };
  act(() => useSettings.setState({ pulls: { "qwen2.5-coder-1.5b": job } }));
  expect((await panel()).getByText("The disk is full.")).toBeTruthy();
  await click("Resume");
  expect(pulled(host)).toContain("qwen2.5-coder-1.5b");
});

it("leads to a remote model instead, which then answers", async () => {
  const host = await start({ modelMissing: true });
  await click("Use a remote model instead");
  const dialog = within(await screen.findByRole("dialog"));
  await userEvent.click(dialog.getByRole("button", { name: "Save" }));
  await waitFor(async () => expect((await host.settings()).defaultModel).toContain("gpt-4.1-mini"));
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
});

it("keeps the default where it can answer", async () => {
  const host = await start();
  expect(screen.queryByLabelText("Models to download")).toBeNull();
  const [remote] = await host.remoteModels();
  const { saveRemote } = await import("../features/settings/state");
  await act(() => saveRemote(remote!, null));
  expect((await host.settings()).defaultModel).toBe("qwen2.5-coder-1.5b");
});

it("says that it could not begin", async () => {
  const host = await start({ modelMissing: true });
  host.pullModel = async () => {
    throw new AppFailure({ code: "internal", message: "No folder for models.", hint: null, detail: null });
  };
  await click("Download");
  expect((await screen.findAllByText("No folder for models.")).length).toBeGreaterThan(0);
});

it("keeps a sample question that no model can answer yet, with every offer at one size", async () => {
  const host = await start({ modelMissing: true });
  const samples = within(await screen.findByLabelText("Sample questions")).getAllByRole("button");
  const sample = samples.find((button) => button.textContent !== "More");
  const question = sample!.textContent!;
  await userEvent.click(sample!);
  await screen.findByText(/Your question is saved/);
  expect(screen.getByRole<HTMLTextAreaElement>("textbox", { name: "Question" }).value).toBe(question);
  expect((await panel()).getByText(/A single download of 1.21 GB/)).toBeTruthy();
  expect((await panel()).getByRole("button", { name: "Use a remote model instead" })).toBeTruthy();
  expect(screen.queryByText(/1.12 GB/)).toBeNull();
  await click("Download");
  expect(pulled(host)).toEqual(["qwen2.5-coder-1.5b", "minilm-l6-v2"]);
});
