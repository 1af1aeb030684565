import { plural, t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { MonitorCheck, SendHorizontal } from "lucide-react";
import { type KeyboardEvent, type ReactNode, useState } from "react";
import type { EgressPolicy } from "../../host/bindings";
import { cx } from "../../kit/cx";
import { WithPanel } from "../../kit/detail";
import { bytes, exactTime } from "../../kit/format";
import { Empty } from "../../kit/status";
import { policySummary } from "./policy";
import { type Form, SentBody } from "./SentBody";
import type { SentRequest } from "./sent";

/** Requests that a run sent to remote models, or the reason why there are none. */
export function SentView({
  policy,
  requests,
  running,
  unrecorded,
  onStep,
}: {
  /** The privacy settings of the run; null if it used no remote model. */
  policy: EgressPolicy | null;
  requests: SentRequest[];
  running: boolean;
  /** Models behind an address that were asked before requests were recorded. */
  unrecorded: string[];
  /** Shows the step that asked. */
  onStep: (node: string) => void;
}) {
  const [chosen, setChosen] = useState(1);
  const [form, setForm] = useState<Form>("readable");
  if (requests.length === 0 && policy === null) {
    return unrecorded.length > 0 ? (
      <Nothing icon={<SendHorizontal size={20} />} title={t`The requests of this run were not recorded`}>
        <Trans>
          It ran in an earlier version with {unrecorded.join(", ")}. Ask the question again to see what is sent.
        </Trans>
      </Nothing>
    ) : (
      <Nothing icon={<MonitorCheck size={20} />} title={t`Nothing left this computer: all models ran locally`} />
    );
  }
  const shown = requests.find((request) => request.number === chosen) ?? requests[0];
  const total = requests.reduce((sum, request) => sum + request.bytes, 0);
  return (
    <>
      <div className="flex shrink-0 flex-wrap items-baseline justify-between gap-x-4 border-line border-b px-5 py-2 text-sm">
        <p className="wrap-anywhere text-fg-2">
          {policy ? policySummary(policy) : t`The privacy settings of this run were not recorded.`}
        </p>
        <p className="nums text-fg-3">
          {plural(requests.length, { one: "# request", other: "# requests" })}, {bytes(total)}
        </p>
      </div>
      {shown === undefined ? (
        <Nothing icon={<SendHorizontal size={20} />} title={running ? t`Nothing sent yet` : t`Nothing was sent`}>
          {running ? t`Each request appears here as it is sent.` : t`No remote model was used.`}
        </Nothing>
      ) : (
        <WithPanel
          selected={String(shown.number)}
          label={t`Request ${shown.number}`}
          wide
          detail={<SentBody request={shown} form={form} onForm={setForm} onStep={onStep} />}
          onClose={() => {}}
        >
          <ul aria-label={t`Requests`} className="min-h-0 flex-1 overflow-y-auto p-2" onKeyDown={moveFocus}>
            {requests.map((request) => (
              <li key={request.number}>
                <button
                  type="button"
                  aria-current={request === shown}
                  onClick={() => setChosen(request.number)}
                  className={cx(
                    "block w-full rounded-md px-3 py-2 text-left",
                    request === shown ? "bg-active" : "hover:bg-hover",
                  )}
                >
                  <span className="flex items-baseline justify-between gap-3">
                    <span className="min-w-0 truncate">
                      <span className="nums text-fg-3">{request.number}</span>{" "}
                      <span className="font-medium">{request.step}</span>
                    </span>
                    <span className="nums shrink-0 text-fg-3 text-xs">{bytes(request.bytes)}</span>
                  </span>
                  <span className="nums block truncate text-fg-3 text-xs">
                    {[request.at && exactTime(request.at), request.to.replace(/^https:\/\//, "")]
                      .filter(Boolean)
                      .join(" · ")}
                  </span>
                  <span className="block truncate text-fg-3 text-xs">
                    {request.valuesOf.length > 0 ? t`Values from ${request.valuesOf.join(", ")}` : t`No values`}
                  </span>
                </button>
              </li>
            ))}
          </ul>
        </WithPanel>
      )}
    </>
  );
}

function Nothing({ icon, title, children }: { icon: ReactNode; title: string; children?: ReactNode }) {
  return (
    <div className="min-h-0 flex-1 overflow-y-auto">
      <Empty icon={icon} title={title}>
        {children}
      </Empty>
    </div>
  );
}

/** The arrow keys, Home and End go through the list and show what they reach. */
function moveFocus(event: KeyboardEvent<HTMLElement>) {
  const rows = [...event.currentTarget.querySelectorAll("button")];
  const at = rows.indexOf(event.target as HTMLButtonElement);
  const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: rows.length - 1 }[event.key];
  const row = to === undefined ? undefined : rows[to];
  if (!row) return;
  event.preventDefault();
  row.focus();
  row.click();
}
