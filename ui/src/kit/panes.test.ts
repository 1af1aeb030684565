import { beforeEach, expect, it, vi } from "vitest";
import { fakeHost } from "../../test/fake/host";
import { setHost } from "../host/host";
import { readPanes, setPane, sizesOf, usePanes } from "./panes";

beforeEach(() => {
  usePanes.setState({ sizes: {} });
  vi.useFakeTimers();
  return () => vi.useRealTimers();
});

it("keeps the sizes of panes once the edge rests, and has them after a restart", async () => {
  const host = fakeHost();
  setHost(host);
  setPane("detail", 400);
  setPane("detail", 420.4);
  setPane("result", 300);
  expect(await host.preference("panes")).toBeNull();
  await vi.advanceTimersByTimeAsync(400);
  usePanes.setState({ sizes: {} });
  await readPanes();
  expect(usePanes.getState().sizes).toEqual({ detail: 420, result: 300 });
});

it("leaves out whatever else was remembered", () => {
  for (const text of [null, "", "{", "7", "null"]) expect(sizesOf(text)).toEqual({});
  expect(sizesOf('{"detail":"wide","result":-3,"detail.wide":1e9,"other":300}')).toEqual({});
});
