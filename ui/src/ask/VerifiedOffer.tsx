import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { BadgeCheck } from "lucide-react";
import { useEffect, useState } from "react";
import { useAsk } from "../features/ask/state";
import { useSaved } from "../features/saved/state";
import type { SavedQuestion } from "../host/bindings";
import { host } from "../host/host";
import { Button } from "../kit/button";
import { calendarDay } from "../kit/format";
import { navigate } from "../navigation/route";

/** Until the user has stopped typing. */
const PAUSE_MS = 250;

/** Offers the query of the question that the user has verified in the words that are typed. */
export function VerifiedOffer({ warehouse }: { warehouse: string }) {
  const text = useAsk((s) => s.text.trim());
  const some = useSaved((s) => s.list.some((q) => q.status === "verified" && q.warehouse === warehouse));
  const [found, setFound] = useState<SavedQuestion | null>(null);
  useEffect(() => {
    setFound(null);
    if (text === "" || !some) return;
    let here = true;
    const timer = setTimeout(() => {
      host()
        .verifiedAnswer(warehouse, text)
        .then((answer) => here && setFound(answer))
        // The question is asked of the models as any other.
        .catch(() => {});
    }, PAUSE_MS);
    return () => {
      here = false;
      clearTimeout(timer);
    };
  }, [text, warehouse, some]);
  if (!found) return null;
  return (
    <div
      role="status"
      className="mt-3 flex items-center gap-3 rounded-lg border border-good/30 bg-good-soft px-4 py-2.5 text-sm"
    >
      <BadgeCheck size={16} className="shrink-0 text-good" aria-hidden />
      <span className="wrap-anywhere min-w-0 flex-1">
        {verified(found)}: “{found.title}”.
      </span>
      <Button size="sm" onClick={() => navigate({ page: "saved", id: found.id })}>
        <Trans>Use that query</Trans>
      </Button>
    </div>
  );
}

/** Who verified it and when, as far as that is known. */
function verified({ filing: { checked } }: SavedQuestion): string {
  if (!checked) return t`This question is verified`;
  const day = calendarDay(checked.at);
  return checked.by ? t`${checked.by} verified this question on ${day}` : t`This question was verified on ${day}`;
}
