//! Formatting of figures: aligned tables in the terminal, and a section of docs/benchmarks.md.

use anyhow::{Context, Result};
use std::ops::Range;
use std::path::Path;

/// One section of the document.
#[derive(Default)]
pub struct Section {
    /// Description of the measurement, in a sentence or two.
    pub how: String,
    pub figures: Vec<Figure>,
    /// Tables that follow the figures.
    pub tables: Vec<Table>,
}

/// A table with a caption above it.
pub struct Table {
    pub caption: String,
    pub head: &'static [&'static str],
    /// Indices of columns with numbers.
    pub numbers: Range<usize>,
    pub rows: Vec<Vec<String>>,
}

/// A figure with its reference.
#[derive(Default)]
pub struct Figure {
    name: String,
    value: String,
    reference: String,
    ratio: String,
    goal: String,
    met: Option<bool>,
}

const HEAD: [&str; 6] = ["figure", "measured", "reference", "ratio", "goal", "met"];

impl Figure {
    pub fn new(name: impl Into<String>, value: impl Into<String>) -> Self {
        Self { name: name.into(), value: value.into(), ..Self::default() }
    }

    /// Sets the reference and the ratio of the figure to it.
    pub fn against(mut self, reference: impl Into<String>, ratio: f64) -> Self {
        (self.reference, self.ratio) = (reference.into(), times(ratio));
        self
    }

    /// Sets the goal, and `true` if it is met.
    pub fn goal(mut self, goal: impl Into<String>, met: bool) -> Self {
        (self.goal, self.met) = (goal.into(), Some(met));
        self
    }

    fn cells(&self) -> Vec<String> {
        let met = match self.met {
            None => "",
            Some(true) => "met",
            Some(false) => "NOT met",
        };
        [&self.name, &self.value, &self.reference, &self.ratio, &self.goal, met].map(str::to_owned).into()
    }
}

impl Table {
    fn of(figures: &[Figure]) -> Self {
        let rows = figures.iter().map(Figure::cells).collect();
        Self { caption: String::new(), head: &HEAD, numbers: 1..4, rows }
    }

    fn title(&self) -> String {
        if self.caption.is_empty() { String::new() } else { format!("\n{}\n", self.caption) }
    }

    fn lines(&self) -> impl Iterator<Item = Vec<&str>> {
        let rows = self.rows.iter().map(|row| row.iter().map(String::as_str).collect());
        std::iter::once(self.head.to_vec()).chain(rows)
    }

    fn text(&self) -> String {
        let width = |column: usize| self.lines().map(|line| line[column].chars().count()).max().unwrap_or(0);
        let widths: Vec<usize> = (0..self.head.len()).map(width).collect();
        let aligned = |line: Vec<&str>| {
            let cells: Vec<String> = line.iter().zip(&widths).map(|(cell, width)| format!("{cell:<width$}")).collect();
            format!("{}\n", cells.join("  ").trim_end_matches(' '))
        };
        format!("{}\n{}", self.title(), self.lines().map(aligned).collect::<String>())
    }

    fn markdown(&self) -> String {
        let line = |cells: Vec<&str>| format!("| {} |\n", cells.join(" | "));
        let rule = |column| if self.numbers.contains(&column) { "---:|" } else { "---|" };
        let rule: String = (0..self.head.len()).map(rule).collect();
        let mut lines = self.lines().map(line);
        let head = lines.next().unwrap_or_default();
        format!("{}\n{head}|{rule}\n{}", self.title(), lines.collect::<String>())
    }
}

impl Section {
    /// Creates a section that could not be measured; the document keeps its current one.
    pub fn skipped(why: impl Into<String>) -> Self {
        Self { how: why.into(), ..Self::default() }
    }

    /// Formats the figures and all tables.
    fn each(&self, form: fn(&Table) -> String) -> String {
        let figures = (!self.figures.is_empty()).then(|| Table::of(&self.figures));
        figures.iter().chain(&self.tables).map(form).collect()
    }

    /// Formats the section for the terminal.
    pub fn text(&self, name: &str) -> String {
        format!("\n{name}: {}\n{}", self.how, self.each(Table::text))
    }

    fn markdown(&self) -> String {
        format!("{}\n{}", self.how, self.each(Table::markdown))
    }

    /// Replaces the text between the section's marks.
    pub fn write(&self, name: &str, document: &Path) -> Result<()> {
        let text = std::fs::read_to_string(document)?;
        let (begin, end) = (format!("<!-- bench:{name} begin -->\n"), format!("<!-- bench:{name} end -->"));
        let missing = || format!("{} has no marks for the section {name}", document.display());
        let from = text.find(&begin).with_context(missing)? + begin.len();
        let to = from + text[from..].find(&end).with_context(missing)?;
        std::fs::write(document, [&text[..from], &self.markdown(), &text[to..]].concat())?;
        Ok(())
    }
}

/// Formats a number as "12,345".
pub fn count(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

pub fn seconds(seconds: f64) -> String {
    match seconds {
        s if s < 0.1 => format!("{:.2} ms", s * 1000.0),
        s if s < 1.0 => format!("{:.0} ms", s * 1000.0),
        s if s < 100.0 => format!("{s:.2} s"),
        s => format!("{s:.0} s"),
    }
}

pub fn megabytes(bytes: Option<u64>) -> String {
    bytes.map_or_else(|| "unknown".to_owned(), |bytes| format!("{} MB", count(bytes.div_ceil(1_000_000))))
}

pub fn times(ratio: f64) -> String {
    if ratio < 0.1 { format!("{ratio:.3}x") } else { format!("{ratio:.2}x") }
}

pub fn percent(part: f64) -> String {
    format!("{:.1}%", part * 100.0)
}

/// Sorts the values and returns this quantile of them.
pub fn quantile<T: PartialOrd + Copy>(values: &mut [T], part: f64) -> T {
    values.sort_by(|a, b| a.partial_cmp(b).expect("measured values can be ordered"));
    values[((values.len() as f64 * part).ceil() as usize).clamp(1, values.len()) - 1]
}
