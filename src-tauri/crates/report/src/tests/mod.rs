mod charts;
mod documents;

use crate::{Report, ReportedAnswer, choose_chart};
use vitrine_domain::{CellType, Extreme, Headline, HeadlineShape, Page, ResultColumn};

pub(super) fn column(name: &str, cell_type: CellType) -> ResultColumn {
    ResultColumn::new(name, cell_type)
}

/// Creates a page of cells; an empty text is NULL.
pub(super) fn page(columns: Vec<ResultColumn>, rows: &[&[&str]]) -> Page {
    let cell = |text: &&str| (!text.is_empty()).then(|| (*text).to_owned());
    let rows: Vec<Vec<Option<String>>> = rows.iter().map(|row| row.iter().map(cell).collect()).collect();
    Page { columns, row_count: rows.len() as u64, rows, truncated: false }
}

pub(super) fn headline(shape: HeadlineShape, labels: &[u32], measure: Option<u32>) -> Headline {
    Headline {
        shape,
        labels: labels.to_vec(),
        measure,
        adds_up: true,
        highest: None,
        lowest: None,
        meanings: Vec::new(),
        tables: vec!["orders".to_owned()],
        conditions: vec!["status is “paid”".to_owned()],
        limited: false,
    }
}

/// Returns revenue by product with its headline.
pub(super) fn products() -> (Page, Headline) {
    let columns = vec![column("prod_nm", CellType::Text), column("revenue", CellType::Decimal)];
    let page = page(columns, &[&["Sofa", "184230.40"], &["Lamp", "1200.00"], &["Chair", "990.50"]]);
    let headline = Headline {
        highest: Some(Extreme { row: 0, rows: 1 }),
        lowest: Some(Extreme { row: 2, rows: 1 }),
        ..headline(HeadlineShape::Ranked, &[0], Some(1))
    };
    (page, headline)
}

pub(super) fn answer(page: Page, headline: Headline) -> ReportedAnswer {
    ReportedAnswer {
        question: "Revenue by product?".to_owned(),
        answered_at: "2026-11-30 08:00 UTC".to_owned(),
        source: "Shop (sqlite:/data/shop.db)".to_owned(),
        chart: choose_chart(&page, Some(&headline)),
        conditions: headline.conditions.clone(),
        page: Some(page),
        headline: Some(headline),
        most_rows: 200,
        sql: Some("SELECT prod_nm, sum(price) AS revenue FROM orders GROUP BY prod_nm".to_owned()),
        ..ReportedAnswer::default()
    }
}

pub(super) fn report(answers: Vec<ReportedAnswer>) -> Report {
    Report { written_at: "2026-11-30 09:00 UTC".to_owned(), answers, ..Report::default() }
}
