// The names of all columns are made when they can be chosen, not when the page of tables is shown.

import { render, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it } from "vitest";
import { CATALOG, SAMPLE } from "../../test/fake/data";
import { fakeHost } from "../../test/fake/host";
import { NOTHING, useCatalogs } from "../features/catalog/state";
import { setHost } from "../host/host";
import { PrivacyLink } from "./PrivacyLink";

it("reads no column of a catalog until the dialog is open", async () => {
  setHost(fakeHost());
  let read = 0;
  const tables = CATALOG.tables.map((table) => ({
    ...table,
    get columns() {
      read += 1;
      return table.columns;
    },
  }));
  const catalog = { ...CATALOG, tables };
  useCatalogs.setState({ entries: { [SAMPLE]: { ...NOTHING, catalog } } });
  render(<PrivacyLink uri={SAMPLE} />);
  expect(read).toBe(0);
  await userEvent.click(screen.getByRole("button", { name: "Privacy" }));
  await waitFor(() => expect(read).toBe(tables.length));
});
