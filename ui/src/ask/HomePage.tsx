import { plural } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useEffect, useLayoutEffect, useRef } from "react";
import { EnvironmentBadge } from "../domain/environment";
import type { AskBoxHandle } from "../features/ask/AskBox";
import { Samples } from "../features/ask/Samples";
import { OpeningNote } from "../features/connections/OpeningNote";
import { showOpenDialog, useConnections } from "../features/connections/state";
import { useSettings } from "../features/settings/state";
import { Button } from "../kit/button";
import { navigate } from "../navigation/route";
import { askThis, enterData, useAsking } from "../run/startRun";
import { AskPanel } from "./AskPanel";
import { FirstStart } from "./FirstStart";
import { useSamples } from "./useSamples";

/** The start page. */
export function HomePage() {
  const { current, starting, opening, failure, dialog } = useConnections();
  const sampleUri = useSettings((s) => s.info?.sampleUri ?? null);
  const waiting = useAsking((s) => s.waiting);
  const samples = useSamples();
  const box = useRef<AskBoxHandle>(null);
  useLayoutEffect(() => enterData(current?.uri), [current?.uri]);
  useEffect(() => box.current?.focus(), []);
  return (
    <div className="min-h-0 flex-1 overflow-y-auto">
      <div className="mx-auto flex min-h-full w-full max-w-190 flex-col px-8 pt-[max(3rem,11vh)] pb-10">
        <h1 className="-order-2 font-semibold text-2xl tracking-[-0.015em]">
          <Trans>What would you like to know?</Trans>
        </h1>
        <FirstStart />
        <div data-tour="ask">
          <AskPanel ref={box} running={null} />
        </div>
        {/* Above the box, and behind it in the order of the keys. */}
        <p className="-order-1 mt-1 mb-5 flex h-5 items-center gap-1.5 text-fg-3">
          {current && (
            <>
              <span className="min-w-0 truncate">
                <Trans>Answers come from {current.title}:</Trans>
              </span>
              <button
                type="button"
                className="shrink-0 rounded-sm text-fg-2 underline decoration-line-strong underline-offset-3 hover:text-fg hover:decoration-fg-3"
                onClick={() => navigate({ page: "tables" })}
              >
                {plural(current.tables, { one: "# table", other: "# tables" })},{" "}
                {plural(current.columns, { one: "# column", other: "# columns" })}
              </button>
              <EnvironmentBadge environment={current.connection?.environment} />
            </>
          )}
        </p>
        {!dialog && !waiting && (
          <div className="mt-4 empty:hidden">
            <OpeningNote sampleUri={sampleUri} />
          </div>
        )}
        {!current && !starting && !opening && !failure && (
          <div className="mt-4">
            <Button onClick={() => showOpenDialog(true)}>
              <Trans>Open warehouse</Trans>
            </Button>
          </div>
        )}
        <div className="mt-4">
          <Samples
            questions={current ? samples : starting || opening ? null : []}
            key={current?.uri}
            onPick={(question) => void askThis(question)}
          />
        </div>
      </div>
    </div>
  );
}
