// The sign-in with Google in the browser: one at a time, given up when the form is left.

import { create } from "zustand";
import type { AppError, GoogleSignIn } from "../../host/bindings";
import { host, toAppError } from "../../host/host";

interface SigningIn {
  /** The address that is signed in for. */
  address: string | null;
  /** Set while the browser is waited for. */
  waiting: GoogleSignIn | null;
  done: boolean;
  /** Why the keychain has not got it. */
  note: string | null;
  error: AppError | null;
}

const NONE: SigningIn = { address: null, waiting: null, done: false, note: null, error: null };

export const useGoogleSignIn = create<SigningIn>(() => NONE);

/** Opens one tab of the browser and waits for it. */
export async function signInWithGoogle(address: string, secret: string) {
  if (useGoogleSignIn.getState().waiting) return;
  useGoogleSignIn.setState({ ...NONE, address });
  try {
    const waiting = await host().beginGoogleSignIn(address, secret === "" ? null : secret);
    useGoogleSignIn.setState({ waiting });
    const kept = await host().finishGoogleSignIn(waiting.jobId);
    endSignIn(address, { done: true, note: kept.note });
  } catch (thrown) {
    endSignIn(address, { error: toAppError(thrown) });
  }
}

/** A result that arrives after the form was closed or another sign-in began is ignored. */
function endSignIn(address: string, how: Partial<SigningIn>) {
  if (useGoogleSignIn.getState().address === address) useGoogleSignIn.setState({ ...NONE, address, ...how });
}

/** Gives the sign-in up. */
export function cancelGoogleSignIn() {
  const { waiting } = useGoogleSignIn.getState();
  if (waiting)
    void host()
      .cancelJob(waiting.jobId)
      .catch(() => undefined);
}

export function forgetGoogleSignIn() {
  cancelGoogleSignIn();
  useGoogleSignIn.setState(NONE);
}
