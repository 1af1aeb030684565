// How a page keeps up: the frames that it gives while something moves, and the time from a key or a click to the paint in which
// what it leads to is there. Both are taken in the page, on the page's own clock. Beside them stands what the page's main thread
// worked for it: processor time, which other work on the same computer does not lengthen.

const asked = new WeakMap();

/** Milliseconds of processor time that a page's main thread has worked so far. */
async function worked(page) {
  if (!asked.has(page)) {
    const session = await page.context().newCDPSession(page);
    await session.send("Performance.enable", { timeDomain: "threadTicks" });
    asked.set(page, session);
  }
  const { metrics } = await asked.get(page).send("Performance.getMetrics");
  return 1000 * metrics.find(({ name }) => name === "TaskDuration").value;
}

/** Milliseconds between the frames that the page begins while `act` goes on, and the share of that time that its main thread worked. */
export async function frames(page, act) {
  await page.evaluate(() => {
    const seen = [];
    window.benchFrames = { on: true, seen, tasks: [] };
    const next = (now) => {
      seen.push(now);
      if (window.benchFrames.on) requestAnimationFrame(next);
    };
    requestAnimationFrame(next);
    const watch = new PerformanceObserver((list) => window.benchFrames.tasks.push(...list.getEntries().map(({ duration }) => duration)));
    watch.observe({ entryTypes: ["longtask"] });
    window.benchFrames.stop = () => watch.disconnect();
  });
  const before = await worked(page);
  await act();
  const work = (await worked(page)) - before;
  const { seen, tasks } = await page.evaluate(() => {
    const { benchFrames } = window;
    benchFrames.on = false;
    benchFrames.stop();
    return { seen: benchFrames.seen, tasks: benchFrames.tasks };
  });
  return { between: seen.slice(1).map((at, i) => at - seen[i]), tasks, busy: work / (seen.at(-1) - seen[0]) };
}

/**
 * Milliseconds from an event (its own time, which is when the browser got the key or the click) until the frame is painted in which
 * `shown`, a function that runs in the page, holds, and what the main thread worked until then. `null` where nothing came within
 * `patience` ms.
 */
export async function interaction(page, event, shown, act, patience = 20_000) {
  // Taken as text: the page's content policy allows no evaluated code, and the browser's own tools may.
  // Listened for before anything is pressed.
  await page.evaluate(`void (window.benchAnswer = new Promise((resolve) => {
    const shown = ${shown};
    const painted = new MessageChannel();
    setTimeout(resolve, ${patience}, null);
    addEventListener(${JSON.stringify(event)}, ({ timeStamp }) => {
      painted.port1.onmessage = () => resolve(performance.now() - timeStamp);
      const look = () => {
        // A message that is sent before a frame is painted comes after it.
        if (shown()) painted.port2.postMessage(null);
        else requestAnimationFrame(look);
      };
      requestAnimationFrame(look);
    }, { capture: true, once: true });
  }))`);
  const before = await worked(page);
  await act();
  const took = await page.evaluate(() => window.benchAnswer);
  return took === null ? null : { took, cpu: (await worked(page)) - before };
}

/** Turns the wheel over a place for so many milliseconds, about once a frame. */
export async function turnWheel(page, [x, y], ms, { across = 0, down = 0, back = false }) {
  await page.mouse.move(x, y);
  const began = performance.now();
  for (let turn = 0; performance.now() - began < ms; turn += 1) {
    const way = back && Math.floor(turn / 12) % 2 === 1 ? -1 : 1;
    await page.mouse.wheel(across * way, down * way);
    await page.waitForTimeout(8);
  }
}
