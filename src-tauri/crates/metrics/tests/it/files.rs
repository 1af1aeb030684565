//! The file of a connection.

use crate::fixtures::{METRICS, catalog, metrics};
use vitrine_domain::Dialect;
use vitrine_metrics::{MetricsFile, export_metricflow, import_files, parse_file, render_file, update_file};

#[test]
fn a_file_is_written_and_read_without_loss() {
    let file = metrics();
    let text = render_file(&file).unwrap();
    assert_eq!(parse_file(&text).unwrap(), file);
    for odd in
        ["yes", "null", "1.0", "a: b", "# no comment", "line\nbreak", " 'x' ", "ü ✓", "{{ x }}", "- a", "2024-01-01"]
    {
        let mut file = metrics();
        file.metrics[0].description = Some(odd.to_owned());
        file.tables[0].dimensions[1].values.insert(odd.to_owned(), vec![odd.to_owned()]);
        assert_eq!(parse_file(&render_file(&file).unwrap()).unwrap(), file, "{odd}");
    }
    assert_eq!(parse_file("# nothing yet\n").unwrap(), MetricsFile::default());
}

#[test]
fn a_wrong_file_is_rejected_with_the_place() {
    for (text, reason) in [
        ("metrics: [{name: a, agregate: sum}]", "agregate"),
        ("metrics: [{name: a}]", "not exactly one aggregate"),
        ("metrics: [{name: a, aggregate: sum, of: x}]", "no table"),
        ("metrics: [{name: a, aggregate: sum, table: t}]", "no column"),
        ("metrics: [{name: a, formula: b}, {name: A, formula: b}]", "Several metrics"),
        ("tables: [{name: t, dimensions: [{name: a}, {name: a}]}]", "'a' twice"),
        ("calendar: {fiscal_year_start: 13}", "1 to 12"),
        ("metrics: [{name: a, cumulative: {metric: b, window: 7 moons}}]", "7 moons"),
        ("metrics: [", "cannot be read"),
    ] {
        let told = parse_file(text).unwrap_err().message;
        assert!(told.contains(reason), "{text}: {told}");
    }
}

#[test]
fn what_is_exported_is_imported_again() {
    let file = metrics();
    let exported = export_metricflow(&file).unwrap();
    assert!(exported.skipped.is_empty(), "{:?}", exported.skipped);
    let files = [("exported.yml".to_owned(), exported.text)];
    let again = import_files(&files, &MetricsFile::default(), &catalog(Dialect::Duckdb)).unwrap();
    let names = |file: &MetricsFile| file.metrics.iter().map(|metric| metric.name.clone()).collect::<Vec<_>>();
    assert_eq!(names(&again.file), names(&file), "{:?}", again.skipped);
    assert_eq!(again.file.tables.len(), file.tables.len());
    assert!(METRICS.contains("{{ Dimension('order__status') }}"));
}

#[test]
fn a_change_keeps_comments_and_the_form_of_the_rest() {
    let old = "# Agreed in May.\ncalendar:\n  week_start: sunday # as in the reports\n\nmetrics:\n  # The main number.\n  - {name: a, aggregate: count, table: t}   # short\n  # Another one.\n  - name: b\n    formula: a * 2\n# The end.\n";
    let mut file = parse_file(old).unwrap();
    file.metrics[1].formula = Some("a * 3".to_owned());
    let mut added = file.metrics[1].clone();
    added.name = "c".to_owned();
    file.metrics.push(added);
    let updated = update_file(old, &file).unwrap();
    insta::assert_snapshot!(updated.text);
    assert!(updated.keeps_comments);
    assert_eq!(parse_file(&updated.text).unwrap(), file);

    assert_eq!(update_file(old, &parse_file(old).unwrap()).unwrap().text, old);
    let flow = "metrics: [{name: a, aggregate: count, table: t}] # all of them";
    let updated = update_file(flow, &file).unwrap();
    assert!(!updated.keeps_comments, "the caller keeps a copy");
    assert_eq!(parse_file(&updated.text).unwrap(), file);
}
