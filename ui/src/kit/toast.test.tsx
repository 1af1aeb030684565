import { act, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { fakeHost } from "../../test/fake/host";
import { host, setHost } from "../host/host";
import { fileToast } from "./fileToast";
import { dismissToast, patience, setStay, startToasts, toast, useToasts } from "./toast";
import { focusMessages, Toaster } from "./toaster";
import { undoable } from "./undo";

beforeEach(() => {
  vi.useFakeTimers();
  setHost(fakeHost());
  patience.times = 1;
  useToasts.setState({ items: [], stay: "usual" });
});
afterEach(() => vi.useRealTimers());

const pass = (ms: number) => act(() => vi.advanceTimersByTime(ms));
const card = (text: string) => screen.getByText(text).closest<HTMLElement>("[data-messages] > *")!;

describe("a message", () => {
  it("goes after its time, later where something is to be pressed", () => {
    render(<Toaster />);
    act(() => void toast({ title: "Told" }));
    act(() => void toast({ title: "Asked", actions: [{ label: "Show", run: () => {} }] }));
    pass(5_100);
    expect(screen.queryByText("Told")).toBeNull();
    expect(screen.getByText("Asked")).toBeTruthy();
    pass(5_000);
    expect(screen.queryByText("Asked")).toBeNull();
  });

  it("waits while the pointer is over it or the focus is in it", () => {
    render(<Toaster />);
    act(() => void toast({ title: "Held" }));
    pass(4_900);
    fireEvent.pointerEnter(card("Held"));
    pass(60_000);
    act(() => expect(focusMessages()).toBe(true));
    fireEvent.pointerLeave(card("Held"));
    pass(60_000);
    expect(screen.getByText("Held")).toBeTruthy();
    act(() => (document.activeElement as HTMLElement).blur());
    // There is still a moment for it.
    pass(1_900);
    expect(screen.getByText("Held")).toBeTruthy();
    pass(200);
    expect(screen.queryByText("Held")).toBeNull();
  });

  it("waits while the window is hidden, also one that comes meanwhile", () => {
    render(<Toaster />);
    const hide = (hidden: boolean) => {
      Object.defineProperty(document, "hidden", { configurable: true, value: hidden });
      fireEvent(document, new Event("visibilitychange"));
    };
    act(() => void toast({ title: "Before" }));
    hide(true);
    act(() => void toast({ title: "Meanwhile" }));
    pass(60_000);
    hide(false);
    expect(card("Before") && card("Meanwhile")).toBeTruthy();
    pass(5_100);
    expect(useToasts.getState().items).toEqual([]);
  });

  it("stays as long as the user says, which is remembered", async () => {
    setStay("always");
    expect(await host().preference("messages")).toBe("always");
    useToasts.setState({ stay: "usual" });
    await startToasts();
    toast({ title: "There" });
    vi.advanceTimersByTime(1_000_000);
    expect(useToasts.getState().items.map((t) => t.title)).toEqual(["There"]);
    setStay("long");
    toast({ title: "Later" });
    vi.advanceTimersByTime(49_000);
    expect(useToasts.getState().items).toHaveLength(2);
    vi.advanceTimersByTime(2_000);
    expect(useToasts.getState().items.map((t) => t.title)).toEqual(["There"]);
  });

  it("about a file keeps to its name and the way to it once another file was written, unless it has the focus", () => {
    const shown: string[] = [];
    host().showInFolder = async (id) => {
      shown.push(id);
    };
    const exported = (name: string) =>
      act(
        () =>
          void toast({
            title: `Exported 5 rows to ${name}.`,
            text: `/home/${name}`,
            ...fileToast(name, `/home/${name}`),
          }),
      );
    render(<Toaster />);
    exported("a.csv");
    expect(screen.getByText("/home/a.csv")).toBeTruthy();
    act(() => screen.getByText("Copy path").focus());
    exported("b.csv");
    expect(screen.getByText("/home/a.csv")).toBeTruthy();
    act(() => screen.getAllByText("Show in folder")[1]!.focus());
    exported("c.csv");
    expect(screen.queryByText("/home/a.csv")).toBeNull();
    expect(screen.getByText("a.csv").title).toBe("Exported 5 rows to a.csv.");
    expect(document.activeElement?.closest("[data-messages] > *")).toBe(card("Exported 5 rows to b.csv."));
    fireEvent.click(screen.getAllByText("Show in folder")[0]!);
    expect(shown).toEqual(["a.csv"]);
    act(() => (document.activeElement as HTMLElement).blur());
    act(() => screen.getAllByText("Show in folder")[0]!.focus());
    expect(screen.getAllByText("Copy path")).toHaveLength(1);
    expect(screen.getByText("Exported 5 rows to c.csv.")).toBeTruthy();
  });

  it("gives the focus back where it was", async () => {
    render(
      <>
        <button type="button">Elsewhere</button>
        <Toaster />
      </>,
    );
    screen.getByText("Elsewhere").focus();
    act(() => void toast({ title: "Told" }));
    act(() => expect(focusMessages()).toBe(true));
    act(() => dismissToast(useToasts.getState().items[0]!.id));
    await Promise.resolve();
    expect(document.activeElement?.textContent).toBe("Elsewhere");
  });
});

describe("an undo", () => {
  const made = () => {
    const done: string[] = [];
    undoable({ title: "Deleted.", undo: () => done.push("undone"), commit: () => done.push("done") });
    return done;
  };

  it("can be pressed as long as its message is there, and then never more", () => {
    const done = made();
    render(<Toaster />);
    pass(9_000);
    fireEvent.pointerEnter(card("Deleted."));
    pass(60_000);
    expect(done).toEqual([]);
    fireEvent.click(screen.getByRole("button", { name: "Undo" }));
    pass(60_000);
    expect(done).toEqual(["undone"]);
  });

  it("runs out with the message: by its time, by hand, or for want of room", () => {
    const late = made();
    vi.advanceTimersByTime(10_100);
    expect(late).toEqual(["done"]);
    const closed = made();
    dismissToast(useToasts.getState().items[0]!.id);
    expect(closed).toEqual(["done"]);
    const pushed = made();
    for (let n = 0; n < 5; n++) toast({ title: String(n), actions: [{ label: "Show", run: () => {} }] });
    expect(pushed).toEqual(["done"]);
    vi.advanceTimersByTime(60_000);
    expect([late, closed, pushed]).toEqual([["done"], ["done"], ["done"]]);
  });
});
