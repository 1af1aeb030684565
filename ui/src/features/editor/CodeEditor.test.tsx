import { act, render } from "@testing-library/react";
import { createRef } from "react";
import { expect, it } from "vitest";
import { CodeEditor, type EditorHandle } from "./CodeEditor";
import { sqlLanguage } from "./language";

it("marks the line and the word that are wrong, until the text is changed", () => {
  const editor = createRef<EditorHandle>();
  const { container } = render(
    <CodeEditor
      ref={editor}
      initial={"SELECT 1\nFROM nowhere, t"}
      language={sqlLanguage("duckdb", null, null)}
      label="SQL"
      onChange={() => {}}
      onRun={() => {}}
    />,
  );
  const marked = (what: string) => container.querySelector(`.cm-bad${what}`)?.textContent;
  act(() => editor.current!.markPlace({ line: 2, column: 6 }));
  expect([marked("Line"), marked("Word")]).toEqual(["FROM nowhere, t", "nowhere"]);
  act(() => editor.current!.markPlace({ line: 2, column: 9 }));
  expect(marked("Word")).toBe("nowhere");
  act(() => editor.current!.markPlace({ line: 2, column: 13 }));
  expect(marked("Word")).toBe(",");
  act(() => editor.current!.markPlace({ line: 2, column: null }));
  expect([marked("Line"), marked("Word")]).toEqual(["FROM nowhere, t", undefined]);
  // A place behind the line, or the text, is none.
  act(() => editor.current!.markPlace({ line: 1, column: 9 }));
  expect([marked("Line"), marked("Word")]).toEqual(["SELECT 1", undefined]);
  act(() => editor.current!.markPlace({ line: 3, column: 1 }));
  expect(marked("Line")).toBeUndefined();
  act(() => editor.current!.markPlace({ line: 2, column: 12 }));
  act(() => editor.current!.setText("SELECT 2"));
  expect(marked("Line")).toBeUndefined();
});
