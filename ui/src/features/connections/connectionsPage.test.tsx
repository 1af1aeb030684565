// The user names, tests, describes and removes databases.

import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import { SHOP } from "../../../test/fake/connections";
import { SAMPLE } from "../../../test/fake/data";
import { SERVER } from "../../../test/fake/host";
import { start } from "../../../test/start";
import { navigate } from "../../navigation/route";
import { openWarehouse, useConnections } from "./state";

const page = () => navigate({ page: "connections", uri: null });

test("a pasted address fills the form, is tested stage by stage, and saved without its password", async () => {
  const user = userEvent.setup();
  const host = await start({ unnamed: true });
  page();
  expect(await screen.findByText(/The sample is open/)).toBeDefined();
  await user.click(screen.getByRole("button", { name: /PostgreSQL/ }));
  const form = within(await screen.findByRole("form", { name: /New connection/ }));
  expect(document.activeElement).toBe(form.getByLabelText(/^Name/));
  await user.keyboard("Sales");
  await user.click(form.getByLabelText(/Paste an address/));
  await user.paste(`postgresql://ann:${SERVER.password.replace("@", "%40")}@db.example:6000/sales?sslmode=require`);
  expect(form.getByLabelText<HTMLInputElement>("Host").value).toBe("db.example");
  expect(form.getByLabelText<HTMLInputElement>("Port").value).toBe("6000");
  expect(form.getByLabelText<HTMLInputElement>("Database").value).toBe("sales");
  expect(form.getByLabelText<HTMLInputElement>("User").value).toBe("ann");
  expect(form.getByLabelText<HTMLInputElement>(/^Password/).value).toBe(SERVER.password);
  await user.click(form.getByRole("radio", { name: /Production/ }));

  await user.click(form.getByRole("button", { name: "Test" }));
  expect(await form.findByText(/This login is ann/)).toBeDefined();
  expect(await form.findByText(/INSERT on 3 tables/)).toBeDefined();
  await user.click(await form.findByRole("checkbox", { name: /sales/ }));
  await user.click(form.getByRole("button", { name: "Save" }));
  const row = await screen.findByRole("list", { name: "Connections" });
  expect(within(row).getByText("Sales")).toBeDefined();
  expect(within(row).getByText("production")).toBeDefined();
  const kept = host.calls.find(([name]) => name === "keepConnection")?.[1][0];
  expect(kept).toMatchObject({
    address: "postgresql://ann@db.example:6000/sales?sslmode=require",
    password: SERVER.password,
    schemas: ["sales"],
    environment: { name: "production", color: "red" },
  });
  expect(JSON.stringify(useConnections.getState())).not.toContain(SERVER.password);
});

test("a driver is added by its file, says what its SQL is like, and can be removed and kept after all", async () => {
  const user = userEvent.setup();
  const host = await start({ unnamed: true });
  page();
  await user.click(await screen.findByRole("button", { name: /^Driver/ }));
  const form = within(await screen.findByRole("form", { name: /New connection: Driver/ }));
  await user.keyboard("Sales");
  expect(form.getByText("Choose a driver.")).toBeDefined();
  await user.click(form.getByRole("button", { name: "Add a driver…" }));
  expect((await form.findByRole<HTMLInputElement>("radio", { name: /mssql/ })).checked).toBe(true);
  expect(form.getByRole("combobox", { name: "SQL" }).textContent).toContain("SQL Server");
  await user.click(form.getByLabelText(/^Address/));
  await user.paste("mssql://sql.example:1433?database=sales");
  await user.click(form.getByRole("button", { name: "Remove driver mssql" }));
  expect(form.queryByRole("radio", { name: /mssql/ })).toBeNull();
  await user.click(await screen.findByRole("button", { name: "Undo" }));
  expect(await form.findByRole("radio", { name: /mssql/ })).toBeDefined();
  expect(host.calls.some(([name]) => name === "removeDriver")).toBe(false);
  await user.click(form.getByRole("button", { name: "Save" }));
  await screen.findByRole("list", { name: "Connections" });
  const kept = host.calls.find(([name]) => name === "keepConnection")?.[1][0];
  expect(kept).toMatchObject({ address: "adbc:mssql?uri=mssql://sql.example:1433?database=sales" });
});

test("a project of BigQuery is fields, and says that no query is run to read ahead", async () => {
  const user = userEvent.setup();
  const host = await start({ unnamed: true });
  page();
  await user.click(await screen.findByRole("button", { name: /BigQuery/ }));
  const form = within(await screen.findByRole("form", { name: /New connection: BigQuery/ }));
  await user.keyboard("Sales");
  expect(form.getByText("Enter a project.")).toBeDefined();
  await user.click(form.getByLabelText(/^Project/));
  await user.paste("bigquery://my-project/sales?location=EU&maximum_bytes_billed=1000000000");
  expect(form.getByLabelText<HTMLInputElement>(/^Dataset/).value).toBe("sales");
  expect(form.getByLabelText<HTMLInputElement>(/^Location/).value).toBe("EU");
  await user.type(form.getByLabelText(/^Billing project/), "pays");
  expect(form.getByText(/free of charge.*No query is run for this/)).toBeDefined();
  expect(form.getByRole("switch", { name: "Read ahead" })).toBeDefined();
  expect(form.queryByLabelText(/^Password/)).toBeNull();
  await user.click(form.getByRole("button", { name: "Save" }));
  await screen.findByRole("list", { name: "Connections" });
  expect(host.calls.find(([name]) => name === "keepConnection")?.[1][0]).toMatchObject({
    address: "bigquery://my-project/sales?billing_project=pays&location=EU&maximum_bytes_billed=1000000000",
    password: null,
  });
});

test("an account of Snowflake is fields, and its driver is got from the form", async () => {
  const user = userEvent.setup();
  const host = await start({ unnamed: true });
  page();
  await user.click(await screen.findByRole("button", { name: /Snowflake/ }));
  const form = within(await screen.findByRole("form", { name: /New connection: Snowflake/ }));
  await user.keyboard("Sales");
  expect(form.getByText("Enter an account.")).toBeDefined();
  await user.click(await form.findByRole("button", { name: "Download driver" }));
  await waitFor(() => expect(form.queryByText(/Snowflake needs a driver/)).toBeNull());
  await user.click(form.getByLabelText(/^Account/));
  await user.paste("snowflake://ANN:hidden@myorg-sales/SHOP/PUBLIC?warehouse=WH&role=READER");
  expect(form.getByLabelText<HTMLInputElement>("User").value).toBe("ANN");
  expect(form.getByLabelText<HTMLInputElement>("Schema").value).toBe("PUBLIC");
  expect(form.getByLabelText<HTMLInputElement>(/^Password/).value).toBe("hidden");
  await user.click(form.getByRole("button", { name: "Save" }));
  await screen.findByRole("list", { name: "Connections" });
  expect(host.calls.find(([name]) => name === "keepConnection")?.[1][0]).toMatchObject({
    address: "snowflake://ANN@myorg-sales/SHOP/PUBLIC?warehouse=WH&role=READER",
    password: "hidden",
  });
});

test("what may be read ahead of an account that bills is set in the form", async () => {
  const user = userEvent.setup();
  const host = await start({ unnamed: true });
  page();
  await user.click(await screen.findByRole("button", { name: /Snowflake/ }));
  const form = within(await screen.findByRole("form", { name: /New connection: Snowflake/ }));
  await user.keyboard("Sales");
  await user.click(form.getByLabelText(/^Account/));
  await user.paste("snowflake://ANN@myorg-sales/SHOP?warehouse=WH");
  expect(form.getByText(/with one limited query.*billed like any other/)).toBeDefined();
  expect(form.queryByText(/free of charge/i)).toBeNull();
  expect(form.queryByLabelText(/^Limit per month/)).toBeNull();
  await user.clear(form.getByLabelText(/^Rows read per table/));
  await user.type(form.getByLabelText(/^Rows read per table/), "200");
  await user.clear(form.getByLabelText(/^Tables read/));
  await user.type(form.getByLabelText(/^Tables read/), "30");
  await user.click(form.getByRole("button", { name: "Save" }));
  await screen.findByRole("list", { name: "Connections" });
  expect(host.calls.find(([name]) => name === "keepConnection")?.[1][0]).toMatchObject({
    settings: { previews: { rows: 200, tables: 30 } },
  });
});

test("a server of ClickHouse has schemas, and no more is read ahead of it than is set", async () => {
  const user = userEvent.setup();
  await start({ unnamed: true });
  page();
  await user.click(await screen.findByRole("button", { name: /ClickHouse/ }));
  const form = within(await screen.findByRole("form", { name: /New connection: ClickHouse/ }));
  expect(form.getByLabelText(/^Schemas/)).toBeDefined();
  expect(form.getByLabelText<HTMLInputElement>(/^Rows read per table/).value).toBe("1000");
});

test("what queries of ClickHouse may read is limited in bytes, and in money once it has a price", async () => {
  const user = userEvent.setup();
  const host = await start({ unnamed: true });
  page();
  await user.click(await screen.findByRole("button", { name: /ClickHouse/ }));
  const form = within(await screen.findByRole("form", { name: /New connection: ClickHouse/ }));
  await user.keyboard("Events");
  await user.click(form.getByLabelText(/^Host/));
  await user.paste("clickhouse://ann@db.example/events");
  const question = form.getByLabelText<HTMLInputElement>(/^Limit per question/);
  expect(question.value).toBe("");
  await user.type(question, "$2");
  expect(question.getAttribute("aria-invalid")).toBe("true");
  await user.type(form.getByLabelText(/^Price per TiB/), "1.5");
  expect(question.getAttribute("aria-invalid")).toBe("false");
  await user.type(form.getByLabelText(/^Limit per month/), "2 TB");
  await user.click(form.getByRole("button", { name: "Save" }));
  await screen.findByRole("list", { name: "Connections" });
  const scans = { price: 1_500_000, question: { bytes: null, money: 2e6 }, month: { bytes: 2e12, money: null } };
  expect(host.calls.find(([name]) => name === "keepConnection")?.[1][0]).toMatchObject({ settings: { scans } });
});

test("a wrong password stops the test where it fails, and the rest is not looked at", async () => {
  const user = userEvent.setup();
  await start();
  page();
  await user.click(await screen.findByRole("button", { name: "More for Shop" }));
  await user.click(await screen.findByRole("menuitem", { name: /Edit/ }));
  const form = within(await screen.findByRole("form", { name: "Edit Shop" }));
  await user.type(form.getByLabelText(/^Password/), "wrong");
  await user.click(form.getByRole("button", { name: "Test" }));
  expect(await form.findByText("The server refused the password.")).toBeDefined();
  expect(form.queryByText(/This login is ann/)).toBeNull();
  await user.keyboard("{Escape}");
  expect(await screen.findByRole("list", { name: "Connections" })).toBeDefined();
});

test("a name that is taken is said in the form, and nothing that was typed is lost", async () => {
  const user = userEvent.setup();
  await start();
  page();
  await user.click(await screen.findByRole("button", { name: /^SQLite/ }));
  const form = within(await screen.findByRole("form", { name: /New connection/ }));
  await user.type(form.getByLabelText(/^Name/), "shop");
  await user.type(form.getByLabelText("Path"), "/data/x.sqlite");
  await user.click(form.getByRole("button", { name: "Save" }));
  expect((await form.findByRole("alert")).textContent).toContain("'Shop'");
  expect(form.getByLabelText<HTMLInputElement>("Path").value).toBe("/data/x.sqlite");
});

test("a file needs a name and a path; the rest is folded, unless something of it is set", async () => {
  const user = userEvent.setup();
  await start();
  page();
  await user.click(await screen.findByRole("button", { name: /^SQLite/ }));
  const form = within(await screen.findByRole("form", { name: /New connection/ }));
  expect(form.getByLabelText<HTMLInputElement>("Path").placeholder).toBe("/data/sales.sqlite");
  expect(form.queryByRole("radio", { name: /Production/ })).toBeNull();
  expect(form.queryByRole("switch", { name: "Read ahead" })).toBeNull();
  await user.click(form.getByRole("button", { name: "More settings" }));
  await user.click(form.getByRole("radio", { name: /Production/ }));
  expect(form.getByRole("switch", { name: "Require approval of SQL" })).toBeDefined();
  await user.type(form.getByLabelText(/^Name/), "till");
  await user.type(form.getByLabelText("Path"), "/data/till.sqlite");
  await user.click(form.getByRole("button", { name: "Save" }));
  await user.click(await screen.findByRole("button", { name: "More for till" }));
  await user.click(await screen.findByRole("menuitem", { name: /Edit/ }));
  expect(await screen.findByRole("radio", { name: /Production/, checked: true })).toBeDefined();
});

test("a connection is removed after its undo has run out, and stays when that is used", async () => {
  const user = userEvent.setup();
  const host = await start();
  page();
  await user.click(await screen.findByRole("button", { name: "More for Shop" }));
  await user.click(await screen.findByRole("menuitem", { name: "Remove" }));
  await waitFor(() => expect(screen.queryByRole("button", { name: "More for Shop" })).toBeNull());
  await user.click(await screen.findByRole("button", { name: "Undo" }));
  expect(await screen.findByRole("button", { name: "More for Shop" })).toBeDefined();
  expect(host.calls.some(([name]) => name === "removeConnection")).toBe(false);
});

test("a connection that is open is closed when it is removed, and open again when that is undone", async () => {
  const user = userEvent.setup();
  const host = await start();
  await host.signIn(SERVER.uri, SERVER.password);
  await openWarehouse(SERVER.uri);
  page();
  const list = within(await screen.findByRole("list", { name: "Connections" }));
  expect(list.getByText("open")).toBeDefined();
  const menu = () => within(screen.getByLabelText("Sidebar")).getByRole("button", { name: /Open warehouse|tables/ });
  const open = menu().textContent;
  await user.click(list.getByRole("button", { name: "More for Shop" }));
  await user.click(await screen.findByRole("menuitem", { name: "Remove" }));
  expect(await screen.findByText("Shop closed and removed")).toBeDefined();
  expect(useConnections.getState().current).toBeNull();
  expect(menu().textContent).not.toBe(open);
  await user.click(await screen.findByRole("button", { name: "Undo" }));
  expect(await within(await screen.findByRole("list", { name: "Connections" })).findByText("open")).toBeDefined();
  expect(useConnections.getState().current?.uri).toBe(SERVER.uri);
  expect(menu().textContent).toBe(open);
  expect(host.calls.some(([name]) => name === "removeConnection" || name === "forgetWarehouse")).toBe(false);
});

test("the environment stands wherever a question is asked", async () => {
  const user = userEvent.setup();
  const host = await start();
  await host.signIn(SERVER.uri, SERVER.password);
  page();
  const list = within(await screen.findByRole("list", { name: "Connections" }));
  await user.click(list.getAllByRole("button", { name: "Open" })[0]!);
  await screen.findByRole("heading", { name: /What would you like to know/ });
  const main = within(screen.getByRole("main"));
  expect((await main.findByText(SHOP.environment!.name)).textContent).toBe("production");
  expect(within(screen.getByLabelText("Sidebar")).getByText("production")).toBeDefined();
});

test("definitions are added, imported after a look, and told to be removed again", async () => {
  const user = userEvent.setup();
  const host = await start();
  navigate({ page: "connections", uri: SAMPLE });
  const part = within(await screen.findByRole("region", { name: "Definitions" }));
  expect(await part.findByText("active customer")).toBeDefined();
  await user.click(part.getByRole("button", { name: "Add" }));
  const form = within(part.getByRole("form", { name: "New definition" }));
  await user.type(form.getByLabelText("Term"), "GMV");
  await user.type(form.getByLabelText("Synonyms"), "sales, Umsatz");
  await user.type(form.getByLabelText("Meaning"), "sum of totals");
  await user.click(form.getByRole("button", { name: "Save" }));
  expect(await part.findByText("GMV")).toBeDefined();
  expect(document.activeElement?.textContent).toBe("Add");
  expect((await host.definitions(SAMPLE)).entries[0]).toMatchObject({ term: "GMV", synonyms: ["sales", "Umsatz"] });

  await user.click(part.getByRole("button", { name: "Import" }));
  await user.click(await screen.findByRole("menuitem", { name: /dbt/ }));
  expect(await part.findByText(/1 new definition/)).toBeDefined();
  expect((await host.definitions(SAMPLE)).entries.some((entry) => entry.term === "channel")).toBe(false);
  await user.click(part.getByRole("button", { name: "Import definitions" }));
  await waitFor(async () =>
    expect((await host.definitions(SAMPLE)).entries.some((entry) => entry.term === "channel")).toBe(true),
  );
  await user.click(part.getByRole("button", { name: "Remove channel" }));
  await waitFor(() => expect(part.queryByText("orders.chan_cd")).toBeNull());
  expect(document.activeElement?.getAttribute("aria-label")).toMatch(/^Remove /);
  for (const button of part.getAllByRole("button", { name: /^Remove / })) await user.click(button);
  await waitFor(() => expect(part.queryByRole("button", { name: /^Remove / })).toBeNull());
  expect(document.activeElement?.textContent).toBe("Add");
});

test("thousands of tables are shown by page and found by search", async () => {
  const user = userEvent.setup();
  await start();
  navigate({ page: "connections", uri: SAMPLE });
  const part = within(await screen.findByRole("region", { name: "Tables" }));
  expect(await part.findByText(/1 to 50 of 5,200 tables/)).toBeDefined();
  expect(part.getAllByRole("row").length).toBe(51);
  await user.click(part.getByRole("button", { name: "Next" }));
  expect(await part.findByText(/51 to 100 of/)).toBeDefined();
  await user.type(part.getByLabelText("Search tables and columns"), "archive_5199");
  expect(await part.findByText("archive_5199")).toBeDefined();
  await waitFor(() => expect(part.getAllByRole("row").length).toBe(2));
});

test("reading is paused and goes on", async () => {
  const user = userEvent.setup();
  await start();
  navigate({ page: "connections", uri: SAMPLE });
  const part = within(await screen.findByRole("region", { name: "Profile and value index" }));
  await user.click(part.getByRole("button", { name: "Pause" }));
  expect((await part.findByRole("status")).textContent).toContain("Paused");
  await user.click(await part.findByRole("button", { name: "Resume" }));
  expect(await part.findByRole("button", { name: "Pause" })).toBeDefined();
});

test("rows that were not read are said to be so where tables are shown", async () => {
  const user = userEvent.setup();
  const host = await start();
  await host.signIn(SERVER.uri, SERVER.password);
  await openWarehouse(SERVER.uri);
  navigate({ page: "tables" });
  const part = within(await screen.findByRole("region", { name: "Profile and value index" }));
  expect(part.getByRole("status").textContent).toContain("Rows have not been read");
  await user.click(part.getByRole("button", { name: "Read now" }));
  await waitFor(() => expect(screen.queryByText(/Rows have not been read/)).toBeNull());
  expect(host.calls.some(([name]) => name === "startPreparation")).toBe(true);
});
