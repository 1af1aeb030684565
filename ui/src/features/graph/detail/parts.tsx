import { plural, t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import type { ReactNode } from "react";
import type { Dialect } from "../../../host/bindings";
import { Disclosure } from "../../../kit/disclosure";
import { clipText, compact, count, duration } from "../../../kit/format";
import { lazyRecord } from "../../../kit/lazyRecord";
import { CopyButton, SqlText } from "../../../kit/sqlText";
import { Badge, StatusIcon } from "../../../kit/status";
import type { Call, Query, RunModel } from "../model/model";

const ROLES: Record<string, string> = lazyRecord({
  system: () => t`Instructions`,
  user: () => t`Request`,
  assistant: () => t`Earlier reply`,
});

/** One model call: full prompt and reply. */
export function CallSection({ call, number, only }: { call: Call; number: number; only: boolean }) {
  const status = call.error ? "failed" : call.endMs === null ? "running" : "done";
  const replies = call.replies ?? (call.text === "" ? [] : [call.text]);
  const cost = call.usage ? t`${count(call.usage.prompt_tokens)} in, ${count(call.usage.completion_tokens)} out` : "";
  const time = call.endMs === null ? "" : duration(call.endMs - call.startMs);
  return (
    <div className="rounded-md border border-line">
      <div className="nums flex items-center gap-2 border-line border-b px-3 py-1.5 text-sm">
        <StatusIcon status={status} size={13} />
        <span className="font-medium">{only ? call.agent : t`Call ${number}`}</span>
        <span className="ml-auto truncate text-fg-3 text-xs">{[cost, time].filter(Boolean).join(" · ")}</span>
      </div>
      <div className="flex flex-col gap-1.5 px-3 py-2">
        <Disclosure
          title={t`Prompt`}
          note={t`${compact(call.messages.reduce((n, m) => n + m.content.length, 0))} characters`}
        >
          <div className="flex flex-col gap-1.5 pb-1 pl-4">
            {call.messages.map((message, i) => (
              <Disclosure
                key={i}
                title={ROLES[message.role] ?? message.role}
                note={t`${compact(message.content.length)} characters`}
              >
                <Verbatim text={message.content} />
              </Disclosure>
            ))}
            <div className="nums text-fg-3 text-xs">
              <Trans>
                {call.model}, temperature {call.temperature}, seed {call.seed}
              </Trans>
            </div>
          </div>
        </Disclosure>
        {replies.map((reply, i) => (
          <Disclosure
            key={i}
            title={replies.length > 1 ? t`Reply ${i + 1} of ${replies.length}` : t`Reply`}
            note={replies.length > 1 ? clipText(reply.replace(/\s+/g, " "), 40) : undefined}
            open={replies.length === 1 && reply.length < 3000}
          >
            <Verbatim text={reply} />
          </Disclosure>
        ))}
        {call.error && <p className="wrap-anywhere rounded-md bg-bad-soft px-2.5 py-1.5 text-sm">{call.error}</p>}
      </div>
    </div>
  );
}

export function Verbatim({ text }: { text: string }) {
  return (
    <div className="group relative rounded-md bg-sunk">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling block has to be reachable by keyboard */}
      <div tabIndex={0} className="max-h-90 overflow-auto px-2.5 py-2">
        <pre className="wrap-anywhere whitespace-pre-wrap font-mono text-xs leading-[1.6]">{text}</pre>
      </div>
      <CopyButton
        text={text}
        label={t`Copy`}
        className="absolute top-1 right-1 bg-sunk opacity-0 focus-visible:opacity-100 group-hover:opacity-100"
      />
    </div>
  );
}

export function QuerySection({ queries, dialect }: { queries: Query[]; dialect: Dialect | null }) {
  if (queries.length === 0) return null;
  const failed = queries.filter((q) => q.error).length;
  return (
    <Disclosure
      title={t`Database queries`}
      note={`${plural(queries.length, { one: "# statement", other: "# statements" })}${failed > 0 ? t`, ${failed} failed` : ""}`}
    >
      <div className="flex flex-col gap-1.5 pl-4">
        {queries.map((query, i) => (
          <Disclosure
            key={i}
            title={<span className="font-mono text-xs">{clipText(query.sql.replace(/\s+/g, " "), 90)}</span>}
            note={`${query.error ? "failed" : query.rowCount === null ? "checked" : plural(query.rowCount, { one: "# row", other: "# rows" })} · ${duration(query.ms)}`}
          >
            {query.error && (
              <p className="wrap-anywhere mb-1.5 rounded-md bg-bad-soft px-2.5 py-1.5 text-sm">{query.error}</p>
            )}
            <SqlText sql={query.sql} dialect={dialect} />
          </Disclosure>
        ))}
      </div>
    </Disclosure>
  );
}

/** Why something failed. */
export function ErrorBox({ children }: { children: string }) {
  return <p className="wrap-anywhere mt-1.5 rounded-md bg-bad-soft px-2.5 py-1.5 text-sm">{children}</p>;
}

export function Section({ title, note, children }: { title: string; note?: string; children: ReactNode }) {
  return (
    <section>
      <div className="mb-1.5 flex items-baseline justify-between gap-3">
        <h3 className="font-medium text-fg-2 text-sm">{title}</h3>
        {note && <span className="nums text-fg-3 text-xs">{note}</span>}
      </div>
      {children}
    </section>
  );
}

export function NameLinks({
  names,
  run,
  onSelect,
}: {
  names: string[];
  run: RunModel;
  onSelect: (id: string) => void;
}) {
  return (
    <div className="flex flex-wrap gap-1">
      {names.map((name) => {
        const view = run.views.find((v) => v.name === name);
        return view ? (
          <button
            key={name}
            type="button"
            onClick={() => onSelect(view.id)}
            className="rounded-md bg-hover px-2 py-0.5 font-mono text-xs hover:bg-active"
          >
            {name}
          </button>
        ) : (
          <Badge key={name}>{name}</Badge>
        );
      })}
    </div>
  );
}
