import { t } from "@lingui/core/macro";
import {
  type CoordinateExtent,
  type Node,
  Panel,
  type PanelPosition,
  type ReactFlowState,
  useStore,
  useStoreApi,
} from "@xyflow/react";
import { type PointerEvent, useId, useMemo, useRef } from "react";
import { followPointer } from "../drag";
import { groupBy } from "../groupBy";
import type { Size } from "./boxes";

/** Minimum ratio of the frame's sides to the map's. In a smaller frame the map would cover the diagram. */
const ROOM = 2.5;
/** Room around what it shows, and how round its cards are, in pixels and in units of the diagram. */
const PAD = 5;
const ROUND = 20;

interface Props {
  size: Size;
  position: PanelPosition;
  /** The colour of a card. */
  colour: (id: string) => string;
}

/** A small map of a diagram that does not fit; dragging it moves the view. */
export function DiagramMap(props: Props) {
  const { width, height } = props.size;
  const roomy = useStore((s) => s.width >= ROOM * width && s.height >= ROOM * height);
  return roomy && <Drawn {...props} />;
}

/**
 * The map itself. The library has one, too, with an element and a subscription for every card: in a diagram of thousands most of
 * what each frame of a movement takes went there. Here all cards of a colour are one path.
 */
function Drawn({ size, position, colour }: Props) {
  const store = useStoreApi();
  const nodes = useStore((s) => s.nodes);
  const [x, y, zoom] = useStore((s) => s.transform);
  const view = { x: -x / zoom, y: -y / zoom, width: useStore(widthOf) / zoom, height: useStore(heightOf) / zoom };
  const bounds = useMemo(() => boundsOf(nodes), [nodes]);
  const paths = useMemo(() => pathsOf(nodes, colour), [nodes, colour]);
  const name = useId();

  const left = Math.min(bounds.left, view.x);
  const top = Math.min(bounds.top, view.y);
  const across = Math.max(bounds.right, view.x + view.width) - left;
  const down = Math.max(bounds.bottom, view.y + view.height) - top;
  const scale = Math.max(across / size.width, down / size.height);
  const pad = PAD * scale;
  const frame = {
    x: left - (scale * size.width - across) / 2 - pad,
    y: top - (scale * size.height - down) / 2 - pad,
    width: scale * size.width + 2 * pad,
    height: scale * size.height + 2 * pad,
  };
  const scaleNow = useRef(scale);
  scaleNow.current = scale;
  const drag = (start: PointerEvent) => {
    let from: { clientX: number; clientY: number } = start;
    followPointer(start, (at) => {
      const { panZoom, translateExtent, transform, width, height } = store.getState();
      const [x, y, zoom] = transform;
      const by = scaleNow.current * zoom;
      const to = { x: x - (at.clientX - from.clientX) * by, y: y - (at.clientY - from.clientY) * by, zoom };
      from = at;
      const whole: CoordinateExtent = [
        [0, 0],
        [width, height],
      ];
      void panZoom?.setViewportConstrained(to, whole, translateExtent);
    });
  };
  return (
    <Panel position={position} className="m-3! rounded-md border border-line bg-raised! shadow-card" style={size}>
      <svg
        {...size}
        viewBox={`${frame.x} ${frame.y} ${frame.width} ${frame.height}`}
        className="block touch-none"
        role="img"
        aria-labelledby={name}
        onPointerDown={(event) => event.button === 0 && drag(event)}
      >
        <title id={name}>{t`Minimap`}</title>
        {paths.map(([fill, path]) => (
          <path key={fill} d={path} fill={fill} shapeRendering="crispEdges" />
        ))}
        <path
          d={
            rectangle(frame.x - pad, frame.y - pad, frame.width + 2 * pad, frame.height + 2 * pad) +
            rectangle(view.x, view.y, view.width, view.height)
          }
          fill="color-mix(in srgb, var(--bg-active) 60%, transparent)"
          fillRule="evenodd"
          pointerEvents="none"
        />
      </svg>
    </Panel>
  );
}

const widthOf = (s: ReactFlowState) => s.width;
const heightOf = (s: ReactFlowState) => s.height;

function boundsOf(nodes: Node[]) {
  const bounds = { left: Infinity, top: Infinity, right: -Infinity, bottom: -Infinity };
  for (const { position, width = 0, height = 0 } of nodes) {
    bounds.left = Math.min(bounds.left, position.x);
    bounds.top = Math.min(bounds.top, position.y);
    bounds.right = Math.max(bounds.right, position.x + width);
    bounds.bottom = Math.max(bounds.bottom, position.y + height);
  }
  return bounds;
}

/** The cards of each colour, as one path. */
function pathsOf(nodes: Node[], colour: (id: string) => string): [string, string][] {
  return [...groupBy(nodes, ({ id }) => colour(id))].map(([fill, cards]) => [
    fill,
    cards.map(({ position: { x, y }, width = 0, height = 0 }) => rounded(x, y, width, height)).join(""),
  ]);
}

const rectangle = (x: number, y: number, width: number, height: number) => `M${x},${y}h${width}v${height}h${-width}z`;

function rounded(x: number, y: number, width: number, height: number): string {
  const [a, b] = [Math.min(ROUND, width / 2), Math.min(ROUND, height / 2)];
  const [w, h] = [width - 2 * a, height - 2 * b];
  return `M${x + a},${y}h${w}a${a},${b} 0 0 1 ${a},${b}v${h}a${a},${b} 0 0 1 ${-a},${b}h${-w}a${a},${b} 0 0 1 ${-a},${-b}v${-h}a${a},${b} 0 0 1 ${a},${-b}z`;
}
