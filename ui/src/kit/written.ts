import { t } from "@lingui/core/macro";
import { host, toAppError } from "../host/host";
import { type ToastAction, toastError } from "./toast";

/** What can be done with a file that was written: by the job that wrote it, or its token. */
export function written(id: string, path: string): ToastAction[] {
  return [
    {
      label: t`Show in folder`,
      keepOpen: true,
      run: () =>
        void host()
          .showInFolder(id)
          .catch((thrown) => toastError(toAppError(thrown))),
    },
    { label: t`Copy path`, keepOpen: true, run: () => void host().copyText(path) },
  ];
}
