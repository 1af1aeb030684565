import { describe, expect, it } from "vitest";
import type { ResultColumn } from "../host/bindings";
import { showKnown } from "./period";

const shown = (name: string, type: ResultColumn["type"], ...values: (string | null)[]) =>
  showKnown({ name, type } as ResultColumn, () => values, "en-US")(values[0]!);

describe("a column of points in time", () => {
  it("is shown without a time of day where that is midnight throughout", () => {
    expect(shown("signup", "timestamp", "2023-02-01 00:00:00", "2023-02-05 00:00:00.000")).toBe("Feb 1, 2023");
    expect(shown("signup", "timestamp", "2023-02-01 00:00:00", "2023-02-05 10:30:00")).toBe("Feb 1, 2023, 00:00:00");
  });
  it("is shown as months where it holds such and is called so", () => {
    expect(shown("month", "timestamp", "2023-02-01 00:00:00", "2023-03-01 00:00:00")).toBe("Feb 2023");
    expect(shown("order_month", "date", "2023-02-01", null, "2023-03-01")).toBe("Feb 2023");
    expect(shown("valid_from", "date", "2023-02-01", "2023-03-01")).toBe("Feb 1, 2023");
    expect(shown("monthly", "date", "2023-02-01", "2023-03-01")).toBe("Feb 1, 2023");
    expect(shown("month", "date", "2023-02-01", "2023-03-15")).toBe("Feb 1, 2023");
  });
  it("is shown as it is where it holds something else, too", () => {
    expect(shown("at", "timestamp", "2023-02-01 00:00:00", "infinity")).toBe("Feb 1, 2023, 00:00:00");
  });
});
