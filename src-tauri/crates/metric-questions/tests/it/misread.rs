//! Questions that look covered but ask for something else, each beside a question that is covered.

use crate::shop::{shop, shop_with};

#[test]
fn a_small_word_that_is_also_a_reached_value_is_not_ignored() {
    shop().assert_uncovered(&["revenue in the us in 2024", "Give us revenue in 2024"]);
    let shop = shop_with(&[
        ("stores", "region", &["Est", "Sur", "In"]),
        ("promotions", "promo_name", &["Display", "By"]),
        ("suppliers", "supplier_name", &["L", "T"]),
    ]);
    shop.assert_uncovered(&[
        "Quel est le chiffre d'affaires est en 2024 ?",
        "revenue display 2024",
        "revenue by month",
        "revenue in 2024",
        "Ventas Sur 2024",
    ]);
    // New customers have neither stores nor promotions. A word in capitals within a sentence is only the value.
    shop.assert_covered(&[
        ("Umsatz In 2024", "revenue where order__store__region = 'In' from 2024-01-01 to 2024-12-31"),
        ("new customers by month in 2024", "new_customers by metric_time__month from 2024-01-01 to 2024-12-31"),
        ("Umsatz 2024", "revenue from 2024-01-01 to 2024-12-31"),
    ]);
}

#[test]
fn a_capital_within_a_sentence_is_a_name() {
    let shop = shop();
    shop.assert_uncovered(&["revenue Sur 2024", "Chiffre d'affaires Des 2024", "revenue On 5 March 2024"]);
    shop.assert_covered(&[
        ("REVENUE IN 2024", "revenue from 2024-01-01 to 2024-12-31"),
        ("Hello! In 2024: The revenue?", "revenue from 2024-01-01 to 2024-12-31"),
        ("Können Sie mir den Umsatz 2024 zeigen?", "revenue from 2024-01-01 to 2024-12-31"),
        ("Im Jahr 2024 der Umsatz nach Kanal", "revenue by order__channel from 2024-01-01 to 2024-12-31"),
    ]);
}

#[test]
fn a_preposition_that_bounds_a_period_is_not_ignored() {
    let shop = shop();
    shop.assert_uncovered(&[
        "revenue through March 2024",
        "revenue through the year 2024",
        "revenue to 2024",
        "Monthly orders to June 2024",
        "Monthly revenue from January 2023",
        "From January 2023, revenue by month",
        "Which month had the highest revenue from 2023?",
        "revenue at 31 December 2024",
        "Umsatz zum 31.12.2024",
        "Umsatz zum 1. Quartal 2024",
        "Umsatz pro Monat von 2023",
        "Chiffre d'affaires au 31 décembre 2024",
        "Chiffre d'affaires à mars 2024",
        "Chiffre d'affaires par mois de 2023",
        "revenue al 31 de diciembre de 2024",
        "revenue a marzo de 2024",
        "revenue por mes de 2023",
    ]);
    shop.assert_covered(&[
        ("revenue from January to March 2024", "revenue from 2024-01-01 to 2024-03-31"),
        ("revenue by month from 2022 to 2023", "revenue by metric_time__month from 2022-01-01 to 2023-12-31"),
        ("revenue by month since January 2023", "revenue by metric_time__month from 2023-01-01"),
        ("revenue by channel from 2023", "revenue by order__channel from 2023-01-01 to 2023-12-31"),
        ("Umsatz pro Monat ab Januar 2023", "revenue by metric_time__month from 2023-01-01"),
        ("Umsatz am 31.12.2024", "revenue from 2024-12-31 to 2024-12-31"),
        ("Chiffre d'affaires au premier trimestre 2024", "revenue from 2024-01-01 to 2024-03-31"),
        ("Chiffre d'affaires par mois depuis janvier 2023", "revenue by metric_time__month from 2023-01-01"),
        ("revenue en marzo de 2024", "revenue from 2024-03-01 to 2024-03-31"),
    ]);
}

#[test]
fn an_amount_is_no_number_of_things() {
    let shop = shop();
    shop.assert_uncovered(&[
        "montant des commandes en 2024",
        "Höhe der Bestellungen 2024",
        "amount of orders in 2024",
        "How much orders did we have in 2024?",
        "Wie hoch waren die Bestellungen 2024?",
        "importe de orders en 2024",
    ]);
    shop.assert_covered(&[
        ("montant des remboursements en 2024", "refunds from 2024-01-01 to 2024-12-31"),
        ("Höhe der Erstattungen 2024", "refunds from 2024-01-01 to 2024-12-31"),
        ("amount of refunds in 2024", "refunds from 2024-01-01 to 2024-12-31"),
        ("Wie hoch ist die Anzahl der Bestellungen 2024?", "orders from 2024-01-01 to 2024-12-31"),
    ]);
}

#[test]
fn the_largest_order_is_not_the_most_orders() {
    let shop = shop();
    shop.assert_uncovered(&[
        "Which store had the largest order in 2024?",
        "Which store had the largest orders in 2024?",
        "Which store had the largest refund in 2024?",
        "Which store had the highest sale in 2024?",
        "Welche Filiale hatte die größte Bestellung?",
        "Welche Filiale hatte die höchste Erstattung?",
        "Quel magasin a la plus grande commande ?",
    ]);
    shop.assert_covered(&[
        (
            "Which store had the highest number of orders?",
            "orders by store__name where store__name IS NOT NULL order -orders limit 1",
        ),
        (
            "Which store had the highest sales?",
            "revenue by order__store__name where order__store__name IS NOT NULL order -revenue limit 1",
        ),
    ]);
}

#[test]
fn groups_without_rows_are_not_left_out_of_the_lowest() {
    let shop = shop();
    shop.assert_uncovered(&[
        "Which store has the fewest orders?",
        "Which store had the lowest revenue in 2024?",
        "the 3 categories with the lowest revenue",
        "bottom 5 stores by revenue",
        "Welche Filiale hatte am wenigsten Bestellungen?",
        "les 3 magasins avec le moins de commandes",
        "Which month had the lowest revenue?",
    ]);
    shop.assert_covered(&[
        (
            "bottom 5 stores by average order value",
            "average_order_value by store__name where store__name IS NOT NULL order average_order_value limit 5",
        ),
        (
            "top 5 stores by revenue",
            "revenue by order__store__name where order__store__name IS NOT NULL order -revenue limit 5",
        ),
    ]);
}

#[test]
fn a_pronoun_refers_to_something_that_the_question_does_not_say() {
    let shop = shop();
    shop.assert_uncovered(&[
        "How many orders did it have in 2024?",
        "What revenue did that make in 2024?",
        "How many orders did we have there in 2024?",
        "Wie viele Bestellungen hatte es 2024?",
        "Combien de commandes a-t-il eu en 2024 ?",
        "Combien de commandes y avons-nous eu en 2024 ?",
    ]);
    shop.assert_covered(&[
        ("How many orders were there in 2024?", "orders from 2024-01-01 to 2024-12-31"),
        ("What was it in 2024, the revenue?", "revenue from 2024-01-01 to 2024-12-31"),
        ("Wie viele Bestellungen gibt es?", "orders"),
        ("Wie viele Bestellungen gab es 2024?", "orders from 2024-01-01 to 2024-12-31"),
        ("Combien de commandes y a-t-il eu en 2024 ?", "orders from 2024-01-01 to 2024-12-31"),
        ("Il y a eu combien de commandes en 2024 ?", "orders from 2024-01-01 to 2024-12-31"),
    ]);
}

#[test]
fn symbols_that_change_the_meaning_are_not_ignored() {
    let shop = shop();
    shop.assert_uncovered(&[
        "orders !web 2024",
        "orders !!web",
        "orders (!web) 2024",
        "revenue since > 2023",
        "revenue from > 2022 to 2023",
        "revenue between 2022 and < 2023",
        "revenue before = 2023",
        "revenue in March > 2024",
        "revenue in the year != 2024",
    ]);
    shop.assert_covered(&[
        ("Revenue! In 2024!", "revenue from 2024-01-01 to 2024-12-31"),
        ("Revenue in March, 2024!", "revenue from 2024-03-01 to 2024-03-31"),
        ("revenue 2022 - 2023", "revenue from 2022-01-01 to 2023-12-31"),
        ("Remboursements d'avril à mai 2024", "refunds from 2024-04-01 to 2024-05-31"),
    ]);
}

#[test]
fn one_group_is_returned_only_for_a_certain_singular() {
    let shop = shop();
    shop.assert_uncovered(&[
        "les mois avec le plus de commandes",
        "Quels mois a le plus de commandes ?",
        "mois avec le plus de commandes",
        "die Filiale nach Umsatz, top",
        "Welche Abteilung nach höchstem Umsatz",
        "top Filiale nach Umsatz",
    ]);
    shop.assert_covered(&[
        ("Quel mois a le plus de commandes ?", "orders by metric_time__month order -orders limit 1"),
        ("le mois avec le plus de commandes", "orders by metric_time__month order -orders limit 1"),
        (
            "Welche Filiale hatte die meisten Bestellungen?",
            "orders by store__name where store__name IS NOT NULL order -orders limit 1",
        ),
        (
            "Das Produkt mit dem höchsten Umsatz",
            "revenue by product__name where product__name IS NOT NULL order -revenue limit 1",
        ),
        (
            "Die 3 Filialen mit dem höchsten Umsatz",
            "revenue by order__store__name where order__store__name IS NOT NULL order -revenue limit 3",
        ),
    ]);
}
