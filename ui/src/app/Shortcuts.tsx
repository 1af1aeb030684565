import { Dialog } from "../kit/dialog";
import { Keys } from "../kit/keys";
import { useUi } from "./ui";

const SHEET: { title: string; keys: [string, string][] }[] = [
  {
    title: "Anywhere",
    keys: [
      ["mod+k", "Commands"],
      ["mod+n", "New question"],
      ["/", "Focus the question box, or edit the question"],
      ["mod+o", "Open warehouse"],
      ["mod+b", "Show or hide sidebar"],
      ["down", "Next entry of the sidebar, or next question of the history"],
      ["right", "Menu of a question (in the history)"],
      ["mod+,", "Settings"],
      ["?", "Keyboard shortcuts"],
    ],
  },
  {
    title: "Question",
    keys: [
      ["enter", "Ask"],
      ["shift+enter", "New line"],
      ["up", "Earlier questions"],
      ["1", "Choose the first interpretation"],
      ["mod+.", "Stop"],
      ["esc", "Leave the question box or close a panel"],
    ],
  },
  {
    title: "Answer",
    keys: [
      ["mod+1", "Answer"],
      ["mod+2", "Graph"],
      ["mod+3", "SQL"],
      ["mod+4", "Sent"],
      ["mod+s", "Save question"],
      ["mod+enter", "Run SQL"],
      ["esc", "Then Tab: leave the SQL editor"],
    ],
  },
  {
    title: "Graph",
    keys: [
      ["up", "Next card in that direction (any arrow key)"],
      ["enter", "Open the card (Tab goes on to its details)"],
      ["shift+up", "Move the view (any arrow key)"],
      ["mod+f", "Find in the graph"],
      ["+", "Zoom in (- zooms out, 0 fits to view)"],
      ["esc", "Clear the selection"],
    ],
  },
  {
    title: "Grid",
    keys: [
      ["mod+c", "Copy the selection"],
      ["mod+shift+c", "Copy with column names"],
      ["mod+a", "Select all"],
      ["mod+down", "Last row"],
      ["mod+f", "Search in the rows"],
      ["enter", "Show the whole value"],
      ["Space", "Show the whole row"],
      ["up", "From the first row to the column names"],
      ["enter", "Sort (at a column name)"],
      ["Alt+down", "Column menu (at a column name)"],
      ["shift+right", "Wider column (at a column name)"],
      ["Alt+enter", "Show source rows"],
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
                <div key={what} className="flex items-center justify-between py-1">
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
