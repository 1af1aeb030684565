// A fault of one page leaves the rest of the window at work.

import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test, vi } from "vitest";
import { PageBoundary } from "./PageBoundary";

test("a page that cannot be shown says so, can be tried again, and is forgotten on the next page", async () => {
  const quiet = vi.spyOn(console, "error").mockImplementation(() => {});
  let broken = true;
  function Answer() {
    if (broken) throw new RangeError("invalid language tag: C");
    return <p>The answer</p>;
  }
  const page = (name: string) => (
    <>
      <nav>Sidebar</nav>
      <PageBoundary page={name}>
        <Answer />
      </PageBoundary>
    </>
  );
  const { rerender } = render(page("run"));
  expect(screen.getByRole("alert").textContent).toContain("This page could not be shown.");
  expect(screen.getByText("Sidebar")).toBeDefined();
  await userEvent.click(screen.getByRole("button", { name: "Try again" }));
  expect(screen.getByRole("alert")).toBeDefined();
  broken = false;
  rerender(page("saved"));
  expect(await screen.findByText("The answer")).toBeDefined();
  quiet.mockRestore();
});
