// The question being written.

import { create } from "zustand";
import type { ModelId, StrategyName } from "../../host/bindings";
import { host } from "../../host/host";
import { isStrategy } from "../../kit/strategies";

interface AskState {
  text: string;
  knowledge: string;
  knowledgeOpen: boolean;
  strategy: StrategyName | null;
  model: ModelId | null;
}

export const useAsk = create<AskState>(() => ({
  text: "",
  knowledge: "",
  knowledgeOpen: false,
  strategy: null,
  model: null,
}));

export function setAsk(change: Partial<AskState>) {
  useAsk.setState(change);
  if ("strategy" in change) void host().setPreference("ask.strategy", change.strategy ?? "");
  if ("model" in change) void host().setPreference("ask.model", change.model ?? "");
}

export async function startAsk() {
  const [strategy, model] = await Promise.all([host().preference("ask.strategy"), host().preference("ask.model")]);
  useAsk.setState({
    strategy: isStrategy(strategy) ? strategy : null,
    model: model || null,
  });
}
