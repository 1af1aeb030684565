import { t } from "@lingui/core/macro";
import { Button } from "../../kit/button";
import { useSlow } from "../../kit/useSlow";
import { stopOpening, useConnections } from "./state";

/** Opens a warehouse; while that takes longer than a blink, the same button stops it. */
export function OpenButton({
  uri,
  label,
  variant,
  onOpen,
}: {
  uri: string;
  label: string;
  variant?: "primary";
  onOpen: () => void;
}) {
  const opening = useConnections((s) => s.opening === uri);
  const slow = useSlow(opening);
  return (
    <Button
      size="sm"
      variant={slow ? undefined : variant}
      busy={opening && !slow}
      onClick={() => (opening ? void stopOpening() : onOpen())}
    >
      {slow ? t`Stop` : label}
    </Button>
  );
}
