//! CSV export with one row per question and run, for custom analyses. Omits questions, SQL and messages, because a
//! pack's licence may not allow redistribution.

use super::candidates::{Loss, judge_candidates};
use super::data::Report;
use crate::metrics::linking::Overlap;
use crate::run::{Outcome, Run};

const COLUMNS: [&str; 29] = [
    "run",
    "id",
    "database",
    "hardness",
    "spider",
    "bird",
    "spider2",
    "answered",
    "certainty",
    "probability",
    "fault",
    "gold_tables",
    "tables",
    "common_tables",
    "gold_columns",
    "columns",
    "common_columns",
    "calls",
    "prompt_tokens",
    "cached_prompt_tokens",
    "completion_tokens",
    "reasoning_tokens",
    "db_calls",
    "seconds",
    "at_once",
    "candidates",
    "right_candidates",
    "lost",
    "errors",
];

impl Report {
    /// Renders one CSV row for each question of each run.
    pub fn to_csv(&self) -> String {
        render_csv(&self.sources)
    }
}

/// Renders the runs as CSV; booleans are 1 or 0, unknown values are empty.
fn render_csv(runs: &[Run]) -> String {
    let mut writer = csv::Writer::from_writer(Vec::new());
    let rows = runs.iter().flat_map(|run| run.outcomes.iter().map(|outcome| format_row(run, outcome)));
    for row in std::iter::once(COLUMNS.map(str::to_owned)).chain(rows) {
        writer.write_record(row).expect("memory takes everything");
    }
    String::from_utf8(writer.into_inner().expect("memory takes everything")).expect("text in, text out")
}

fn format_row(run: &Run, outcome: &Outcome) -> [String; COLUMNS.len()] {
    let truth = |is: bool| u8::from(is).to_string();
    let overlap = |of: Option<Overlap>| {
        of.map_or_else(Default::default, |of| [of.gold, of.predicted, of.common].map(|number| number.to_string()))
    };
    let [gold_tables, tables, common_tables] = overlap(outcome.linking.map(|linking| linking.tables));
    let [gold_columns, columns, common_columns] = overlap(outcome.linking.map(|linking| linking.columns));
    let usage = outcome.usage;
    let evaluated = outcome.candidates.as_ref();
    let judged = evaluated.map(|candidates| judge_candidates(outcome, candidates, run.rule));
    let errors = evaluated.iter().flat_map(|candidates| &candidates.errors).map(|class| class.name());
    let certainty = outcome.certainty.as_ref();
    [
        run.name.clone(),
        outcome.id.clone(),
        outcome.db_id.clone(),
        outcome.hardness.clone(),
        truth(outcome.spider),
        truth(outcome.bird),
        outcome.spider2.map(truth).unwrap_or_default(),
        truth(outcome.answered),
        certainty.map(|certainty| certainty.level.as_str().to_owned()).unwrap_or_default(),
        certainty.map(|certainty| certainty.probability.to_string()).unwrap_or_default(),
        outcome.fault.map(|fault| fault.name().to_owned()).unwrap_or_default(),
        gold_tables,
        tables,
        common_tables,
        gold_columns,
        columns,
        common_columns,
        usage.llm_calls.to_string(),
        usage.prompt_tokens.to_string(),
        usage.cached_prompt_tokens.to_string(),
        usage.completion_tokens.to_string(),
        usage.reasoning_tokens.to_string(),
        usage.db_calls.to_string(),
        outcome.elapsed_seconds().map(|seconds| format!("{seconds:.1}")).unwrap_or_default(),
        outcome.at_once.to_string(),
        judged.as_ref().map(|judged| judged.len().to_string()).unwrap_or_default(),
        judged.as_ref().map(|judged| judged.iter().filter(|right| **right).count().to_string()).unwrap_or_default(),
        Loss::of_outcome(outcome, run.rule).map(|loss| loss.name().to_owned()).unwrap_or_default(),
        errors.collect::<Vec<_>>().join(" "),
    ]
}
