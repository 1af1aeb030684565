// Settings, models, and running downloads.

import { t } from "@lingui/core/macro";
import { create } from "zustand";
import type {
  AppError,
  AppInfo,
  JobEvent,
  ModelStatus,
  PythonStatus,
  RemoteModel,
  RemoteProvider,
  Settings,
} from "../../host/bindings";
import { host, toAppError } from "../../host/host";
import { toast, toastError } from "../../kit/toast";
import { undoable } from "../../kit/undo";

interface SettingsState {
  info: AppInfo | null;
  settings: Settings | null;
  models: ModelStatus[];
  remotes: RemoteModel[];
  status: "loading" | "ready" | "failed";
  error: AppError | null;
  /** Downloads by model. */
  pulls: Record<string, JobEvent>;
  /** The remote model in the dialog. */
  remote: RemoteModel | "new" | null;
  /** Null until it was asked for. */
  python: PythonStatus | null;
  /** Python while it is set up, or why that failed. */
  pythonJob: JobEvent | null;
  /** Models, and Python, whose removal can still be taken back. */
  removing: string[];
}

export const useSettings = create<SettingsState>(() => ({
  info: null,
  settings: null,
  models: [],
  remotes: [],
  status: "loading",
  error: null,
  pulls: {},
  remote: null,
  python: null,
  pythonJob: null,
  removing: [],
}));

export async function loadSettings() {
  try {
    const [info, settings, models, remotes] = await Promise.all([
      host().info(),
      host().settings(),
      host().models(),
      host().remoteModels(),
    ]);
    useSettings.setState({ info, settings, models, remotes, status: "ready", error: null });
  } catch (thrown) {
    useSettings.setState({ status: "failed", error: toAppError(thrown) });
  }
}

async function loadModels() {
  const [models, remotes] = await Promise.all([host().models(), host().remoteModels()]);
  useSettings.setState({ models, remotes });
}

/** Applied at once, reverted if the backend refuses. */
export async function changeSettings(change: Partial<Settings>) {
  const before = useSettings.getState().settings;
  if (!before) return;
  const next = { ...before, ...change };
  useSettings.setState({ settings: next });
  try {
    await host().setSettings(next);
  } catch (thrown) {
    useSettings.setState({ settings: before });
    toastError(toAppError(thrown));
  }
}

/** Runs something that may fail with a message, then reads the models again. */
async function runAction(work: () => Promise<unknown>) {
  try {
    await work();
    await loadModels();
  } catch (thrown) {
    toastError(toAppError(thrown));
  }
}

const pullJobs = new Map<string, string>();

export async function pullModel(id: string) {
  const model = useSettings.getState().models.find((m) => m.id === id);
  const pending: JobEvent = {
    jobId: "",
    kind: "modelPull",
    title: model?.title ?? id,
    done: 0,
    total: model?.bytes || null,
    unit: "bytes",
    state: "running",
    error: null,
    path: null,
  };
  setPull(id, pending);
  try {
    const jobId = await host().pullModel(id);
    pullJobs.set(jobId, id);
    const now = useSettings.getState().pulls[id];
    if (now && now.jobId === "") setPull(id, { ...now, jobId });
  } catch (thrown) {
    setPull(id, null);
    toastError(toAppError(thrown));
  }
}

function setPull(id: string, job: JobEvent | null) {
  useSettings.setState(({ pulls }) => {
    const { [id]: _, ...rest } = pulls;
    return { pulls: job ? { ...rest, [id]: job } : rest };
  });
}

/** Stops a download. The received part is kept, and the next download resumes it. */
export function pausePull(id: string) {
  const job = useSettings.getState().pulls[id];
  if (job?.jobId)
    void host()
      .cancelJob(job.jobId)
      .catch((thrown) => toastError(toAppError(thrown)));
  else setPull(id, null);
}

/** Progress of a download; which model it is for is known from its start, or, after a reload, from its title. */
export function takePull(job: JobEvent) {
  const { models } = useSettings.getState();
  const id =
    pullJobs.get(job.jobId) ?? models.find((m) => job.title.includes(m.title) || job.title.includes(m.id))?.id;
  if (!id) return;
  pullJobs.set(job.jobId, id);
  if (job.state === "running") {
    setPull(id, job);
    return;
  }
  const title = models.find((m) => m.id === id)?.title ?? id;
  if (job.state === "failed") setPull(id, job);
  else setPull(id, null);
  if (job.state === "done") toast({ tone: "good", title: t`${title} is ready.` });
  void loadModels().catch(() => {});
}

/** Loaded on demand: checking whether code can run safely takes a moment. */
export async function loadPython() {
  try {
    useSettings.setState({ python: await host().python() });
  } catch (thrown) {
    toastError(toAppError(thrown));
  }
}

export async function installPython() {
  const pending: JobEvent = {
    jobId: "",
    kind: "pythonInstall",
    title: t`Python for analysis`,
    done: 0,
    total: useSettings.getState().python?.neededBytes ?? null,
    unit: "bytes",
    state: "running",
    error: null,
    path: null,
  };
  useSettings.setState({ pythonJob: pending });
  try {
    const jobId = await host().installPython();
    // An event may arrive before the id.
    useSettings.setState(({ pythonJob }) => (pythonJob === pending ? { pythonJob: { ...pending, jobId } } : {}));
  } catch (thrown) {
    useSettings.setState({ pythonJob: null });
    toastError(toAppError(thrown));
  }
}

export function cancelPython() {
  const job = useSettings.getState().pythonJob;
  if (job?.jobId)
    void host()
      .cancelJob(job.jobId)
      .catch((thrown) => toastError(toAppError(thrown)));
}

export function takePython(job: JobEvent) {
  useSettings.setState({ pythonJob: job.state === "running" || job.state === "failed" ? job : null });
  if (job.state === "running") return;
  if (job.state === "done") toast({ tone: "good", title: t`Python for analysis is ready.` });
  void loadPython();
}

/** The id of Python in the list of removals; no model has it. */
export const PYTHON = "python";

/** Removes a model, or Python, after its undo has run out. Until then it is marked, and cannot be set up anew. */
function removeLater(id: string, title: string, work: () => Promise<unknown>) {
  if (useSettings.getState().removing.includes(id)) return;
  useSettings.setState((s) => ({ removing: [...s.removing, id] }));
  const back = () => useSettings.setState((s) => ({ removing: s.removing.filter((other) => other !== id) }));
  undoable({ title, undo: back, commit: () => void work().finally(back) });
}

export function removePython() {
  removeLater(PYTHON, t`Python for analysis removed.`, async () => {
    await host()
      .removePython()
      .catch((thrown) => toastError(toAppError(thrown)));
    await loadPython();
  });
}

export function removeModel({ id, title }: Pick<ModelStatus, "id" | "title">) {
  removeLater(id, t`${title} removed.`, () => runAction(() => host().removeModel(id)));
}

export const chooseModel = (id: string) =>
  runAction(async () => {
    await host().useModel(id);
    useSettings.setState({ settings: await host().settings() });
  });

export async function addGguf() {
  const path = await host().pickOpenPath("gguf");
  if (path) await runAction(() => host().addGguf(path));
}

/** Where the default model cannot answer, and is not on its way, the remote one takes its place. */
export async function saveRemote(model: RemoteModel, key: string | null) {
  await host().setRemoteModel(model, key);
  const { settings, models, pulls } = useSettings.getState();
  const standard = models.find((m) => m.id === settings?.defaultModel);
  if (standard && !standard.present && pulls[standard.id]?.state !== "running") {
    await host().useModel(model.id);
    useSettings.setState({ settings: await host().settings() });
  }
  await loadModels();
}

/** Models that a first question needs and that are not installed; none if a remote model answers. */
export function missingModels({ models, settings }: Pick<SettingsState, "models" | "settings">): ModelStatus[] {
  const standard = models.find((m) => m.id === settings?.defaultModel);
  if (standard?.kind !== "embedded") return [];
  const needed = models.filter((m) => m === standard || (m.kind === "embedded" && !m.answers));
  return needed.filter((m) => !m.present && m.sources.length > 0);
}

/** The progress of a model's download, running or paused. */
export function pulledBytes(model: ModelStatus, pull: JobEvent | undefined): number {
  return pull?.state === "running" ? Math.max(pull.done, model.fetched) : model.fetched;
}

export function deleteRemote({ id, title }: Pick<RemoteModel, "id" | "title">) {
  removeLater(id, t`${title} removed.`, () => runAction(() => host().deleteRemoteModel(id)));
}

/** Every usable model, with its displayed name. */
export function usableModels(models: ModelStatus[], remotes: RemoteModel[]): Pick<ModelStatus, "id" | "title">[] {
  const listed = models
    .filter((m) => m.answers && (m.present || m.kind === "remote"))
    .map((m) => ({ id: m.id, title: m.title }));
  const rest = remotes.filter((r) => !listed.some((m) => m.id === r.id)).map((r) => ({ id: r.id, title: r.title }));
  return [...listed, ...rest];
}

/** Defaults of a provider's connections; `key` is true if it requires one. */
type Preset = Pick<RemoteModel, "title" | "baseUrl" | "model"> & { key: "always" | "often" | "seldom" };

export const PROVIDERS: Record<RemoteProvider, Preset> = {
  openai: { title: "OpenAI", baseUrl: "https://api.openai.com/v1", model: "gpt-4.1-mini", key: "always" },
  azure: {
    title: "Azure OpenAI",
    baseUrl: "https://NAME.openai.azure.com/openai/v1",
    model: "",
    key: "always",
  },
  anthropic: { title: "Anthropic", baseUrl: "https://api.anthropic.com", model: "claude-sonnet-5", key: "always" },
  gemini: {
    title: "Google Gemini",
    baseUrl: "https://generativelanguage.googleapis.com",
    model: "gemini-flash-latest",
    key: "always",
  },
  ollama: { title: "Ollama", baseUrl: "http://localhost:11434/v1", model: "qwen2.5-coder:7b", key: "seldom" },
  lmStudio: {
    title: "LM Studio",
    baseUrl: "http://localhost:1234/v1",
    model: "",
    key: "seldom",
  },
  vllm: { title: "vLLM", baseUrl: "http://localhost:8000/v1", model: "", key: "seldom" },
  other: {
    get title() {
      return t`Other`;
    },
    baseUrl: "",
    model: "",
    key: "often",
  },
};

/** Returns whether two addresses are of the same server: a key is only for the one that it was given for. */
export function sameServer(one: string, other: string): boolean {
  const [a, b] = [URL.parse(one.trim()), URL.parse(other.trim())];
  return a !== null && b !== null && a.origin === b.origin;
}

/** A new connection's id: provider and model, made unique. */
export function remoteId(provider: RemoteProvider, model: string, taken: string[]): string {
  const base = `${provider.toLowerCase()}:${model}`;
  let id = base;
  for (let n = 2; taken.includes(id); n++) id = `${base}#${n}`;
  return id;
}
