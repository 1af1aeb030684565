// Read-only SQL, highlighted by spans from the parser's tree, never by HTML text.

import { highlightCode, tagHighlighter, tags } from "@lezer/highlight";
import { t } from "@lingui/core/macro";
import { Check, Copy } from "lucide-react";
import { type ReactNode, useMemo, useState } from "react";
import type { Dialect } from "../host/bindings";
import { host } from "../host/host";
import { IconButton } from "./button";
import { cx } from "./cx";
import { editorDialect } from "./sqlDialect";

const colours = tagHighlighter([
  { tag: [tags.keyword, tags.operatorKeyword, tags.modifier, tags.typeName], class: "text-(--code-keyword)" },
  { tag: [tags.string, tags.special(tags.string)], class: "text-(--code-string)" },
  { tag: [tags.number, tags.bool, tags.null], class: "text-(--code-number)" },
  { tag: tags.comment, class: "text-(--code-comment) italic" },
  { tag: [tags.standard(tags.name), tags.function(tags.name)], class: "text-(--code-function)" },
]);

/** Longer texts are not highlighted: it would take too long. */
const COLOUR_LIMIT = 40_000;

export function sqlSpans(sql: string, dialect: Dialect | null): ReactNode[] {
  if (sql.length > COLOUR_LIMIT) return [sql];
  const tree = editorDialect(dialect).language.parser.parse(sql);
  const spans: ReactNode[] = [];
  highlightCode(
    sql,
    tree,
    colours,
    (text, classes) => {
      spans.push(
        classes ? (
          <span key={spans.length} className={classes}>
            {text}
          </span>
        ) : (
          text
        ),
      );
    },
    () => spans.push("\n"),
  );
  return spans;
}

const CODE = "whitespace-pre font-mono text-xs leading-[1.6]";

export function SqlText({
  sql,
  dialect,
  className,
  plain,
}: {
  sql: string;
  dialect: Dialect | null;
  className?: string;
  /** Without frame and copy button. */
  plain?: boolean;
}) {
  const spans = useMemo(() => sqlSpans(sql, dialect), [sql, dialect]);
  if (plain) {
    return (
      <pre className={cx(CODE, className)}>
        <code>{spans}</code>
      </pre>
    );
  }
  return (
    <Framed text={sql} label={t`Copy SQL`} className={className}>
      {spans}
    </Framed>
  );
}

/** Code in another language, without highlighting. */
export function CodeText({ code }: { code: string }) {
  return (
    <Framed text={code} label={t`Copy code`}>
      {code}
    </Framed>
  );
}

function Framed({
  text,
  label,
  className,
  children,
}: {
  text: string;
  label: string;
  className?: string;
  children: ReactNode;
}) {
  return (
    <div className={cx("group relative rounded-md border border-line bg-sunk", className)}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling block has to be reachable by keyboard */}
      <pre tabIndex={0} className={cx(CODE, "max-h-90 overflow-auto px-3 py-2.5")}>
        <code>{children}</code>
      </pre>
      <CopyButton
        text={text}
        label={label}
        className="absolute top-1 right-1 bg-sunk opacity-0 focus-visible:opacity-100 group-hover:opacity-100"
      />
    </div>
  );
}

export function CopyButton({ text, label, className }: { text: string; label: string; className?: string }) {
  const [copied, setCopied] = useState(false);
  return (
    <IconButton
      label={copied ? t`Copied` : label}
      size="sm"
      className={className}
      onClick={async () => {
        await host().copyText(text);
        setCopied(true);
        setTimeout(() => setCopied(false), 1500);
      }}
    >
      {copied ? <Check size={13} /> : <Copy size={13} />}
    </IconButton>
  );
}
