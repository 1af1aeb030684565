import { useModelChoices } from "../ask/useModels";
import { useConnections } from "../features/connections/state";
import { EvaluationPage } from "../features/evals/EvaluationPage";
import { EvaluationsPage } from "../features/evals/EvaluationsPage";
import { navigate } from "../navigation/route";
import { EvaluatedQuestion } from "./EvaluatedQuestion";

/** The list of evaluations, one of them, or one question of one. */
export function EvaluationPages({ id, question }: { id: string | null; question: string | null }) {
  const current = useConnections((s) => s.current);
  const models = useModelChoices();
  if (id && question) return <EvaluatedQuestion key={question} evaluation={id} question={question} />;
  if (id) {
    return (
      <EvaluationPage
        key={id}
        id={id}
        onBack={() => navigate({ page: "evaluations", id: null, question: null })}
        onOpen={(next) => navigate({ page: "evaluations", id, question: next })}
      />
    );
  }
  return (
    <EvaluationsPage
      warehouse={current && { uri: current.uri, title: current.title }}
      models={models}
      onOpen={(next) => navigate({ page: "evaluations", id: next, question: null })}
    />
  );
}
