import { act, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it, vi } from "vitest";
import { start } from "../../../test/start";
import { setExpertDetails } from "../../domain/experts";
import { AppFailure } from "../../host/host";
import { navigate } from "../../navigation/route";

const open = () => act(() => navigate({ page: "audit" }));

describe("the audit log", () => {
  it("lists what ran and what was refused, with all that is known of each", async () => {
    await start();
    open();
    expect(await screen.findByText("How many customers do we have?", { selector: "li *" })).toBeTruthy();
    await userEvent.click(screen.getByText("DROP TABLE customers"));
    const dialog = await screen.findByRole("dialog", { name: "Query 1: refused" });
    expect(dialog.textContent).toContain("It is not a query");
    expect(dialog.textContent).not.toContain("3a".repeat(32));
    expect(dialog.textContent).not.toMatch(/\dT\d/);
  });

  it("shows hashes and exact times to experts", async () => {
    await start();
    act(() => setExpertDetails(true));
    open();
    await userEvent.click(await screen.findByText("DROP TABLE customers"));
    const dialog = await screen.findByRole("dialog", { name: "Query 1: refused" });
    expect(dialog.textContent).toContain("3a".repeat(32));
    expect(dialog.textContent).toMatch(/\dT\d/);
  });

  it("is searched, and says where nothing is found", async () => {
    await start();
    open();
    const search = await screen.findByPlaceholderText(/Search questions/);
    await userEvent.type(search, "refused");
    await vi.waitFor(() => expect(screen.queryByText("SELECT count(*) FROM customers")).toBeNull());
    expect(screen.getByText("DROP TABLE customers")).toBeTruthy();
    await userEvent.type(search, " nowhere");
    expect(await screen.findByText("No matches")).toBeTruthy();
  });

  it("says who wrote each query, and shows those of one author", async () => {
    const host = await start();
    open();
    const rows = () => screen.getAllByRole("listitem").map((row) => row.textContent);
    await screen.findByText("DROP TABLE customers");
    expect(rows()).toEqual([
      expect.stringMatching(/^ranModelHow many/),
      expect.stringMatching(/^refusedYouWithout a question/),
    ]);
    const asked = vi.spyOn(host, "audit");
    await userEvent.click(screen.getByRole("combobox", { name: "Written by" }));
    await userEvent.click(await screen.findByRole("option", { name: /^You/ }));
    await vi.waitFor(() => expect(rows()).toHaveLength(1));
    expect(asked).toHaveBeenCalledWith("", "user", 200, 0);
    await userEvent.click(screen.getByText("DROP TABLE customers"));
    const dialog = await screen.findByRole("dialog", { name: "Query 1: refused" });
    expect(dialog.textContent).toContain("Written byYou: typed, edited or saved");
  });

  it("says whether it is whole, and where not", async () => {
    const host = await start();
    open();
    const verify = await screen.findByRole("button", { name: "Verify" });
    await userEvent.click(verify);
    expect(await screen.findByText("The audit log is intact")).toBeTruthy();
    vi.spyOn(host, "checkAudit").mockResolvedValueOnce({ rows: 9, brokenAt: 4, lastHash: "" });
    await userEvent.click(verify);
    expect(await screen.findByText(/Row 4 was changed/)).toBeTruthy();
  });

  it("is written to the file that the user chose", async () => {
    const host = await start();
    open();
    const write = vi.spyOn(host, "exportAudit");
    vi.spyOn(host, "pickSaveFile").mockResolvedValueOnce({ path: "/home/ann/log.csv", token: "t-1" });
    await userEvent.click(await screen.findByRole("button", { name: "Export" }));
    expect(await screen.findByText("2 rows in log.csv")).toBeTruthy();
    expect(write).toHaveBeenCalledWith("t-1");
  });

  it("can be asked for again where it could not be read", async () => {
    const host = await start();
    const gone = { code: "internal" as const, message: "The workspace is gone.", hint: null, detail: null };
    vi.spyOn(host, "audit").mockRejectedValueOnce(new AppFailure(gone as never));
    open();
    expect(await screen.findByText("The workspace is gone.")).toBeTruthy();
    await userEvent.click(screen.getByRole("button", { name: "Try again" }));
    expect(await screen.findByText("DROP TABLE customers")).toBeTruthy();
  });
});
