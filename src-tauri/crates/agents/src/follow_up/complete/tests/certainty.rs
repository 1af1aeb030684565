//! Follow-ups that are completed only if one reading is certain, for each class in both directions and in three languages.

use super::{assert_completed, assert_unclear};

#[test]
fn a_month_or_a_quarter_keeps_the_year() {
    assert_completed(&[
        ("Revenue in 2023", "and from January to March?", "Revenue from January to March 2023"),
        ("Revenue in 2023", "and since May?", "Revenue since May 2023"),
        ("Revenue in 2023", "until June", "Revenue until June 2023"),
        ("Revenue in 2023", "between April and June?", "Revenue between April and June 2023"),
        ("Revenue from January to March 2023", "and from April to June?", "Revenue from April to June 2023"),
        ("Revenue from January to March 2023", "and April to June?", "Revenue from April to June 2023"),
        (
            "Revenue between January and March 2023",
            "and between April and June?",
            "Revenue between April and June 2023",
        ),
        ("Revenue in March 2023", "and from April to June?", "Revenue from April to June 2023"),
        ("Revenue in 2023", "and January to March?", "Revenue from January to March 2023"),
        ("Revenue in 2023", "and since the second quarter?", "Revenue since the second quarter 2023"),
        ("Revenue in 2023", "and on March 6?", "Revenue on March 6, 2023"),
        ("Revenue in 2023", "and from January to March 2024?", "Revenue from January to March 2024"),
        ("Revenue in 2023", "and from November 2022 to March 2023?", "Revenue from November 2022 to March 2023"),
        ("Revenue since March 2023", "and since May?", "Revenue since May 2023"),
        ("Revenue since March", "and since May?", "Revenue since May"),
        ("Revenue from January to March 2023", "and in May?", "Revenue in May 2023"),
        (
            "Wie viel Umsatz hatten wir 2023?",
            "und von Januar bis März?",
            "Wie viel Umsatz hatten wir von Januar bis März 2023?",
        ),
        ("Wie viel Umsatz hatten wir 2023?", "und seit März?", "Wie viel Umsatz hatten wir seit März 2023?"),
        ("Umsatz 2023", "und bis Juni?", "Umsatz bis Juni 2023"),
        ("Umsatz im Jahr 2023", "und seit März?", "Umsatz seit März 2023"),
        ("Umsatz von Januar bis März 2023", "und von April bis Juni?", "Umsatz von April bis Juni 2023"),
        ("Chiffre d'affaires en 2023", "et de janvier à mars ?", "Chiffre d'affaires de janvier à mars 2023"),
        ("Chiffre d'affaires en 2023", "et depuis mars ?", "Chiffre d'affaires depuis mars 2023"),
        ("April revenue", "and May?", "May revenue"),
        ("Ventes d'avril 2023", "et mars ?", "Ventes de mars 2023"),
        ("Chiffre d'affaires de mars 2023", "et avril ?", "Chiffre d'affaires d'avril 2023"),
        ("Chiffre d'affaires en 2023", "et d'avril à juin ?", "Chiffre d'affaires d'avril à juin 2023"),
        ("Chiffre d'affaires en 2023", "et à partir d'avril ?", "Chiffre d'affaires à partir d'avril 2023"),
        ("Chiffre d'affaires de janvier à mars 2023", "et d'avril à juin ?", "Chiffre d'affaires d'avril à juin 2023"),
        ("Revenue in 2023", "after March", "Revenue after March 2023"),
        ("Revenue in 2023", "only since May", "Revenue since May 2023"),
        ("Revenue during 2023", "and in March?", "Revenue in March 2023"),
        ("Revenue in the year 2023", "and since May?", "Revenue since May 2023"),
        ("Umsatz 2023", "vom 1. März bis 15. April", "Umsatz vom 1. März bis 15. April 2023"),
        ("Umsatz 2023", "zwischen März und Mai", "Umsatz zwischen März und Mai 2023"),
        ("Umsatz 2023", "Januar bis März", "Umsatz von Januar bis März 2023"),
        ("Umsatz 2023", "ab Juli", "Umsatz ab Juli 2023"),
        ("Umsatz im Jahr 2023", "vor Juni?", "Umsatz vor Juni 2023"),
        ("Ventes en 2023", "et du 1er mars au 15 avril ?", "Ventes du 1er mars au 15 avril 2023"),
        ("Ventes en 2023", "et entre mars et mai ?", "Ventes entre mars et mai 2023"),
        ("Ventes en 2023", "et avant juin ?", "Ventes avant juin 2023"),
        ("Ventes en 2023", "et jusqu'en juin ?", "Ventes jusqu'en juin 2023"),
        ("Ventes au cours de l'année 2023", "et à partir de mars ?", "Ventes à partir de mars 2023"),
        ("How many orders in 2023?", "March through May", "How many orders from March through May 2023?"),
        ("How many orders in 2023?", "Q1 to Q3", "How many orders from Q1 to Q3 2023?"),
        ("How many orders in 2023?", "Jan-Mar", "How many orders in Jan-Mar 2023?"),
    ]);
}

#[test]
fn years_that_are_not_known_are_not_added() {
    assert_unclear(&[
        ("Revenue last year", "and from January to March?"),
        ("Revenue last year", "and since May?"),
        ("Revenue from 2021 to 2023", "and from January to March?"),
        ("Revenue 2023-03", "and April?"),
        ("Revenue since 2020", "and since May?"),
        ("Umsatz letztes Jahr", "und seit März?"),
        ("Chiffre d'affaires l'année dernière", "et depuis mars ?"),
        ("Revenue in March 2023", "and in 2022 and 2024?"),
        ("Revenue in 2023", "from March onwards"),
        ("Revenue in 2023", "from March"),
    ]);
}

#[test]
fn the_year_before_is_counted_from_a_plain_year() {
    assert_completed(&[
        ("Revenue in 2023", "and the year before?", "Revenue in 2022"),
        ("Revenue in 2023", "and in the year before?", "Revenue in 2022"),
        ("Revenue in 2023", "and for the previous year?", "Revenue in 2022"),
        ("Revenue in 2023", "and the following year?", "Revenue in 2024"),
        ("Umsatz 2023", "und im Vorjahr?", "Umsatz 2022"),
        ("Umsatz im Jahr 2023", "und das Jahr davor?", "Umsatz im Jahr 2022"),
        ("Chiffre d'affaires en 2023", "et l'année précédente ?", "Chiffre d'affaires en 2022"),
        ("Orders last month", "and this month?", "Orders this month"),
        ("Orders this month", "and last month?", "Orders last month"),
        ("Orders this year", "and next year?", "Orders next year"),
        ("Orders in 2023", "and last year?", "Orders last year"),
        ("Revenue in 2023", "a year earlier", "Revenue in 2022"),
        ("Revenue in 2023", "prior year", "Revenue in 2022"),
        ("Umsatz 2023", "und im Folgejahr?", "Umsatz 2024"),
        ("Ventes en 2023", "et l'année d'avant ?", "Ventes en 2022"),
        ("Orders for 2023", "the year before", "Orders for 2022"),
    ]);
}

#[test]
fn a_time_that_may_be_relative_to_two_others_is_unclear() {
    assert_unclear(&[
        ("Revenue in 2023", "the previous month"),
        ("Revenue in March 2023", "the previous month"),
        ("Revenue in March 2023", "the year before"),
        ("Revenue in March 2023", "and the previous year?"),
        ("Revenue last year", "the year before"),
        ("Revenue last year", "and the previous year?"),
        ("Revenue since 2020", "and the year before?"),
        ("Revenue in 2022 and 2023", "and the year before?"),
        ("Revenue from 2021 to 2023", "and the year before?"),
        ("Umsatz im März 2023", "und im Vorjahr?"),
        ("Umsatz letztes Jahr", "und im Vorjahr?"),
        ("Chiffre d'affaires en mars 2023", "et l'année précédente ?"),
        ("Revenue in March 2023", "last year?"),
        ("Revenue in Q1 2023", "and last year?"),
        ("Revenue in Q1 2023", "and this month?"),
        ("Orders last month", "and last year?"),
        ("Orders in 2023", "and next year?"),
        ("Umsatz im März 2023", "und letztes Jahr?"),
        ("Chiffre d'affaires en mars 2023", "et l'année dernière ?"),
        ("Revenue in 2023", "two years earlier"),
        ("Revenue in 2023", "the previous quarter"),
        ("Revenue in Q2 2023", "the previous quarter"),
        ("Revenue in Q2 2023", "and next quarter?"),
        ("Umsatz 2023", "und im vorigen Jahr?"),
        ("Umsatz im März 2023", "und im Vormonat?"),
        ("Ventes en mars 2023", "et le mois précédent ?"),
        ("Ventes en mars 2023", "et le mois dernier ?"),
    ]);
}

#[test]
fn a_grouping_replaces_one_that_is_no_rate() {
    assert_completed(&[
        ("How many orders per customer?", "per month", "How many orders per month?"),
        ("Average salary by department", "by country", "Average salary by country"),
        ("Ventes par client", "par mois", "Ventes par mois"),
        ("Total revenue in 2022 per region", "by month", "Total revenue in 2022 by month"),
        ("Average revenue in 2023", "by month", "Average revenue in 2023 by month"),
        ("Average revenue by country in 2023", "by month", "Average revenue by month in 2023"),
        ("Revenue each month in 2023", "each quarter", "Revenue each quarter in 2023"),
    ]);
}

#[test]
fn a_rate_is_no_grouping_that_is_replaced() {
    assert_unclear(&[
        ("Average revenue per customer in 2023", "by month"),
        ("Average order value per customer", "by country"),
        ("Umsatz je Kunde 2023", "nach Monat"),
        ("How many orders per customer", "by month"),
        ("Durchschnittlicher Umsatz pro Kunde", "nach Monat"),
        ("Panier moyen par client", "par mois"),
        ("Revenue for each country", "by month"),
        ("How many orders does each customer have?", "each month"),
        ("What did each customer buy in 2023?", "each store"),
        ("Average rating per product", "by month"),
        ("Mean salary per department in 2023", "by year"),
        ("Durchschnittliche Bestellmenge je Kunde", "nach Land"),
        ("Nombre moyen de commandes par client", "par pays"),
        ("Orders per customer and year", "by month"),
        ("Number of orders per store", "by month"),
        ("Number of orders per store in 2023", "by month"),
    ]);
}

#[test]
fn years_are_known_by_their_place_and_by_words_of_time() {
    assert_completed(&[
        ("Revenue of Galaxy 2000 in 2022", "and in 2023?", "Revenue of Galaxy 2000 in 2023"),
        ("Revenue of Galaxy 2000 in 2022", "and Galaxy 3000?", "Revenue of Galaxy 3000 in 2022"),
        ("Who registered between 2019 and 2021?", "in 2023", "Who registered in 2023?"),
        ("How much did we spend between 2019 and 2021?", "in 2023", "How much did we spend in 2023?"),
        ("Wie viele Kunden haben 2019 bestellt?", "und 2023?", "Wie viele Kunden haben 2023 bestellt?"),
        ("Revenue 2023", "and 2024?", "Revenue 2024"),
        ("Total sales 2023 by country", "2024", "Total sales 2024 by country"),
        ("2023 revenue by country", "2024", "2024 revenue by country"),
        ("Umsatz 2023 in Deutschland", "2024", "Umsatz 2024 in Deutschland"),
        ("Ventes 2023 par pays", "2024", "Ventes 2024 par pays"),
        ("Revenue by country 2023", "and 2024?", "Revenue by country 2024"),
        ("Orders in Berlin 2023", "2024", "Orders in Berlin 2024"),
        ("Which customers spent over 1500 in 2023?", "and for 2022?", "Which customers spent over 1500 in 2022?"),
        ("Orders over 2000 in 2023", "and 2022?", "Orders over 2000 in 2022"),
        ("How many employees hired in 2020 left?", "and 2021?", "How many employees hired in 2021 left?"),
        ("Customers born in 1990", "and in 1991?", "Customers born in 1991"),
    ]);
}

#[test]
fn quantities_and_names_are_no_years() {
    assert_unclear(&[
        ("Which customers spent 2000 in total", "and in 2023?"),
        ("Which customers spent 2000?", "and in 2023?"),
        ("Which customers spent 2019?", "and in 2023?"),
        ("Revenue of Galaxy 2000 in Germany", "2023"),
        ("Revenue of Galaxy 2000 in Germany", "and in 2023?"),
        ("Model 2020", "for 2021"),
        ("Revenue of Model 2020", "and for 2021?"),
        ("Apartments with 2000 sqft", "and in 2023?"),
        ("Apartments with 1990 sqft", "and 2023"),
        ("Who spent between 2000 and 2050", "in 2023"),
        ("Who spent between 1990 and 2010", "in 2023"),
        ("Customers earning 2000 to 3000", "and 2023?"),
        ("Orders worth 2000 in Germany", "and in 2023?"),
        ("Customers with a balance of 1999", "and in 2023?"),
        ("Customers with balance 2000", "and in 2023?"),
        ("Welche Kunden haben 2000 ausgegeben?", "und 2023?"),
        ("Welche Kunden haben 2019 ausgegeben?", "und 2023?"),
        ("Umsatz mit Modell 2020", "und für 2021?"),
        ("Quels clients ont dépensé 2000 au total ?", "et en 2023 ?"),
        ("Revenu du modèle 2020", "et pour 2021 ?"),
        ("Appartements de 1990 m2", "et en 2023 ?"),
        ("Which customers spent over 1500 in 2023?", "and 2000?"),
        ("Top 10 customers by revenue in 2023", "2000"),
        ("Orders above 500 in 2023", "and 1999?"),
        ("How many customers born in 1990 ordered books?", "and in 2023?"),
        ("How many employees hired in 2020 left?", "and in 2023?"),
        ("How many orders did April place?", "and May?"),
        ("Revenue of Windows 2019", "and in 2021?"),
        ("Sales of Peugeot 2008 in France", "and in 2023?"),
        ("Who bought 1984?", "and in 2023?"),
        ("Which customers have a credit limit of 2000?", "in 2023"),
        ("Orders with quantity 2000", "in 2023"),
        ("Products available in 1999 stores", "and in 2023?"),
        ("Cities of 1999 inhabitants", "and in 2023?"),
        ("Orders between 500 and 2000", "in 2023"),
        ("Orders 500-2000", "2023"),
        ("Orders up to 2000", "in 2023"),
        ("Orders from 2021+", "2022"),
        ("Orders with year >= 2021", "2022"),
        ("Room 2015 bookings", "2016"),
        ("Bookings of room 2015", "2016"),
        ("Count rows of sales_2023", "and 2024?"),
        ("GX-2000 revenue", "and 2023"),
        ("Revenue of GX-2000", "and in 2023?"),
        ("Wohnungen mit 1990 Quadratmetern", "und 2023?"),
        ("Wer hat zwischen 1990 und 2010 ausgegeben?", "und 2023?"),
        ("Bestellungen über 2000", "und 2023?"),
        ("Bestellungen im Wert von 1999", "und 2023?"),
        ("Clients avec un solde de 1999", "et en 2023 ?"),
        ("Produits vendus pour 1999", "et en 2023 ?"),
    ]);
}

#[test]
fn a_part_that_goes_on_keeps_the_conditions() {
    assert_completed(&[
        ("Total revenue in 2023", "Total revenue in 2024", "Total revenue in 2024"),
        ("Top 10 customers by revenue in 2023", "Top 5", "Top 5 customers by revenue in 2023"),
        ("Total revenue in 2023 by country", "and total revenue in 2024?", "Total revenue in 2024 by country"),
    ]);
}

#[test]
fn a_whole_question_does_not_inherit_conditions() {
    assert_unclear(&[
        ("How many customers in Germany bought books in 2023?", "How many customers in France?"),
        ("How many orders in 2023 came from Germany?", "How many orders in 2024?"),
        ("Total revenue in 2023 by country", "Total revenue in 2024"),
        ("What was the total revenue in 2023 by country?", "Total revenue in 2024"),
        ("Show total revenue in 2023 by country", "Show total revenue in 2024"),
        ("Wie viele Kunden aus Deutschland haben 2023 bestellt?", "Wie viele Kunden aus Frankreich?"),
        ("Combien de clients en Allemagne en 2023 ?", "Combien de clients en France ?"),
        ("Berlin sales by month in 2023", "Paris sales"),
        ("Top 10 customers by revenue in 2023", "Top 5 customers"),
        ("Revenue in 2023 by country", "Revenue in 2024"),
        ("Orders from Germany in 2023", "Orders from France"),
        ("Umsatz 2023 je Filiale", "Umsatz 2024"),
        ("Ventes en 2023 par pays", "Ventes en 2024"),
        ("Total revenue in 2023 by country", "Please show total revenue in 2024"),
        ("Zeige den Umsatz 2023 je Filiale", "Zeige den Umsatz 2024"),
        ("What was revenue in 2023 by country?", "What was revenue in 2024?"),
    ]);
}

#[test]
fn the_same_direction_is_replaced() {
    assert_completed(&[
        ("Flights to Paris", "and to London?", "Flights to London"),
        ("Flights to Paris", "and London?", "Flights to London"),
        ("Flights to Paris", "and for London?", "Flights to London"),
        ("Flights from Berlin", "and for London?", "Flights from London"),
        ("Flüge nach Paris", "und nach London?", "Flüge nach London"),
        ("Vols de Paris", "et de Lyon ?", "Vols de Lyon"),
        ("Customers from Germany", "and in France?", "Customers in France"),
    ]);
}

#[test]
fn directions_are_not_exchanged() {
    assert_unclear(&[
        ("Flights from Berlin in 2023", "and to London?"),
        ("Flights to Paris", "and from London?"),
        ("Flüge von Berlin", "und nach London?"),
        ("Flüge nach Paris", "und aus London?"),
        ("Lieferungen zu Berlin", "und von London?"),
        ("Vols de Paris", "et à Lyon ?"),
        ("Vols à Paris", "et de Lyon ?"),
        ("Orders sold by Ada Lovelace", "and to Grace Hopper?"),
        ("Migration into Germany", "and from France?"),
        ("Deliveries for Berlin", "and from Paris?"),
        ("Imports from Germany", "and to France?"),
        ("Vols pour Paris", "et de Lyon ?"),
        ("Züge von Berlin", "und zu Hamburg?"),
        ("Züge aus Berlin", "und nach Hamburg?"),
    ]);
}

#[test]
fn a_time_of_the_same_kind_keeps_its_modifier() {
    assert_completed(&[
        ("Orders in early 2023", "and 2024?", "Orders in early 2024"),
        ("Bestellungen Ende 2023", "und 2024?", "Bestellungen Ende 2024"),
        (
            "Wie viele Kunden in Berlin haben keine Bestellung?",
            "und in Hamburg?",
            "Wie viele Kunden in Hamburg haben keine Bestellung?",
        ),
        ("Shops in the suburbs of Berlin", "and of Paris?", "Shops in the suburbs of Paris"),
        ("Revenue in the 2023 season", "2024", "Revenue in the 2024 season"),
        ("Orders in early 2023", "and early 2024?", "Orders in early 2024"),
    ]);
}

#[test]
fn modifiers_are_not_garbled() {
    assert_unclear(&[
        ("How many customers outside of Germany?", "and in France?"),
        ("How many customers outside Germany?", "and in France?"),
        ("Wie viele Kunden außerhalb von Deutschland?", "und in Frankreich?"),
        ("Combien de clients hors de Paris ?", "et à Lyon ?"),
        ("Orders by customer Ada Lovelace", "by month"),
        ("Orders in early 2023", "in March"),
        ("Orders in summer 2023", "in Q3"),
        ("Orders in the summer of 2023", "in Q3"),
        ("Orders from 2021 onwards", "in May"),
        ("Orders from 2021 onwards", "and 2022?"),
        ("Orders in 2021 or earlier", "in May"),
        ("Orders in 2021 or earlier", "2022"),
        ("2023 revenue", "Q3"),
        ("2023 revenue", "last year"),
        ("Bestellungen ab 2021", "im Mai"),
        ("Bestellungen Anfang 2023", "im März"),
        ("Commandes début 2023", "en mars"),
        ("Commandes en 2021 ou avant", "en mai"),
        ("Commandes à partir de 2021", "en mai"),
        ("Bestellungen von 2021 oder früher", "im Mai"),
        ("How many orders are not yet shipped?", "and cancelled?"),
        ("How many orders without status cancelled?", "and shipped?"),
        ("Wie viele Kunden kommen nicht aus Berlin?", "und aus Hamburg?"),
        ("Combien de clients qui ne sont pas de Paris ?", "et de Lyon ?"),
        ("Shops within 10 km of Berlin", "and in Paris?"),
        ("Shops in the suburbs of Berlin", "and in Paris?"),
        ("Stores near Berlin", "and in Paris?"),
        ("Geschäfte nahe Berlin", "und in Hamburg?"),
        ("Magasins près de Paris", "et à Lyon ?"),
        ("Orders by store Berlin", "by month"),
        ("Umsatz nach Filiale Berlin", "nach Monat"),
        ("Orders per customer segment", "per month"),
        ("Balance as of 2023", "Q3"),
        ("Orders around 2023", "in Q3"),
        ("Orders from 2021 until now", "in May"),
        ("Orders from 2021 up to now", "in May"),
        ("Bestellungen von 2021 an", "im Mai"),
        ("Bestellungen 2021 und später", "im Mai"),
        ("Commandes en 2021 et après", "en mai"),
        ("Commandes fin 2023", "au T3"),
        ("Commandes de l'été 2023", "en mars"),
        ("the 2023 season revenue", "Q3"),
        ("Revenue in the 2023 season", "Q3"),
    ]);
}

#[test]
fn whole_ranges_and_labelled_years_are_replaced() {
    assert_completed(&[
        ("Total revenue by country", "by month instead", "Total revenue by month"),
        ("Total revenue in 2023", "also by month", "Total revenue in 2023 by month"),
        ("Revenue in FY2023", "FY2024", "Revenue in FY2024"),
        ("Revenue in fiscal year 2023", "and 2024?", "Revenue in fiscal year 2024"),
        ("Top 10 customers in the last 30 days", "and the top 5?", "Top 5 customers in the last 30 days"),
        ("Orders from 2021", "and in 2022?", "Orders in 2022"),
        ("Orders from 2021", "and from 2022?", "Orders from 2022"),
        ("Revenue from 2021 to 2023", "and from 2019 to 2020", "Revenue from 2019 to 2020"),
        ("Umsatz im Geschäftsjahr 2023", "2024", "Umsatz im Geschäftsjahr 2024"),
        ("Chiffre d'affaires de l'exercice 2023", "2024", "Chiffre d'affaires de l'exercice 2024"),
    ]);
}

#[test]
fn what_may_be_added_or_may_be_one_end_is_unclear() {
    assert_unclear(&[
        ("Total revenue by country", "also by month"),
        ("Total revenue by country", "and by month"),
        ("Umsatz nach Land", "auch nach Monat"),
        ("Ventes par pays", "aussi par mois"),
        ("Revenue in FY2023", "2024"),
        ("Revenue in fiscal year 2023", "and March?"),
        ("Customers in the last 30 days", "and the last 7?"),
        ("Top 10 customers in the last 30 days", "and the last 7?"),
        ("Umsatz in den letzten 30 Tagen", "und den letzten 7?"),
        ("Revenue from 2021 to 2023", "from 2022"),
        ("Revenue from 2021 to 2023", "until 2022"),
        ("Umsatz von 2021 bis 2023", "von 2022"),
        ("Chiffre d'affaires de 2021 à 2023", "de 2022"),
        ("Revenue in 2023", "from 2022"),
        ("Who registered since 2020?", "and until 2022?"),
        ("Orders between 2023-01-01 and 2023-03-31", "and 2024?"),
        ("Orders between 2023-01-01 and 2023-03-31", "and last year?"),
        ("Revenue by country", "by month too"),
        ("Revenue by country", "by month as well"),
        ("Umsatz nach Land", "zusätzlich nach Monat"),
        ("Ventes par pays", "et également par mois"),
        ("Revenue from 2021 to 2023", "to 2024"),
        ("Revenue between 2021 and 2023", "from 2022"),
        ("Revenue from 2021 to 2023", "starting in 2022"),
        ("Umsatz im Geschäftsjahr 2023", "im März"),
        ("Chiffre d'affaires de l'exercice 2023", "en mars"),
    ]);
}

#[test]
fn everyday_follow_ups_are_completed() {
    assert_completed(&[
        ("Umsatz in KW 12 2023", "und KW 13?", "Umsatz in KW 13 2023"),
        ("Umsatz in KW 12 2023", "und 2024?", "Umsatz in KW 12 2024"),
        ("Umsatz KW12 2023", "und 2024?", "Umsatz KW12 2024"),
        ("What was our revenue in 2023?", "and in 2022?", "What was our revenue in 2022?"),
        ("What was our revenue in 2023?", "2022?", "What was our revenue in 2022?"),
        ("What was our revenue in 2023?", "How about 2022?", "What was our revenue in 2022?"),
        ("Show me the top 10 products by sales in 2023", "and in 2022", "Show me the top 10 products by sales in 2022"),
        ("Which products sold best in 2023?", "2024?", "Which products sold best in 2024?"),
        ("List all orders from 2023", "from 2024", "List all orders from 2024"),
        ("List all orders from 2023", "and 2024?", "List all orders from 2024"),
        (
            "How many orders were placed in December 2023?",
            "and in November?",
            "How many orders were placed in November 2023?",
        ),
        ("How many orders were placed in December 2023?", "November?", "How many orders were placed in November 2023?"),
        (
            "How many orders were placed in December 2023?",
            "and in December 2022?",
            "How many orders were placed in December 2022?",
        ),
        ("Average order value in 2023", "and in 2024?", "Average order value in 2024"),
        ("Average order value for 2023", "and for 2024?", "Average order value for 2024"),
        ("Revenue of 2023", "and of 2024?", "Revenue of 2024"),
        ("Revenue for 2023 by product", "2024", "Revenue for 2024 by product"),
        ("Orders 2023", "2024", "Orders 2024"),
        ("Customers 2023 by country", "2024", "Customers 2024 by country"),
        ("Compare sales by country in 2023", "2024", "Compare sales by country in 2024"),
        (
            "How much did customers in Germany spend in 2023?",
            "and in 2024?",
            "How much did customers in Germany spend in 2024?",
        ),
        (
            "How much did customers in Germany spend in 2023?",
            "and in France?",
            "How much did customers in France spend in 2023?",
        ),
        ("What is the total amount paid in 2023?", "and in 2024?", "What is the total amount paid in 2024?"),
        ("What were total payments for 2023?", "2024?", "What were total payments for 2024?"),
        (
            "Which customers paid more than 2000 in 2023?",
            "and in 2024?",
            "Which customers paid more than 2000 in 2024?",
        ),
        ("Total salary costs in 2023 by department", "and in 2024?", "Total salary costs in 2024 by department"),
        ("Population of Germany in 2000", "and in 2010?", "Population of Germany in 2010"),
        ("Population of Germany in 2000", "and of France?", "Population of France in 2000"),
        ("Wie hoch war der Umsatz 2023?", "und 2022?", "Wie hoch war der Umsatz 2022?"),
        ("Wie hoch war der Umsatz im Jahr 2023?", "und im Jahr 2022?", "Wie hoch war der Umsatz im Jahr 2022?"),
        ("Umsatz 2023 je Filiale", "2024", "Umsatz 2024 je Filiale"),
        (
            "Welche Produkte wurden 2023 am meisten verkauft?",
            "und 2022?",
            "Welche Produkte wurden 2022 am meisten verkauft?",
        ),
        ("Wie viele Bestellungen gab es 2023?", "und 2024?", "Wie viele Bestellungen gab es 2024?"),
        (
            "Wie viele Bestellungen gab es 2023 in Berlin?",
            "und in Hamburg?",
            "Wie viele Bestellungen gab es 2023 in Hamburg?",
        ),
        ("Anzahl Bestellungen 2023", "2024", "Anzahl Bestellungen 2024"),
        ("Top 10 Kunden 2023", "2024", "Top 10 Kunden 2024"),
        ("Zeige mir den Umsatz für 2023", "und für 2024", "Zeige mir den Umsatz für 2024"),
        ("Umsatz pro Monat 2023", "und 2024?", "Umsatz pro Monat 2024"),
        ("Umsatz pro Monat 2023", "pro Quartal", "Umsatz pro Quartal 2023"),
        ("Umsatz nach Land 2023", "nach Monat", "Umsatz nach Monat 2023"),
        ("Durchschnittsgehalt nach department", "nach Land", "Durchschnittsgehalt nach Land"),
        ("Ventes totales en 2023", "et en 2022 ?", "Ventes totales en 2022"),
        ("Ventes totales 2023", "2022", "Ventes totales 2022"),
        ("Quel était le chiffre d'affaires de 2023 ?", "et de 2022 ?", "Quel était le chiffre d'affaires de 2022 ?"),
        ("Combien de commandes en décembre 2023 ?", "et en novembre ?", "Combien de commandes en novembre 2023 ?"),
        (
            "Combien de commandes avons-nous reçues l'année dernière ?",
            "et cette année ?",
            "Combien de commandes avons-nous reçues cette année ?",
        ),
        (
            "Combien de commandes entre janvier et mars 2023 ?",
            "et entre avril et juin ?",
            "Combien de commandes entre avril et juin 2023 ?",
        ),
        ("How many customers last year bought books?", "and this year?", "How many customers this year bought books?"),
        ("How many customers last year bought books?", "and in 2023?", "How many customers in 2023 bought books?"),
        ("Revenue this quarter", "and last quarter?", "Revenue last quarter"),
        ("Revenue this quarter", "and Q2 2023?", "Revenue in Q2 2023"),
        ("Revenue yesterday", "and today?", "Revenue today"),
        ("How many orders today?", "and yesterday?", "How many orders yesterday?"),
        ("Orders in the last 30 days", "and the last 7 days?", "Orders in the last 7 days"),
        ("Orders in the last 30 days", "and in the last 7 days?", "Orders in the last 7 days"),
        ("Orders in the last 30 days by country", "by city", "Orders in the last 30 days by city"),
        ("How many customers are from Berlin?", "and from Paris?", "How many customers are from Paris?"),
        ("How many customers are in Berlin?", "Paris?", "How many customers are in Paris?"),
        ("How many customers came to Berlin?", "and to Paris?", "How many customers came to Paris?"),
        ("Revenue of Electronics in 2023", "and Clothing?", "Revenue of Clothing in 2023"),
        ("Revenue of Electronics in 2023", "and for Clothing in 2022?", "Revenue of Clothing in 2022"),
        ("Who sold the most in the north in 2023?", "and in the south?", "Who sold the most in the south in 2023?"),
        ("Shipped orders in March 2023", "cancelled?", "Cancelled orders in March 2023"),
        ("Total revenue by region in 2023", "only North", "Total revenue by region in 2023, only North"),
        ("Sales by category", "by region", "Sales by region"),
        ("Sales of Books by country", "by city", "Sales of Books by city"),
        ("What did Jan Müller buy in 2023?", "and in 2024?", "What did Jan Müller buy in 2024?"),
        ("What did Jan Müller buy in 2023?", "and Ada Lovelace?", "What did Ada Lovelace buy in 2023?"),
        ("How many orders in Q4?", "and Q3?", "How many orders in Q3?"),
        ("Revenue in the first half of 2023", "and the second half?", "Revenue in the second half of 2023"),
        ("Revenue in the first half of 2023", "and in 2022?", "Revenue in the first half of 2022"),
        ("Revenue in 2023 in Germany", "and in Q1 in France?", "Revenue in Q1 2023 in France"),
        ("Orders shipped in 2023 to Germany", "and in 2024?", "Orders shipped in 2024 to Germany"),
        ("Orders in 2023 on weekends", "and in 2024?", "Orders in 2024 on weekends"),
        ("Number of tickets opened in January 2024", "February 2024", "Number of tickets opened in February 2024"),
        ("Number of tickets in Jan 2024", "Feb", "Number of tickets in Feb 2024"),
        ("How many customers did we have in 2023?", "and in 2024?", "How many customers did we have in 2024?"),
        ("How many orders in 2023 shipped late?", "and in 2024?", "How many orders in 2024 shipped late?"),
        ("Revenue in Germany from 2021 onwards", "and in France?", "Revenue in France from 2021 onwards"),
        ("Orders worth 2000 in Germany", "and in France?", "Orders worth 2000 in France"),
        ("Average revenue per customer in 2023", "and in 2024?", "Average revenue per customer in 2024"),
        ("Flights from Berlin in 2023", "and in 2024?", "Flights from Berlin in 2024"),
        ("Orders by customer Ada Lovelace", "and Grace Hopper?", "Orders by customer Grace Hopper"),
        ("Revenue by month in 2023", "and from January to March?", "Revenue by month from January to March 2023"),
        ("Revenue of Germany in 2023", "and in France?", "Revenue in France in 2023"),
    ]);
}

#[test]
fn everyday_follow_ups_that_say_more_are_unclear() {
    assert_unclear(&[
        ("Sales by category and region", "by month"),
        ("Which customer had the highest revenue in 2023?", "and the lowest?"),
        ("Number of tickets opened in January 2024", "and since then?"),
        ("How many customers without orders in Germany?", "and in France?"),
    ]);
}

#[test]
fn further_follow_ups_are_completed() {
    assert_completed(&[
        (
            "How many orders were placed during the first half of 2023?",
            "April",
            "How many orders were placed during April of 2023?",
        ),
        ("How many orders were delivered by 2023?", "and by 2024?", "How many orders were delivered by 2024?"),
        ("Revenue for the full year 2023", "2024", "Revenue for the full year 2024"),
        ("Orders in late 2023", "and late 2024?", "Orders in late 2024"),
        ("Which movies were released in 1999?", "and in 2000?", "Which movies were released in 2000?"),
        ("Which movies released in 1999 won an award?", "and 2001?", "Which movies released in 2001 won an award?"),
        ("How many students enrolled in fall 2023?", "and fall 2022?", "How many students enrolled in fall 2022?"),
        ("How many hours did we work in 2023?", "and in 2024?", "How many hours did we work in 2024?"),
        ("List invoices of 2023", "and 2024", "List invoices of 2024"),
        ("List the invoices from 2023 over 1000 euros", "and 2024?", "List the invoices from 2024 over 1000 euros"),
        ("List the invoices from 2023 over 1000 euros", "and over 500?", "List the invoices from 2023 over 500 euros"),
        ("Who were the best 5 sellers in 2023?", "best 10?", "Who were the best 10 sellers in 2023?"),
        ("Average price of Books in 2023", "and Clothing?", "Average price of Clothing in 2023"),
        ("Average price of Books in 2023", "and in 2022?", "Average price of Books in 2022"),
        ("Number of employees at the end of 2023", "and 2022?", "Number of employees at the end of 2022"),
        ("What share of orders was cancelled in 2023?", "and shipped?", "What share of orders was shipped in 2023?"),
        ("What share of orders was cancelled in 2023?", "and in 2022?", "What share of orders was cancelled in 2022?"),
        ("Welcher Kunde hat 2023 am meisten ausgegeben?", "und 2022?", "Welcher Kunde hat 2022 am meisten ausgegeben?"),
        (
            "Wie viele Kunden haben 2023 mehr als 3 mal bestellt?",
            "und 2024?",
            "Wie viele Kunden haben 2024 mehr als 3 mal bestellt?",
        ),
        (
            "Wie viele Kunden haben im Jahr 2023 mehr als 3 mal bestellt?",
            "und mehr als 5 mal?",
            "Wie viele Kunden haben im Jahr 2023 mehr als 5 mal bestellt?",
        ),
        ("Umsatz in Berlin im März 2023", "und in Hamburg im April?", "Umsatz in Hamburg im April 2023"),
        ("Bestellungen seit März 2023", "und seit Mai?", "Bestellungen seit Mai 2023"),
        ("Zeige den Umsatz je Monat für 2023", "und für 2024", "Zeige den Umsatz je Monat für 2024"),
        ("Combien de commandes par mois en 2023 ?", "et en 2024 ?", "Combien de commandes par mois en 2024 ?"),
        ("Combien de commandes par mois en 2023 ?", "par trimestre", "Combien de commandes par trimestre en 2023 ?"),
        ("Combien de commandes en mai 2023 ?", "et depuis juin ?", "Combien de commandes depuis juin 2023 ?"),
        ("Les 10 meilleurs clients en 2023", "et en 2022 ?", "Les 10 meilleurs clients en 2022"),
        (
            "Which orders from March 2023 are still open?",
            "and from April?",
            "Which orders from April 2023 are still open?",
        ),
        ("Orders from March 2023", "and from May?", "Orders from May 2023"),
        ("Total revenue Q3", "Q4", "Total revenue Q4"),
        ("Revenue Q3 by country", "Q4", "Revenue Q4 by country"),
        ("Revenue by country Q3", "Q4", "Revenue by country Q4"),
        ("Umsatz Q3", "und Q4?", "Umsatz Q4"),
        ("Wie hoch war der Umsatz Q3 2023?", "und Q4?", "Wie hoch war der Umsatz Q4 2023?"),
        (
            "How much did revenue increase from 2021 to 2023?",
            "and from 2020 to 2022?",
            "How much did revenue increase from 2020 to 2022?",
        ),
        ("Revenue in Q3", "and Q4?", "Revenue in Q4"),
        (
            "How many customers in Germany have more than 5 orders?",
            "and fewer than 3?",
            "How many customers in Germany have fewer than 3 orders?",
        ),
        (
            "How many customers in Germany have more than 5 orders?",
            "and in Spain?",
            "How many customers in Spain have more than 5 orders?",
        ),
        ("Average order value in Q1 2023", "and in Q2?", "Average order value in Q2 2023"),
        ("List the 10 newest customers in Berlin", "and in Paris?", "List the 10 newest customers in Paris"),
        ("List the 10 newest customers in Berlin", "and the 5 newest?", "List the 5 newest customers in Berlin"),
        (
            "How many products are in the Books category?",
            "and in Electronics?",
            "How many products are in Electronics category?",
        ),
    ]);
}

#[test]
fn further_follow_ups_are_left_to_a_model() {
    assert_unclear(&[
        ("How many orders were placed in March 2023?", "and in the year 2024?"),
        ("Wie viele Bestellungen gab es im März 2023?", "und im Jahr 2024?"),
        ("Combien de commandes en mars 2023 ?", "et en l'année 2024 ?"),
        ("How many orders were placed from 2021?", "April"),
        ("How many orders were placed from 2021?", "and until 2022?"),
        ("How many orders were placed from 2021?", "from April to June"),
        ("How many orders were delivered by 2023?", "and in 2022?"),
        ("How many orders were delivered by 2023?", "and the year before?"),
        ("Cars with horsepower 1999", "and in 2023?"),
        ("Customers spending around 2000", "and 2023"),
        ("Customers spending around 2015", "and 2023"),
        ("Orders around 2023", "2024"),
        ("Half of 2000 orders", "2023"),
        ("All 2000 customers", "in 2023"),
        ("Revenue for full year 2023", "and Q3?"),
        ("Which movies released in 1999 won an award?", "and in 2000?"),
        ("How many students enrolled in fall 2023?", "and in spring?"),
        ("Total sales in New York in 2023", "and Los Angeles?"),
        ("Number of employees at the end of 2023", "and in June?"),
        ("Revenue 2022 vs 2023", "and 2024?"),
        ("Growth from 2022 to 2023", "and 2024?"),
        ("Share of online orders in 2023", "and store?"),
        ("Bestellungen seit 2021", "und seit Mai?"),
        ("Customers sorted by revenue", "by month"),
        ("Sales of the Audi Q3 in Germany", "and Q4?"),
        ("Sales of the Audi Q3", "in March"),
        ("How much did revenue increase from 2021 to 2023?", "and 2024?"),
        ("Growth from 2022 to 2023", "and last year?"),
        ("Average order value in Q1 2023 by country", "and in France?"),
    ]);
}

#[test]
fn a_range_of_quarters_is_no_range_of_years_and_a_capital_changes_nothing() {
    assert_unclear(&[("Revenue Q1-Q3", "and 2024?"), ("Revenue from Q1 to Q3", "and 2024?")]);
    assert_completed(&[
        ("Revenue 2021-23", "and 2024?", "Revenue in 2024"),
        ("From 2021, how many orders?", "and in 2022?", "In 2022, how many orders?"),
    ]);
}
