import { t } from "@lingui/core/macro";
import { percent } from "../../kit/format";
import { type Distribution, shownValue } from "./columnText";

const WIDTH = 96;
const HEIGHT = 24;

/** A small picture of what a column holds: bars of its frequent values, or its range with the mean in it. */
export function DistributionPicture({ shape, name }: { shape: Distribution; name: string }) {
  // A few bars need less room.
  const width = shape.form === "bars" ? stepOf(shape.bars) * shape.bars.length : WIDTH;
  return (
    <svg
      role="img"
      aria-label={accessibleText(shape, name)}
      width={width}
      height={HEIGHT}
      viewBox={`0 0 ${width} ${HEIGHT}`}
      className="block shrink-0"
    >
      {shape.form === "bars" ? <Bars bars={shape.bars} /> : <Range {...shape} />}
    </svg>
  );
}

const stepOf = (bars: unknown[]) => Math.min(14, WIDTH / bars.length);

function Bars({ bars }: { bars: { value: string; share: number }[] }) {
  const most = Math.max(...bars.map(({ share }) => share));
  const step = stepOf(bars);
  return (
    <>
      {bars.map(({ value, share }, i) => {
        const height = most > 0 ? Math.max(1, (share / most) * (HEIGHT - 2)) : 1;
        return (
          <rect
            key={value}
            x={i * step}
            y={HEIGHT - 1 - height}
            width={Math.max(1.5, step - 2)}
            height={height}
            rx={1}
            className="fill-accent"
          >
            <title>{`${shownValue(value)}: ${percent(share)}`}</title>
          </rect>
        );
      })}
      <line x1={0} y1={HEIGHT - 0.5} x2={step * bars.length - 2} y2={HEIGHT - 0.5} className="stroke-line-strong" />
    </>
  );
}

/** From the smallest to the largest value; the mean, and one standard deviation to either side of it. */
function Range({ mean, low, high }: { mean: number; low: number; high: number }) {
  const at = (part: number) => 1 + part * (WIDTH - 2);
  const middle = HEIGHT / 2;
  return (
    <>
      <line x1={at(0)} y1={middle} x2={at(1)} y2={middle} className="stroke-edge" />
      <line x1={at(0)} y1={middle - 4} x2={at(0)} y2={middle + 4} className="stroke-edge" />
      <line x1={at(1)} y1={middle - 4} x2={at(1)} y2={middle + 4} className="stroke-edge" />
      {high > low && (
        <rect
          x={at(low)}
          y={middle - 5}
          width={at(high) - at(low)}
          height={10}
          rx={2}
          className="fill-accent-soft stroke-accent"
        />
      )}
      <line x1={at(mean)} y1={middle - 7} x2={at(mean)} y2={middle + 7} strokeWidth={2} className="stroke-accent" />
    </>
  );
}

function accessibleText(shape: Distribution, name: string): string {
  if (shape.form === "bars") {
    const first = shape.bars.slice(0, 5).map(({ value, share }) => `${shownValue(value)} ${percent(share)}`);
    return t`Values of ${name}: ${first.join(", ")}`;
  }
  return t`Range of ${name}: the mean is at ${percent(shape.mean)} of the range`;
}

/** A share as a bar, with its figure. */
export function ShareBar({ share, label }: { share: number; label: string }) {
  return (
    <span role="img" aria-label={`${label}: ${percent(share)}`} className="block">
      <span aria-hidden className="block text-fg-2 text-sm">
        {percent(share)}
      </span>
      <span aria-hidden className="mt-0.5 block h-1 w-12 overflow-hidden rounded-full bg-active">
        <span className="block h-full rounded-full bg-edge" style={{ width: `${share * 100}%` }} />
      </span>
    </span>
  );
}
