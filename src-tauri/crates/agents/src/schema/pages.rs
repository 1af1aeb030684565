//! Pages on a dialect for models that deliberate, if the visible schema has such columns: nested data, dates, the current time for columns
//! of years, and text matching (ReFoRCE, appendix C). A small model copies unnecessary examples, so it gets fewer pages.

use super::nested_page;
use crate::prompt::request::{opening_request, opening_with};
use vitrine_domain::{Catalog, Column, ColumnProfile, ModelProfile, Profile};
use vitrine_llm::Request;
use vitrine_sql::DialectExt;

/// Returns a request over a part of the schema, with the pages that its columns require.
pub fn opening_with_pages(model: &ModelProfile, profile: &Profile, text: &str, visible: &Catalog) -> Request {
    match model.deliberates {
        true => {
            let lines = collect_page_lines(profile, visible);
            opening_with(visible.dialect, text, &lines.iter().map(String::as_str).collect::<Vec<_>>())
        }
        false => opening_request(visible.dialect, text),
    }
}

/// Collects the lines of the pages for columns of `visible`.
fn collect_page_lines(profile: &Profile, visible: &Catalog) -> Vec<String> {
    let dialect = visible.dialect;
    let any = |is: &dyn Fn(&Column, Option<&ColumnProfile>) -> bool| {
        visible.tables.iter().any(|table| {
            let known = profile.find_table(&table.name);
            table.columns.iter().any(|column| is(column, known.and_then(|known| known.find_column(&column.name))))
        })
    };
    let lines_of = |page: &str| page.lines().map(str::to_owned).collect::<Vec<_>>();
    let mut lines = lines_of(dialect.sql().reference_page());
    if any(&|column, known| vitrine_catalog::holds_dates(column, known, dialect)) {
        lines.extend(lines_of(dialect.sql().date_page()));
    } else if any(&|column, known| vitrine_catalog::holds_years(column, known)) {
        // "How many years ago" also occurs with columns of years.
        lines.push(dialect.sql().clock_line().to_owned());
    }
    if any(&|column, known| vitrine_catalog::holds_words(column, known, dialect)) {
        lines.extend(lines_of(dialect.sql().text_page()));
    }
    if any(&|column, known| vitrine_catalog::is_nested(column, known, dialect)) {
        lines.extend(nested_page::general_lines(dialect));
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schema::selection::tests::sample_catalog;

    /// Returns the text before the question for a schema whose first column has this type.
    fn opening_text(data_type: &str, deliberates: bool) -> String {
        let mut catalog = sample_catalog();
        catalog.tables[0].columns[0].data_type = data_type.to_owned();
        let model = ModelProfile { deliberates, ..ModelProfile::default() };
        opening_with_pages(&model, &Profile::default(), "CREATE TABLE t", &catalog).prefix
    }

    #[test]
    fn a_schema_with_years_alone_is_told_how_the_clock_is_read() {
        let clock = sample_catalog().dialect.sql().clock_line();
        assert!(clock.contains("counts from today"), "{clock}");
        assert!(opening_text("YEAR", true).contains(clock) && !opening_text("INTEGER", true).contains(clock));
        assert!(!opening_text("YEAR", false).contains(clock), "a small model is told less");
        // The line occurs once, on the page on dates.
        assert_eq!(
            [opening_text("DATE", true).matches(clock).count(), opening_text("YEAR", true).matches(clock).count()],
            [1, 1]
        );
        assert!(opening_text("DATE", true).len() > opening_text("YEAR", true).len());
    }
}
