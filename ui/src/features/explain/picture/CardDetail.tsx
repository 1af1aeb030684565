import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import type { ReactNode } from "react";
import type { Dialect, Explanation } from "../../../host/bindings";
import { cx } from "../../../kit/cx";
import { Facts } from "../../../kit/detail";
import { count } from "../../../kit/format";
import { MiniTable } from "../../../kit/miniTable";
import { SqlText } from "../../../kit/sqlText";
import { TextButton } from "../../../kit/textButton";
import { Checks } from "../Checks";
import { changeSentence } from "../rowChange";
import { samplePage } from "../sample";
import { USES, wholeQuery } from "../words";
import { KindIcon, stepTitle } from "./cards";
import type { PickedColumn } from "./lineage";
import { type Card, cardName, type Picture, type StepCard, type TableCard } from "./model";

interface CardDisplay {
  picture: Picture;
  explanation: Explanation;
  dialect: Dialect | null;
  /** Highlighted columns of this card. */
  lit: Set<string> | null;
  picked: PickedColumn | null;
  onPick: (picked: PickedColumn) => void;
  onSelect: (card: string) => void;
  onRows: (sql: string) => void;
  onView: (name: string) => void;
}

/** The details of a card. */
export function CardDetail({ card, ...look }: CardDisplay & { card: Card }) {
  return (
    <div className="flex flex-col gap-5">
      <Header card={card} />
      {card.kind === "step" ? (
        <StepDetail card={card} {...look} />
      ) : card.kind === "table" ? (
        <TableDetail card={card} {...look} />
      ) : (
        <>
          <Proof explanation={look.explanation} />
          <Asked card={card} />
          <Columns card={card} {...look} />
          <Reads card={card} {...look} />
        </>
      )}
    </div>
  );
}

function Header({ card }: { card: Card }) {
  const kind = card.kind === "table" ? t`Table` : card.kind === "result" ? t`Result` : stepTitle(card);
  const facts: [string, string][] = [[t`Rows`, card.rows === null ? t`not counted` : count(card.rows)]];
  if (card.kind === "step" && card.step.grain) facts.push([t`Grain`, card.step.grain]);
  return (
    <div>
      <p className="flex items-center gap-1.5 pr-8 text-fg-3 text-sm">
        <KindIcon card={card} size={14} />
        {kind}
      </p>
      <h2 className="wrap-anywhere mt-1 font-semibold">
        {card.kind === "result" ? (card.value ?? t`Rows of the answer`) : cardName(card)}
      </h2>
      <Facts facts={facts} />
      {card.kind === "step" && card.largest && (
        <p className="mt-1 text-fg-2 text-sm">{changeSentence(card.largest)}</p>
      )}
    </div>
  );
}

function StepDetail({ card, ...look }: CardDisplay & { card: StepCard }) {
  const { step } = card;
  return (
    <>
      <div className="-mt-2 flex flex-wrap gap-x-5 gap-y-1 text-sm">
        <TextButton onClick={() => look.onRows(step.runs)}>
          <Trans>Show rows</Trans>
        </TextButton>
        {step.view && (
          <TextButton onClick={() => look.onView(step.view!)}>
            <Trans>Show view {step.view}</Trans>
          </TextButton>
        )}
      </div>
      <Asked card={card} />
      <Columns card={card} {...look} />
      {step.sample.length > 0 && (
        <Section title={t`First rows`}>
          <MiniTable page={samplePage(step)} readable />
        </Section>
      )}
      <Reads card={card} {...look} />
      <Section title="SQL">
        <SqlText sql={step.sql} dialect={look.dialect} />
      </Section>
    </>
  );
}

function Asked({ card: { checks } }: { card: Card }) {
  if (checks.length === 0) return null;
  return (
    <Section title={t`Checks`}>
      <Checks checks={checks} />
    </Section>
  );
}

function TableDetail({ card, ...look }: CardDisplay & { card: TableCard }) {
  const { picture, onSelect } = look;
  const readers = picture.cards.filter((c) => card.readers.includes(c.id));
  return (
    <>
      <Columns card={card} {...look} />
      <Links
        title={readers.length === 1 ? t`Read by` : t`Read by ${readers.length} steps`}
        cards={readers}
        onSelect={onSelect}
      />
    </>
  );
}

/** The inputs of a card, as links. */
function Reads({ card, picture, onSelect }: CardDisplay & { card: Card }) {
  const read = picture.reads.filter(({ to }) => to === card.id).map(({ from }) => from);
  return <Links title={t`Reads`} cards={picture.cards.filter((c) => read.includes(c.id))} onSelect={onSelect} />;
}

function Links({ title, cards, onSelect }: { title: string; cards: Card[]; onSelect: (card: string) => void }) {
  if (cards.length === 0) return null;
  return (
    <Section title={title}>
      <ul className="-mx-1.5 flex flex-col">
        {cards.map((card) => (
          <li key={card.id}>
            <button
              type="button"
              onClick={() => onSelect(card.id)}
              className="flex w-full items-start gap-2 rounded-md px-1.5 py-1 text-left text-sm hover:bg-hover"
            >
              <span className="pt-0.5">
                <KindIcon card={card} size={14} />
              </span>
              <span className="wrap-anywhere min-w-0 flex-1">{cardName(card)}</span>
            </button>
          </li>
        ))}
      </ul>
    </Section>
  );
}

function Proof({ explanation: { proven, unproven, steps } }: { explanation: Explanation }) {
  if (steps.length === 0) return unproven && <p className="text-fg-2 text-sm">{wholeQuery(unproven)}</p>;
  return (
    <p className="text-fg-2 text-sm">
      {proven ? t`The steps were run and reproduce these rows.` : t`The steps are not confirmed: ${unproven ?? ""}.`}
    </p>
  );
}

/** The columns of a card. Selecting one highlights its lineage. */
function Columns({ card, lit, picked, onPick }: Pick<CardDisplay, "lit" | "picked" | "onPick"> & { card: Card }) {
  if (card.columns.length === 0) return null;
  const used = new Map(card.kind === "table" ? card.used.map((c) => [c.column, c.uses] as const) : []);
  return (
    <Section title={t`Columns`} note={t`Select one to trace its lineage`}>
      <ul className="flex flex-wrap gap-1">
        {card.columns.map(({ name }) => {
          const chosen = picked?.card === card.id && picked.column === name;
          const uses = used.get(name);
          return (
            <li key={name} className={cx("flex items-baseline gap-2", uses && "w-full")}>
              <button
                type="button"
                aria-pressed={chosen}
                onClick={() => onPick({ card: card.id, column: name })}
                className={cx(
                  "wrap-anywhere rounded-md px-2 py-0.5 text-left text-sm",
                  chosen
                    ? "bg-accent text-accent-fg"
                    : lit?.has(name)
                      ? "bg-accent-soft font-medium text-accent"
                      : "bg-hover hover:bg-active",
                )}
              >
                {name}
              </button>
              {uses && <span className="text-fg-3 text-xs">{uses.map((use) => USES[use]).join(", ")}</span>}
            </li>
          );
        })}
      </ul>
    </Section>
  );
}

function Section({ title, note, children }: { title: string; note?: string; children: ReactNode }) {
  return (
    <section aria-label={title}>
      <div className="mb-1.5 flex items-baseline justify-between gap-3">
        <h3 className="font-medium text-fg-2 text-sm">{title}</h3>
        {note && <span className="text-fg-3 text-xs">{note}</span>}
      </div>
      {children}
    </section>
  );
}
