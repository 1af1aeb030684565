// The staged test of a connection: one at a time, stopped when another begins.

import { create } from "zustand";
import type { AppError, ConnectionTest, ConnectionTestEvent } from "../../host/bindings";
import { host, toAppError } from "../../host/host";

interface Testing {
  /** The tested address. */
  address: string | null;
  testId: string | null;
  test: ConnectionTest | null;
  error: AppError | null;
}

const NONE: Testing = { address: null, testId: null, test: null, error: null };

export const useTesting = create<Testing>(() => NONE);

/** Events that come before the id of their test is known. */
let early: ConnectionTestEvent[] = [];

/** Tests an address, with a password that was typed or the one that is known. */
export async function startTest(address: string, password: string) {
  stopTest();
  early = [];
  useTesting.setState({ ...NONE, address });
  try {
    const testId = await host().testConnection(address, password === "" ? null : password);
    if (useTesting.getState().address !== address) return;
    useTesting.setState({ testId });
    early.forEach(takeTest);
  } catch (thrown) {
    useTesting.setState({ error: toAppError(thrown) });
  }
}

export function takeTest(event: ConnectionTestEvent) {
  const { testId, address } = useTesting.getState();
  if (address === null) return;
  if (testId === null) early.push(event);
  else if (event.testId === testId) useTesting.setState({ test: event.test });
}

/** Stops the test; what it has found stays. */
export function stopTest() {
  const { testId, test } = useTesting.getState();
  if (testId && !test?.done)
    void host()
      .cancelJob(testId)
      .catch(() => undefined);
}

export function forgetTest() {
  stopTest();
  useTesting.setState(NONE);
}
