// Long work in the window: a generator that stops after each small step, so that keys, clicks and frames have their turn.

/** Time of a slice of work before the window can respond, in milliseconds. */
const SLICE = 8;

/** The result of the work; null once it is stopped. */
export async function runInSlices<T>(work: Generator<void, T>, stop: AbortSignal): Promise<T | null> {
  while (!stop.aborted) {
    for (const until = performance.now() + SLICE; performance.now() < until; ) {
      const step = work.next();
      if (step.done) return step.value;
    }
    await yieldTurn();
  }
  return null;
}

/** The result of short work. */
export function runAtOnce<T>(work: Generator<void, T>): T {
  let step = work.next();
  while (!step.done) step = work.next();
  return step.value;
}

/** After what waits already. A timer would wait for milliseconds each time. */
function yieldTurn(): Promise<void> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(null);
  });
}
