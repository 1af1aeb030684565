// Reports: what the menu of an answer offers, and what is sent for the file.

import { act, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, it } from "vitest";
import type { FakeHost } from "../../test/fake/host";
import { start } from "../../test/start";
import { chooseChart } from "../features/chart/state";
import { useRuns } from "../features/runs/state";
import type { ReportRequest } from "../host/bindings";
import { useToasts } from "../kit/toast";
import { navigate } from "../navigation/route";
import { shownChart } from "./report";

let host: FakeHost;
beforeEach(async () => {
  host = await start();
});

const requests = () =>
  host.calls.filter(([name]) => name === "exportReport").map(([, args]) => args as [ReportRequest, string]);

async function menuOf(runId: string) {
  act(() => navigate({ page: "run", runId, tab: "answer" }));
  await screen.findByRole("grid", { name: "Answer" });
  await userEvent.click(screen.getByRole("button", { name: "Export in another format" }));
}

describe("the report of an answer", () => {
  it("goes to an HTML file with the chart that is shown", async () => {
    await menuOf("r1");
    await userEvent.click(await screen.findByRole("menuitem", { name: /^Report \.html$|^Report$/ }));
    await waitFor(() => expect(requests()).toHaveLength(1));
    const [request, file] = requests()[0]!;
    expect(request).toMatchObject({ runs: ["r1"], thread: false, everything: false });
    expect(request.charts.r1).toEqual(shownChart("r1"));
    expect(shownChart("r1")).toMatchObject({ kind: "bar", by: null });
    expect(file).toMatch(/\.html$/);
    await waitFor(() =>
      expect(useToasts.getState().items.map(({ title }) => title)).toContainEqual(
        expect.stringMatching(/^Exported the report to .*\.html\.$/),
      ),
    );
  });

  it("has no chart where the reader chose none", async () => {
    await menuOf("r1");
    act(() => chooseChart("r1", { type: "none", measure: "revenue" }));
    await userEvent.click(await screen.findByRole("menuitem", { name: /^Report \.html$|^Report$/ }));
    await waitFor(() => expect(requests()).toHaveLength(1));
    expect(requests()[0]![0].charts).toEqual({ r1: null });
  });

  it("is offered with follow-up questions only where there are some", async () => {
    await menuOf("r1");
    await screen.findByRole("menuitem", { name: /^Report \.html$|^Report$/ });
    expect(screen.queryByRole("menuitem", { name: /follow-up questions/ })).toBeNull();
    await userEvent.keyboard("{Escape}");
    const [first] = useRuns.getState().list;
    act(() => useRuns.setState({ list: [{ ...first!, runId: "later", follows: "r1" }] }));
    await userEvent.click(screen.getByRole("button", { name: "Export in another format" }));
    await userEvent.click(await screen.findByRole("menuitem", { name: /Report with all follow-up questions/ }));
    await waitFor(() => expect(requests()).toHaveLength(1));
    expect(requests()[0]![0].thread).toBe(true);
    await waitFor(() =>
      expect(useToasts.getState().items.map(({ text }) => text)).toContainEqual(
        expect.stringMatching(/1 question without an answer left out · Some values are withheld/),
      ),
    );
  });
});
