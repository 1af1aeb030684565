//! Two or more runs over the same questions, side by side, as a Markdown table.

use crate::metrics::EVALUATOR_VERSION;
use crate::run::Outcome;
use std::collections::HashMap;

/// One run under its name.
pub struct NamedRun {
    /// For the column head.
    pub name: String,
    /// Its outcomes.
    pub outcomes: Vec<Outcome>,
}

/// The middle value; the upper one of two.
pub fn median(mut values: Vec<u64>) -> u64 {
    values.sort_unstable();
    values.get(values.len() / 2).copied().unwrap_or(0)
}

/// Exact two-sided sign test: the probability of a split at least this uneven between `wins` and `losses`.
pub fn sign_test(wins: u32, losses: u32) -> f64 {
    let n = wins + losses;
    let mut term = 0.5f64.powi(n as i32);
    let mut tail = 0.0;
    for k in 0..=wins.min(losses) {
        tail += term;
        term *= f64::from(n - k) / f64::from(k + 1);
    }
    (2.0 * tail).min(1.0)
}

/// A table over the questions that every run has, then the pairs of the last run against the first.
pub fn markdown(pack: &str, runs: &[NamedRun]) -> String {
    let common: Vec<&str> = runs.first().map_or(Vec::new(), |first| {
        first
            .outcomes
            .iter()
            .map(|o| o.id.as_str())
            .filter(|id| runs.iter().all(|r| r.outcomes.iter().any(|o| o.id == *id)))
            .collect()
    });
    let of = |run: &'_ NamedRun| -> Vec<Outcome> {
        let by_id: HashMap<&str, &Outcome> = run.outcomes.iter().map(|o| (o.id.as_str(), o)).collect();
        common.iter().map(|id| by_id[id].clone()).collect()
    };
    let columns: Vec<Vec<Outcome>> = runs.iter().map(of).collect();
    let n = common.len().max(1);
    let mut out = format!("### {pack}: {} questions, evaluator {EVALUATOR_VERSION}\n\n| |", common.len());
    for run in runs {
        out += &format!(" {} |", run.name);
    }
    out += &format!("\n|---|{}\n", "---:|".repeat(runs.len()));
    let mut row = |label: &str, cell: &dyn Fn(&[Outcome]) -> String| {
        out += &format!("| {label} |");
        for column in &columns {
            out += &format!(" {} |", cell(column));
        }
        out.push('\n');
    };
    let share = |part: usize| format!("{:.1}% ({part})", 100.0 * part as f64 / n as f64);
    row("right by Spider's rule", &|o| share(o.iter().filter(|x| x.spider).count()));
    row("right by BIRD's rule", &|o| share(o.iter().filter(|x| x.bird).count()));
    row("answered", &|o| share(o.iter().filter(|x| x.answered).count()));
    row("median seconds", &|o| format!("{:.1}", median(o.iter().map(|x| x.usage.wall_ms).collect()) as f64 / 1000.0));
    let mean = |o: &[Outcome], pick: fn(&Outcome) -> u64| o.iter().map(pick).sum::<u64>() as f64 / n as f64;
    row("model calls, mean", &|o| format!("{:.1}", mean(o, |x| x.usage.llm_calls)));
    row("prompt tokens, mean", &|o| format!("{:.0}", mean(o, |x| x.usage.prompt_tokens)));
    row("prompt tokens, median", &|o| median(o.iter().map(|x| x.usage.prompt_tokens).collect()).to_string());
    row("of them reused", &|o| {
        let (cached, all) = (mean(o, |x| x.usage.cached_prompt_tokens), mean(o, |x| x.usage.prompt_tokens));
        format!("{:.0}%", if all > 0.0 { 100.0 * cached / all } else { 0.0 })
    });
    row("completion tokens, mean", &|o| format!("{:.0}", mean(o, |x| x.usage.completion_tokens)));
    row("database calls, mean", &|o| format!("{:.1}", mean(o, |x| x.usage.db_calls)));
    if let (Some(first), Some(last), true) = (columns.first(), columns.last(), runs.len() > 1) {
        let count = |a: &[Outcome], b: &[Outcome]| a.iter().zip(b).filter(|(x, y)| x.spider && !y.spider).count();
        let (wins, losses) = (count(last, first) as u32, count(first, last) as u32);
        out += &format!(
            "\n{} against {} by Spider's rule: {wins} wins, {losses} losses, sign test p = {:.3}.\n",
            runs[runs.len() - 1].name,
            runs[0].name,
            sign_test(wins, losses)
        );
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sign_test_is_exact() {
        assert!((sign_test(5, 5) - 1.0).abs() < 1e-9);
        assert!((sign_test(10, 0) - 2.0 / 1024.0).abs() < 1e-9);
        assert!((sign_test(8, 2) - 112.0 / 1024.0).abs() < 1e-9);
    }
}
