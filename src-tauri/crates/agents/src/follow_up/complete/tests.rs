//! Pairs of a question and a follow-up in three languages, and follow-ups that are left to a model.

mod certainty;

use super::names::{ColumnSet, StoredNames};
use super::{Completion, complete_follow_up, is_joined, is_same_text};

/// Test database: values by column, and names of tables and columns.
struct Shop;

const VALUES: &[(&str, &str, &[&str])] = &[
    (
        "customers",
        "country",
        &[
            "Germany",
            "France",
            "Spain",
            "USA",
            "United Kingdom",
            "Deutschland",
            "Frankreich",
            "Schweiz",
            "Allemagne",
            "Portugal",
            "Italie",
        ],
    ),
    ("customers", "city", &["Berlin", "Paris", "Lyon", "London", "München", "New York", "Köln", "Hamburg"]),
    ("customers", "name", &["Ada Lovelace", "Grace Hopper", "Jan Müller"]),
    ("stores", "region", &["North", "South", "Nord", "Süd", "Sud"]),
    ("orders", "status", &["cancelled", "shipped", "open", "storniert", "offen"]),
    ("orders", "channel", &["online", "store"]),
    ("products", "category", &["Electronics", "Clothing", "Home & Garden", "Books"]),
    ("products", "name", &["Galaxy 2000", "Galaxy 3000"]),
];
const TABLES: &[&str] = &["customers", "stores", "orders", "products", "customer", "store", "order", "product"];
const DIMENSIONS: &[&str] = &[
    "region",
    "country",
    "city",
    "category",
    "product category",
    "channel",
    "Filiale",
    "Region",
    "Land",
    "pays",
    "région",
    "Kunde",
    "client",
    "department",
];

impl StoredNames for Shop {
    fn find_columns(&self, phrases: &[String], within: Option<&ColumnSet>) -> Vec<ColumnSet> {
        let columns = |phrase: &String| {
            let stored = VALUES
                .iter()
                .filter(|(_, _, values)| values.iter().any(|value| value.to_lowercase() == phrase.to_lowercase()));
            let columns = stored.map(|(table, column, _)| ((*table).to_owned(), (*column).to_owned()));
            columns.filter(|column| within.is_none_or(|within| within.contains(column))).collect()
        };
        phrases.iter().map(columns).collect()
    }

    fn is_name(&self, phrase: &str) -> bool {
        TABLES.contains(&phrase) || DIMENSIONS.contains(&phrase) || ["status", "revenue"].contains(&phrase)
    }

    fn names_dimension(&self, phrase: &str) -> bool {
        TABLES.contains(&phrase) || DIMENSIONS.contains(&phrase)
    }
}

/// Completes each follow-up and compares it with the expected question; lists every difference.
#[track_caller]
fn assert_completed(cases: &[(&str, &str, &str)]) {
    let mut wrong = Vec::new();
    for (before, text, expected) in cases {
        let completion = complete_follow_up(before, text, &Shop);
        if completion != Completion::Question((*expected).to_owned()) {
            wrong.push(format!("{before} + {text}\n  expected {expected}\n  got {completion:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Lists every follow-up that is completed although it should be left to a model.
#[track_caller]
fn assert_unclear(cases: &[(&str, &str)]) {
    let read = cases.iter().map(|(before, text)| (before, text, complete_follow_up(before, text, &Shop)));
    let wrong: Vec<String> = read
        .filter(|(_, _, completion)| *completion != Completion::Unclear)
        .map(|(before, text, completion)| format!("{before} + {text}\n  got {completion:?}"))
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn times_are_replaced_in_place() {
    let in_2023 = "How many customers ordered something in 2023?";
    assert_completed(&[
        (in_2023, "and for 2024?", "How many customers ordered something in 2024?"),
        (in_2023, "And in 2024", "How many customers ordered something in 2024?"),
        (in_2023, "2024?", "How many customers ordered something in 2024?"),
        (in_2023, "what about 2024, please?", "How many customers ordered something in 2024?"),
        (in_2023, "AND FOR 2024?", "How many customers ordered something in 2024?"),
        (in_2023, "the same for 2022", "How many customers ordered something in 2022?"),
        (in_2023, "how about 2022 instead? Thanks!", "How many customers ordered something in 2022?"),
        (in_2023, "and for “2022”?", "How many customers ordered something in 2022?"),
        (in_2023, "2022 only", "How many customers ordered something in 2022?"),
        (in_2023, "2022 instead of 2023", "How many customers ordered something in 2022?"),
        (in_2023, "can you show me 2022?", "How many customers ordered something in 2022?"),
        (in_2023, "and march?", "How many customers ordered something in march 2023?"),
        (in_2023, "only 2022", "How many customers ordered something in 2022?"),
        (in_2023, "and how many in 2024?", "How many customers ordered something in 2024?"),
        (in_2023, "and for 2021 and 2022?", "How many customers ordered something in 2021 and 2022?"),
        (in_2023, "and in March?", "How many customers ordered something in March 2023?"),
        (in_2023, "in Q3", "How many customers ordered something in Q3 2023?"),
        (in_2023, "and in March 2024?", "How many customers ordered something in March 2024?"),
        (in_2023, "and last year?", "How many customers ordered something last year?"),
        (in_2023, "and from 2019 to 2021?", "How many customers ordered something from 2019 to 2021?"),
        (in_2023, "and since 2020?", "How many customers ordered something since 2020?"),
        ("Total revenue in March 2023", "and April?", "Total revenue in April 2023"),
        ("Total revenue in March 2023", "and for 2024?", "Total revenue in March 2024"),
        ("Total revenue in Q1 2023 by region?", "Q2?", "Total revenue in Q2 2023 by region?"),
        (
            "Total revenue in the first quarter of 2023",
            "and the second quarter?",
            "Total revenue in the second quarter of 2023",
        ),
        ("Total revenue in Q3 2023", "and in the fourth quarter?", "Total revenue in the fourth quarter 2023"),
        ("Total revenue in the first quarter of 2023", "and Q2?", "Total revenue in Q2 of 2023"),
        ("Orders on March 5, 2023?", "and March 6?", "Orders on March 6, 2023?"),
        ("Orders in 2023/24", "and 2024/25?", "Orders in 2024/25"),
        ("Orders in 2023/24", "and in 2024?", "Orders in 2024"),
        ("Total revenue 2023-03", "and 2023-04?", "Total revenue 2023-04"),
        ("Revenue from 2021 to 2023?", "and for 2024?", "Revenue in 2024?"),
        (
            "Revenue between 2019 and 2020 per store?",
            "and between 2021 and 2022?",
            "Revenue between 2021 and 2022 per store?",
        ),
        ("How many orders last year?", "and this year?", "How many orders this year?"),
        ("How many orders last month?", "and in March 2024?", "How many orders in March 2024?"),
        ("How many orders in the last 3 months?", "and in the last 6 months?", "How many orders in the last 6 months?"),
        ("Who registered since 2020?", "and since 2022?", "Who registered since 2022?"),
        ("Who registered since 2020?", "and in 2022?", "Who registered in 2022?"),
        ("Revenue in 2024 from more than 2000 orders?", "and for 2023?", "Revenue in 2023 from more than 2000 orders?"),
        ("Orders on 5 March 2023?", "and on 6 March 2023?", "Orders on 6 March 2023?"),
    ]);
}

#[test]
fn times_are_replaced_in_german_and_french() {
    let filiale = "Wie viel Umsatz hatten wir 2024 je Filiale?";
    let combien = "Combien de clients avons-nous eus en 2023 ?";
    assert_completed(&[
        (filiale, "und 2022?", "Wie viel Umsatz hatten wir 2022 je Filiale?"),
        (filiale, "und für 2023", "Wie viel Umsatz hatten wir 2023 je Filiale?"),
        (filiale, "wie sieht es 2023 aus?", "Wie viel Umsatz hatten wir 2023 je Filiale?"),
        (filiale, "und im März?", "Wie viel Umsatz hatten wir im März 2024 je Filiale?"),
        (filiale, "nur im dritten Quartal", "Wie viel Umsatz hatten wir im dritten Quartal 2024 je Filiale?"),
        (filiale, "und letztes Jahr?", "Wie viel Umsatz hatten wir letztes Jahr je Filiale?"),
        ("Wie viele Kunden gab es im Jahr 2023?", "und 2024 bitte", "Wie viele Kunden gab es im Jahr 2024?"),
        ("Wie viele Kunden gab es im Jahr 2023?", "und im Mai?", "Wie viele Kunden gab es im Mai 2023?"),
        ("Umsatz der Filialen seit 2020", "und seit 2021?", "Umsatz der Filialen seit 2021"),
        ("Umsatz von 2019 bis 2021 nach Region", "und 2022?", "Umsatz 2022 nach Region"),
        ("Wie hoch war der Umsatz im März 2023?", "und im April?", "Wie hoch war der Umsatz im April 2023?"),
        (
            "Wie hoch war der Umsatz im 1. Quartal 2023?",
            "und im 2. Quartal?",
            "Wie hoch war der Umsatz im 2. Quartal 2023?",
        ),
        (combien, "et pour 2024 ?", "Combien de clients avons-nous eus en 2024 ?"),
        (combien, "et en mars ?", "Combien de clients avons-nous eus en mars 2023 ?"),
        (combien, "et l'année dernière ?", "Combien de clients avons-nous eus l'année dernière ?"),
        (combien, "qu'en est-il de 2022, s'il vous plaît ?", "Combien de clients avons-nous eus en 2022 ?"),
        (combien, "et au T3 2024 ?", "Combien de clients avons-nous eus au T3 2024 ?"),
        (
            "Quel est le chiffre d'affaires en mars 2023 ?",
            "et en avril ?",
            "Quel est le chiffre d'affaires en avril 2023 ?",
        ),
    ]);
}

#[test]
fn stored_values_replace_the_one_of_their_column() {
    let germany = "How many customers in Germany ordered in 2023?";
    assert_completed(&[
        (germany, "and for France?", "How many customers in France ordered in 2023?"),
        (germany, "and in France?", "How many customers in France ordered in 2023?"),
        (germany, "France?", "How many customers in France ordered in 2023?"),
        (germany, "and the USA?", "How many customers in the USA ordered in 2023?"),
        (germany, "only those from Spain", "How many customers from Spain ordered in 2023?"),
        (germany, "and for France in 2022?", "How many customers in France ordered in 2022?"),
        (germany, "and France and Spain?", "How many customers in France and Spain ordered in 2023?"),
        ("How many customers from the USA?", "and for Germany?", "How many customers from Germany?"),
        ("Total revenue of the Electronics category", "and Clothing?", "Total revenue of the Clothing category"),
        ("How many cancelled orders in 2023?", "and shipped orders?", "How many shipped orders in 2023?"),
        ("Orders with status cancelled in 2023", "and status shipped?", "Orders with status shipped in 2023"),
        ("How many cancelled orders?", "and the shipped ones?", "How many shipped orders?"),
        ("Revenue in the north in 2023", "what about the south?", "Revenue in the south in 2023"),
        ("Orders sold by Ada Lovelace", "and by Grace Hopper?", "Orders sold by Grace Hopper"),
        ("What did Ada Lovelace buy?", "and Grace Hopper?", "What did Grace Hopper buy?"),
        ("Berlin sales by month", "and Paris?", "Paris sales by month"),
        ("Wie viele Kunden gibt es in Berlin?", "und in München?", "Wie viele Kunden gibt es in München?"),
        ("Wie viele Kunden aus Deutschland gab es?", "und für Frankreich?", "Wie viele Kunden aus Frankreich gab es?"),
        ("Wie viele Kunden gab es in der Schweiz?", "und in Deutschland?", "Wie viele Kunden gab es in Deutschland?"),
        ("Wie viele Kunden gab es in Deutschland?", "und in der Schweiz?", "Wie viele Kunden gab es in der Schweiz?"),
        ("Combien de clients en Allemagne ?", "et pour la France ?", "Combien de clients pour la France ?"),
        ("Combien de clients en Allemagne ?", "et au Portugal ?", "Combien de clients au Portugal ?"),
        (
            "Quels clients de Paris ont commandé en 2023 ?",
            "et de Lyon ?",
            "Quels clients de Lyon ont commandé en 2023 ?",
        ),
        ("Quels clients d'Italie ont commandé ?", "et de France ?", "Quels clients de France ont commandé ?"),
    ]);
}

#[test]
fn only_and_without_add_a_condition_where_there_is_none_of_the_column() {
    let stores = "How many stores are there?";
    assert_completed(&[
        (stores, "only those in Germany", "How many stores are there, only those in Germany?"),
        (stores, "Only in the North region", "How many stores are there, only in the North region?"),
        (stores, "in Berlin only", "How many stores are there, only in Berlin?"),
        (stores, "without Berlin", "How many stores are there, without Berlin?"),
        ("Revenue in Germany in 2023", "without Berlin", "Revenue in Germany in 2023, without Berlin"),
        ("How many customers?", "only 2024", "How many customers, only 2024?"),
        ("Wie viele Filialen gibt es?", "nur im Süd", "Wie viele Filialen gibt es, nur im Süd?"),
        ("Umsatz je Filiale 2023", "ohne Köln", "Umsatz je Filiale 2023, ohne Köln"),
        (
            "Quels clients ont annulé une commande en mars ?",
            "seulement à Lyon",
            "Quels clients ont annulé une commande en mars, seulement à Lyon ?",
        ),
        ("Combien de magasins ?", "sans Paris", "Combien de magasins, sans Paris ?"),
    ]);
}

#[test]
fn numbers_and_groupings_are_replaced_or_added() {
    assert_completed(&[
        ("Top 10 customers by revenue in 2023", "and the top 5?", "Top 5 customers by revenue in 2023"),
        ("Top 10 customers by revenue in 2023", "only the top 3, and for 2024", "Top 3 customers by revenue in 2024"),
        ("Top 10 customers by revenue in 2023", "and the bottom 5?", "Bottom 5 customers by revenue in 2023"),
        ("Which 5 customers bought the most in 2023?", "just 3", "Which 3 customers bought the most in 2023?"),
        ("What did customer 12 buy in 2023?", "and customer 17?", "What did customer 17 buy in 2023?"),
        ("Monthly revenue in 2023", "quarterly", "Quarterly revenue in 2023"),
        ("The 5 largest orders", "and 10?", "The 10 largest orders"),
        (
            "Who ordered more than three times in 2024?",
            "and more than five?",
            "Who ordered more than five times in 2024?",
        ),
        (
            "Who ordered more than three times in 2024?",
            "and at least 2 times?",
            "Who ordered at least 2 times in 2024?",
        ),
        ("Die 10 größten Kunden", "und die 5 größten?", "Die 5 größten Kunden"),
        ("Les 10 meilleurs clients en 2023", "et les 5 meilleurs ?", "Les 5 meilleurs clients en 2023"),
        ("Total revenue in 2022", "by month", "Total revenue in 2022 by month"),
        ("Total revenue in 2022?", "and per region?", "Total revenue in 2022 per region?"),
        ("Total revenue by country in 2022", "by month instead", "Total revenue by month in 2022"),
        ("Total revenue by country in 2022", "by product category", "Total revenue by product category in 2022"),
        ("Total revenue by country in 2022", "by month for 2023", "Total revenue by month in 2023"),
        ("Wie viel Umsatz hatten wir 2024 je Filiale?", "nach Monat", "Wie viel Umsatz hatten wir 2024 nach Monat?"),
        ("Wie viel Umsatz hatten wir 2024?", "und pro Region?", "Wie viel Umsatz hatten wir 2024 pro Region?"),
        ("Quel est le chiffre d'affaires en 2023 ?", "par mois", "Quel est le chiffre d'affaires en 2023 par mois ?"),
        ("Ventes par pays en 2023", "par mois", "Ventes par mois en 2023"),
    ]);
}

#[test]
fn a_chain_goes_on_from_the_completed_question() {
    let mut question = "How many customers in Germany ordered in 2023?".to_owned();
    for (text, expected) in [
        ("and for 2024?", "How many customers in Germany ordered in 2024?"),
        ("and in France?", "How many customers in France ordered in 2024?"),
        ("by month", "How many customers in France ordered in 2024 by month?"),
        ("without Paris", "How many customers in France ordered in 2024 by month, without Paris?"),
        ("and in March?", "How many customers in France ordered in March 2024 by month, without Paris?"),
    ] {
        assert_completed(&[(&question, text, expected)]);
        question = expected.to_owned();
    }
}

#[test]
fn what_is_not_clear_is_left_to_a_model() {
    let in_2023 = "How many customers ordered something in 2023?";
    for (before, text) in [
        // Several parts of a kind, or none.
        ("Compare revenue in 2022 and 2023", "and for 2024?"),
        ("How many customers are there?", "and in 2024?"),
        ("How many customers in Germany and France?", "and in Spain?"),
        ("How many customers are there?", "and in Germany?"),
        ("Top 10 products with more than 5 orders", "and 3?"),
        ("Which products cost 2000 euros?", "and in 2024?"),
        ("Which products cost more than 2000?", "and for 2024?"),
        ("Which orders have number 2011?", "and for 2024?"),
        ("How many orders in March?", "and in 2024?"),
        ("Who registered since 2020?", "and 2022?"),
        // Words that specify more than a value.
        (in_2023, "How many customers are there in Berlin?"),
        (in_2023, "How many orders were there in 2024?"),
        (in_2023, "Which customers ordered the most in 2024?"),
        (in_2023, "compared to 2022"),
        (in_2023, "why?"),
        (in_2023, "and orders in 2024?"),
        (in_2023, "stores in 2024"),
        (in_2023, "2024 instead of 2022"),
        ("Total revenue in Berlin in 2023", "and profit in Paris?"),
        ("Monthly revenue in 2023", "by quarter"),
        (in_2023, "and orders?"),
        (in_2023, "and the average in 2024?"),
        (in_2023, "as a percentage"),
        (in_2023, "and for Lapland?"),
        (in_2023, "Wie viele Filialen gibt es in Berlin?"),
        (in_2023, "Combien de magasins y a-t-il à Paris ?"),
        (in_2023, "and how much revenue in 2024?"),
        (in_2023, "the growth since 2020"),
        (in_2023, "and"),
        (in_2023, ""),
        // The name of a table or column may be meant.
        ("Revenue by store in 2023", "and online?"),
        // One text excludes a value, the other asks for one.
        ("How many customers, without Germany?", "and for France?"),
        ("How many customers in Germany?", "without Germany"),
        // The ranked thing, or the agent of an action.
        ("Les 5 premiers clients en 2022", "et les 3 derniers ?"),
        ("The difference between 2022 and 2023", "and 2024?"),
        ("Top 10 customers by revenue", "by month"),
        ("Orders sold by Ada Lovelace", "by month"),
        ("How many bicycles did each shop sell in May 2021?", "by month"),
        ("Revenue per month and region", "by country"),
        ("Wie viele Kunden gab es in Deutschland?", "und der Schweiz?"),
        ("May customers return an order?", "and in June?"),
    ] {
        assert_eq!(complete_follow_up(before, text, &Shop), Completion::Unclear, "{before} + {text}");
    }
}

#[test]
fn a_follow_up_that_changes_nothing_is_found() {
    let before = "How many customers in Germany ordered in 2023?";
    for text in ["and for 2023?", "and in Germany?", "in germany in 2023"] {
        let same = complete_follow_up(before, text, &Shop);
        assert_eq!(same, Completion::Same, "{text}");
    }
}

#[test]
fn texts_are_compared_by_their_words() {
    assert!(is_same_text("How many in 2023?", "how many  in 2023"));
    assert!(!is_same_text("How many in 2023?", "How many in 2024?"));
    assert!(is_joined("What was sold most? (and in 2023?)", "What was sold most?", "and in 2023?"));
    assert!(is_joined("Was wurde verkauft und 2023?", "Was wurde verkauft?", "und 2023?"));
    assert!(!is_joined("How many stores only in Berlin?", "How many stores?", "only in Berlin"));
    assert!(!is_joined("What was sold most in 2023?", "What was sold most?", "and in 2023?"));
}
