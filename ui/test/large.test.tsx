// A database of thousands of tables: the list stays bounded, and every one is found.

import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import { go } from "../src/app/route";
import { start } from "./start";

test("only the tables in view are listed, and the search finds every other one", async () => {
  const user = userEvent.setup();
  await start({ tables: 5_200 });
  go({ page: "tables" });
  expect(await screen.findByRole("button", { name: /^t_0\b/ })).toBeDefined();
  expect(screen.getByText(/5,200 tables/)).toBeDefined();
  expect(screen.getAllByRole("button", { name: /^t_\d+/ }).length).toBeLessThan(100);
  await user.type(screen.getByLabelText("Search tables and columns"), "t_5199");
  await waitFor(() => expect(screen.getAllByRole("button", { name: /^t_\d+/ }).length).toBe(1));
  expect(await screen.findByRole("heading", { name: "t_5199" })).toBeDefined();
});
