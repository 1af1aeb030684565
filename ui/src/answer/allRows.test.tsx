// Headline and chart cover all rows of an answer: while the filters of the table show fewer, they say so.

import { fireEvent, render, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, it } from "vitest";
import { fakeEngine } from "../../test/fake/engine";
import { fakeHost } from "../../test/fake/host";
import { bigPage } from "../../test/fake/log";
import { Grid } from "../features/grid/Grid";
import { useGridLayouts } from "../features/grid/layoutStore";
import type { Origin } from "../features/grid/origin";
import { useAnswerSource } from "../features/grid/state";
import type { Page } from "../host/bindings";
import { setHost } from "../host/host";
import { Toaster } from "../kit/toaster";
import { HintProvider } from "../kit/tooltip";
import { AllRows } from "./AllRows";

const ORIGIN: Origin = { warehouse: "file:x", sql: "SELECT 1" };
const WHOLE = bigPage(0, 40, 40);

function Answer({ page, chart }: { page: Page; chart: boolean }) {
  const source = useAnswerSource(page, ORIGIN);
  return (
    <HintProvider>
      <AllRows origin={ORIGIN} page={page} chart={chart} />
      <Grid source={source} label="Answer" origin={ORIGIN} />
      <Toaster />
    </HintProvider>
  );
}

const header = (name: string) => screen.getByRole("columnheader", { name: new RegExp(`^${name}`) });

async function filter(column: string, text: string) {
  await userEvent.click(screen.getByRole("button", { name: `Column ${column}` }));
  await userEvent.click(await screen.findByRole("menuitem", { name: "Filter" }));
  const dialog = within(await screen.findByRole("dialog"));
  await userEvent.type(dialog.getAllByRole("textbox").at(-1)!, text);
  await userEvent.click(dialog.getByRole("button", { name: "Filter" }));
}

beforeEach(() => {
  useGridLayouts.setState({ looks: {}, kept: {} });
  const { columns, rowCount } = WHOLE;
  setHost({
    ...fakeHost(),
    ...fakeEngine(() => WHOLE),
    openResult: async () => ({
      resultId: "r",
      columns,
      rowCount,
      complete: true,
      truncated: false,
      outOfRoom: null,
      elapsedMs: 1,
    }),
  });
});

describe("an answer whose rows are filtered", () => {
  const web = WHOLE.rows.filter((row) => row[3] === "WEB").length;

  it("says that headline and chart cover all rows, until the filter is gone", async () => {
    render(<Answer page={WHOLE} chart />);
    await filter("chan_cd", "web");
    const note = `The headline and the chart cover all 40 rows. The filters of the table show ${web} of them.`;
    expect(await screen.findByText(note)).toBeTruthy();
    await userEvent.click(screen.getByRole("button", { name: /^Remove filter/ }));
    expect(screen.queryByText(/headline/)).toBeNull();
  });

  it("says nothing of rows that are only sorted", async () => {
    render(<Answer page={WHOLE} chart={false} />);
    fireEvent.click(header("total"));
    await waitFor(() => expect(header("total").getAttribute("aria-sort")).toBe("ascending"));
    expect(screen.queryByText(/headline/)).toBeNull();
  });

  it("says which rows the headline covers where a limit cut the answer and the table shows all", async () => {
    const page = { ...WHOLE, rows: WHOLE.rows.slice(0, 15), rowCount: 15, truncated: true };
    render(<Answer page={page} chart={false} />);
    await filter("chan_cd", "web");
    const note = `The headline covers the first 15 rows. The table shows ${web} of 40 rows.`;
    expect(await screen.findByText(note)).toBeTruthy();
  });
});
