// A database of thousands of tables: the list stays bounded, and the search finds every one.

import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import { go } from "../src/app/route";
import { CATALOG } from "./fake/data";
import { fakeHost } from "./fake/host";
import { start } from "./start";

test("only a part of the tables is listed at a time", async () => {
  const user = userEvent.setup();
  const first = CATALOG.tables[0]!;
  const tables = Array.from({ length: 5_200 }, (_, n) => ({ ...first, name: { ...first.name, name: `t_${n}` } }));
  const host = fakeHost();
  await start({}, { ...host, catalog: async () => ({ ...CATALOG, tables }) });
  go({ page: "tables" });
  expect(await screen.findByRole("button", { name: /^t_0\b/ })).toBeDefined();
  expect(screen.getAllByRole("button", { name: /^t_\d+/ }).length).toBe(200);
  await user.click(screen.getByRole("button", { name: /Show more \(5,000 left\)/ }));
  expect(screen.getAllByRole("button", { name: /^t_\d+/ }).length).toBe(400);
  await user.type(screen.getByLabelText("Search tables and columns"), "t_5199");
  await waitFor(() => expect(screen.getAllByRole("button", { name: /^t_\d+/ }).length).toBe(1));
});
