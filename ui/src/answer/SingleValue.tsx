import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { type ReactNode, useEffect, useState } from "react";
import type { Row, RowSource } from "../features/grid/source";
import type { Headline, ResultColumn } from "../host/bindings";
import { showOf } from "../kit/show";
import { CopyButton } from "../kit/sqlText";
import { TextButton } from "../kit/textButton";
import { valueMeaning, valueScope } from "./headline";

/** A result of one value, in large type. */
export function SingleValue({
  column,
  value,
  headline = null,
  heading: Heading = "h2",
  onWhy,
  children,
}: {
  column: ResultColumn;
  value: string | null;
  /** The meaning of the value, and its rows. */
  headline?: Headline | null;
  /** The element of the heading, where it is part of a page that has others. */
  heading?: "h2" | "h3" | "h4";
  /** Shows its source rows. */
  onWhy?: () => void;
  /** Content right below the value. */
  children?: ReactNode;
}) {
  const short = (value?.length ?? 0) <= 40;
  return (
    <>
      <Heading className="text-fg-2">{valueMeaning(column, headline)}</Heading>
      <div className="group mt-0.5 flex items-center gap-3">
        <div
          className={
            short
              ? "wrap-anywhere nums font-semibold text-[44px] leading-[1.15] tracking-[-0.02em]"
              : "wrap-anywhere max-w-190 whitespace-pre-wrap text-lg"
          }
        >
          {value === null ? <span className="text-fg-3 italic">NULL</span> : showOf(column)(value)}
        </div>
        {value !== null && (
          <CopyButton
            text={value}
            label={t`Copy`}
            className="opacity-0 focus-visible:opacity-100 group-hover:opacity-100"
          />
        )}
      </div>
      {valueScope(headline) !== "" && (
        <p className="wrap-anywhere mt-1 max-w-190 text-fg-2">{valueScope(headline)}</p>
      )}
      {children}
      {onWhy && (
        <div className="mt-3 text-sm">
          <TextButton onClick={onWhy}>
            <Trans>Show source rows</Trans>
          </TextButton>
        </div>
      )}
    </>
  );
}

/** The same for rows that are fetched. */
export function FetchedValue({ source }: { source: RowSource }) {
  const [row, setRow] = useState<Row | null>(null);
  useEffect(() => {
    let gone = false;
    source.read(0, 1).then(
      ([first]) => !gone && setRow(first ?? null),
      () => {},
    );
    return () => {
      gone = true;
    };
  }, [source]);
  return row && <SingleValue column={source.columns[0]!} value={row[0] ?? null} />;
}
