import { beforeEach, describe, expect, it, vi } from "vitest";
import { fakeHost } from "../../../test/fake/host";
import type { JobEvent } from "../../host/bindings";
import { AppFailure, setHost } from "../../host/host";
import {
  cancelPython,
  changeSettings,
  installPython,
  loadSettings,
  pullModel,
  remoteId,
  sameServer,
  saveRemote,
  takePull,
  takePython,
  usableModels,
  useSettings,
} from "./state";

let host: ReturnType<typeof fakeHost>;
beforeEach(async () => {
  host = fakeHost();
  setHost(host);
  useSettings.setState({ pulls: {}, python: null, pythonJob: null });
  await loadSettings();
});

it("shows a change at once and takes it back when refused", async () => {
  host.setSettings = async () => {
    throw new AppFailure({ code: "internal", message: "disk full", hint: null, detail: null });
  };
  const done = changeSettings({ candidates: 9 });
  expect(useSettings.getState().settings?.candidates).toBe(9);
  await done;
  expect(useSettings.getState().settings?.candidates).toBe(4);
});

describe("downloads", () => {
  const job = (part: Partial<JobEvent>): JobEvent => ({
    jobId: "j1",
    kind: "modelPull",
    title: "Qwen2.5 Coder 0.5B",
    done: 10,
    total: 100,
    unit: "bytes",
    state: "running",
    error: null,
    path: null,
    ...part,
  });
  it("are known by their job, and after a reload by their title", async () => {
    takePull(job({ jobId: "after-reload" }));
    expect(useSettings.getState().pulls["qwen2.5-coder-0.5b"]?.done).toBe(10);
  });
  it("go when done", async () => {
    takePull(job({}));
    takePull(job({ state: "done", done: 100 }));
    expect(useSettings.getState().pulls["qwen2.5-coder-0.5b"]).toBeUndefined();
  });
  it("stay with their error when they fail, to be resumed", async () => {
    takePull(
      job({ state: "failed", error: { code: "internal", message: "The disk is full.", hint: null, detail: null } }),
    );
    expect(useSettings.getState().pulls["qwen2.5-coder-0.5b"]?.error?.message).toBe("The disk is full.");
    await pullModel("qwen2.5-coder-0.5b");
    expect(useSettings.getState().pulls["qwen2.5-coder-0.5b"]?.state).toBe("running");
    await vi.waitFor(() => expect(useSettings.getState().pulls["qwen2.5-coder-0.5b"]?.jobId).not.toBe(""));
  });
});

it("offers models that are here and remote ones", () => {
  const { models, remotes } = useSettings.getState();
  expect(usableModels(models, remotes).map((m) => m.id)).toEqual(["qwen2.5-coder-1.5b", "openai:gpt-4.1-mini"]);
});

it("keeps a key for the server that it was given for", async () => {
  expect(sameServer("https://host/v1", "https://host/v2")).toBe(true);
  expect(sameServer("https://host/v1", "http://host/v1")).toBe(false);
  expect(sameServer("https://host", "https://host.example")).toBe(false);
  expect(sameServer("", "")).toBe(false);
  const work = { id: "work", title: "", provider: "anthropic", model: "m", contextTokens: 1, hasKey: false } as const;
  const hasKey = () => useSettings.getState().remotes.find((r) => r.id === "work")?.hasKey;
  await saveRemote({ ...work, baseUrl: "https://one.example" }, "sk-secret");
  await saveRemote({ ...work, baseUrl: "https://one.example/v1" }, null);
  expect(hasKey()).toBe(true);
  await saveRemote({ ...work, baseUrl: "https://two.example" }, null);
  expect(hasKey()).toBe(false);
});

it("gives a second connection to the same model another id", () => {
  expect(remoteId("lmStudio", "m", [])).toBe("lmstudio:m");
  expect(remoteId("openai", "m", ["openai:m"])).toBe("openai:m#2");
});

describe("Python for analysis", () => {
  const job = (state: JobEvent["state"], done = 0): JobEvent => ({
    jobId: "p1",
    kind: "pythonInstall",
    title: "Python for analysis",
    done,
    total: 100,
    unit: "bytes",
    state,
    error: state === "failed" ? { code: "internal", message: "No network.", hint: null, detail: null } : null,
    path: null,
  });
  it("is followed while it is set up, then asked for again", async () => {
    host.installPython = async () => "p1";
    await installPython();
    expect(useSettings.getState().pythonJob).toMatchObject({ jobId: "p1", state: "running" });
    takePython(job("running", 40));
    expect(useSettings.getState().pythonJob?.done).toBe(40);
    cancelPython();
    expect(host.calls.at(-1)).toEqual(["cancelJob", ["p1"]]);
    takePython(job("done", 100));
    expect(useSettings.getState().pythonJob).toBeNull();
    await vi.waitFor(() => expect(useSettings.getState().python?.neededBytes).toBe(500_000_000));
  });
  it("keeps what was reported before the id came, and why it failed", async () => {
    host.installPython = async () => {
      takePython(job("failed"));
      return "p1";
    };
    await installPython();
    expect(useSettings.getState().pythonJob?.error?.message).toBe("No network.");
  });
});
