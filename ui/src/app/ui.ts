// What belongs to the window as a whole: the sidebar, the palette, the sheet of shortcuts, how graphs are looked at.

import { create } from "zustand";
import { host } from "../host/host";
import { FACES, type Face, FORMS, type Form } from "./route";

interface Ui {
  collapsed: boolean;
  palette: boolean;
  shortcuts: boolean;
  /** The side and the form of a graph that were chosen last. */
  face: Face;
  form: Form;
}

export const useUi = create<Ui>(() => ({
  collapsed: false,
  palette: false,
  shortcuts: false,
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
