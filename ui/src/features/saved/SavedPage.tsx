import { t } from "@lingui/core/macro";
import { Plural, Trans } from "@lingui/react/macro";
import {
  Bookmark,
  FileCheck2,
  Folder,
  FolderInput,
  FolderOutput,
  MessageSquareText,
  Pencil,
  Trash2,
  TriangleAlert,
} from "lucide-react";
import { type ReactNode, useEffect } from "react";
import type { SavedQuestion, SavedStatus } from "../../host/bindings";
import { Button } from "../../kit/button";
import { cx } from "../../kit/cx";
import { ErrorNote } from "../../kit/error";
import { SearchInput } from "../../kit/field";
import { useFocusNeighbour } from "../../kit/focusNeighbour";
import { clipText, shortWhen } from "../../kit/format";
import { MenuItem, MenuLine, MoreMenu } from "../../kit/menu";
import { Select } from "../../kit/select";
import { Badge, Empty, Skeleton } from "../../kit/status";
import { BundleDialog, ImportDialog } from "./FileDialogs";
import { exportSaved, openBundle, startImport } from "./files";
import { EVERYTHING, filterQuestions, foldersOf, type SavedListFilter, tagsOf } from "./find";
import { deleteSaved, draftOf, loadDrifts, loadSaved, setLook, startSaving, useSaved } from "./state";
import { STATUS_WORDS } from "./words";

export const STATUS_TONES: Record<SavedStatus, "plain" | "accent" | "good"> = {
  draft: "plain",
  reviewed: "accent",
  verified: "good",
};

interface Actions {
  warehouseTitle: (uri: string) => string;
  onOpen: (question: SavedQuestion) => void;
  onAskAgain: (question: SavedQuestion) => void;
}

/** The saved questions: folders, and the list with its search and filters. */
export function SavedPage(actions: Actions) {
  const { list, hidden, status, look, drifts, error } = useSaved();
  useEffect(() => {
    void loadSaved();
    void loadDrifts();
  }, []);
  const all = list.filter((q) => !hidden.includes(q.id));
  const shown = filterQuestions(all, look, drifts);
  const folders = foldersOf(all);
  return (
    <div className="flex min-h-0 flex-1 flex-col overflow-y-auto">
      <div className="mx-auto flex w-full max-w-260 flex-1 flex-col px-8 py-6">
        <div className="flex items-center gap-2">
          <h1 className="mr-auto font-semibold text-xl">
            <Trans>Saved questions</Trans>
          </h1>
          <SearchInput
            value={look.search}
            onChange={(search) => setLook({ search })}
            placeholder={t`Search saved questions`}
            data-stays
            className="w-60"
          />
          <FilesMenu shown={shown} />
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
            <ErrorNote error={error} again={() => void loadSaved()} />
          </div>
        )}
        {status === "ready" && all.length === 0 && (
          <Empty icon={<Bookmark size={20} />} title={t`No saved questions yet`}>
            <Trans>Save an answer to run it again on current data and to mark it as verified.</Trans>
          </Empty>
        )}
        {all.length > 0 && (
          <div className="mt-4 flex min-h-0 flex-1 gap-6">
            {folders.length > 0 && (
              <nav aria-label={t`Folders`} className="w-40 shrink-0">
                <ul className="flex flex-col gap-px">
                  <FolderRow
                    name={t`All`}
                    questions={all.length}
                    on={look.folder === null}
                    onSelect={() => setLook({ folder: null })}
                  />
                  {folders.map(({ path, name, depth, questions }) => (
                    <FolderRow
                      key={path}
                      name={name}
                      path={path}
                      depth={depth}
                      questions={questions}
                      on={look.folder === path}
                      onSelect={() => setLook({ folder: path })}
                    />
                  ))}
                </ul>
              </nav>
            )}
            <div className="@container flex min-w-0 flex-1 flex-col">
              <Filters look={look} tags={tagsOf(all)} drifted={all.filter((q) => drifts[q.id]).length} />
              {shown.length === 0 ? (
                <Empty
                  icon={<Bookmark size={20} />}
                  title={t`No matches`}
                  action={
                    <Button onClick={() => setLook(EVERYTHING)}>
                      <Trans>Clear filters</Trans>
                    </Button>
                  }
                />
              ) : (
                <ul className="mt-1 flex flex-col">
                  {shown.map((q) => (
                    <Entry key={q.id} question={q} changes={drifts[q.id]} inFolder={look.folder} {...actions} />
                  ))}
                </ul>
              )}
            </div>
          </div>
        )}
      </div>
      <ImportDialog />
      <BundleDialog />
    </div>
  );
}

function FilesMenu({ shown }: { shown: SavedQuestion[] }) {
  return (
    <MoreMenu label={t`Files`} width="min-w-64">
      <MenuItem
        icon={<FolderOutput size={14} />}
        disabled={shown.length === 0}
        onSelect={() => void exportSaved(shown)}
      >
        <Trans>
          Export <Plural value={shown.length} one="# question" other="# questions" /> to files…
        </Trans>
      </MenuItem>
      <MenuItem icon={<FolderInput size={14} />} onSelect={startImport}>
        <Trans>Import from files…</Trans>
      </MenuItem>
      <MenuLine />
      <MenuItem icon={<FileCheck2 size={14} />} onSelect={() => void openBundle()}>
        <Trans>Check an evidence bundle…</Trans>
      </MenuItem>
    </MoreMenu>
  );
}

function FolderRow({
  name,
  path,
  depth = 0,
  questions,
  on,
  onSelect,
}: {
  name: string;
  path?: string;
  depth?: number;
  questions: number;
  on: boolean;
  onSelect: () => void;
}) {
  return (
    <li>
      <button
        type="button"
        aria-current={on ? "true" : undefined}
        title={path}
        onClick={onSelect}
        style={{ paddingLeft: 8 + depth * 14 }}
        className={cx(
          "flex h-7 w-full items-center gap-2 rounded-md pr-2 text-left text-sm",
          on ? "bg-active font-medium" : "text-fg-2 hover:bg-hover hover:text-fg",
        )}
      >
        <Folder size={13} className="shrink-0 text-fg-3" aria-hidden />
        <span className="min-w-0 flex-1 truncate">{name}</span>
        <span className="nums shrink-0 text-fg-3 text-xs">{questions}</span>
      </button>
    </li>
  );
}

const ANY = "any";

const STATUS_CHOICES = [
  {
    value: ANY,
    get label() {
      return t`Any status`;
    },
  },
  {
    value: "draft",
    get label() {
      return t`Draft`;
    },
  },
  {
    value: "reviewed",
    get label() {
      return t`Reviewed`;
    },
  },
  {
    value: "verified",
    get label() {
      return t`Verified`;
    },
  },
];

function Filters({ look, tags, drifted }: { look: SavedListFilter; tags: string[]; drifted: number }) {
  return (
    <div className="-ml-2 flex flex-wrap items-center gap-1.5">
      <Select
        label={t`Status`}
        quiet
        value={look.status ?? ANY}
        choices={STATUS_CHOICES}
        onChange={(value) => setLook({ status: value === ANY ? null : (value as SavedStatus) })}
      />
      {tags.map((tag) => (
        <Chip key={tag} on={look.tag === tag} onClick={() => setLook({ tag: look.tag === tag ? null : tag })}>
          {tag}
        </Chip>
      ))}
      {(drifted > 0 || look.drifted) && (
        <Chip on={look.drifted} onClick={() => setLook({ drifted: !look.drifted })}>
          <TriangleAlert size={12} className="text-warn" aria-hidden /> <Trans>Schema changed ({drifted})</Trans>
        </Chip>
      )}
    </div>
  );
}

function Chip({ on, onClick, children }: { on: boolean; onClick: () => void; children: ReactNode }) {
  return (
    <button
      type="button"
      aria-pressed={on}
      onClick={onClick}
      className={cx(
        "inline-flex h-6 max-w-48 items-center gap-1 truncate rounded-full border px-2.5 text-xs",
        on ? "border-accent-line bg-accent-soft text-accent" : "border-line text-fg-2 hover:bg-hover hover:text-fg",
      )}
    >
      {children}
    </button>
  );
}

function Entry({
  question: q,
  changes,
  inFolder,
  warehouseTitle,
  onOpen,
  onAskAgain,
}: Actions & { question: SavedQuestion; changes: string[] | undefined; inFolder: string | null }) {
  const { folder, tags } = q.filing;
  const below = inFolder === null ? folder : folder.slice(inFolder.length + 1);
  const { entry, leave, finalFocus } = useFocusNeighbour();
  return (
    <li ref={entry} className="group -mx-3 flex items-center gap-2 rounded-lg px-3 hover:bg-hover">
      <button type="button" onClick={() => onOpen(q)} className="min-w-0 flex-1 rounded-md py-3 text-left">
        <span className="flex flex-wrap items-center gap-x-2 gap-y-0.5">
          <span className="max-w-full truncate font-medium">{q.title}</span>
          <Badge tone={STATUS_TONES[q.status]}>{STATUS_WORDS[q.status]}</Badge>
          {changes && (
            <span title={changes.join("\n")} className="shrink-0 whitespace-nowrap">
              <Badge tone="warn">
                <Trans>schema changed</Trans>
              </Badge>
            </span>
          )}
        </span>
        <span className="mt-0.5 block truncate text-fg-3 text-sm">
          {below && <span className="text-fg-2">{below} · </span>}
          {clipText(q.notes || (q.question.startsWith(q.title) ? "" : q.question), 200)}
          {tags.length > 0 && ` · ${tags.join(", ")}`}
        </span>
      </button>
      <span className="hidden w-32 shrink-0 truncate text-right @2xl:block text-fg-3 text-sm">
        {warehouseTitle(q.warehouse)}
      </span>
      <span className="nums w-14 shrink-0 text-right text-fg-3 text-sm">{shortWhen(q.updatedAt, new Date())}</span>
      <MoreMenu label={t`More for ${q.title}`} removes finalFocus={finalFocus}>
        <MenuItem icon={<MessageSquareText size={14} />} onSelect={() => onAskAgain(q)}>
          <Trans>Ask again</Trans>
        </MenuItem>
        <MenuItem icon={<Pencil size={14} />} onSelect={() => startSaving(draftOf(q))}>
          <Trans>Edit</Trans>
        </MenuItem>
        <MenuItem icon={<FolderOutput size={14} />} onSelect={() => void exportSaved([q])}>
          <Trans>Export to a file…</Trans>
        </MenuItem>
        <MenuItem
          icon={<Trash2 size={14} />}
          danger
          onSelect={() => {
            leave();
            deleteSaved(q);
          }}
        >
          <Trans>Delete</Trans>
        </MenuItem>
      </MoreMenu>
    </li>
  );
}
