//! Formats the comparison of two runs as text.

use crate::output::{format_number, sanitize_text, text_table};
use vitrine_api::{RowsComparison, RunComparison, RunSide};
use vitrine_domain::CellType;
use vitrine_words::{plural, tr, translate_constant as told_text};

/// The text of a NULL cell.
const NULL: &str = "NULL";

/// Lists the common properties and the differences of two runs.
pub(crate) fn format_run_comparison(found: &RunComparison) -> String {
    let (left, right) = (&found.left, &found.right);
    let row = |name: &str, of: &dyn Fn(&RunSide) -> String| {
        vec![name.to_owned(), sanitize_text(&of(left), false), sanitize_text(&of(right), false)]
    };
    let facts = vec![
        row(&tr!(context "heading", "run"), &|side| side.run_id.clone()),
        row(&tr!(context "heading", "question"), &|side| side.question.clone()),
        row(&tr!(context "heading", "method"), &|side| {
            side.strategy.as_ref().map(|name| name.as_str().to_owned()).unwrap_or_default()
        }),
        row(&tr!(context "heading", "status"), &|side| side.status.as_str().to_owned()),
        row(&tr!(context "heading", "rows"), &|side| side.row_count.map(format_number).unwrap_or_default()),
        row(&tr!(context "heading", "model calls"), &|side| format_number(side.usage.llm_calls)),
        row(&tr!(context "heading", "cost"), &|side| side.usage.money_text()),
        row(&tr!(context "heading", "seconds"), &|side| format!("{:.1}", side.usage.wall_ms as f64 / 1000.0)),
        row(&tr!(context "heading", "certainty"), &|side| {
            side.certainty.as_ref().map(|c| told_text(c.level.english_label()).to_owned()).unwrap_or_default()
        }),
    ];
    let text = CellType::Text;
    let mut out = text_table(
        &[(String::new(), text), (tr!(context "heading", "first"), text), (tr!(context "heading", "second"), text)],
        &facts,
    );
    let query = |side: &RunSide| side.sql.as_deref().map(|sql| sanitize_text(sql.trim(), true));
    match (query(left), query(right)) {
        (Some(one), Some(other)) if one == other => out += &format!("\n\n{}", tr!("The SQL is the same.")),
        (one, other) => {
            let shown = |sql: Option<String>| sql.unwrap_or_else(|| tr!("(none)")).replace('\n', "\n  ");
            for (head, sql) in [(tr!("SQL of the first"), one), (tr!("SQL of the second"), other)] {
                out += &format!("\n\n{head}\n  {}", shown(sql));
            }
        }
    }
    match &found.rows {
        None => out += &format!("\n\n{}", tr!("The results cannot be compared: one of the runs has none.")),
        Some(rows) => out += &format!("\n\n{}", format_rows_comparison(rows)),
    }
    out
}

fn format_rows_comparison(rows: &RowsComparison) -> String {
    let mut lines = Vec::new();
    let is_same = rows.changed_count + rows.only_left_count + rows.only_right_count == 0
        && rows.columns_left.is_empty()
        && rows.columns_right.is_empty();
    lines.push(match (is_same, rows.key.as_slice()) {
        (true, _) => tr!("The results are the same."),
        (false, []) => tr!("Rows as a whole: {same} in both", same = format_number(rows.same)),
        (false, key) => tr!(
            "Rows by {key}: {same} the same, {changed} with other values",
            key = sanitize_text(&key.join(", "), false),
            same = format_number(rows.same),
            changed = format_number(rows.changed_count)
        ),
    });
    let names = |names: &[String]| sanitize_text(&names.join(", "), false);
    if !rows.columns_left.is_empty() {
        lines.push(tr!("Only the first has the columns {columns}", columns = names(&rows.columns_left)));
    }
    if !rows.columns_right.is_empty() {
        lines.push(tr!("Only the second has the columns {columns}", columns = names(&rows.columns_right)));
    }
    let cell = |cell: &Option<String>| sanitize_text(cell.as_deref().unwrap_or(NULL), false);
    for row in &rows.changed {
        let key: Vec<String> = row.key.iter().map(cell).collect();
        for changed in &row.cells {
            let column = sanitize_text(&changed.column, false);
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
            lines.push(format!("  {sign} {}", plural!(more, "{n} more", "{n} more")));
        }
    }
    if rows.partial {
        lines.push(tr!("The log contains only the first rows of the results: there may be further differences."));
    }
    lines.join("\n")
}
