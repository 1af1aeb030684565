// State of the window: the sidebar, the palette, the shortcuts dialog, how graphs are displayed.

import { create } from "zustand";
import { host } from "../host/host";
import { FACES, type Face, FORMS, type Form } from "./route";

/** Width of the sidebar in pixels: what users may choose, and collapsed. */
export const WIDTHS = { min: 200, usual: 248, max: 440 } as const;
export const COLLAPSED = 60;

/** In a narrow window, or a zoomed one, the page needs the room: the sidebar is collapsed unless it was opened there. */
const NARROW = "(max-width: 1099px)";

interface Ui {
  collapsed: boolean;
  /** True if the window is narrow, and the sidebar is open in narrow ones nonetheless. */
  narrow: boolean;
  opened: boolean;
  width: number;
  palette: boolean;
  shortcuts: boolean;
  /** The run whose question is in the box, to be edited. */
  editing: string | null;
  /** The run whose graph begins to replay it. */
  replay: string | null;
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
  replay: null,
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
    void host().setPreference("sidebar.narrow", collapsed ? "collapsed" : "open");
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
  const read = () => useUi.setState({ narrow: media.matches });
  read();
  media.addEventListener("change", read);
}

export function rememberFace(face: Face, form: Form) {
  useUi.setState({ face, form });
  void host().setPreference("graph", `${face}/${form}`);
}

export async function startUi() {
  watchNarrow();
  const [sidebar, narrow, width, graph] = await Promise.all(
    ["sidebar", "sidebar.narrow", "sidebar.width", "graph"].map((key) => host().preference(key)),
  );
  const [face, form] = (graph ?? "").split("/");
  useUi.setState({
    collapsed: sidebar === "collapsed",
    opened: narrow === "open",
    width: Math.max(WIDTHS.min, Math.min(WIDTHS.max, Number(width) || WIDTHS.usual)),
    face: FACES.find((f) => f === face) ?? "data",
    form: FORMS.find((f) => f === form) ?? "picture",
  });
}
