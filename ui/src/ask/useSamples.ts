import { useEffect, useState } from "react";
import { useConnections } from "../features/connections/state";
import type { SampleQuestion } from "../host/bindings";
import { host } from "../host/host";
import { useLanguage } from "../kit/language";

/** Questions to begin with about the open data. There are more of them once the data has been looked at. */
export function useSamples(): SampleQuestion[] {
  const current = useConnections((s) => s.current);
  const at = useConnections((s) => (current ? s.preparations[current.uri] : undefined));
  const language = useLanguage((s) => s.language);
  const [read, setRead] = useState<{ uri: string; questions: SampleQuestion[] } | null>(null);
  const uri = current?.uri ?? null;
  const isDone = at?.done === true;
  const begun = (at?.profiled ?? 0) > 0;
  // biome-ignore lint/correctness/useExhaustiveDependencies: they are in the language of the window
  useEffect(() => {
    if (uri === null || !(begun || isDone)) return;
    let gone = false;
    host()
      .sampleQuestions(uri)
      // Without it there are those from before.
      .then(
        (questions) => !gone && setRead({ uri, questions }),
        () => {},
      );
    return () => {
      gone = true;
    };
  }, [uri, begun, isDone, language]);
  return read !== null && read.uri === uri ? read.questions : (current?.questions ?? []);
}
