// A database of thousands of tables: the window holds what it shows, and every table is found.

import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import { useCatalogs } from "../src/features/catalog/state";
import { navigate } from "../src/navigation/route";
import { SAMPLE } from "./fake/data";
import type { FakeHost } from "./fake/host";
import { start } from "./start";

const name = (n: number) => ({ catalog: null, schema: null, name: `t_${n}` });

/** What the host was asked, in its order. */
const asked = (host: FakeHost, name: string) =>
  host.calls.filter(([command]) => command === name).map(([, args]) => args);

test("only the tables in view are listed, and the search finds every other one", async () => {
  const user = userEvent.setup();
  const host = await start({ tables: 5_200 });
  navigate({ page: "tables" });
  expect(await screen.findByRole("button", { name: /^t_0\b/ })).toBeDefined();
  expect(screen.getByText(/5,200 tables/)).toBeDefined();
  expect(screen.getAllByRole("button", { name: /^t_\d+/ }).length).toBeLessThan(100);
  await user.type(screen.getByLabelText("Search tables and columns"), "t_5199");
  await waitFor(() => expect(screen.getAllByRole("button", { name: /^t_\d+/ }).length).toBe(1));
  expect(await screen.findByRole("heading", { name: "t_5199" })).toBeDefined();
  // A page at a time crossed, and the search was done by the host.
  expect(asked(host, "tables").every(([, , , limit]) => limit === 100)).toBe(true);
  expect(asked(host, "tables").at(-1)).toEqual([SAMPLE, "t_5199", 0, 100]);
  expect(asked(host, "table").at(-1)).toEqual([SAMPLE, name(5_199), "alone", 1]);
  expect(useCatalogs.getState().entries[SAMPLE]).toMatchObject({ whole: false, catalog: { tables: [] }, keys: [] });
  expect(asked(host, "inferredKeys")).toEqual([]);
});

test("the keys lead to pages further down, and the columns that were found are marked", async () => {
  const user = userEvent.setup();
  const host = await start({ tables: 5_200 });
  navigate({ page: "tables" });
  (await screen.findByRole("button", { name: /^t_0\b/ })).focus();
  await user.keyboard("{End}");
  expect(await screen.findByRole("heading", { name: "t_5199" })).toBeDefined();
  expect(asked(host, "tables").some(([, , offset]) => offset === 5_100)).toBe(true);
  await user.keyboard("{Home}");
  expect(await screen.findByRole("heading", { name: "t_0" })).toBeDefined();

  // One column says so in its comment, of all 62,400.
  await user.type(screen.getByLabelText("Search tables and columns"), "measure 36041");
  expect(await screen.findByRole("heading", { name: "t_3003" })).toBeDefined();
  const list = within(screen.getByRole("list", { name: "Tables" }));
  await waitFor(() => expect(list.getAllByRole("button")).toHaveLength(1));
  expect(list.getByText("c_5")).toBeDefined();
});

test("the keys around a table are asked of the host, and lead on", async () => {
  const user = userEvent.setup();
  const host = await start({ tables: 5_200 });
  navigate({ page: "tables" });
  await screen.findByRole("button", { name: /^t_0\b/ });
  await user.type(screen.getByLabelText("Search tables and columns"), "t_100");
  expect(await screen.findByRole("heading", { name: "t_100" })).toBeDefined();
  await user.click(await screen.findByRole("tab", { name: "Keys" }));
  const part = within(await screen.findByRole("region", { name: "Keys" }));
  await user.click(part.getByRole("radio", { name: "List" }));
  expect(await part.findByText("5 tables, 4 keys")).toBeDefined();
  await user.click(part.getByRole("radio", { name: "Schema" }));
  expect(await part.findByText(/^120 tables, .* 5,080 more tables not shown/)).toBeDefined();
  expect(asked(host, "table").map(([, , reach, limit]) => [reach, limit])).toContainEqual(["schema", 120]);
  await user.click(part.getByRole("radio", { name: "Neighbours" }));
  await user.click((await part.findAllByRole("button", { name: "t_33" }))[0]!);
  expect(await screen.findByRole("heading", { name: "t_33" })).toBeDefined();
});

test("names after an @ are looked up by the host", async () => {
  const user = userEvent.setup();
  const host = await start({ tables: 5_200 });
  await user.type(await screen.findByLabelText("Question"), "How many in @t_4999");
  expect(await screen.findByRole("option", { name: /^t_4999/ })).toBeDefined();
  expect(asked(host, "names").at(-1)).toEqual([SAMPLE, "t_4999", 12]);
  await user.keyboard("{Enter}");
  expect(screen.getByLabelText<HTMLTextAreaElement>("Question").value).toMatch(/^How many in t_4999 ?$/);
});
