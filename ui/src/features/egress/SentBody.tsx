import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useMemo } from "react";
import { Facts } from "../../kit/detail";
import { count, dayAndTime } from "../../kit/format";
import { Segmented, type SegmentedChoice } from "../../kit/segmented";
import { CopyButton } from "../../kit/sqlText";
import { TextButton } from "../../kit/textButton";
import { formatReadable } from "./readable";
import type { SentRequest } from "./sent";

export type Form = "readable" | "exact";

/** One request: where it went, what it holds, and its text. */
export function SentBody({
  request,
  form: wanted,
  onForm,
  onStep,
}: {
  request: SentRequest;
  form: Form;
  onForm: (form: Form) => void;
  onStep: (node: string) => void;
}) {
  const { node } = request;
  const laidOut = useMemo(() => formatReadable(request.body), [request.body]);
  const form = laidOut === null ? "exact" : wanted;
  const forms: SegmentedChoice<Form>[] = [
    {
      value: "readable",
      label: t({ message: "Readable", context: "form of a text" }),
      note: t`One field per line, with line breaks shown`,
      off: laidOut === null ? t`The text is not JSON` : undefined,
    },
    { value: "exact", label: t`Exact`, note: t`Byte for byte, as sent` },
  ];
  const when = request.at === null ? t`Unknown` : dayAndTime(request.at);
  return (
    <div className="flex h-full flex-col">
      <div className="flex items-baseline justify-between gap-3">
        <h2 className="min-w-0 truncate font-semibold text-lg">{request.step}</h2>
        {node !== null && (
          <span className="text-sm">
            <TextButton onClick={() => onStep(node)}>
              <Trans>Show step</Trans>
            </TextButton>
          </span>
        )}
      </div>
      <Facts
        facts={[
          [
            t({ message: "To", context: "address" }),
            <span key="to" className="wrap-anywhere select-text">
              {request.to}
            </span>,
          ],
          [t`Sent out`, when],
          [t`Size`, t`${count(request.bytes)} bytes`],
          [t`Values from`, request.valuesOf.length > 0 ? request.valuesOf.join(", ") : t`no table`],
        ]}
      />
      <div className="mt-4 mb-2 flex items-center justify-between gap-3">
        <Segmented label={t`Text`} value={form} choices={forms} onChange={onForm} />
        <CopyButton text={request.body} label={t`Copy exact text`} />
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling block has to be reachable by keyboard */}
      <div tabIndex={0} className="min-h-48 flex-1 overflow-auto rounded-md bg-sunk px-3 py-2.5">
        <pre className="wrap-anywhere select-text whitespace-pre-wrap font-mono text-xs leading-[1.6]">
          {form === "exact" ? request.body : laidOut}
        </pre>
      </div>
      <p className="mt-2 text-fg-3 text-xs">
        <Trans>API keys are never recorded.</Trans>
      </p>
    </div>
  );
}
