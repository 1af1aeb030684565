import { Play, Square } from "lucide-react";
import { Button } from "../../kit/button";

export function RunButton({ running, onRun, onStop }: { running: boolean; onRun: () => void; onStop: () => void }) {
  return running ? (
    <Button size="sm" icon={<Square size={12} />} onClick={onStop}>
      Stop
    </Button>
  ) : (
    <Button size="sm" variant="primary" icon={<Play size={12} />} onClick={onRun} title="Ctrl+Enter">
      Run
    </Button>
  );
}
