use super::*;
use vitrine_domain::{CellType, ResultColumn};

/// Parses `if: 1 2.5, _ 3`: column types (integer, float, text, boolean), then the rows; `_` is NULL.
fn parse_page(text: &str) -> Page {
    let (types, rows) = text.split_once(':').unwrap();
    let cell_type = |letter| match letter {
        'i' => CellType::Integer,
        'f' => CellType::Float,
        'b' => CellType::Boolean,
        _ => CellType::Text,
    };
    let columns = types.chars().map(|t| ResultColumn::new("c", cell_type(t))).collect();
    let cell = |cell: &str| (cell != "_").then(|| cell.to_owned());
    let rows: Vec<Vec<_>> = rows
        .split(',')
        .map(|row| row.split_whitespace().map(cell).collect())
        .filter(|r: &Vec<_>| !r.is_empty())
        .collect();
    Page { columns, row_count: rows.len() as u64, rows, truncated: false }
}

fn compare_pages(predicted: &str, gold: &str, ordered: bool) -> Verdict {
    Verdict::from_results(&parse_page(predicted), &GoldResult { page: parse_page(gold), ordered, required: Vec::new() })
}

#[test]
fn each_rule_gives_its_own_verdict() {
    const ANY: bool = false;
    const ORDERED: bool = true;
    const Y: bool = true;
    const N: bool = false;
    #[rustfmt::skip]
    let cases = [
        //                                                                                 Spider  BIRD  Spider 2.0
        ("the same",                        ANY,     "it: 1 a, 2 b",  "it: 1 a, 2 b",      [Y,      Y,    Y]),
        ("columns swapped",                 ANY,     "it: 1 a, 2 b",  "ti: a 1, b 2",      [Y,      N,    Y]),
        ("columns swapped, ordered gold",   ORDERED, "it: 1 a, 2 b",  "ti: a 1, b 2",      [Y,      N,    Y]),
        ("rows paired wrongly",             ANY,     "it: 1 a, 2 b",  "it: 1 b, 2 a",      [N,      N,    Y]),
        ("the same, ordered gold",          ORDERED, "it: 1 a, 2 b",  "it: 1 b, 2 a",      [N,      N,    N]),
        ("equal columns paired wrongly",    ANY,     "ii: 1 1, 2 2",  "ii: 1 2, 2 1",      [N,      N,    Y]),
        ("duplicates lost",                 ANY,     "i: 1, 1, 2",    "i: 1, 2",           [N,      Y,    N]),
        ("another row doubled",             ANY,     "i: 1, 1, 2",    "i: 1, 2, 2",        [N,      Y,    N]),
        ("order wrong",                     ORDERED, "i: 1, 2, 3",    "i: 3, 2, 1",        [N,      Y,    N]),
        ("another order where none counts", ANY,     "i: 1, 2, 3",    "i: 3, 2, 1",        [Y,      Y,    Y]),
        ("0 against NULL",                  ANY,     "i: 0",          "i: _",              [N,      N,    Y]),
        ("NULL against NULL",               ANY,     "i: _",          "f: _",              [Y,      Y,    Y]),
        ("NULL against a text",             ANY,     "ti: a 1, _ 2",  "ti: a 1, x 2",      [N,      N,    N]),
        ("within the tolerance",            ANY,     "f: 3.141",      "f: 3.145",          [N,      N,    Y]),
        ("beyond the tolerance",            ANY,     "f: 3.14",       "f: 3.16",           [N,      N,    N]),
        ("the last bits of a float",        ANY,     "f: 0.3",        "f: 0.30000000000000004", [N, N,    Y]),
        ("a column too many",               ANY,     "i: 1, 2",       "it: 1 a, 2 b",      [N,      N,    Y]),
        ("a column too few",                ANY,     "it: 1 a, 2 b",  "i: 1, 2",           [N,      N,    N]),
        ("a row too many",                  ANY,     "i: 1, 2",       "i: 1, 2, 3",        [N,      N,    N]),
        ("3 against 3.0",                   ANY,     "i: 3",          "f: 3.0",            [Y,      Y,    Y]),
        ("true against 1",                  ANY,     "i: 1, 0",       "b: true, false",    [Y,      Y,    Y]),
        ("'3' against 3",                   ANY,     "i: 3",          "t: 3",              [N,      N,    Y]),
        ("another case",                    ANY,     "t: Ann",        "t: ann",            [N,      N,    N]),
        ("beyond what a float can hold",    ANY,     "i: 9007199254740993", "i: 9007199254740992", [N, N, Y]),
        ("empty against empty",             ANY,     "i:",            "i:",                [Y,      Y,    Y]),
        ("empty with fewer columns",        ANY,     "it:",           "i:",                [Y,      Y,    Y]),
        ("empty against NULL",              ANY,     "i:",            "i: _",              [N,      N,    N]),
    ];
    for (what, ordered, gold, predicted, expected) in cases {
        let verdict = compare_pages(predicted, gold, ordered);
        assert_eq!(Rule::ALL.map(|rule| verdict.is_right_by(rule)), expected, "{what}");
    }
}

#[test]
fn spider2_looks_only_at_the_columns_it_asks_for() {
    let gold =
        |required: &[usize]| GoldResult { page: parse_page("it: 1 a, 2 b"), ordered: false, required: required.into() };
    let predicted = parse_page("t: a, b");
    assert!(
        matches_spider2(&predicted, &gold(&[1]))
            && !matches_spider2(&predicted, &gold(&[0]))
            && !matches_spider2(&predicted, &gold(&[]))
    );
    assert!(!matches_spider2(&predicted, &gold(&[7])), "a column that the gold does not have");
}

#[test]
fn spider2_compares_dates_and_truth_values_by_what_they_mean() {
    let column = |cells: &[&str]| Page {
        columns: vec![ResultColumn::new("c", CellType::Text)],
        rows: cells.iter().map(|cell| vec![Some((*cell).to_owned())]).collect(),
        row_count: cells.len() as u64,
        truncated: false,
    };
    for (gold, predicted, right) in [
        (&["2024-01-01", "2024-01-02"][..], &["2024-01-02 00:00:00", "2024-01-01 00:00:00"][..], true),
        (&["2024-01-01 10:00:00+00:00"], &["2024-01-01T10:00:00Z"], true),
        (&["2024-01-01 10:00:00"], &["2024-01-01 10:00:01"], false),
        (&["2024-01-01", "never"], &["2024-01-01 00:00:00", "never"], false),
        (&["True", "False"], &["false", "true"], true),
        (&["True"], &["1"], true),
        (&["True", "maybe"], &["1", "maybe"], false),
    ] {
        let gold_result = GoldResult { page: column(gold), ordered: false, required: Vec::new() };
        assert_eq!(matches_spider2(&column(predicted), &gold_result), right, "{gold:?} {predicted:?}");
    }
}

#[test]
fn any_of_several_golds_makes_it_right() {
    let both = compare_pages("i: 2", "i: 1", false).combine_with(compare_pages("i: 2", "i: 2", false));
    assert_eq!(both, Verdict { spider: true, bird: true, spider2: true });
}

#[test]
fn many_columns_with_the_same_values_do_not_take_forever() {
    // Each column holds the values 0 to 29, rotated by its index; no permutation makes the two sides equal.
    let turned = |shift: fn(usize) -> usize| {
        let rows = (0..30).map(|r| (0..24).map(|c| Some(((r + shift(c)) % 30).to_string())).collect()).collect();
        let column = ResultColumn::new("c", CellType::Integer);
        Page { columns: vec![column; 24], rows, row_count: 30, truncated: false }
    };
    assert!(matches_spider(&turned(|c| 23 - c), &turned(|c| c), false), "reversed columns");
    assert!(!matches_spider(&turned(|c| c * c), &turned(|c| c), false));
    assert!(matches_spider(&turned(|_| 0), &turned(|_| 3), false), "equal columns stand for each other");
}
