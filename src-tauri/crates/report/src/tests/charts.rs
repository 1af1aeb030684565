//! The choice of a chart, and its shapes.

use super::{column, headline, page, products};
use crate::chart::{Chart, ChartKind, choose_chart, draw_chart};
use proptest::prelude::*;
use vitrine_domain::{CellType, HeadlineShape, Page};

fn chosen(
    page: &Page,
    shape: HeadlineShape,
    labels: &[u32],
    measure: Option<u32>,
) -> Option<(ChartKind, Vec<u32>, Option<u32>)> {
    choose_chart(page, Some(&headline(shape, labels, measure))).map(|chart| (chart.kind, chart.along, chart.by))
}

#[test]
fn names_are_bars_months_are_lines_and_two_names_are_groups() {
    let (products, _) = products();
    assert_eq!(chosen(&products, HeadlineShape::Ranked, &[0], Some(1)), Some((ChartKind::Bar, vec![0], None)));
    let columns = || vec![column("month", CellType::Text), column("n", CellType::Integer)];
    let months = page(columns(), &[&["2024-01", "3"], &["2024-02", "9"], &["2024-03", "4"]]);
    assert_eq!(chosen(&months, HeadlineShape::Series, &[0], Some(1)), Some((ChartKind::Line, vec![0], None)));
    let two = page(columns(), &[&["2024-01", "3"], &["2024-02", "9"]]);
    assert_eq!(chosen(&two, HeadlineShape::Series, &[0], Some(1)), Some((ChartKind::Bar, vec![0], None)));
    let columns =
        vec![column("region", CellType::Text), column("kind", CellType::Text), column("n", CellType::Integer)];
    let pairs =
        page(columns, &[&["N", "a", "1"], &["N", "b", "2"], &["S", "a", "3"], &["S", "b", "4"], &["W", "a", "5"]]);
    assert_eq!(chosen(&pairs, HeadlineShape::Rows, &[], Some(2)), Some((ChartKind::Grouped, vec![0], Some(1))));
    let columns = vec![column("month", CellType::Date), column("kind", CellType::Text), column("n", CellType::Integer)];
    let lines = page(columns, &[&["2024-01-01", "a", "1"], &["2024-01-01", "b", "2"], &["2024-02-01", "a", "3"]]);
    assert_eq!(chosen(&lines, HeadlineShape::Rows, &[], Some(2)), Some((ChartKind::Line, vec![0], Some(1))));
}

#[test]
fn a_result_that_a_chart_would_misrepresent_has_none() {
    let (products, _) = products();
    let cut = Page { truncated: true, ..products.clone() };
    let single = Page { rows: products.rows[..1].to_vec(), row_count: 1, ..products.clone() };
    let partial = Page { row_count: 10, ..products };
    for page in [cut, single, partial] {
        assert_eq!(choose_chart(&page, None), None);
    }
    let ids = page(
        vec![column("name", CellType::Text), column("customer_id", CellType::Integer)],
        &[&["a", "1"], &["b", "2"]],
    );
    assert_eq!(choose_chart(&ids, None), None, "identifiers are not amounts");
    let places =
        page(vec![column("lat", CellType::Float), column("lon", CellType::Float)], &[&["1", "2"], &["3", "4"]]);
    assert_eq!(choose_chart(&places, None), None);
    let wide: Vec<_> = (0..60).map(|n| column(&format!("c{n}"), CellType::Float)).collect();
    let row: Vec<&str> = vec!["1"; 60];
    assert_eq!(choose_chart(&page(wide, &[&row, &row]), None), None);
}

#[test]
fn bars_begin_at_zero_and_the_largest_are_named() {
    let columns = || vec![column("name", CellType::Text), column("n", CellType::Integer)];
    let signed = page(columns(), &[&["up", "10"], &["down", "-10"], &["none", ""]]);
    let chart = Chart { kind: ChartKind::Bar, measure: 1, along: vec![0], by: None };
    let drawing = draw_chart(&signed, &chart, None).unwrap();
    let shapes = serde_json::to_value(&drawing).unwrap();
    let rects: Vec<(f64, f64)> = shapes["shapes"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|shape| shape["kind"] == "rect")
        .map(|shape| {
            let number = |name: &str| shape[name].as_str().unwrap().parse::<f64>().unwrap();
            (number("x"), number("width"))
        })
        .collect();
    let [(up, long), (down, same)] = rects[..] else { panic!("{rects:?}") };
    assert!((long - same).abs() < 0.2 && (down + same - up).abs() < 0.2, "{rects:?}");
    assert_eq!(drawing.caveats, ["1 row without a value of n is not drawn"]);
    let many: Vec<Vec<Option<String>>> = (0..50).map(|n| vec![Some(format!("p{n}")), Some(n.to_string())]).collect();
    let many = Page { columns: columns(), rows: many, row_count: 50, truncated: false };
    let drawing = draw_chart(&many, &chart, None).unwrap();
    assert_eq!(drawing.caveats, ["The 30 largest of 50 bars"]);
    assert!(drawing.description.contains("Highest: p49: 49. Lowest: p20: 20."), "{}", drawing.description);
}

#[test]
fn a_line_that_hardly_moves_says_that_its_axis_is_cut() {
    let columns = vec![column("year", CellType::Integer), column("n", CellType::Integer)];
    let flat = page(columns, &[&["2021", "1000"], &["2022", "1010"], &["2023", "1005"]]);
    let chart = choose_chart(&flat, None).unwrap();
    assert_eq!(chart.kind, ChartKind::Line);
    assert_eq!(draw_chart(&flat, &chart, None).unwrap().caveats, ["The axis does not start at 0"]);
}

#[test]
fn a_chart_from_outside_that_does_not_fit_is_not_drawn() {
    let (products, _) = products();
    let base = Chart { kind: ChartKind::Bar, measure: 1, along: vec![0], by: None };
    assert!(draw_chart(&products, &base, None).is_some());
    for wrong in [
        Chart { measure: 9, ..base.clone() },
        Chart { measure: 0, ..base.clone() },
        Chart { along: Vec::new(), ..base.clone() },
        Chart { along: vec![7], ..base.clone() },
        Chart { kind: ChartKind::Grouped, ..base.clone() },
        Chart { kind: ChartKind::Points, ..base.clone() },
        Chart { by: Some(8), ..base },
    ] {
        assert_eq!(draw_chart(&products, &wrong, None), None, "{wrong:?}");
    }
}

proptest! {
    #[test]
    fn every_chart_has_finite_lengths(
        amounts in prop::collection::vec(prop_oneof![any::<f64>(), -1e3..1e3, Just(0.0)], 1..40),
        kind in prop::sample::select(vec![ChartKind::Line, ChartKind::Bar, ChartKind::Grouped, ChartKind::Stacked, ChartKind::Points]),
        dated in any::<bool>(),
    ) {
        let rows = amounts.iter().enumerate().map(|(at, amount)| {
            let name = if dated { format!("2024-{:02}", at % 12 + 1) } else { format!("name {at}") };
            vec![Some(name), Some(format!("s{}", at % 3)), Some(amount.to_string()), Some(at.to_string())]
        });
        let columns = vec![
            column("name", CellType::Text), column("by", CellType::Text), column("n", CellType::Float), column("m", CellType::Float),
        ];
        let rows: Vec<_> = rows.collect();
        let page = Page { columns, row_count: rows.len() as u64, rows, truncated: false };
        let along = if kind == ChartKind::Points { vec![3] } else { vec![0] };
        let by = matches!(kind, ChartKind::Grouped | ChartKind::Stacked).then_some(1);
        if let Some(drawing) = draw_chart(&page, &Chart { kind, measure: 2, along, by }, None) {
            let text = serde_json::to_string(&drawing.shapes).unwrap();
            prop_assert!(!text.contains("NaN") && !text.contains("inf"), "{text}");
        }
    }
}
