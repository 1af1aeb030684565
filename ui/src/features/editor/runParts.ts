// Runs one part of a query: a sign beside the line on which it begins, and keys for the part that the caret is in.

import { type Extension, Prec, RangeSet } from "@codemirror/state";
import { EditorView, GutterMarker, gutter } from "@codemirror/view";
import { t } from "@lingui/core/macro";
import { keysText } from "../../kit/keyNames";
import { isShortcut, keysOf } from "../../kit/shortcuts";
import { partAt, partsOf, type SqlPart } from "./parts";

const SIGN = "M3 2.2v7.6a.6.6 0 0 0 .9.5l6.2-3.8a.6.6 0 0 0 0-1L3.9 1.7a.6.6 0 0 0-.9.5Z";

class RunSign extends GutterMarker {
  constructor(
    private readonly part: SqlPart,
    private readonly onRun: (part: SqlPart) => void,
  ) {
    super();
  }
  override eq(other: RunSign): boolean {
    return other.part.name === this.part.name && other.part.sql === this.part.sql;
  }
  override toDOM(): Node {
    const button = document.createElement("button");
    button.type = "button";
    // The gutter is not read aloud; the keys do the same.
    button.tabIndex = -1;
    const { name } = this.part;
    button.title = `${t`Run ${name} alone`} (${keysText(keysOf("runPart"))})`;
    const icon = document.createElementNS("http://www.w3.org/2000/svg", "svg");
    icon.setAttribute("viewBox", "0 0 12 12");
    const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
    path.setAttribute("d", SIGN);
    icon.append(path);
    button.append(icon);
    button.onclick = () => this.onRun(this.part);
    return button;
  }
}

const look = EditorView.theme({
  ".cm-runParts .cm-gutterElement": { width: "18px", display: "flex", alignItems: "center" },
  ".cm-runParts button": { color: "var(--fg-3)", borderRadius: "4px", padding: "3px", cursor: "pointer" },
  ".cm-runParts button:hover": { color: "var(--accent)", backgroundColor: "var(--bg-hover)" },
  ".cm-runParts svg": { width: "10px", height: "10px", fill: "none", stroke: "currentColor", strokeWidth: "1.2" },
});

export function runParts(onRun: (part: SqlPart) => void): Extension {
  return [
    look,
    gutter({
      class: "cm-runParts",
      markers: ({ state }) =>
        RangeSet.of(
          partsOf(state).map((part) => new RunSign(part, onRun).range(state.doc.lineAt(part.from).from)),
          true,
        ),
    }),
    Prec.highest(
      EditorView.domEventHandlers({
        keydown: (event, view) => {
          if (!isShortcut(event, "runPart")) return false;
          const part = partAt(view.state, view.state.selection.main.head);
          if (part) onRun(part);
          return part !== null;
        },
      }),
    ),
  ];
}
