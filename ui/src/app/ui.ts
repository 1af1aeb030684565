// State of the window: the sidebar, the palette, the shortcuts dialog, how graphs are displayed.

import { create } from "zustand";
import { host } from "../host/host";
import { FACES, type Face, FORMS, type Form } from "./route";

/** Width of the sidebar in pixels: what users may choose, and collapsed. */
export const WIDTHS = { min: 200, usual: 248, max: 440 } as const;
export const COLLAPSED = 60;

/** In a narrow window, or a zoomed one, the sidebar is collapsed until it is opened there. */
const NARROW = "(max-width: 799px)";

interface Ui {
  collapsed: boolean;
  /** Whether the window is narrow, and the sidebar was opened nonetheless. */
  narrow: boolean;
  opened: boolean;
  width: number;
  palette: boolean;
  shortcuts: boolean;
  /** The run whose question is in the box, to be edited. */
  editing: string | null;
  /** The last selected content and display of the graph. */
  face: Face;
  form: Form;
}

export const useUi = create<Ui>(() => ({
  collapsed: false,
  narrow: false,
  opened: false,
  width: WIDTHS.usual,
  palette: false,
  shortcuts: false,
  editing: null,
  face: "data",
  form: "picture",
}));

const isCollapsed = ({ narrow, opened, collapsed }: Ui) => (narrow ? !opened : collapsed);

export function useCollapsed(): boolean {
  return useUi(isCollapsed);
}

export function toggleSidebar() {
  setCollapsed(!isCollapsed(useUi.getState()));
}

export function setCollapsed(collapsed: boolean) {
  if (useUi.getState().narrow) {
    useUi.setState({ opened: !collapsed });
    return;
  }
  useUi.setState({ collapsed });
  void host().setPreference("sidebar", collapsed ? "collapsed" : "open");
}

let storing: ReturnType<typeof setTimeout> | undefined;

/** Stored once the edge rests. */
export function setWidth(pixels: number) {
  const width = Math.round(Math.max(WIDTHS.min, Math.min(WIDTHS.max, pixels)));
  useUi.setState({ width });
  clearTimeout(storing);
  storing = setTimeout(() => void host().setPreference("sidebar.width", String(width)), 300);
}

function watchNarrow() {
  const media = window.matchMedia(NARROW);
  const read = () => useUi.setState({ narrow: media.matches, opened: false });
  read();
  media.addEventListener("change", read);
}

export function rememberFace(face: Face, form: Form) {
  useUi.setState({ face, form });
  void host().setPreference("graph", `${face}/${form}`);
}

export async function startUi() {
  watchNarrow();
  const [sidebar, width, graph] = await Promise.all(
    ["sidebar", "sidebar.width", "graph"].map((key) => host().preference(key)),
  );
  const [face, form] = (graph ?? "").split("/");
  useUi.setState({
    collapsed: sidebar === "collapsed",
    width: Math.max(WIDTHS.min, Math.min(WIDTHS.max, Number(width) || WIDTHS.usual)),
    face: FACES.find((f) => f === face) ?? "data",
    form: FORMS.find((f) => f === form) ?? "picture",
  });
}
