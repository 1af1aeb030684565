import type { Agent, Settings } from "../../host/bindings";
import { NumberInput, OptionalNumberInput, SettingRow, Switch } from "../../kit/field";
import { useMethodChoices } from "../../kit/methods";
import { Select } from "../../kit/select";
import { changeSettings, usableModels, useSettings } from "./state";

const AGENTS: Record<Agent, { title: string; help: string }> = {
  rewriter: { title: "Understanding the question", help: "Makes task, columns and conditions explicit." },
  linker: { title: "Choosing tables", help: "Says which tables and columns matter. DSR-SQL, ReFoRCE and ProSPy." },
  explorer: { title: "Looking at the data", help: "Writes small queries that probe it. DSR-SQL and ReFoRCE." },
  "view-generator": { title: "Finding the data", help: "Writes views and chooses tables. AV-SQL, Auto and ProSPy." },
  exemplar: { title: "Writing examples", help: "Example questions with their queries. CHASE-SQL." },
  planner: { title: "Planning", help: "Lays out the final query." },
  generator: { title: "Writing the SQL", help: "Writes and repairs the final query." },
  judge: { title: "Choosing between results", help: "Compares two results where candidates disagree." },
  revisor: { title: "Checking the SQL", help: "Compares the query with the question." },
  analyst: { title: "Analysing", help: "Works the answer out from fetched views. ProSPy." },
};

/** How questions are worked on. */
export function AskingSection({ settings }: { settings: Settings }) {
  const { models, remotes } = useSettings();
  const methods = useMethodChoices();
  const usable = usableModels(models, remotes);
  const title = usable.find((m) => m.id === settings.defaultModel)?.title ?? settings.defaultModel;
  const choices = [
    { value: "", label: "Default", note: title },
    ...usable.map((m) => ({ value: m.id, label: m.title })),
  ];
  return (
    <>
      <h2 className="mb-1 font-semibold text-lg">Method</h2>
      <SettingRow label="Strategy" help="How a question is worked on. Can be changed for each question.">
        <Select
          label="Strategy"
          className="w-44"
          value={settings.strategy}
          choices={methods}
          onChange={(strategy) => void changeSettings({ strategy })}
        />
      </SettingRow>
      <SettingRow
        label="Candidates"
        help="Final queries of Auto, AV-SQL and Plain vote. The most common result wins."
      >
        <NumberInput
          label="Candidates"
          value={settings.candidates}
          min={1}
          max={16}
          onChange={(candidates) => void changeSettings({ candidates })}
        />
      </SettingRow>
      <SettingRow label="Repair rounds" help="How often a step may be repaired after an error from the database.">
        <NumberInput
          label="Repair rounds"
          value={settings.maxRounds}
          min={0}
          max={10}
          onChange={(maxRounds) => void changeSettings({ maxRounds })}
        />
      </SettingRow>
      <SettingRow
        label="Time limit, in seconds"
        help="When a question has taken that long, the best result so far is its answer."
      >
        <OptionalNumberInput
          label="Time limit"
          empty="None"
          value={settings.budget.seconds}
          min={1}
          max={86_400}
          onChange={(seconds) => void changeSettings({ budget: { ...settings.budget, seconds } })}
        />
      </SettingRow>
      <SettingRow
        label="Token limit"
        help="The same for the tokens of prompts and replies: bounds what a question may cost."
      >
        <OptionalNumberInput
          label="Token limit"
          empty="None"
          value={settings.budget.tokens}
          min={1}
          max={100_000_000}
          onChange={(tokens) => void changeSettings({ budget: { ...settings.budget, tokens } })}
        />
      </SettingRow>
      <SettingRow
        label="Ask when unsure"
        help="Where candidates disagree, shows what each reading of the question leads to and lets you choose."
      >
        <Switch
          label="Ask when unsure"
          checked={settings.askWhenUnsure}
          onChange={(askWhenUnsure) => void changeSettings({ askWhenUnsure })}
        />
      </SettingRow>

      <h2 className="mt-9 mb-1 font-semibold text-lg">Model for each step</h2>
      {(Object.keys(AGENTS) as Agent[]).map((agent) => (
        <SettingRow key={agent} label={AGENTS[agent].title} help={AGENTS[agent].help}>
          <Select
            label={`Model for: ${AGENTS[agent].title}`}
            className="w-60"
            value={settings.agentModels[agent] ?? ""}
            choices={choices}
            onChange={(id) => {
              const { [agent]: _, ...rest } = settings.agentModels;
              void changeSettings({ agentModels: id === "" ? rest : { ...rest, [agent]: id } });
            }}
          />
        </SettingRow>
      ))}

      <h2 className="mt-9 mb-1 font-semibold text-lg">Model on this computer</h2>
      <SettingRow label="Threads" help="0 takes one for each processor core.">
        <NumberInput
          label="Threads"
          value={settings.threads}
          min={0}
          max={256}
          onChange={(threads) => void changeSettings({ threads })}
        />
      </SettingRow>
      <SettingRow label="Context, in tokens" help="Longer contexts take more memory.">
        <NumberInput
          label="Context"
          value={settings.contextTokens}
          min={2048}
          max={131_072}
          onChange={(contextTokens) => void changeSettings({ contextTokens })}
        />
      </SettingRow>
      <SettingRow
        label="Release memory after"
        help="Minutes without a question. The next one starts the model again; 0 keeps it ready."
      >
        <NumberInput
          label="Release memory after"
          unit="min"
          value={settings.idleMinutes}
          min={0}
          max={1440}
          onChange={(idleMinutes) => void changeSettings({ idleMinutes })}
        />
      </SettingRow>

      <h2 className="mt-9 mb-1 font-semibold text-lg">Database</h2>
      <SettingRow label="Row limit" help="Rows read into an answer. An export has no limit.">
        <NumberInput
          label="Row limit"
          value={settings.rowLimit}
          min={1}
          max={1_000_000}
          onChange={(rowLimit) => void changeSettings({ rowLimit })}
        />
      </SettingRow>
      <SettingRow label="Timeout, in seconds" help="The longest that one query may take.">
        <NumberInput
          label="Timeout"
          value={settings.timeoutS}
          min={1}
          max={3600}
          onChange={(timeoutS) => void changeSettings({ timeoutS })}
        />
      </SettingRow>
      <SettingRow label="Memory, in MB" help="The most that a query may use.">
        <NumberInput
          label="Memory"
          value={settings.memoryMb}
          min={64}
          max={262_144}
          onChange={(memoryMb) => void changeSettings({ memoryMb })}
        />
      </SettingRow>
      <SettingRow
        label="Guard formulas in CSV"
        help="Puts a ' before values that a spreadsheet would run as a formula."
      >
        <Switch
          label="Guard formulas in CSV"
          checked={settings.csvGuardFormulas}
          onChange={(csvGuardFormulas) => void changeSettings({ csvGuardFormulas })}
        />
      </SettingRow>
    </>
  );
}
