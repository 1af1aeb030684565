import { Trans } from "@lingui/react/macro";
import { Play, Square } from "lucide-react";
import { Button } from "../../kit/button";
import { keysText } from "../../kit/keyNames";
import { useKeysOf } from "../../kit/shortcuts";

export function RunButton({ running, onRun, onStop }: { running: boolean; onRun: () => void; onStop: () => void }) {
  const keys = keysText(useKeysOf("runQuery"));
  return running ? (
    <Button size="sm" icon={<Square size={12} />} onClick={onStop}>
      <Trans>Stop</Trans>
    </Button>
  ) : (
    <Button size="sm" variant="primary" icon={<Play size={12} />} onClick={onRun} title={keys || undefined}>
      <Trans>Run</Trans>
    </Button>
  );
}
