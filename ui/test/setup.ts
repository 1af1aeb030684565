import { i18n } from "@lingui/core";
import { cleanup, configure } from "@testing-library/react";
import { afterEach } from "vitest";
import { useMethods } from "../src/domain/methods";
import { METHODS } from "./fake/methods";

// Layout that the test document lacks: a size for everything, so that virtual lists draw some rows.
Object.defineProperties(HTMLElement.prototype, {
  clientHeight: { configurable: true, get: () => 600 },
  clientWidth: { configurable: true, get: () => 1000 },
  offsetHeight: { configurable: true, get: () => 600 },
  offsetWidth: { configurable: true, get: () => 1000 },
});

// A busy machine is slow, not wrong.
configure({ asyncUtilTimeout: 30_000 });

// Without a catalog, messages stand as they are written: in English.
i18n.loadAndActivate({ locale: "en", locales: "en-US", messages: {} });

// Read before the first frame.
useMethods.setState({ list: METHODS });

afterEach(() => {
  cleanup();
});
