// The sign-in with Google of the fake host: the client's id says how it ends.

import type { AppError } from "../../src/host/bindings";
import { AppFailure, type Host } from "../../src/host/host";

const PAGE = "https://accounts.google.com/o/oauth2/v2/auth?client_id=1234-abc.apps.googleusercontent.com";

const DENIED: AppError = {
  code: "connection",
  message: "Google did not grant access: it was denied in the browser",
  hint: "Sign in again and choose Allow; if your company forbids it, ask your administrator of Google Cloud",
  detail: null,
};

const CANCELLED: AppError = { code: "cancelled", message: "The sign-in was cancelled", hint: null, detail: null };

/** `denied...` is denied, `slow...` waits until it is cancelled; whoever else comes is signed in. */
export function fakeGoogle(hasKeychain: boolean) {
  const clients = new Map<string, string>();
  const stops = new Map<string, () => void>();
  const commands: Pick<Host, "beginGoogleSignIn" | "finishGoogleSignIn"> = {
    beginGoogleSignIn: async (address) => {
      const jobId = `google-${clients.size}`;
      clients.set(jobId, /"clientId","([^"]*)"|client_id=([^&]*)/.exec(address)?.slice(1).join("") ?? "");
      return { jobId, url: PAGE, opened: true };
    },
    finishGoogleSignIn: async (jobId) => {
      const client = clients.get(jobId) ?? "";
      if (client.startsWith("denied")) throw new AppFailure(DENIED);
      if (client.startsWith("slow")) await new Promise<void>((stop) => stops.set(jobId, stop));
      if (client.startsWith("slow")) throw new AppFailure(CANCELLED);
      return hasKeychain
        ? { place: "keychain", note: null }
        : { place: "session", note: "No keychain is available for keys and passwords." };
    },
  };
  return { commands, stop: (jobId: string) => stops.get(jobId)?.() };
}
