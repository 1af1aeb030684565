import { plural, t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useVirtualizer } from "@tanstack/react-virtual";
import { Download, ScrollText, ShieldCheck } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { useExperts } from "../../domain/experts";
import type { AppError, AuditCheck, AuditRow, AuditVerdict, QueryAuthor } from "../../host/bindings";
import { host, toAppError } from "../../host/host";
import { Button } from "../../kit/button";
import { Dialog } from "../../kit/dialog";
import { ErrorNote } from "../../kit/error";
import { SearchInput } from "../../kit/field";
import { fileToast } from "../../kit/fileToast";
import { bytes, count, dayAndTime, fileName, shortWhen } from "../../kit/format";
import { lazyRecord } from "../../kit/lazyRecord";
import { Select } from "../../kit/select";
import { Badge, Empty, Skeleton } from "../../kit/status";
import { toast, toastError } from "../../kit/toast";

/** Rows that are requested at once. */
const AT_ONCE = 200;
/** Pixels of a row. */
const HEIGHT = 56;

const TONES: Record<AuditVerdict, "good" | "plain" | "warn" | "bad"> = {
  ran: "good",
  refused: "bad",
  failed: "warn",
  cancelled: "plain",
  approved: "good",
  revoked: "plain",
  told: "plain",
};

const VERDICTS = lazyRecord<Record<AuditVerdict, string>>({
  ran: () => t({ message: "ran", context: "a query of the audit log" }),
  refused: () => t({ message: "refused", context: "a query of the audit log" }),
  failed: () => t({ message: "failed", context: "a query of the audit log" }),
  cancelled: () => t({ message: "stopped", context: "a query of the audit log" }),
  approved: () => t({ message: "approved", context: "a query of the audit log" }),
  revoked: () => t({ message: "revoked", context: "a query of the audit log" }),
  told: () => t({ message: "disclosed", context: "a query of the audit log" }),
});

const AUTHORS = lazyRecord<Record<QueryAuthor, string>>({
  user: () => t({ message: "You", context: "who wrote a query" }),
  model: () => t({ message: "Model", context: "who wrote a query" }),
  app: () => "Vitrine",
  program: () => t({ message: "Program", context: "who wrote a query" }),
});

/** Who wrote a query, at length. */
const WRITTEN_BY = lazyRecord<Record<QueryAuthor, string>>({
  user: () => t`You: typed, edited or saved`,
  model: () => t`A model, for a question`,
  app: () => t`Vitrine: sample rows, steps, counts or answer checks`,
  program: () => t`An external program`,
});

type Filter = QueryAuthor | "all";

/** Every query that ran for the user, or was refused. */
export function AuditPage() {
  const [search, setSearch] = useState("");
  const [author, setAuthor] = useState<Filter>("all");
  const [rows, setRows] = useState<AuditRow[] | null>(null);
  const [whole, setWhole] = useState(false);
  const [error, setError] = useState<AppError | null>(null);
  const [shown, setShown] = useState<AuditRow | null>(null);
  const box = useRef<HTMLDivElement>(null);
  const asked = useRef(0);

  const load = async (known: AuditRow[]) => {
    const turn = ++asked.current;
    try {
      const next = await host().audit(search, author === "all" ? null : author, AT_ONCE, known.length);
      if (turn !== asked.current) return;
      setRows([...known, ...next]);
      setWhole(next.length < AT_ONCE);
      setError(null);
    } catch (thrown) {
      if (turn === asked.current) setError(toAppError(thrown));
    }
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is loaded again where the words or the author change
  useEffect(() => {
    void load([]);
  }, [search, author]);

  const virtual = useVirtualizer({
    count: rows?.length ?? 0,
    getScrollElement: () => box.current,
    estimateSize: () => HEIGHT,
    overscan: 8,
    initialRect: { width: 800, height: 600 },
  });
  const narrowed = search !== "" || author !== "all";
  const items = virtual.getVirtualItems();
  const last = items.at(-1)?.index ?? 0;
  // biome-ignore lint/correctness/useExhaustiveDependencies: more is loaded where the end comes into view
  useEffect(() => {
    if (rows && !whole && rows.length > 0 && last >= rows.length - 20) void load(rows);
  }, [last, rows?.length, whole]);

  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <div className="mx-auto flex min-h-0 w-full max-w-220 flex-1 flex-col px-8 py-6">
        <div className="flex items-center justify-between gap-4">
          <h1 className="font-semibold text-xl">
            <Trans>Audit log</Trans>
          </h1>
          <div className="flex gap-2">
            <Button icon={<ShieldCheck size={14} />} onClick={() => void verifyLog()}>
              <Trans>Verify</Trans>
            </Button>
            <Button icon={<Download size={14} />} onClick={() => void exportAudit()}>
              <Trans>Export</Trans>
            </Button>
          </div>
        </div>
        <p className="mt-0.5 text-fg-3 text-sm">
          <Trans>
            Every query that was run or refused on your behalf. Entries are only ever added, and kept until you delete
            the workspace.
          </Trans>
        </p>
        <div className="mt-3 flex items-center gap-2">
          <SearchInput
            value={search}
            onChange={setSearch}
            placeholder={t`Search questions, SQL and verdicts`}
            className="min-w-0 flex-1"
          />
          <Select
            label={t`Written by`}
            value={author}
            choices={[
              { value: "all", label: t`Any author` },
              ...(["user", "model", "app", "program"] as const).map((value) => ({
                value,
                label: WRITTEN_BY[value],
              })),
            ]}
            onChange={setAuthor}
            className="max-w-72 shrink-0"
          />
        </div>
        {error && (
          <div className="mt-4">
            <ErrorNote error={error} again={() => void load([])} />
          </div>
        )}
        {!rows && !error && [1, 2, 3, 4].map((n) => <Skeleton key={n} className="mt-3 h-12 rounded-lg" />)}
        {rows?.length === 0 && !error && (
          <Empty icon={<ScrollText size={20} />} title={narrowed ? t`No matches` : t`No queries yet`}>
            {!narrowed && t`Queries from questions, the SQL editor and exports appear here.`}
          </Empty>
        )}
        <div ref={box} className="mt-3 min-h-0 flex-1 overflow-y-auto">
          <ul aria-label={t`Queries`} className="relative" style={{ height: virtual.getTotalSize() }}>
            {items.map((item) => {
              const row = rows?.[item.index];
              if (!row) return null;
              return (
                <li
                  key={row.number}
                  className="absolute inset-x-0 border-line border-b"
                  style={{ height: HEIGHT, transform: `translateY(${item.start}px)` }}
                >
                  <button
                    type="button"
                    onClick={() => setShown(row)}
                    className="flex h-full w-full items-center gap-3 rounded-md px-2 text-left hover:bg-hover"
                  >
                    <span className="w-20 shrink-0">
                      <Badge tone={TONES[row.verdict]}>{VERDICTS[row.verdict]}</Badge>
                      {row.author && <span className="block truncate text-fg-3 text-xs">{AUTHORS[row.author]}</span>}
                    </span>
                    <span className="min-w-0 flex-1">
                      <span className="block truncate">
                        {row.question ?? (row.sql === "" && row.receiver ? row.receiver : t`Without a question`)}
                      </span>
                      <span className="block truncate font-mono text-fg-3 text-xs">{row.sql || row.reason}</span>
                    </span>
                    <span className="nums shrink-0 text-right text-fg-3 text-xs">
                      {shortWhen(row.at, new Date())}
                      <span className="block">
                        {row.rows === null ? "" : plural(row.rows, { one: "# row", other: "# rows" })}
                      </span>
                    </span>
                  </button>
                </li>
              );
            })}
          </ul>
        </div>
      </div>
      {shown && <Row row={shown} onClose={() => setShown(null)} />}
    </div>
  );
}

function Row({ row, onClose }: { row: AuditRow; onClose: () => void }) {
  const details = useExperts((s) => s.details);
  // An approval is for the exact text, which its hash identifies.
  const hashed = details || row.verdict === "approved" || row.verdict === "revoked";
  const facts: [string, string | null][] = [
    [t({ message: "Time", context: "point in time" }), details ? row.at : dayAndTime(row.at)],
    [t`Warehouse`, row.warehouse],
    [t`Question`, row.question],
    [t`Written by`, row.author ? WRITTEN_BY[row.author] : null],
    [t`Decided by`, row.decidedBy ?? null],
    [t`Reason`, row.reason],
    [t`Rows`, row.rows === null ? null : count(row.rows)],
    [t`Size`, row.bytes === null ? null : bytes(row.bytes)],
    [t`Model`, row.model],
    [t`Tokens used by the run so far`, row.tokens === null || !details ? null : count(row.tokens)],
    [t`Requested by`, row.receiver ?? null],
    [t`SHA-256 of the SQL`, hashed ? row.sqlSha256 : null],
    [t`Row hash`, details ? row.hash : null],
  ];
  return (
    <Dialog open onClose={onClose} title={t`Query ${row.number}: ${VERDICTS[row.verdict]}`} width="w-180" still>
      <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-1 text-sm">
        {facts
          .filter(([, value]) => value)
          .map(([name, value]) => (
            <div key={name} className="contents">
              <dt className="text-fg-3">{name}</dt>
              <dd className="wrap-anywhere select-text">{value}</dd>
            </div>
          ))}
      </dl>
      <pre className="wrap-anywhere mt-3 select-text whitespace-pre-wrap rounded-md bg-sunk p-3 font-mono text-xs">
        {row.sql}
      </pre>
    </Dialog>
  );
}

/** Describes the result of verifying the audit log. */
function checkText(check: AuditCheck): { title: string; text: string } {
  if (check.brokenAt !== null) {
    return {
      title: t`The audit log is not intact`,
      text: t`Row ${check.brokenAt} was changed, or a row before it is missing. Compare it with an earlier export.`,
    };
  }
  return {
    title: t`The audit log is intact`,
    text: t`${plural(check.rows, { one: "# row", other: "# rows" })}. Keep the hash of the last row to detect later whether rows are missing at the end: ${check.lastHash.slice(0, 16)}…`,
  };
}

async function verifyLog() {
  try {
    toast(checkText(await host().checkAudit()));
  } catch (thrown) {
    toastError(toAppError(thrown));
  }
}

async function exportAudit() {
  try {
    const file = await host().pickSaveFile("vitrine-audit.csv");
    if (!file) return;
    const rows = await host().exportAudit(file.token);
    toast({
      tone: "good",
      title: t`Audit log exported`,
      text: t`${plural(rows, { one: "# row", other: "# rows" })} in ${fileName(file.path)}`,
      life: 12_000,
      ...fileToast(file.token, file.path),
    });
  } catch (thrown) {
    toastError(toAppError(thrown));
  }
}
