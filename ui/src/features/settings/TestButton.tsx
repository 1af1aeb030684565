import { useState } from "react";
import { host, toAppError } from "../../host/host";
import { Button } from "../../kit/button";
import { toast, toastError } from "../../kit/toast";

/** Asks a model for a short reply and says how it went. */
export function TestButton({ id }: { id: string }) {
  const [busy, setBusy] = useState(false);
  const test = async () => {
    setBusy(true);
    try {
      toast({ tone: "good", title: await host().testModel(id), life: 8000 });
    } catch (thrown) {
      toastError(toAppError(thrown));
    } finally {
      setBusy(false);
    }
  };
  return (
    <Button size="sm" variant="quiet" busy={busy} onClick={() => void test()}>
      Test
    </Button>
  );
}
