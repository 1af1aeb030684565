import { cleanup, configure } from "@testing-library/react";
import { afterEach } from "vitest";

// Layout that the test document lacks: a size for everything, so that virtual lists draw some rows.
Object.defineProperties(HTMLElement.prototype, {
  clientHeight: { configurable: true, get: () => 600 },
  clientWidth: { configurable: true, get: () => 1000 },
  offsetHeight: { configurable: true, get: () => 600 },
  offsetWidth: { configurable: true, get: () => 1000 },
});

// A busy machine is slow, not wrong.
configure({ asyncUtilTimeout: 30_000 });

afterEach(() => {
  cleanup();
});
