import { t } from "@lingui/core/macro";
import { host, toAppError } from "../host/host";
import { fileName } from "./format";
import { type Toast, toastError } from "./toast";

/** The parts of a notification about a written file, by the job that wrote it or its token: its name and actions. */
export function fileToast(id: string, path: string): Pick<Toast, "file" | "actions"> {
  return {
    file: fileName(path),
    actions: [
      {
        label: t`Show in folder`,
        keepOpen: true,
        run: () =>
          void host()
            .showInFolder(id)
            .catch((thrown) => toastError(toAppError(thrown))),
      },
      { label: t`Copy path`, keepOpen: true, run: () => void host().copyText(path) },
    ],
  };
}
