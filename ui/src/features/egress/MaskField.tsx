import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useEffect, useRef, useState } from "react";
import type { AppError, EgressPolicy, PersonalColumn } from "../../host/bindings";
import { Button } from "../../kit/button";
import { SuggestInput } from "../../kit/suggest";
import { type Search, useSearchResults } from "../../kit/useSearchResults";
import { matchesColumn } from "./policy";
import type { PolicyChange } from "./useEgress";

/** Masks a column that does not look personal. */
export function MaskField({
  columns: search,
  masked,
  refused,
  onChange,
}: {
  /** Where the columns of the warehouse are found, as `table.column`. */
  columns: Search<string>;
  /** Those that are masked already. */
  masked: PersonalColumn[];
  /** Why the last one was refused. */
  refused: AppError | null;
  onChange: (change: PolicyChange) => Promise<boolean>;
}) {
  const [typed, setTyped] = useState("");
  // The field itself filters a loaded list.
  const columns = useSearchResults(search, "here" in search ? "" : typed);
  const [wrong, setWrong] = useState<string | null>(null);
  /** A refusal that another text has been typed after. */
  const [past, setPast] = useState<AppError | null>(null);
  const name = typed.trim();
  const add = () => {
    if (name === "") return;
    const done = masked.find((column) => matchesColumn(name, column));
    if (done) return setWrong(t`${done.table}.${done.column} is already masked.`);
    if (!name.includes(".")) return setWrong(t`Enter the column as table.column.`);
    const to = (old: EgressPolicy) => ({
      ...old,
      allowed: old.allowed.filter((other) => other.toLowerCase() !== name.toLowerCase()),
      masked: [...old.masked, name],
    });
    void onChange({ place: "field", said: t`${name} is masked.`, to }).then((kept) => kept && setTyped(""));
  };
  const line = useRef<HTMLParagraphElement>(null);
  const said =
    wrong ?? (refused && refused !== past ? [refused.message, refused.hint].filter(Boolean).join(". ") : null);
  // The error may be below the visible area.
  useEffect(() => {
    if (said) line.current?.scrollIntoView({ block: "nearest" });
  }, [said]);
  return (
    <form
      className="mt-4"
      onSubmit={(e) => {
        e.preventDefault();
        add();
      }}
    >
      <div className="flex gap-2">
        <div className="min-w-0 flex-1">
          <SuggestInput
            label={t`Mask another column`}
            placeholder={t`Mask another column: table.column`}
            value={typed}
            suggestions={columns.map((value) => ({ value }))}
            status={t`No column has this name.`}
            onChange={(next) => {
              setTyped(next);
              setWrong(null);
              setPast(refused);
            }}
            onOpen={() => {}}
          />
        </div>
        <Button type="submit" disabled={name === ""}>
          <Trans>Mask</Trans>
        </Button>
      </div>
      <p ref={line} role="alert" className="wrap-anywhere scroll-mb-4 pt-1.5 text-bad text-sm empty:hidden">
        {said}
      </p>
    </form>
  );
}
