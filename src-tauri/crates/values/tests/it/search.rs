//! Matches by spelling.

use crate::common::{World, found, values};
use vitrine_domain::SemanticKind::{Dimension, Identifier, Metric, Text, Time};
use vitrine_values::{SearchOptions, SearchTerm};

async fn shop() -> World {
    World::new(&[
        (
            "customers",
            vec![
                ("name", "TEXT", Text, vec!["Ann Lee", "Müller, Jürgen", "Bob O'Brien", "Maria Garcia Lopez"]),
                ("country", "TEXT", Dimension, vec!["US", "DE", "FR", "UK"]),
                ("phone", "TEXT", Text, vec!["(510) 555-1234", "+49 30 1234567", "415-555-9876"]),
                ("joined", "TEXT", Time, vec!["2021-03-04", "2022-05-06"]),
                ("zip", "TEXT", Dimension, vec!["94607", "94608"]),
                ("balance", "REAL", Metric, vec!["12.5", "80"]),
            ],
        ),
        (
            "schools",
            vec![
                (
                    "school",
                    "TEXT",
                    Text,
                    vec!["Alameda County Office of Education", "Lincoln High", "New York Academy"],
                ),
                ("city", "TEXT", Text, vec!["New York", "San Francisco", "Los Angeles", "Oakland"]),
                ("width", "TEXT", Dimension, vec!["narrow", "wide"]),
                ("candidate", "TEXT", Text, vec!["Grace Hopper", "Alan Turing"]),
                ("airline", "TEXT", Dimension, vec!["American Airlines", "United Airlines", "JetBlue Airways"]),
                ("state", "TEXT", Identifier, vec!["California", "Texas", "Oregon"]),
            ],
        ),
    ])
    .await
}

#[tokio::test]
async fn usa_finds_us() {
    let index = shop().await.index().await;
    assert_eq!(found(&index, SearchTerm::new("USA").in_column("country"))[0], ("country".into(), "US".into()));
    assert_eq!(values(&index, "USA")[0], "US");
    assert_eq!(values(&index, "U.S.A.")[0], "US");
    assert_eq!(found(&index, SearchTerm::new("United States").in_column("country"))[0].1, "US");
    assert!(values(&index, "United States").contains(&"US".to_owned()));
}

#[tokio::test]
async fn abbreviations_find_what_they_stand_for() {
    let index = shop().await.index().await;
    assert_eq!(values(&index, "NY")[0], "New York");
    assert_eq!(values(&index, "LA")[0], "Los Angeles");
    assert_eq!(found(&index, SearchTerm::new("CA").in_column("state"))[0].1, "California");
}

#[tokio::test]
async fn case_accents_typos_and_order_do_not_matter() {
    let index = shop().await.index().await;
    for (literal, value) in [
        ("ann lee", "Ann Lee"),
        ("Jurgen Muller", "Müller, Jürgen"),
        ("San Fransisco", "San Francisco"),
        ("oaklnad", "Oakland"),
        ("OBrien Bob", "Bob O'Brien"),
        ("Grace Hoper", "Grace Hopper"),
    ] {
        assert_eq!(values(&index, literal).first().map(String::as_str), Some(value), "{literal}");
    }
}

#[tokio::test]
async fn a_part_of_a_long_name_finds_it() {
    let index = shop().await.index().await;
    assert_eq!(values(&index, "Alameda")[0], "Alameda County Office of Education");
    assert_eq!(values(&index, "Maria Garcia")[0], "Maria Garcia Lopez");
}

#[tokio::test]
async fn like_patterns_find_what_they_would_match() {
    let index = shop().await.index().await;
    assert_eq!(values(&index, "%ameri%")[0], "American Airlines");
    let airlines = values(&index, "%airlines");
    assert_eq!(airlines[..2], ["American Airlines", "United Airlines"]);
    assert!(values(&index, "%").is_empty());
}

#[tokio::test]
async fn numbers_and_dates_stay_out_and_width_and_candidate_do_not() {
    let world = shop().await;
    let index = world.index().await;
    let read = world.warehouse.queries.lock().unwrap().join("\n");
    for column in ["phone", "joined", "zip", "balance"] {
        assert!(!read.contains(column), "{column} was read");
    }
    assert_eq!(found(&index, SearchTerm::new("narow")), [("width".to_owned(), "narrow".to_owned())]);
    assert_eq!(found(&index, SearchTerm::new("Alan Turning"))[0], ("candidate".into(), "Alan Turing".into()));
    assert!(values(&index, "2021-03-04").is_empty());
    assert!(values(&index, "94607").is_empty());
}

#[tokio::test]
async fn a_literal_that_is_right_gets_itself_only() {
    let index = shop().await.index().await;
    let matches = found(&index, SearchTerm::new("American Airlines").in_column("airline"));
    assert_eq!(matches, [("airline".to_owned(), "American Airlines".to_owned())]);
}

#[tokio::test]
async fn the_column_compared_with_comes_first() {
    let world = World::new(&[
        (
            "orders",
            vec![
                ("status", "TEXT", Dimension, vec!["Shipped", "Open"]),
                ("note", "TEXT", Text, vec!["shippd", "opened late"]),
            ],
        ),
        ("parcels", vec![("status", "TEXT", Dimension, vec!["Shipping", "Lost"])]),
    ])
    .await;
    let index = world.index().await;
    let in_status = SearchTerm::new("shiped").in_column("STATUS");
    assert_eq!(found(&index, in_status.clone())[0], ("status".into(), "Shipped".into()));
    let in_parcels = SearchTerm { table: Some("parcels".into()), ..SearchTerm::new("shiping").in_column("status") };
    assert_eq!(found(&index, in_parcels)[0].1, "Shipping");
    let by_alias = SearchTerm { table: Some("o".into()), ..in_status };
    assert_eq!(found(&index, by_alias)[0].1, "Shipped");
}

#[tokio::test]
async fn thresholds_and_limit_are_obeyed_and_several_literals_keep_their_order() {
    let index = shop().await.index().await;
    let strict = SearchOptions { edit_threshold: 0.95, limit: 1, ..SearchOptions::default() };
    let terms =
        [SearchTerm::new("oakland"), SearchTerm::new("Oaklnd"), SearchTerm::new("ann lee"), SearchTerm::new("oakland")];
    let matches = index.search(&terms, strict, None).unwrap();
    let found: Vec<_> = matches.iter().map(|m| (m.literal.as_str(), m.value.as_str(), m.edit)).collect();
    assert_eq!(found, [("oakland", "Oakland", 1.0), ("ann lee", "Ann Lee", 1.0)]);
}

#[tokio::test]
async fn odd_literals_do_no_harm() {
    let index = shop().await.index().await;
    let long = "x".repeat(100_000);
    for literal in ["", " ", "%%", "'; DROP TABLE value;--", "🙂", "\u{0}", "%_%", long.as_str()] {
        values(&index, literal);
    }
}
