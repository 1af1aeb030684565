// State of the window: the sidebar, the palette, the shortcuts dialog, how graphs are displayed.

import { create } from "zustand";
import { host } from "../host/host";
import { FACES, type Face, FORMS, type Form } from "./route";

interface Ui {
  collapsed: boolean;
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
  palette: false,
  shortcuts: false,
  editing: null,
  face: "data",
  form: "picture",
}));

export function setCollapsed(collapsed: boolean) {
  useUi.setState({ collapsed });
  void host().setPreference("sidebar", collapsed ? "collapsed" : "open");
}

export function rememberFace(face: Face, form: Form) {
  useUi.setState({ face, form });
  void host().setPreference("graph", `${face}/${form}`);
}

export async function startUi() {
  const [sidebar, graph] = await Promise.all([host().preference("sidebar"), host().preference("graph")]);
  const [face, form] = (graph ?? "").split("/");
  useUi.setState({
    collapsed: sidebar === "collapsed",
    face: FACES.find((f) => f === face) ?? "data",
    form: FORMS.find((f) => f === form) ?? "picture",
  });
}
