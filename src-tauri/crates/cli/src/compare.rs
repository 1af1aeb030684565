//! Two runs side by side, as text.

use crate::output::{clean, number, text_table};
use vitrine_api::{RowsComparison, RunComparison, RunSide};
use vitrine_domain::CellType;

/// A cell that is NULL.
const NULL: &str = "NULL";

/// What two runs have in common, and what not.
pub(crate) fn told(found: &RunComparison) -> String {
    let (left, right) = (&found.left, &found.right);
    let row = |name: &str, of: &dyn Fn(&RunSide) -> String| {
        vec![name.to_owned(), clean(&of(left), false), clean(&of(right), false)]
    };
    let facts = vec![
        row("run", &|side| side.run_id.clone()),
        row("question", &|side| side.question.clone()),
        row("method", &|side| side.strategy.as_ref().map(|name| name.as_str().to_owned()).unwrap_or_default()),
        row("status", &|side| side.status.as_str().to_owned()),
        row("rows", &|side| side.row_count.map(number).unwrap_or_default()),
        row("model calls", &|side| number(side.usage.llm_calls)),
        row("cost", &|side| side.usage.money_text()),
        row("seconds", &|side| format!("{:.1}", side.usage.wall_ms as f64 / 1000.0)),
        row("certainty", &|side| side.certainty.as_ref().map(|c| c.level.words().to_owned()).unwrap_or_default()),
    ];
    let text = CellType::Text;
    let mut out = text_table(&[("", text), ("first", text), ("second", text)], &facts);
    let query = |side: &RunSide| side.sql.as_deref().map(|sql| clean(sql.trim(), true));
    match (query(left), query(right)) {
        (Some(one), Some(other)) if one == other => out += "\n\nThe SQL is the same.",
        (one, other) => {
            let shown = |sql: Option<String>| sql.unwrap_or_else(|| "(none)".to_owned()).replace('\n', "\n  ");
            out += &format!("\n\nSQL of the first\n  {}\n\nSQL of the second\n  {}", shown(one), shown(other));
        }
    }
    match &found.rows {
        None => out += "\n\nThe results cannot be compared: one of the runs has none.",
        Some(rows) => out += &format!("\n\n{}", difference(rows)),
    }
    out
}

fn difference(rows: &RowsComparison) -> String {
    let mut lines = Vec::new();
    let is_same = rows.changed_count + rows.only_left_count + rows.only_right_count == 0
        && rows.columns_left.is_empty()
        && rows.columns_right.is_empty();
    lines.push(match (is_same, rows.key.as_slice()) {
        (true, _) => "The results are the same.".to_owned(),
        (false, []) => format!("Rows as a whole: {} in both", number(rows.same)),
        (false, key) => format!(
            "Rows by {}: {} the same, {} with other values",
            clean(&key.join(", "), false),
            number(rows.same),
            number(rows.changed_count)
        ),
    });
    for (who, names) in [("first", &rows.columns_left), ("second", &rows.columns_right)] {
        if !names.is_empty() {
            lines.push(format!("Only the {who} has the columns {}", clean(&names.join(", "), false)));
        }
    }
    let cell = |cell: &Option<String>| clean(cell.as_deref().unwrap_or(NULL), false);
    for row in &rows.changed {
        let key: Vec<String> = row.key.iter().map(cell).collect();
        for changed in &row.cells {
            let column = clean(&changed.column, false);
            lines.push(format!("  {}: {column} {} -> {}", key.join(", "), cell(&changed.left), cell(&changed.right)));
        }
    }
    let sides = [("-", &rows.only_left, rows.only_left_count), ("+", &rows.only_right, rows.only_right_count)];
    for (sign, only, count) in sides {
        for row in only {
            lines.push(format!("  {sign} {}", row.iter().map(cell).collect::<Vec<_>>().join(" | ")));
        }
        let more = count.saturating_sub(only.len() as u64);
        if more > 0 {
            lines.push(format!("  {sign} {} more", number(more)));
        }
    }
    if rows.partial {
        lines.push("Only the first rows of the results are in the log: there may be further differences.".to_owned());
    }
    lines.join("\n")
}
