import { act, screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it, vi } from "vitest";
import { start } from "../../../test/start";
import { AppFailure } from "../../host/host";
import { navigate } from "../../navigation/route";

const open = async () => {
  act(() => navigate({ page: "tables" }));
  await userEvent.click(await screen.findByRole("button", { name: "Safety" }));
  return within(await screen.findByRole("dialog", { name: "Safety" }));
};

describe("the safety of a connection", () => {
  it("is shown layer by layer, with how each is known", async () => {
    await start();
    const dialog = await open();
    const layers = await dialog.findAllByRole("listitem");
    expect(layers.map((layer) => within(layer).getByRole("heading").textContent)).toEqual([
      "Every statement is checked",
      "Read-only engine",
      "Engine in a separate process",
      "Permissions",
    ]);
    for (const words of ["Partly active", "Active", "Unknown", "Not active"])
      expect(dialog.getByText(words)).toBeTruthy();
    await userEvent.click(within(layers[1]!).getByRole("button", { name: "Evidence" }));
    expect(dialog.getByText(/asked for its settings/)).toBeTruthy();
  });

  it("says why it cannot be told, and asks again", async () => {
    const host = await start();
    const gone = { code: "warehouse" as const, message: "The server is gone.", hint: "Start it.", detail: null };
    const safety = vi.spyOn(host, "safety").mockRejectedValueOnce(new AppFailure(gone as never));
    const dialog = await open();
    expect(await dialog.findByText("The server is gone.")).toBeTruthy();
    await userEvent.click(dialog.getByRole("button", { name: "Try again" }));
    expect(await dialog.findByText("Read-only engine")).toBeTruthy();
    expect(safety).toHaveBeenCalledTimes(2);
  });
});
