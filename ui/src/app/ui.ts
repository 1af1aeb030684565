// What belongs to the window as a whole: the sidebar, the palette, the sheet of shortcuts.

import { create } from "zustand";
import { host } from "../host/host";

interface Ui {
  collapsed: boolean;
  palette: boolean;
  shortcuts: boolean;
}

export const useUi = create<Ui>(() => ({ collapsed: false, palette: false, shortcuts: false }));

export function setCollapsed(collapsed: boolean) {
  useUi.setState({ collapsed });
  void host().setPreference("sidebar", collapsed ? "collapsed" : "open");
}

export async function startUi() {
  useUi.setState({ collapsed: (await host().preference("sidebar")) === "collapsed" });
}
