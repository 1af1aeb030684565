// What somebody hears of the window who does not see it: the title, names, and where the focus is.
import { act, render, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, it } from "vitest";
import { Field, Input } from "../src/kit/field";
import { navigate } from "../src/navigation/route";
import { start } from "./start";

beforeEach(async () => {
  await start();
});

it("the title tells the answer that was waited for, and afterwards what is on the page", async () => {
  await userEvent.type(screen.getByLabelText("Question"), "Best products?{Enter}");
  await waitFor(() =>
    expect(document.title).toMatch(
      /^Answer: Harbour Sofa, 3 seats has the highest revenue: 184,230\.40.* - Best products\? - Vitrine$/,
    ),
  );
  act(() => navigate({ page: "tables" }));
  await waitFor(() => expect(document.title).toBe("Tables - Vitrine"));
  act(() => navigate({ page: "run", runId: "r1", tab: "answer" }));
  await screen.findByRole("grid", { name: "Answer" });
  expect(document.title).not.toMatch(/^Answer/);
});

it("how sure an answer is, is read once", async () => {
  act(() => navigate({ page: "run", runId: "r1", tab: "answer" }));
  const part = await screen.findByRole("region", { name: "Certainty" });
  const heard = [...part.querySelectorAll("p, span")]
    .filter((element) => !element.closest("[aria-hidden]"))
    .filter((element) => /^(Sure|Check this|Probably not right)$/.test(element.textContent ?? ""));
  expect(heard).toHaveLength(1);
});

it("the palette's field takes the focus, and gives it back to what had it", async () => {
  const history = screen.getByRole("textbox", { name: "Search history" });
  act(() => history.focus());
  await userEvent.keyboard("{Control>}k{/Control}");
  expect(document.activeElement).toBe(await screen.findByRole("combobox", { name: /Search commands/ }));
  await userEvent.keyboard("{Escape}");
  await waitFor(() => expect(screen.queryByRole("dialog", { name: "Commands" })).toBeNull());
  expect(document.activeElement).toBe(history);
});

it("keys beside a command are heard one by one", async () => {
  await userEvent.keyboard("{Control>}k{/Control}");
  expect(await screen.findByRole("option", { name: /^New window ?Ctrl ?\+ ?Shift ?\+ ?N$/ })).toBeTruthy();
});

it("a cell of the grid has nothing in it but its value, also while it is the active one", async () => {
  act(() => navigate({ page: "run", runId: "r1", tab: "answer" }));
  const grid = await screen.findByRole("grid", { name: "Answer" });
  act(() => grid.focus());
  await userEvent.keyboard("{ArrowDown}{ArrowDown}");
  const active = () => document.getElementById(grid.getAttribute("aria-activedescendant") ?? "");
  expect(active()?.getAttribute("role")).toBe("gridcell");
  expect(active()?.querySelector("button, [tabindex]")).toBeNull();
  // It is the same element before and after, or a screen reader would be led to one that is gone.
  const second = active();
  await userEvent.keyboard("{ArrowDown}");
  expect(second?.isConnected).toBe(true);
  // The mouse has its button nevertheless.
  expect(screen.getByTitle("Show source rows (Alt+Enter)").closest("[role=gridcell]")).toBeNull();
});

it("a field is called by its label alone, not by what is typed into it, and explained by what stands below it", () => {
  render(
    <Field label="Title" help="Shown in the library">
      <Input defaultValue="Best sellers" />
    </Field>,
  );
  const title = screen.getByRole("textbox", { name: "Title" });
  expect(document.getElementById(title.getAttribute("aria-labelledby") ?? "")?.textContent).toBe("Title");
  expect(document.getElementById(title.getAttribute("aria-describedby") ?? "")?.textContent).toBe(
    "Shown in the library",
  );
});

it("an entry of the outline is heard in parts, each apart from the next", async () => {
  act(() => navigate({ page: "run", runId: "r1", tab: "graph", face: "work", form: "outline" }));
  const tree = await screen.findByRole("tree", { name: "Stages of the run" });
  const heard = [...tree.querySelectorAll("[role=treeitem]")].map((item) => item.getAttribute("aria-label"));
  expect(heard[0]).toMatch(/^Schema, .+, Done/);
});
