//! Values with the same meaning, and values that are only similar.

use super::{CategoryColumn, CategoryValue, same_values};

/// Returns the groups among `values`, written as `text` or `text=rows` and separated by `|`.
fn find_groups(column: &str, values: &str) -> Vec<Vec<String>> {
    let value = |part: &str| {
        let (text, rows) = part.rsplit_once('=').map_or((part, None), |(text, rows)| (text, rows.parse().ok()));
        CategoryValue { text: text.to_owned(), rows, code: None }
    };
    let values: Vec<CategoryValue> = values.split('|').map(value).collect();
    let column = CategoryColumn { name: column, is_personal: column == "first_name" };
    let found = same_values(column, &values, false);
    found.into_iter().map(|group| group.into_iter().map(|value| value.text).collect()).collect()
}

/// Pairs of values with the same meaning, each with the column and further values of it.
const SAME: &[(&str, &str)] = &[
    ("country", "USA|US"),
    ("country", "USA|United States"),
    ("c", "U.S.|United States|France"),
    ("c", "UK|United Kingdom|Spain"),
    ("c", "CAN|Canada|Mexico"),
    ("c", "DE|Germany|France|Italy"),
    ("c", "DEU|Germany|FRA"),
    ("land", "Deutschland|Germany"),
    ("pays", "Allemagne|DE"),
    ("land", "Österreich|AT"),
    ("c", "Cote d'Ivoire|Ivory Coast|Ghana"),
    ("c", "Korea, Republic of|South Korea|Japan"),
    ("c", "Holland|Netherlands|Belgium"),
    ("c", "Czechia|Czech Republic|Poland"),
    ("country", "us|USA|de"),
    ("state", "CA|California|TX"),
    ("state", "Texas|TX|Ohio"),
    ("month", "Jan|January|Feb"),
    ("m", "Mar|March|April"),
    ("monat", "Mrz|März"),
    ("weekday", "Mon|Monday"),
    ("status", "open|Open|closed"),
    ("status", "OPEN|Open"),
    ("status", "In Progress|in_progress|done"),
    ("status", "In-Progress|InProgress|done"),
    ("status", "shipped | shipped"),
    ("city", "New  York|New York|Boston"),
    ("city", "München|Muenchen|Berlin"),
    ("city", "München|Munchen|Berlin"),
    ("city", "Zürich|Zuerich|Bern"),
    ("city", "São Paulo|Sao Paulo|Rio"),
    ("city", "Montréal|Montreal|Québec"),
    ("street", "Hauptstraße|Hauptstrasse|Gasse"),
    ("city", "Malmö|Malmoe|Lund"),
    ("city", "Kraków|Krakow|Łódź"),
    ("city", "Ｔｏｋｙｏ|Tokyo|Kyoto"),
    ("team", "R&D|r & d|Sales"),
    ("team", "Research and Development|Research & Development|Sales"),
    ("team", "HR|Human Resources|Sales"),
    ("city", "NY|New York|Boston"),
    ("team", "Dept.|Department|Board"),
    ("team", "ENG|Engineering|FIN|Finance"),
    ("category", "Laptop|Laptops|Phones"),
    ("category", "Accessory|Accessories|Phones"),
    ("category", "Gift Box|Gift Boxes|Cards"),
    ("category", "Electronics=400|Electroncs=3|Books=300"),
    ("category", "Electronics|Electroncis|Books"),
    ("category", "Accessories|Accesories|Books"),
    ("status", "cancelled=40|canceled=38|paid=400"),
    ("city", "Philadelphia=900|Philadelpia=2|Boston=700"),
    ("city", "Pheonix=4|Phoenix=80|Boston=70"),
    ("sector", "Organisation|Organization|State"),
    ("sex", "m|M|F"),
    ("sex", "M|m|F|f"),
    ("city", "Saint-Denis|Saint Denis|Paris"),
    ("brand", "T-Shirt|Tshirt|Hat"),
    ("disease", "COVID-19|Covid 19|Flu"),
    ("kind", "Type 1|type-1|Type 2"),
    ("first_name", "Maria|MARIA|Marie"),
    ("answer", "No|NO|Yes|YES"),
    ("result", "OK|ok|failed"),
    ("team", "hr|HR|Sales"),
    ("sex", "M|m|F|unknown"),
    ("age", "10 - 19|10-19|20-29"),
    ("country", "USA|US|Other|Canada"),
    ("country", "DE|Germany|FR|France|Other|Unknown"),
    ("country", "FR|France|DE|Germany|Other|Unknown"),
    ("land", "Frankreich|FR|Sonstige|k.A."),
    ("origin_country", "US|USA|Mars|Venus"),
    ("country", "Brasil|Brazil|Chile"),
    ("country", "España|Spain|France"),
    ("country", "Italia|Italy|France"),
    ("country", "Korea|South Korea|Japan"),
    ("country", "S. Korea|South Korea|Japan"),
    ("city", "Köln|Cologne|Berlin|Bonn|Essen|Ulm"),
    ("ville", "Munich|München|Paris|Lille|Nantes"),
    ("geburtsort", "Prag|Prague|Ulm"),
    ("weekday", "Mo|Montag|Di|Dienstag"),
    ("jour", "lun.|lundi|mar.|mardi"),
    ("colour", "gray|grey|red"),
    ("label", "Colour|Color|Size"),
    ("label", "Data Centers|Data Centres|Offices"),
    ("supplier", "Acme Ltd|Acme Limited|Bolt Ltd"),
    ("supplier", "Acme Corp.|Acme Corporation|Bolt"),
    ("supplier", "Acme Intern. Trade|Acme International Trade|Bolt"),
    ("street", "Main St|Main Street|Oak Street"),
    ("street", "N. Main St.|North Main Street|Oak Street"),
    ("strasse", "Hauptstr. 5|Hauptstraße 5|Gasse 5"),
    ("city", "St. Louis|Saint Louis|Boston"),
    ("team", "HR|Human Resources|Human Ressources"),
    ("team", "Human Ressources|Human Resources|HR"),
    ("sex", "M|Male|F"),
    ("gender", "F|Female|Male|Other"),
    ("geschlecht", "w|weiblich|m"),
    ("sexe", "H|Homme|F"),
    ("newsletter", "Y|Yes|No|N"),
    ("aktiv", "ja|J|nein|N"),
    ("paid", "1|true|0|false"),
];

/// Pairs of different values, each with the column and further values of it.
const DIFFERENT: &[(&str, &str)] = &[
    ("code", "A1|A2|B1"),
    ("street", "E Street|East Street|Oak Street"),
    ("size", "S|M|L|XL|XXL"),
    ("size", "s|M|L|XL|XXL|XS|SM"),
    ("year", "2023|2024"),
    ("quarter", "Q1|Q2|Q3|Q4"),
    ("direction", "North|South|East|West"),
    ("direction", "Northern|Southern|Eastern|Western"),
    ("kind", "Type 1|Type 2"),
    ("kind", "Type I|Type II|Type III"),
    ("sex", "male|female"),
    ("sex", "M|F"),
    ("country", "Niger=500|Nigeria=20"),
    ("c", "Austria=900|Australia=3"),
    ("c", "Slovakia=900|Slovenia=3"),
    ("country", "Iran=900|Iraq=3"),
    ("country", "Guinea|Guinea-Bissau|Equatorial Guinea|Papua New Guinea"),
    ("country", "Dominica|Dominican Republic"),
    ("country", "North Korea|South Korea"),
    ("country", "Congo|DR Congo|Republic of the Congo"),
    ("country", "Sudan|South Sudan"),
    ("country", "Ireland|Northern Ireland|Iceland"),
    ("country", "Samoa|American Samoa"),
    ("country", "US|UK|UA"),
    ("country", "Georgia|GA"),
    ("state", "CA|CO|IN|DE|Washington|Oregon"),
    ("state", "North Carolina|South Carolina|North Dakota"),
    ("state", "Virginia|West Virginia"),
    ("word", "in|IN|on|at"),
    ("word", "in|India|on|at|by|to"),
    ("direction", "IN|India House|OUT"),
    ("product", "iPhone 11|iPhone 12|iPhone 11 Pro"),
    ("product", "Cable 1 m|Cable 2 m|Cable 10 m"),
    ("product", "Galaxy S8|Galaxy S8+"),
    ("product", "Milk 1.5|Milk 15"),
    ("product", "Model A|Model B|Model X"),
    ("first_name", "Maria|Marie|Mario"),
    ("first_name", "Christina=500|Cristina=9"),
    ("first_name", "Jon|John|Jona|Jonas"),
    ("status", "open|reopened|opened"),
    ("status", "active|inactive"),
    ("status", "legal|illegal|regal"),
    ("status", "approved=900|unapproved=5"),
    ("status", "symptomatic=900|asymptomatic=5"),
    ("role", "employer=900|employee=5"),
    ("role", "trainer=900|trainee=5"),
    ("role", "Manager|Management|Managing"),
    ("salt", "sulfate=900|sulfite=5|sulfide=3"),
    ("paper", "stationery=90|stationary=60"),
    ("grade", "A|A+|A-|B"),
    ("blood", "O+|O-|AB+|AB-"),
    ("language", "C|C++|C#"),
    ("rating", "PG|PG-13|R"),
    ("rating", "1|1.0|10"),
    ("version", "1.2|12|1-2"),
    ("unit", "Mb|MB|kB"),
    ("element", "Co|CO|Fe"),
    ("name", "Smith|Smyth|Smithe"),
    ("name", "Mueller|Miller|Muller"),
    ("title", "Mr|Mrs|Ms"),
    ("rank", "new|newer|newest"),
    ("game", "AIR|Airline Tycoon|Airblade"),
    ("channel", "PRO|Product|Promo"),
    ("city", "Frankfurt am Main|Frankfurt (Oder)"),
    ("city", "Hamburg|Homburg"),
    ("city", "Charleston=90|Charlestown=3"),
    ("month", "June|July"),
    ("monat", "Juni|Juli"),
    ("weekday", "Tuesday|Thursday"),
    ("flow", "import=900|export=3"),
    ("flow", "Inbound=900|Outbound=3"),
    ("plan", "Premium|Premium Plus"),
    ("flag", "n/a|none|unknown"),
    ("flag", "|-|?"),
    ("area", "NA|North America|EU"),
    ("kind", "new|news"),
    ("id", "US-1|US-2|US1-1"),
    ("iata", "8Z|8z|-|--|9X|9x"),
    ("format", "CD|CD digipak|DVD"),
    ("fruit", "peach|pear|pea|grape|grapefruit"),
    ("colour", "green|grey|red|read"),
    ("currency", "USD|AUD|EUR|US Dollar"),
    ("bucket", "1 - 11|11 - 1|1 - 1"),
    ("weeks", "Week 1 - 12|Week 11 - 2"),
    ("age", "10 - 19|101 - 9|1 - 019"),
    ("shape", "1, 12|11, 2"),
    ("part", "2 4 Bolts|24 Bolts"),
    ("floor", "Floor -1|Floor 1"),
    ("unit", "mW|MW|kW|kWh"),
    ("measure", "mW|MW|kW|kWh|piece"),
    ("unit", "c|C|F|Kelvin"),
    ("code", "ab|AB|Other"),
    ("country", "Austria|Australia|Other|Unknown|Austrasia"),
    ("country", "North Korea|South Korea|N. Korea Province"),
    ("size", "S|M|L|W|Mens"),
    ("days", "M|W|F|Weekend"),
    ("vitamin", "Vitamin E|Vitamin East|Vitamin C"),
    ("class", "S Class|South Class|Type E|Type East"),
    ("street", "Main Street|Main Road|Main Avenue|Oak Street"),
    ("supplier", "Acme Ltd|Acme Inc|Acme GmbH"),
    ("title", "Acme Intern. Trade|Acme International Trade|Acme Internal Trade"),
    ("city", "Florence|Venice|Nice|Vienna"),
    ("rating", "1|2|yes|no"),
    ("answer", "Yes|No|Maybe"),
    ("sex", "Male|Female|Diverse|X|Unknown"),
    ("colour", "gray|green|great"),
];

#[test]
fn one_thing_written_in_several_ways() {
    let mut missed = Vec::new();
    for (column, values) in SAME {
        let found = find_groups(column, values);
        let [a, b] = [0, 1].map(|at| {
            let text = values.split('|').nth(at).unwrap();
            text.rsplit_once('=').map_or(text, |(text, _)| text)
        });
        let is_found = found.iter().any(|group| [a, b].iter().all(|text| group.iter().any(|own| own == text)));
        missed.extend((!is_found).then(|| format!("{column}: {values} gave {found:?}")));
    }
    assert_eq!(missed, Vec::<String>::new());
}

#[test]
fn things_that_are_only_alike() {
    for (column, values) in DIFFERENT {
        assert_eq!(find_groups(column, values), Vec::<Vec<String>>::new(), "{column}: {values}");
    }
}

#[test]
fn the_most_frequent_writing_comes_first_and_every_one_is_told_once() {
    let found = find_groups("country", "UK=7|US=60|Canada=8|USA=24|CAN=2|United States=6|United Kingdom=3|U.S.=10");
    let expected = [vec!["UK", "United Kingdom"], vec!["US", "USA", "U.S.", "United States"], vec!["Canada", "CAN"]];
    assert_eq!(found, expected);
}

#[test]
fn several_codes_of_four_letters_are_initials() {
    let found = find_groups(
        "owner",
        "NASA|National Aeronautics and Space Administration|UCLA|University of California Los Angeles|Acme",
    );
    let expected = [
        vec!["National Aeronautics and Space Administration", "NASA"],
        vec!["University of California Los Angeles", "UCLA"],
    ];
    assert_eq!(found, expected);
}

#[test]
fn a_large_column_is_compared_in_blocks() {
    let letter = |n: usize| char::from(b'a' + (n % 26) as u8);
    let text = |n: usize| format!("Kind numb{}q{}w{}er", letter(n), letter(n / 26), letter(n / 676));
    let mut values: Vec<CategoryValue> =
        (0..3_000).map(|n| CategoryValue { text: text(n), rows: Some(1), code: None }).collect();
    values.push(CategoryValue { text: text(7).to_uppercase(), rows: Some(1), code: None });
    let began = std::time::Instant::now();
    let found = same_values(CategoryColumn { name: "kind", is_personal: false }, &values, false);
    assert_eq!(found.len(), 1, "{found:?}");
    assert!(began.elapsed().as_secs() < 20, "{:?}", began.elapsed());
}

#[test]
fn a_code_beside_the_value_joins_and_parts() {
    let found = |values: &[(&str, u64, &str)]| {
        let value = |&(text, rows, code): &(&str, u64, &str)| CategoryValue {
            text: text.to_owned(),
            rows: Some(rows),
            code: Some(code.to_owned()),
        };
        let values: Vec<CategoryValue> = values.iter().map(value).collect();
        let found = same_values(CategoryColumn { name: "maker", is_personal: false }, &values, false);
        found.into_iter().map(|group| group.into_iter().map(|v| v.text).collect::<Vec<_>>()).collect::<Vec<_>>()
    };
    let makers =
        [("Volkswagen", 90, "M1"), ("VW AG", 4, "M1"), ("Ford", 80, "M2"), ("Fiat", 70, "M3"), ("Opel", 9, "M4")];
    assert_eq!(found(&makers), [["Volkswagen", "VW AG"]]);
    // Codes of categories do not identify values.
    let kinds = [
        ("Volkswagen", 90, "car"),
        ("Ford", 80, "car"),
        ("Vespa", 70, "bike"),
        ("BMX", 9, "bike"),
        ("Vans", 9, "shoe"),
    ];
    assert_eq!(found(&kinds), Vec::<Vec<String>>::new());
    // Two codes identify two things, even with similar names.
    let papers = [("Stationery", 900, "P1"), ("Stationary", 9, "P2"), ("Pens", 80, "P3"), ("Ink", 70, "P4")];
    assert_eq!(found(&papers), Vec::<Vec<String>>::new());
}
