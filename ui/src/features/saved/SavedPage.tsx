import { Bookmark, EllipsisVertical, MessageSquareText, Pencil, Trash2 } from "lucide-react";
import { useEffect, useState } from "react";
import type { SavedQuestion, SavedStatus } from "../../host/bindings";
import { Button } from "../../kit/button";
import { ErrorNote } from "../../kit/error";
import { SearchInput } from "../../kit/field";
import { clip, shortWhen } from "../../kit/format";
import { Menu, MenuItem } from "../../kit/menu";
import { Badge, Empty, Skeleton } from "../../kit/status";
import { deleteSaved, draftOf, loadSaved, startSaving, useSaved } from "./state";

const TONES: Record<SavedStatus, "plain" | "accent" | "good"> = {
  draft: "plain",
  reviewed: "accent",
  verified: "good",
};

/** The list of saved questions. */
export function SavedPage({
  warehouseTitle,
  onOpen,
  onAskAgain,
}: {
  warehouseTitle: (uri: string) => string;
  onOpen: (question: SavedQuestion) => void;
  onAskAgain: (question: SavedQuestion) => void;
}) {
  const { list, hidden, status, search, error } = useSaved();
  const [typed, setTyped] = useState(search);
  useEffect(() => {
    const timer = setTimeout(() => void loadSaved(typed), typed === "" ? 0 : 150);
    return () => clearTimeout(timer);
  }, [typed]);
  const shown = list.filter((q) => !hidden.includes(q.id));
  return (
    <div className="flex min-h-0 flex-1 flex-col overflow-y-auto">
      <div className="mx-auto flex w-full max-w-220 flex-1 flex-col px-8 py-6">
        <div className="flex items-center justify-between gap-4">
          <h1 className="font-semibold text-xl">Saved questions</h1>
          <SearchInput value={typed} onChange={setTyped} placeholder="Search saved questions" className="w-64" />
        </div>
        {status === "loading" && (
          <div className="mt-6 flex flex-col gap-2">
            {[1, 2, 3].map((n) => (
              <Skeleton key={n} className="h-16 rounded-lg" />
            ))}
          </div>
        )}
        {status === "failed" && error && (
          <div className="mt-6">
            <ErrorNote error={error} action={<Button onClick={() => void loadSaved()}>Try again</Button>} />
          </div>
        )}
        {status === "ready" && shown.length === 0 && (
          <Empty icon={<Bookmark size={20} />} title={search ? "No matches" : "No saved questions yet"}>
            {search
              ? "Try different words."
              : "Save an answer to run it again on current data and to mark it as verified."}
          </Empty>
        )}
        {shown.length > 0 && (
          <ul className="mt-5 flex flex-col">
            {shown.map((q) => (
              <li key={q.id} className="group -mx-3 flex items-center gap-2 rounded-lg px-3 hover:bg-hover">
                <button type="button" onClick={() => onOpen(q)} className="min-w-0 flex-1 rounded-md py-3 text-left">
                  <span className="flex items-center gap-2">
                    <span className="truncate font-medium">{q.title}</span>
                    <Badge tone={TONES[q.status]}>{q.status}</Badge>
                  </span>
                  <span className="mt-0.5 block truncate text-fg-3 text-sm">{clip(q.notes || q.question, 200)}</span>
                </button>
                <span className="w-36 shrink-0 truncate text-right text-fg-3 text-sm">
                  {warehouseTitle(q.warehouse)}
                </span>
                <span className="nums w-14 shrink-0 text-right text-fg-3 text-sm">
                  {shortWhen(q.updatedAt, new Date())}
                </span>
                <Menu
                  align="end"
                  trigger={
                    <button
                      type="button"
                      aria-label={`More for ${q.title}`}
                      className="flex size-7 shrink-0 items-center justify-center rounded-md text-fg-3 hover:bg-active hover:text-fg"
                    >
                      <EllipsisVertical size={15} />
                    </button>
                  }
                >
                  <MenuItem icon={<MessageSquareText size={14} />} onSelect={() => onAskAgain(q)}>
                    Ask again
                  </MenuItem>
                  <MenuItem icon={<Pencil size={14} />} onSelect={() => startSaving(draftOf(q))}>
                    Edit
                  </MenuItem>
                  <MenuItem icon={<Trash2 size={14} />} danger onSelect={() => deleteSaved(q)}>
                    Delete
                  </MenuItem>
                </Menu>
              </li>
            ))}
          </ul>
        )}
      </div>
    </div>
  );
}
