// A run played back: any number of its events gives what the window showed then.

import { act, fireEvent, render, screen } from "@testing-library/react";
import { useState } from "react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { avSqlLog } from "../../../../test/fake/log";
import { HintProvider } from "../../../kit/tooltip";
import { foldRun } from "../model/fold";
import { ReplayBar } from "./ReplayBar";
import { eventsBy, replayer, stageStep } from "./replay";

const EVENTS = avSqlLog("r", "duckdb:/x", "2026-11-21T10:00:00Z");

it("gives the model after any number of events, forwards and backwards", () => {
  const at = replayer(EVENTS);
  for (const n of [0, 3, EVENTS.length, 10, 9, 1, EVENTS.length - 1]) {
    expect(at(n)).toEqual(foldRun(EVENTS.slice(0, n), n === 0 ? "r" : ""));
  }
});

it("steps from stage to stage and ends at the ends", () => {
  const first = stageStep(EVENTS, 0, 1);
  expect(EVENTS[first - 1]!.body.type).toBe("stageStarted");
  const second = stageStep(EVENTS, first, 1);
  expect(stageStep(EVENTS, second, -1)).toBe(first);
  expect(stageStep(EVENTS, EVENTS.length, 1)).toBe(EVENTS.length);
  expect(stageStep(EVENTS, first, -1)).toBe(0);
  expect(eventsBy(EVENTS, -1)).toBe(0);
  expect(eventsBy(EVENTS, EVENTS.at(-1)!.atMs)).toBe(EVENTS.length);
});

function Bar() {
  const [shown, setShown] = useState(0);
  return (
    <HintProvider>
      <ReplayBar events={EVENTS} shown={shown} onShow={setShown} onClose={() => {}} />
    </HintProvider>
  );
}

const slider = () => screen.getByRole<HTMLInputElement>("slider", { name: "Event" });

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

it("plays at the pace of the run, faster when that is chosen, and stops at the end", () => {
  render(<Bar />);
  fireEvent.click(screen.getByRole("button", { name: "Play" }));
  act(() => void vi.advanceTimersByTime(1_000));
  // Four times as fast.
  expect(Number(slider().value)).toBe(eventsBy(EVENTS, 4_000));
  fireEvent.click(screen.getByRole("button", { name: "Pause" }));
  act(() => void vi.advanceTimersByTime(5_000));
  expect(Number(slider().value)).toBe(eventsBy(EVENTS, 4_000));
  fireEvent.click(screen.getByRole("button", { name: "Play" }));
  act(() => void vi.advanceTimersByTime(EVENTS.at(-1)!.atMs));
  expect(Number(slider().value)).toBe(EVENTS.length);
  expect(screen.getByRole("button", { name: "Play" })).toBeTruthy();
});

it("moves by stages where little motion is wanted", () => {
  vi.stubGlobal("matchMedia", () => ({ matches: true }));
  render(<Bar />);
  fireEvent.click(screen.getByRole("button", { name: "Play" }));
  act(() => void vi.advanceTimersByTime(900));
  expect(slider().value).toBe("0");
  act(() => void vi.advanceTimersByTime(200));
  expect(Number(slider().value)).toBe(stageStep(EVENTS, 0, 1));
});
