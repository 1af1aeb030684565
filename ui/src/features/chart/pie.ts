// A pie of few shares: the legend names each with its percentage, so that nothing has to be read from angles alone.

import { percent } from "../../kit/format";

/** A share of the whole as a fraction. The amounts are positive. */
export function shareOf(amount: number, amounts: number[]): number {
  const whole = amounts.reduce((sum, one) => sum + one, 0);
  return whole > 0 ? amount / whole : 0;
}

/** Adds the percentage of each amount to its name. */
export function namesWithShares(names: string[], amounts: number[]): string[] {
  return names.map((name, at) => `${name}: ${percent(shareOf(amounts[at] ?? 0, amounts))}`);
}

/** The mark and the channels of a pie whose data have a name with its share, an amount `y` and a position `i`. */
export function pieMarks(title: string, ink: { background: string; palette: string[] }, width: number) {
  return {
    mark: { type: "arc" as const, stroke: ink.background, strokeWidth: 1.5 },
    encoding: {
      theta: { field: "y", type: "quantitative" as const, stack: true },
      order: { field: "i", type: "quantitative" as const },
      color: {
        field: "share",
        type: "nominal" as const,
        sort: null,
        scale: { range: ink.palette },
        // Beside a narrow picture the legend would leave no room for the pie.
        legend: {
          title,
          orient: width < 420 ? ("bottom" as const) : ("right" as const),
          direction: "vertical" as const,
          columns: 1,
          labelLimit: 260,
          symbolType: "square" as const,
        },
      },
      tooltip: { field: "tip", type: "nominal" as const },
    },
  };
}
