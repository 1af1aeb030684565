import { t } from "@lingui/core/macro";
import { useRef, useState } from "react";
import type { RemoteModel, ServedModel } from "../../host/bindings";
import { host, toAppError } from "../../host/host";

/** The models of a server, read when the list is first opened and again once address or key are others. */
export function useServerModels(model: RemoteModel, apiKey: string | null) {
  const [found, setFound] = useState<{ of: string; models: ServedModel[]; status: string | null }>({
    of: "",
    models: [],
    status: null,
  });
  const asked = useRef("");
  const of = JSON.stringify([model.id, model.provider, model.baseUrl.trim(), apiKey]);
  const read = async () => {
    if (asked.current === of) return;
    asked.current = of;
    if (model.baseUrl.trim() === "") {
      setFound({ of, models: [], status: t`Enter the address to see the models of the server.` });
      asked.current = "";
      return;
    }
    setFound({ of, models: [], status: t`Reading the list of models` });
    const tell = (models: ServedModel[], status: string | null) =>
      asked.current === of && setFound({ of, models, status });
    try {
      const models = await host().servedModels(model, apiKey);
      tell(models, models.length === 0 ? t`The server lists no models. Enter the name.` : null);
    } catch (thrown) {
      const { message, hint } = toAppError(thrown);
      tell([], [message, hint].filter(Boolean).join(". "));
      // The next opening tries again.
      if (asked.current === of) asked.current = "";
    }
  };
  return found.of === of
    ? { ...found, read: () => void read() }
    : { models: [], status: null, read: () => void read() };
}
