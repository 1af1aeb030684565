import { Dialog } from "../kit/dialog";
import { Keys } from "../kit/keys";
import { useUi } from "./ui";

const SHEET: { title: string; keys: [string, string][] }[] = [
  {
    title: "Anywhere",
    keys: [
      ["mod+k", "Commands"],
      ["mod+n", "New question"],
      ["/", "Go to the question box"],
      ["mod+o", "Open data"],
      ["mod+b", "Show or hide the sidebar"],
      ["mod+,", "Settings"],
      ["?", "This sheet"],
    ],
  },
  {
    title: "Question",
    keys: [
      ["enter", "Ask"],
      ["shift+enter", "New line"],
      ["up", "Earlier questions"],
      ["1", "Choose the first reading, where there are several"],
      ["mod+.", "Stop"],
      ["esc", "Leave the question box, close a panel"],
    ],
  },
  {
    title: "Answer",
    keys: [
      ["mod+1", "Answer"],
      ["mod+2", "Graph"],
      ["mod+3", "SQL"],
      ["mod+s", "Save the question"],
      ["mod+enter", "Run the SQL"],
    ],
  },
  {
    title: "Graph",
    keys: [
      ["up", "Next card that way, as do the other arrows"],
      ["enter", "Open the card"],
      ["+", "Larger, with - smaller, with 0 to fit"],
      ["esc", "Let go"],
    ],
  },
  {
    title: "Grid",
    keys: [
      ["mod+c", "Copy the selection"],
      ["mod+shift+c", "Copy with column names"],
      ["mod+a", "Select all"],
      ["mod+down", "Last row"],
      ["Alt+enter", "Where the value comes from"],
    ],
  },
];

export function Shortcuts() {
  const open = useUi((s) => s.shortcuts);
  return (
    <Dialog
      open={open}
      onClose={() => useUi.setState({ shortcuts: false })}
      title="Keyboard shortcuts"
      width="w-150"
      still
    >
      <div className="grid grid-cols-2 gap-x-10 gap-y-6 pt-1">
        {SHEET.map((part) => (
          <section key={part.title}>
            <h3 className="mb-1.5 font-medium text-fg-3 text-sm">{part.title}</h3>
            <dl>
              {part.keys.map(([keys, what]) => (
                <div key={keys} className="flex items-center justify-between py-1">
                  <dt>{what}</dt>
                  <dd>
                    <Keys keys={keys} />
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Dialog>
  );
}
