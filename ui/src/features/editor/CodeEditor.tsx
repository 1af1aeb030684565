import { autocompletion, closeBrackets, closeBracketsKeymap, completionKeymap } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import {
  bracketMatching,
  foldGutter,
  foldKeymap,
  HighlightStyle,
  indentOnInput,
  syntaxHighlighting,
} from "@codemirror/language";
import { highlightSelectionMatches, search, searchKeymap } from "@codemirror/search";
import { Compartment, EditorState, type Extension, Prec, StateEffect, StateField } from "@codemirror/state";
import {
  Decoration,
  type DecorationSet,
  drawSelection,
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  keymap,
  lineNumbers,
} from "@codemirror/view";
import { tags } from "@lezer/highlight";
import { Trans } from "@lingui/react/macro";
import { type Ref, useEffect, useId, useImperativeHandle, useRef } from "react";
import { isShortcut } from "../../kit/shortcuts";
import { phrases } from "./phrases";
import type { EditorPosition } from "./place";

export interface EditorHandle {
  focus(): void;
  /** Replaces the text as one undoable change. */
  setText(text: string): void;
  /** Marks where the text is wrong, and shows that place. */
  markPlace(place: EditorPosition | null): void;
}

const colours = HighlightStyle.define([
  { tag: [tags.keyword, tags.operatorKeyword, tags.modifier, tags.typeName], color: "var(--code-keyword)" },
  { tag: [tags.string, tags.special(tags.string)], color: "var(--code-string)" },
  { tag: [tags.number, tags.bool, tags.null], color: "var(--code-number)" },
  { tag: tags.comment, color: "var(--code-comment)", fontStyle: "italic" },
  { tag: [tags.standard(tags.name), tags.function(tags.name)], color: "var(--code-function)" },
]);

const look = EditorView.theme({
  "&": { height: "100%", fontSize: "12.5px", backgroundColor: "var(--bg)", color: "var(--fg)" },
  "&.cm-focused": { outline: "none" },
  ".cm-scroller": { fontFamily: "var(--editor-font)", lineHeight: "1.65" },
  ".cm-content": {
    padding: "10px 0",
    caretColor: "var(--accent)",
  },
  ".cm-gutters": { backgroundColor: "var(--bg)", color: "var(--fg-3)", border: "none", paddingLeft: "6px" },
  ".cm-lineNumbers .cm-gutterElement": { minWidth: "24px" },
  ".cm-foldGutter .cm-gutterElement": { width: "14px" },
  ".cm-activeLine, .cm-activeLineGutter": {
    backgroundColor: "color-mix(in srgb, var(--bg-hover) 55%, transparent)",
  },
  ".cm-cursor": { borderLeftColor: "var(--accent)", borderLeftWidth: "2px" },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground": {
    backgroundColor: "color-mix(in srgb, var(--accent) 24%, transparent) !important",
  },
  ".cm-selectionMatch": {
    backgroundColor: "color-mix(in srgb, var(--accent) 14%, transparent)",
  },
  ".cm-matchingBracket": {
    backgroundColor: "var(--accent-soft)",
    outline: "1px solid var(--accent-line)",
  },
  ".cm-foldPlaceholder": {
    backgroundColor: "var(--bg-hover)",
    border: "none",
    color: "var(--fg-2)",
    padding: "0 5px",
  },
  ".cm-badLine": { backgroundColor: "var(--bad-soft)" },
  ".cm-badWord": { textDecoration: "underline wavy var(--bad)", textUnderlineOffset: "3px" },
  ".cm-tooltip": {
    backgroundColor: "var(--bg-raised)",
    border: "1px solid var(--line)",
    borderRadius: "8px",
    boxShadow: "var(--shadow-pop)",
    overflow: "hidden",
  },
  ".cm-tooltip.cm-tooltip-autocomplete > ul": {
    fontFamily: "var(--editor-font)",
    maxHeight: "240px",
    padding: "4px",
  },
  ".cm-tooltip.cm-tooltip-autocomplete > ul > li": {
    padding: "2px 8px",
    borderRadius: "5px",
    lineHeight: "20px",
  },
  ".cm-tooltip-autocomplete ul li[aria-selected]": { backgroundColor: "var(--accent-soft)", color: "var(--fg)" },
  ".cm-completionDetail": { color: "var(--fg-3)", fontStyle: "normal", marginLeft: "12px" },
  ".cm-completionIcon": { display: "none" },
  ".cm-completionMatchedText": { textDecoration: "none", color: "var(--accent)", fontWeight: "600" },
  ".cm-completionInfo": {
    padding: "6px 10px",
    maxWidth: "280px",
  },
  ".cm-panels": { backgroundColor: "var(--bg-side)", color: "var(--fg)", borderColor: "var(--line)" },
  ".cm-textfield": {
    backgroundColor: "var(--bg-raised)",
    border: "1px solid var(--edge)",
    borderRadius: "5px",
  },
  ".cm-button": {
    backgroundImage: "none",
    backgroundColor: "var(--bg-raised)",
    border: "1px solid var(--line-strong)",
    borderRadius: "5px",
  },
  ".cm-searchMatch": { backgroundColor: "var(--warn-soft)" },
});

const setBad = StateEffect.define<EditorPosition | null>();
const bad = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(marks, transaction) {
    let next = transaction.docChanged ? Decoration.none : marks;
    for (const effect of transaction.effects) {
      if (effect.is(setBad)) next = effect.value ? marksAt(transaction.state, effect.value) : Decoration.none;
    }
    return next;
  },
  provide: (field) => EditorView.decorations.from(field),
});

/** The line, and the word or sign in it. */
function marksAt(state: EditorState, { line: number, column }: EditorPosition): DecorationSet {
  if (number < 1 || number > state.doc.lines) return Decoration.none;
  const line = state.doc.line(number);
  const marks = [Decoration.line({ class: "cm-badLine" }).range(line.from)];
  const at = column === null ? line.to : line.from + column - 1;
  if (at < line.to) {
    const word = state.wordAt(at);
    // Punctuation after a word does not belong to it.
    const { from, to } = word && word.to > at ? word : { from: at, to: at + 1 };
    marks.push(Decoration.mark({ class: "cm-badWord" }).range(from, to));
  }
  return Decoration.set(marks);
}

export function CodeEditor({
  initial,
  language,
  label,
  onChange,
  onRun,
  ref,
}: {
  initial: string;
  /** Of `language.ts`; the same one as long as nothing changes. */
  language: Extension;
  label: string;
  onChange: (text: string) => void;
  onRun: () => void;
  ref: Ref<EditorHandle>;
}) {
  const id = useId();
  const frame = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView | null>(null);
  const place = useRef(new Compartment());
  const calls = useRef({ onChange, onRun });
  calls.current = { onChange, onRun };

  // biome-ignore lint/correctness/useExhaustiveDependencies: the editor is made once; later changes go through it
  useEffect(() => {
    const editor = new EditorView({
      parent: frame.current!,
      state: EditorState.create({
        doc: initial,
        extensions: [
          Prec.highest(
            EditorView.domEventHandlers({
              keydown: (event) => {
                if (!isShortcut(event, "runQuery")) return false;
                calls.current.onRun();
                return true;
              },
            }),
          ),
          lineNumbers(),
          foldGutter(),
          history(),
          drawSelection(),
          indentOnInput(),
          bracketMatching(),
          closeBrackets(),
          autocompletion({ icons: false }),
          highlightActiveLine(),
          highlightActiveLineGutter(),
          highlightSelectionMatches(),
          search({ top: true }),
          EditorState.phrases.of(phrases()),
          EditorView.lineWrapping,
          EditorView.contentAttributes.of({
            "aria-label": label,
            "aria-describedby": `${id}-keys`,
            // Set explicitly: not every assistive program treats editable elements as focusable.
            tabindex: "0",
          }),
          syntaxHighlighting(colours),
          look,
          bad,
          place.current.of(language),
          keymap.of([
            ...closeBracketsKeymap,
            ...completionKeymap,
            ...searchKeymap,
            ...historyKeymap,
            ...foldKeymap,
            ...defaultKeymap,
            indentWithTab,
          ]),
          EditorView.updateListener.of((update) => {
            if (update.docChanged) calls.current.onChange(update.state.doc.toString());
          }),
        ],
      }),
    });
    view.current = editor;
    return () => editor.destroy();
  }, []);

  useEffect(() => {
    view.current?.dispatch({ effects: place.current.reconfigure(language) });
  }, [language]);

  useImperativeHandle(ref, () => ({
    focus: () => view.current?.focus(),
    setText: (text) => {
      const editor = view.current;
      if (!editor || editor.state.doc.toString() === text) return;
      editor.dispatch({ changes: { from: 0, to: editor.state.doc.length, insert: text } });
    },
    markPlace: (at) => {
      const editor = view.current;
      if (!editor) return;
      const { doc } = editor.state;
      const shown =
        at && at.line >= 1 && at.line <= doc.lines ? [EditorView.scrollIntoView(doc.line(at.line).from)] : [];
      editor.dispatch({ effects: [setBad.of(at), ...shown] });
    },
  }));

  return (
    <>
      <div ref={frame} className="min-h-0 flex-1 overflow-hidden [--editor-font:var(--font-mono)]" />
      <p id={`${id}-keys`} hidden>
        <Trans>Tab indents. To leave the editor, press Escape and then Tab.</Trans>
      </p>
    </>
  );
}
