import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import type { TestStage, TestState } from "../../host/bindings";
import { Button } from "../../kit/button";
import { cx } from "../../kit/cx";
import { ErrorNote } from "../../kit/error";
import { duration } from "../../kit/format";
import { lazyRecord } from "../../kit/lazyRecord";
import { type Status, StatusIcon } from "../../kit/status";
import { startTest, stopTest, useTesting } from "./testing";

const STAGES: Record<TestStage, string> = lazyRecord({
  name: () => t`Name`,
  ssh: () => "SSH",
  reach: () => t`Network`,
  tls: () => t`Encryption`,
  login: () => t`Sign-in`,
  role: () => t`Role`,
  readable: () => t`Access`,
  rights: () => t`Permissions`,
});

const STATES: Record<TestState, Status> = {
  waiting: "waiting",
  running: "running",
  ok: "done",
  warning: "warning",
  failed: "failed",
  skipped: "skipped",
};

/** Tests an address stage by stage, each with what was found and what to do next. */
export function TestPanel({ address, password }: { address: string; password: string }) {
  const { address: tested, test, error } = useTesting();
  const running = tested !== null && error === null && !test?.done;
  return (
    <section aria-label={t`Test`} className="rounded-lg border border-line bg-sunk">
      <div className="flex items-center gap-3 px-4 py-2.5">
        <div className="min-w-0 flex-1">
          <h3 className="font-medium">
            <Trans>Test</Trans>
          </h3>
          <p className="text-fg-3 text-sm">
            {tested !== null && tested !== address && !running
              ? t`The address has changed since this test.`
              : t`The test is read-only.`}
          </p>
        </div>
        {running ? (
          <Button size="sm" onClick={stopTest}>
            <Trans>Stop</Trans>
          </Button>
        ) : (
          <Button size="sm" disabled={address === ""} onClick={() => void startTest(address, password)}>
            {test ? t`Test again` : t`Test`}
          </Button>
        )}
      </div>
      {error && (
        <div className="px-4 pb-3">
          <ErrorNote error={error} compact />
        </div>
      )}
      {test && (
        <ol aria-live="polite" aria-busy={running} className="flex flex-col border-line border-t px-4 py-1.5">
          {test.steps.map((step) => (
            <li key={step.stage} className="flex gap-2.5 py-1.5">
              <span className="mt-0.5">
                <StatusIcon status={STATES[step.state]} />
              </span>
              <span className={cx("w-22 shrink-0", step.state === "waiting" ? "text-fg-3" : "font-medium")}>
                {STAGES[step.stage]}
              </span>
              <div className="min-w-0 flex-1">
                <div className="wrap-anywhere">{step.message}</div>
                {step.detail.length > 0 && (
                  <ul className="mt-0.5 text-fg-3 text-sm">
                    {step.detail.map((line) => (
                      <li key={line} className="wrap-anywhere">
                        {line}
                      </li>
                    ))}
                  </ul>
                )}
                {step.advice && (
                  <p className="wrap-anywhere mt-0.5 text-fg-2 text-sm">
                    <span className="font-medium">
                      <Trans>Next:</Trans>{" "}
                    </span>
                    {step.advice}
                  </p>
                )}
              </div>
              {step.wallMs > 100 && (
                <span className="nums shrink-0 text-fg-3 text-xs leading-5">{duration(step.wallMs)}</span>
              )}
            </li>
          ))}
        </ol>
      )}
    </section>
  );
}
