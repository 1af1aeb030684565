// The page of a table: its columns at a glance, rows, keys, notes, and what a model reads.

import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import { SAMPLE } from "../../../test/fake/data";
import { fakeHost } from "../../../test/fake/host";
import { start } from "../../../test/start";
import { navigate } from "../../navigation/route";
import { allRowsQuery } from "../../pages/BrowseRows";

const open = async (table: RegExp) => {
  navigate({ page: "tables" });
  await userEvent.click(await screen.findByRole("button", { name: table }));
};

const row = async (column: string) => {
  const button = await screen.findByRole("button", { name: column });
  return within(button.closest("tr")!);
};

test("a column says what it holds at a glance", async () => {
  await start();
  await open(/^orders/);
  expect(await screen.findByText("6 columns · sample of 50,000 of 61,204 rows")).toBeDefined();
  expect(screen.getAllByText(/50,000/)).toHaveLength(1);
  expect(screen.getByText("Column statistics come from a sample of the rows.")).toBeDefined();

  const day = await row("order_dt");
  expect(day.getByText("text, day/month/year")).toBeDefined();
  expect(day.getByText("03/01/2023 – 31/12/2025")).toBeDefined();
  expect(day.queryByRole("img", { name: /^Values of|^Range of/ })).toBeNull();

  const channel = await row("chan_cd");
  expect(channel.getByText("WEB 50%, STR 33%, APP 17%, …")).toBeDefined();
  expect(channel.getByRole("img", { name: "Values of chan_cd: WEB 50%, STR 33%, APP 17%" })).toBeDefined();

  const store = await row("store_id");
  expect(store.getByRole("img", { name: "NULL in store_id: 61%" })).toBeDefined();
  expect(store.getByRole("button", { name: "References stores" })).toBeDefined();
  expect((await row("cust_id")).getByRole("button", { name: "References customers, inferred" })).toBeDefined();
  expect((await row("order_id")).getByText("primary key")).toBeDefined();
});

test("arrow keys move between the columns, and Enter opens one", async () => {
  await start();
  await open(/^orders/);
  const first = await screen.findByRole("button", { name: "order_id" });
  first.focus();
  await userEvent.keyboard("{ArrowDown}{ArrowDown}{ArrowDown}{ArrowDown}{Enter}");
  const channel = screen.getByRole("button", { name: "chan_cd" });
  expect(document.activeElement).toBe(channel);
  expect(channel.getAttribute("aria-expanded")).toBe("true");
  expect(screen.getByText("Most frequent values in the sample")).toBeDefined();
  await userEvent.keyboard("{Home}{ArrowDown}{Enter}");
  expect(await screen.findByText("Inferred: references customers")).toBeDefined();
  expect(screen.getAllByText(/all 18,462 values of orders.cust_id/).length).toBeGreaterThan(0);
});

test("a key leads to the table that it refers to", async () => {
  await start();
  await open(/^orders/);
  await userEvent.click(await screen.findByRole("button", { name: "References stores" }));
  expect(await screen.findByRole("heading", { name: "stores" })).toBeDefined();
});

test("the list of tables is walked with the arrow keys", async () => {
  await start();
  await open(/^orders/);
  await userEvent.keyboard("{ArrowDown}{ArrowDown}");
  expect(await screen.findByRole("heading", { name: "promo" })).toBeDefined();
});

test("a note on a column is kept as a definition of the connection, shown, changed and removed", async () => {
  const host = await start();
  await open(/^orders/);
  await userEvent.click(await screen.findByRole("button", { name: "chan_cd" }));
  await userEvent.click(await screen.findByRole("button", { name: "Add note or synonyms: chan_cd" }));
  const form = within(await screen.findByRole("form", { name: "New note on chan_cd" }));
  expect((form.getByLabelText("Term") as HTMLInputElement).value).toBe("chan cd");
  await userEvent.type(form.getByLabelText("Synonyms"), "channel, Kanal");
  await userEvent.type(form.getByLabelText("Meaning"), "How it was ordered");
  await userEvent.click(form.getByRole("button", { name: "Save" }));
  const notes = within(await screen.findByRole("region", { name: "Notes on chan_cd" }));
  expect(await notes.findByText(/How it was ordered/)).toBeDefined();
  expect((await host.definitions(SAMPLE)).entries[0]).toMatchObject({
    term: "chan cd",
    synonyms: ["channel", "Kanal"],
    meaning: "How it was ordered",
    subject: "orders.chan_cd",
    source: "user",
  });
  expect((await row("chan_cd")).getByText("1 definition")).toBeDefined();

  await userEvent.click(notes.getByRole("button", { name: "Edit the note on chan cd" }));
  const again = within(await screen.findByRole("form", { name: "Edit the note on chan cd" }));
  await userEvent.type(again.getByLabelText("Meaning"), ", and where");
  await userEvent.click(again.getByRole("button", { name: "Save" }));
  expect(await notes.findByText(/How it was ordered, and where/)).toBeDefined();
  const focused = () => document.activeElement?.getAttribute("aria-label");
  expect(focused()).toMatch(/^Add note or synonyms/);
  await userEvent.click(notes.getByRole("button", { name: "Remove the note on chan cd" }));
  await waitFor(() => expect(notes.queryByText(/How it was ordered/)).toBeNull());
  expect(focused()).toMatch(/^Add note or synonyms/);
  expect((await host.definitions(SAMPLE)).entries.filter(({ subject }) => subject === "orders.chan_cd")).toEqual([]);
});

test("a table may have other words and no note", async () => {
  const host = await start();
  await open(/^promo/);
  await userEvent.click(await screen.findByRole("button", { name: "Add note or synonyms: promo" }));
  const form = within(await screen.findByRole("form", { name: "New note on promo" }));
  expect((form.getByRole("button", { name: "Save" }) as HTMLButtonElement).disabled).toBe(true);
  await userEvent.type(form.getByLabelText("Synonyms"), "Aktion");
  await userEvent.click(form.getByRole("button", { name: "Save" }));
  expect(await screen.findByText(/also: Aktion/)).toBeDefined();
  expect((await host.definitions(SAMPLE)).entries[0]).toMatchObject({ synonyms: ["Aktion"], subject: "promo" });
});

test("a few rows are read when they are looked at, and not before", async () => {
  const host = await start();
  await open(/^orders/);
  await screen.findByRole("button", { name: "chan_cd" });
  const asked = () => host.calls.filter(([name]) => name === "sampleRows").length;
  expect(asked()).toBe(0);
  await userEvent.click(screen.getByRole("tab", { name: "Sample rows" }));
  const part = within(await screen.findByRole("region", { name: "Sample rows" }));
  expect(part.getByText("50 rows, as returned by the database; more exist.")).toBeDefined();
  expect(part.getAllByRole("row")).toHaveLength(51);
  expect(asked()).toBe(1);
});

test("all rows are browsed in a grid, by a query that is approved like others", async () => {
  const host = await start();
  await open(/^orders/);
  await userEvent.click(await screen.findByRole("tab", { name: "Sample rows" }));
  const opened = () => host.calls.filter(([name]) => name === "openResult").map(([, args]) => args);
  expect(opened()).toEqual([]);
  await userEvent.click(await screen.findByRole("button", { name: "Browse all rows" }));
  expect(await screen.findByRole("grid", { name: "Rows of orders" })).toBeDefined();
  expect(opened().map(([uri, sql]) => [uri, sql])).toEqual([[SAMPLE, "SELECT * FROM orders"]]);
  // Coming back reads the sample, not all rows.
  await userEvent.click(screen.getByRole("tab", { name: "Columns" }));
  await userEvent.click(screen.getByRole("tab", { name: "Sample rows" }));
  expect(await screen.findByRole("region", { name: "Sample rows" })).toBeDefined();
  expect(opened()).toHaveLength(1);
});

test("a name in a query has all its parts, quoted where they need it", () => {
  const name = { catalog: "Shop", schema: "order", name: "Q1 sales" };
  expect(allRowsQuery(name, "bigquery")).toBe("SELECT * FROM Shop.`order`.`Q1 sales`");
  expect(allRowsQuery({ ...name, catalog: null }, "postgres")).toBe('SELECT * FROM "order"."Q1 sales"');
});

test("rows that were listed without a query say that nothing is billed", async () => {
  const host = fakeHost();
  const listed = async () => ({
    ...(await fakeHost().sampleRows(SAMPLE, { catalog: null, schema: null, name: "promo" })),
    sql: null,
  });
  await start({}, { ...host, sampleRows: listed });
  await open(/^promo/);
  await userEvent.click(await screen.findByRole("tab", { name: "Sample rows" }));
  expect(await screen.findByText(/Listed without a query, so free of charge/)).toBeDefined();
  expect(screen.queryByRole("button", { name: "Browse all rows" })).toBeNull();
});

test("what a model reads is shown as it is, by model", async () => {
  const host = await start();
  await open(/^customers/);
  await userEvent.click(await screen.findByRole("tab", { name: "What the model sees" }));
  const part = within(await screen.findByRole("region", { name: "What the model sees" }));
  expect(await part.findByText(/email VARCHAR, -- e.g. 'ada@example.org'/)).toBeDefined();
  expect(part.getByText(/No data leaves your computer/)).toBeDefined();
  await userEvent.click(part.getByRole("button", { name: "Copy text" }));
  const copied = host.calls.filter(([name]) => name === "copyText").at(-1)?.[1][0] as string;
  expect(copied.startsWith("CREATE TABLE customers (")).toBe(true);

  await userEvent.click(part.getByRole("combobox", { name: "Model" }));
  await userEvent.click(await screen.findByRole("option", { name: /gpt-4.1-mini/ }));
  expect(await part.findByText("Values withheld as personal: full_nm, email.")).toBeDefined();
  expect(part.queryByText(/ada@example.org/)).toBeNull();
  await userEvent.click(part.getByRole("radio", { name: "List" }));
  expect(await part.findByText(/# Table: customers/)).toBeDefined();
});

test("the keys of a table are drawn and listed, and lead on", async () => {
  await start();
  await open(/^orders/);
  await userEvent.click(await screen.findByRole("tab", { name: "Keys" }));
  const part = within(await screen.findByRole("region", { name: "Keys" }));
  await waitFor(() => expect(part.getByRole("button", { name: /^customers, 22k rows, 6 columns/ })).toBeDefined());
  expect(part.queryByRole("button", { name: /^products, / })).toBeNull();
  await userEvent.click(part.getByRole("radio", { name: "Two keys away" }));
  await waitFor(() => expect(part.getByRole("button", { name: /^products, / })).toBeDefined());

  await userEvent.click(part.getByRole("radio", { name: "List" }));
  const list = within(await part.findByRole("list", { name: "Keys" }));
  const line = list.getByText(/all 18,462 values of orders.cust_id/).closest("li")!;
  expect(line.textContent).toContain("orderscust_idreferencescustomerscust_idinferred");
  await userEvent.click(part.getByRole("radio", { name: "Schema" }));
  expect(await part.findByRole("list", { name: "Tables without keys" })).toBeDefined();
  await userEvent.click(within(line).getByRole("button", { name: "customers" }));
  expect(await screen.findByRole("heading", { name: "customers" })).toBeDefined();
  expect(screen.getByRole("tab", { name: "Keys" }).getAttribute("aria-selected")).toBe("true");
});
