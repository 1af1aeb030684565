//! The whole file, as readers and hostile data meet it.

use super::{answer, column, headline, page, products, report};
use crate::{NoteGroup, ReportedAnswer, describe_result, render_html};
use proptest::prelude::*;
use vitrine_domain::{CellType, Certainty, CertaintyLevel, CertaintyReason, HeadlineShape, Page};

fn unguarded(text: &str) -> String {
    text.to_owned()
}

fn reason(code: &str, text: &str, supports: bool) -> CertaintyReason {
    CertaintyReason { code: code.to_owned(), text: text.to_owned(), supports }
}

#[test]
fn a_report_holds_sentence_certainty_chart_rows_conditions_and_query() {
    let (page, headline) = products();
    let answer = ReportedAnswer {
        certainty: Some(Certainty {
            level: CertaintyLevel::Check,
            probability: 0.64,
            reasons: vec![reason("samples", "Three of four agree.", true), reason("year", "2024 is not used.", false)],
        }),
        notes: vec![NoteGroup { heading: "Warnings".to_owned(), notes: vec!["The data ends in May.".to_owned()] }],
        ..answer(page, headline)
    };
    let html = render_html(&report(vec![answer]), &unguarded);
    for part in [
        "<html lang=\"en\">",
        "<h1 dir=\"auto\">Revenue by product?</h1>",
        "Highest revenue: 184,230.40 for Sofa; lowest: 990.50 for Chair (3 rows)",
        "<p class=\"level check\">Check this (64% likely right)</p>",
        "<li>Three of four agree.</li>",
        "<li>2024 is not used.</li>",
        "<li>The data ends in May.</li>",
        "<li>status is “paid”</li>",
        "Source: Shop (sqlite:&#x2f;data&#x2f;shop.db)",
        "<svg viewBox=",
        "<td class=\"number\" dir=\"auto\">184,230.40</td>",
        "<caption id=\"rows-1\">All 3 rows</caption>",
        "<details><summary>Query (SQL)</summary><pre>SELECT prod_nm",
    ] {
        assert!(html.contains(part), "{part} is missing in\n{html}");
    }
    // One question needs no second heading.
    assert!(!html.contains("<h2"));
}

#[test]
fn nothing_in_a_report_runs_loads_or_leaves() {
    let hostile = "\"'><script>alert(1)</script><img src=x onerror=alert(1)></style></title>-->{{ 7*7 }}{% raw %}&amp;";
    let columns = vec![column(hostile, CellType::Text), column("n", CellType::Integer)];
    let page = page(columns, &[&[hostile, "1"], &["javascript:alert(1)", "2"]]);
    let mut headline = headline(HeadlineShape::Ranked, &[0], Some(1));
    headline.conditions = vec![hostile.to_owned()];
    headline.meanings = vec![Some(hostile.to_owned()), None];
    headline.highest = Some(vitrine_domain::Extreme { row: 0, rows: 1 });
    let hostile_answer = ReportedAnswer {
        question: hostile.to_owned(),
        follows: Some(hostile.to_owned()),
        source: hostile.to_owned(),
        sql: Some(hostile.to_owned()),
        code: Some(hostile.to_owned()),
        withheld: Some(hostile.to_owned()),
        notes: vec![NoteGroup { heading: hostile.to_owned(), notes: vec![hostile.to_owned()] }],
        certainty: Some(Certainty {
            level: CertaintyLevel::Sure,
            probability: 0.9,
            reasons: vec![reason("samples", hostile, true)],
        }),
        conditions: headline.conditions.clone(),
        ..answer(page, headline)
    };
    let mut report = report(vec![hostile_answer]);
    (report.title, report.notes) = (hostile.to_owned(), vec![hostile.to_owned()]);
    let html = render_html(&report, &unguarded);
    let lower = html.to_lowercase();
    for forbidden in ["<script", "<img", "<a ", "<link", "<iframe", "<form", "<object", "onerror=\"", "src=\"", "href"]
    {
        assert!(!lower.contains(forbidden), "{forbidden} in\n{html}");
    }
    assert_eq!(lower.matches("</style>").count(), 1, "{html}");
    assert!(html.contains("{{ 7*7 }}"), "the template evaluates no text of the data");
    assert_eq!(well_formed_elements(&html), Ok(()), "{html}");
}

/// Checks that the elements of a document are closed in order.
fn well_formed_elements(html: &str) -> Result<(), String> {
    const VOID: [&str; 2] = ["meta", "!doctype"];
    let mut open = Vec::new();
    for part in html.split('<').skip(1) {
        let (tag, _) = part.split_once('>').ok_or_else(|| format!("unclosed: {part}"))?;
        let name = tag.trim_end_matches('/').split_whitespace().next().unwrap_or_default().to_lowercase();
        match name.strip_prefix('/') {
            Some(closed) if open.pop().as_deref() == Some(closed) => {}
            Some(closed) => return Err(format!("</{closed}> does not match")),
            None if VOID.contains(&name.as_str()) || tag.ends_with('/') => {}
            None => open.push(name),
        }
    }
    if open.is_empty() { Ok(()) } else { Err(format!("open: {open:?}")) }
}

#[test]
fn the_content_policy_permits_only_the_style_sheet_of_the_file() {
    use base64::Engine;
    use sha2::Digest;
    let (page, headline) = products();
    let html = render_html(&report(vec![answer(page, headline)]), &unguarded);
    let style = html.split_once("<style>").unwrap().1.split_once("</style>").unwrap().0;
    let hash = base64::prelude::BASE64_STANDARD.encode(sha2::Sha256::digest(style));
    let policy = format!("default-src 'none'; style-src 'sha256-{hash}'; base-uri 'none'; form-action 'none'");
    assert!(html.contains(&format!("content=\"{policy}\"")), "{html}");
    assert!(!html.contains("style=\""), "the policy forbids inline styles");
}

#[test]
fn omitted_rows_are_counted() {
    let columns = vec![column("n", CellType::Integer)];
    let rows: Vec<Vec<Option<String>>> = (0..1_000).map(|n| vec![Some(n.to_string())]).collect();
    let whole = Page { columns, rows, row_count: 1_000, truncated: false };
    let caption = |page: Page, most_rows: usize| {
        let headline = headline(HeadlineShape::Rows, &[], None);
        let html = render_html(&report(vec![ReportedAnswer { most_rows, ..answer(page, headline) }]), &unguarded);
        let rows = html.matches("<tr>").count() - 1;
        (rows, html.split_once("<caption id=\"rows-1\">").unwrap().1.split_once('<').unwrap().0.to_owned())
    };
    assert_eq!(caption(whole.clone(), 200), (200, "The first 200 rows of 1,000; 800 are left out".to_owned()));
    assert_eq!(caption(whole.clone(), 5_000), (1_000, "All 1,000 rows".to_owned()));
    let cut = Page { truncated: true, ..whole.clone() };
    assert_eq!(caption(cut.clone(), 200), (200, "The first 200 rows; at least 800 are left out".to_owned()));
    assert_eq!(caption(cut, 1_000), (1_000, "The first 1,000 rows; more exist".to_owned()));
    // A stored page may hold fewer rows than the result has.
    let partial = Page { row_count: 1_500, ..whole };
    assert_eq!(caption(partial, 5_000), (1_000, "The first 1,000 rows of 1,500; 500 are left out".to_owned()));
}

#[test]
fn texts_that_a_spreadsheet_would_evaluate_are_guarded_and_numbers_stay_numbers() {
    let columns = vec![column("=cmd", CellType::Text), column("n", CellType::Integer)];
    let page = page(columns, &[&["=HYPERLINK(1)", "-5000"], &["", "7"]]);
    let guard = |text: &str| if text.starts_with(['=', '-']) { format!("'{text}") } else { text.to_owned() };
    let html = render_html(&report(vec![answer(page, headline(HeadlineShape::Rows, &[], None))]), &guard);
    for part in [">&#x27;=cmd<", ">&#x27;=HYPERLINK(1)<", ">-5,000<", "<td class=\"null\" dir=\"auto\">no value</td>"] {
        assert!(html.contains(part), "{part} is missing in\n{html}");
    }
}

#[test]
fn an_answer_without_certainty_says_so_and_a_stored_result_claims_none() {
    let (page, headline) = products();
    let unknown = answer(page, headline);
    let told = |answer: ReportedAnswer| render_html(&report(vec![answer]), &unguarded);
    assert!(told(unknown.clone()).contains("The certainty of this answer was not estimated"));
    let best = ReportedAnswer { best_so_far: true, ..unknown.clone() };
    assert!(told(best).contains("Only the best result before the search ended"));
    assert!(!told(ReportedAnswer { is_saved: true, ..unknown }).contains("class=\"level"));
}

#[test]
fn several_answers_have_their_own_headings_and_ids() {
    let (page, headline) = products();
    let first = answer(page, headline);
    let second = ReportedAnswer {
        follows: Some("Revenue by product?".into()),
        question: "And in 2024?".into(),
        ..first.clone()
    };
    let html = render_html(&report(vec![first, second]), &unguarded);
    for part in
        ["<h2 dir=\"auto\">And in 2024?</h2>", "Follows “Revenue by product?”", "id=\"rows-2\"", "2 answers, written"]
    {
        assert!(html.contains(part), "{part} is missing in\n{html}");
    }
    let ids: Vec<&str> = html.split(" id=\"").skip(1).filter_map(|part| part.split('"').next()).collect();
    let unique: std::collections::BTreeSet<&&str> = ids.iter().collect();
    assert_eq!(unique.len(), ids.len(), "{ids:?}");
}

#[test]
fn sentences_name_values_as_readers_write_them() {
    let value = page(vec![column("count_star()", CellType::Integer)], &[&["18462"]]);
    let mut headline = headline(HeadlineShape::Value, &[], Some(0));
    headline.meanings = vec![Some("number of orders".to_owned())];
    assert_eq!(
        describe_result(Some(&headline), &value),
        "Number of orders: 18,462 (from orders, where status is “paid”)"
    );
    let columns = vec![column("month", CellType::Text), column("n", CellType::Integer)];
    let months = page(columns, &[&["2024-01", "3"], &["2024-02", "9"]]);
    let series = vitrine_domain::Headline {
        highest: Some(vitrine_domain::Extreme { row: 1, rows: 1 }),
        lowest: Some(vitrine_domain::Extreme { row: 0, rows: 1 }),
        ..super::headline(HeadlineShape::Series, &[0], Some(1))
    };
    assert_eq!(
        describe_result(Some(&series), &months),
        "2 rows, 2024-01 to 2024-02: n highest in 2024-02 (9), lowest in 2024-01 (3)"
    );
    assert_eq!(describe_result(None, &Page::default()), "No rows");
    // Identifiers and years are not grouped, and no digit is lost.
    let ids = vec![
        column("order_id", CellType::Integer),
        column("year", CellType::Integer),
        column("total", CellType::Decimal),
    ];
    let row = page(ids, &[&["1234567", "2024", "-12345678901234567890123.10"]]);
    let told = describe_result(Some(&super::headline(HeadlineShape::Row, &[], None)), &row);
    assert_eq!(told, "order id: 1234567; year: 2024; total: -12345678901234567890123.10");
}

proptest! {
    #[test]
    fn any_text_of_a_database_stays_text(name in ".{0,40}", cell in ".{0,80}", number in any::<f64>()) {
        let columns = vec![column(&name, CellType::Text), column("n", CellType::Float)];
        let rows = vec![
            vec![Some(cell.clone()), Some(number.to_string())],
            vec![Some(format!("{cell}2")), Some("1".to_owned())],
        ];
        let page = Page { columns, rows, row_count: 2, truncated: false };
        let html = render_html(&report(vec![answer(page, headline(HeadlineShape::Rows, &[0], Some(1)))]), &unguarded);
        prop_assert_eq!(well_formed_elements(&html), Ok(()));
        let has_control = html.chars().any(|c| (c.is_control() && !matches!(c, '\n' | '\t')) || c == '\u{202e}');
        prop_assert!(!has_control);
    }
}
