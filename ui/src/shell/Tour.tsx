import { Popover } from "@base-ui/react/popover";
import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { X } from "lucide-react";
import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from "react";
import { useAsk } from "../features/ask/state";
import { useConnections } from "../features/connections/state";
import { useRuns } from "../features/runs/state";
import { usableModels, useSettings } from "../features/settings/state";
import { Button, IconButton } from "../kit/button";
import { cx } from "../kit/cx";
import { isMod } from "../kit/keyNames";
import { useRoute } from "../navigation/route";
import { useUi } from "../navigation/uiState";
import { endTour, isWork, nextStep, onItsPage, sampleQuestion, startTour, TOUR, useTour } from "./tourState";

/** Without an answer yet, the steps point to the run's progress. */
const PLACES = TOUR.map((place) =>
  place === "answer" ? "[data-tour='answer'], [data-tour='progress']" : `[data-tour='${place}']`,
);

/** A card beside the part of the window that it explains. The window stays usable: starting to work ends the tour. */
export function Tour() {
  useOffer();
  const { step } = useTour();
  return step === null ? null : <Card step={step} />;
}

function Card({ step }: { step: number }) {
  const at = usePlace(PLACES[step]!);
  const next = useRef<HTMLButtonElement>(null);
  useEndAtWork(at);
  const last = step === TOUR.length - 1;
  return (
    <Popover.Root
      open={at !== null}
      onOpenChange={(open, { reason }) => !open && reason === "escape-key" && endTour()}
    >
      <Popover.Portal>
        <Popover.Positioner
          anchor={at && beginningOf(at)}
          side="bottom"
          align="start"
          sideOffset={step === 0 ? -18 : 8}
          collisionPadding={12}
          className="z-30"
        >
          <Popover.Popup
            data-tour-card=""
            initialFocus={next}
            finalFocus={goBack}
            onKeyDown={typeOn}
            className="pop-in w-90 max-w-[calc(100vw-24px)] rounded-xl border border-accent-line bg-raised px-4 pt-3 pb-3.5 shadow-pop outline-none"
          >
            {/* Beside its part there is only room in a small window, and there it lies over it. */}
            <Popover.Arrow className="data-[side=bottom]:-top-1.5 data-[side=top]:-bottom-1.5 size-3 data-[side=left]:hidden data-[side=right]:hidden">
              <span className="block size-3 rotate-45 border-accent-line border-t border-l bg-raised in-data-[side=top]:rotate-225" />
            </Popover.Arrow>
            <div aria-live="polite" aria-atomic="true">
              <Popover.Title className="pr-8 font-semibold text-base">{tourTitles()[step]}</Popover.Title>
              <Popover.Description className="mt-1 text-fg-2" render={<div />}>
                <Words step={step} working={at?.getAttribute("data-tour") === "progress"} />
              </Popover.Description>
            </div>
            <div className="mt-3 flex items-center gap-1">
              <Dots step={step} />
              <span className="flex-1" />
              {!last && (
                <Button size="sm" variant="quiet" onClick={endTour}>
                  <Trans>Skip</Trans>
                </Button>
              )}
              <Button ref={next} size="sm" variant="primary" onClick={() => void nextStep()}>
                {last ? t`Done` : t`Next`}
              </Button>
            </div>
            <IconButton
              label={t`End the tour`}
              keys="esc"
              size="sm"
              onClick={endTour}
              className="absolute top-2.5 right-2.5"
            >
              <X size={14} />
            </IconButton>
          </Popover.Popup>
        </Popover.Positioner>
      </Popover.Portal>
    </Popover.Root>
  );
}

const tourTitles = () => [t`Ask in your own words`, t`The answer and how certain it is`, t`Explore and save it`];

function Words({ step, working }: { step: number; working: boolean }): ReactNode {
  const question = sampleQuestion();
  if (step === 0)
    return question
      ? t`Ask as you would ask a colleague, then press Enter. To see an answer now, press Next to ask “${question}”.`
      : t`Ask as you would ask a colleague, then press Enter. To see an answer now, press Next.`;
  if (step === 1 && working)
    return t`Vitrine is working on it and lists each step as it happens. The answer will appear here, with its certainty and the reasons below it.`;
  if (step === 1)
    return t`The answer comes first, computed from the rows. The line below shows how certain it is and why. Further down you see how it was computed: tables, conditions, corrections.`;
  return t`Graph shows how the number was computed from the tables, step by step; SQL shows the query itself. Save, on the right, keeps the question so that you can run it again.`;
}

function Dots({ step }: { step: number }) {
  return (
    <span role="img" aria-label={t`Step ${step + 1} of ${TOUR.length}`} className="flex gap-1.5">
      {TOUR.map((place, i) => (
        <span key={place} className={cx("size-1.5 rounded-full", i === step ? "bg-accent" : "bg-line-strong")} />
      ))}
    </span>
  );
}

/** Cards point to where a wide part begins. */
function beginningOf(at: Element) {
  const getBoundingClientRect = () => {
    const { x, y, width, height } = at.getBoundingClientRect();
    return new DOMRect(x, y, Math.min(width, 120), height);
  };
  return { contextElement: at, getBoundingClientRect };
}

/** Offers the tour on the first start: nothing was asked or typed yet, and the sample could be asked. */
function useOffer() {
  const shown = useTour((s) => s.shown);
  const empty = useRuns(
    (s) => s.status === "ready" && s.search === "" && s.warehouse === null && s.list.length === 0,
  );
  const sample = useSettings((s) => s.info?.sampleUri);
  const model = useSettings((s) => usableModels(s.models, s.remotes).some((m) => m.id === s.settings?.defaultModel));
  const open = useConnections((s) => !s.dialog && s.current !== null && s.current.uri === sample);
  const home = useRoute((s) => s.route.page === "ask");
  const untouched = useAsk((s) => s.text === "");
  const due = shown === false && empty && model && open && home && untouched;
  useEffect(() => {
    if (due) void startTour();
  }, [due]);
}

/** The part of the page that a selector names, as soon as it is there. */
function usePlace(selector: string): Element | null {
  const [place, setPlace] = useState<Element | null>(null);
  useEffect(() => {
    const look = () => setPlace(document.querySelector(`#page :is(${selector})`));
    look();
    const observer = new MutationObserver(look);
    observer.observe(document.getElementById("page") ?? document.body, { childList: true, subtree: true });
    return () => observer.disconnect();
  }, [selector]);
  return place;
}

/** Ends the tour once the person does something that the step is not about. */
function useEndAtWork(at: Element | null) {
  const route = useRoute((s) => s.route);
  const tour = useTour();
  const covered = useUi((s) => s.palette || s.shortcuts);
  const dialog = useConnections((s) => s.dialog);
  const left = !onItsPage(route, tour) || covered || dialog;
  useEffect(() => {
    if (left) endTour();
  }, [left]);
  useEffect(() => {
    const look = (event: Event) => isWork(event.target, event.type, at) && endTour();
    const events = ["pointerdown", "input"];
    for (const type of events) document.addEventListener(type, look, true);
    return () => {
      for (const type of events) document.removeEventListener(type, look, true);
    };
  }, [at]);
}

const questionBox = () => document.querySelector<HTMLTextAreaElement>("#page textarea[data-question]");

/** Where the focus goes when the tour ends inside its card. */
function goBack(): HTMLElement | null {
  return questionBox() ?? document.querySelector<HTMLElement>("#page h1[tabindex]");
}

/** Typing goes into the question box. */
function typeOn(event: KeyboardEvent) {
  if (event.key.length !== 1 || event.key === " " || event.altKey || isMod(event.nativeEvent)) return;
  const box = questionBox();
  if (!box) return;
  endTour();
  box.focus();
}
