//! The master data of the shop: suppliers, products, stores, staff, promotions, customers.

use super::calendar::Day;
use super::random::Random;
use super::words::{
    CATEGORIES, COUNTRIES, FIRST_NAMES, HOMES, INTERESTS, LAST_NAMES, LINES, PROMOTIONS, STORES, SUPPLIERS,
};

/// A product that the stores sell.
pub(super) struct Product {
    pub sku: String,
    pub name: String,
    /// The index of its category in `CATEGORIES`.
    pub category: usize,
    pub supplier: usize,
    pub price_cents: i64,
    pub cost_cents: i64,
    pub status: &'static str,
    /// The relative frequency of sales within its category.
    pub popularity: u32,
}

/// Generates all products, category by category, 20 each.
pub(super) fn generate_products() -> Vec<Product> {
    let mut random = Random::new(11);
    let mut products = Vec::new();
    for (category, (_, department, .., things)) in CATEGORIES.iter().enumerate() {
        for (thing, dollars) in things {
            for (line, per_cent) in LINES {
                let plain = dollars * per_cent;
                // Prices end like retail prices; the exact price varies slightly within a line.
                let cents = plain + random.next_between(-4, 4) * plain / 100;
                let price_cents = if cents >= 10_000 { cents / 100 * 100 - 100 } else { cents / 100 * 100 + 50 };
                let number = products.len() + 1;
                products.push(Product {
                    sku: format!("{}-{:04}-{}", department[..2].to_ascii_uppercase(), number, &line[..1]),
                    name: format!("{line} {thing}"),
                    category,
                    supplier: random.next_below(SUPPLIERS.len()),
                    price_cents,
                    cost_cents: price_cents * random.next_between(38, 61) / 100,
                    status: match random.next_below(100) {
                        0..8 => "D",
                        8..14 => "S",
                        _ => "A",
                    },
                    popularity: (10_000 / per_cent + random.next_between(0, 160)) as u32,
                });
            }
        }
    }
    products
}

/// Returns the opening day of each store; most are before the data's period, five within it.
pub(super) fn opening_days() -> Vec<Day> {
    let mut random = Random::new(12);
    (0..STORES.len())
        .map(|index| {
            let year =
                if index % 8 == 6 { 2022 + (index as i32 / 8) % 2 } else { random.next_between(2006, 2020) as i32 };
            Day::new(year, random.next_between(2, 10) as u32, random.next_between(1, 28) as u32)
        })
        .collect()
}

/// An employee of a store, or the lead of a region (no store).
pub(super) struct Employee {
    pub name: String,
    pub title: &'static str,
    pub store: Option<usize>,
    /// The index of the manager, always a smaller one.
    pub manager: Option<usize>,
    pub hired: Day,
    pub rate_cents: i64,
}

/// Generates the head of the company, one lead per region, one manager per store, then the staff.
pub(super) fn generate_employees(opened: &[Day]) -> Vec<Employee> {
    let mut random = Random::new(13);
    let mut regions: Vec<&str> = STORES.iter().map(|s| s.4).collect();
    regions.dedup();
    let person = |random: &mut Random| format!("{} {}", random.pick_item(&FIRST_NAMES), random.pick_item(&LAST_NAMES));
    let mut staff = vec![Employee {
        name: person(&mut random),
        title: "Head of Retail",
        store: None,
        manager: None,
        hired: Day::new(2006, 3, 1),
        rate_cents: 9_850,
    }];
    for _ in &regions {
        let hired = Day::new(random.next_between(2007, 2021) as i32, random.next_between(1, 12) as u32, 1);
        let (name, rate_cents) = (person(&mut random), random.next_between(5_600, 6_900));
        staff.push(Employee { name, title: "Regional Lead", store: None, manager: Some(0), hired, rate_cents });
    }
    let first_manager = staff.len();
    for (store, words) in STORES.iter().enumerate() {
        let lead = regions.iter().position(|r| *r == words.4).map(|at| at + 1);
        let hired = opened[store].add_days(random.next_between(0, 700));
        let (name, rate_cents) = (person(&mut random), random.next_between(3_400, 4_800));
        staff.push(Employee { name, title: "Store Manager", store: Some(store), manager: lead, hired, rate_cents });
    }
    for (store, words) in STORES.iter().enumerate() {
        for place in 0..5 + words.5 / 14 {
            let (title, low, high) = match place {
                0 => ("Visual Merchandiser", 2_300, 2_900),
                1 => ("Stock Associate", 1_750, 2_200),
                _ => ("Sales Associate", 1_650, 2_350),
            };
            let latest = Day::new(2024, 11, 1).0 - opened[store].0;
            let hired = opened[store].add_days(random.next_between(0, i64::from(latest)));
            let (name, rate_cents) = (person(&mut random), random.next_between(low, high));
            staff.push(Employee {
                name,
                title,
                store: Some(store),
                manager: Some(first_manager + store),
                hired,
                rate_cents,
            });
        }
    }
    staff
}

/// A period of reduced prices.
pub(super) struct Promotion {
    pub name: String,
    pub starts: Day,
    pub ends: Day,
    pub pct: i64,
}

/// Generates the promotions of all three years.
pub(super) fn generate_promotions() -> Vec<Promotion> {
    let mut all = Vec::new();
    for year in 2022..=2024 {
        for (name, month, day, length, pct) in PROMOTIONS {
            let starts = Day::new(year, month, day);
            all.push(Promotion { name: format!("{name} {year}"), starts, ends: starts.add_days(length - 1), pct });
        }
    }
    all
}

/// A registered customer, with or without purchases.
pub(super) struct Customer {
    pub name: String,
    pub email: String,
    pub city: &'static str,
    pub state: &'static str,
    pub country: &'static str,
    /// The country, independent of its spelling: 0 US, 1 Canada, 2 UK.
    pub nation: usize,
    pub signup: Day,
    pub prefs: Option<String>,
}

/// Generates customers in order of sign-up, from 2019 to the end of 2024.
pub(super) fn generate_customers() -> Vec<Customer> {
    const COUNT: i64 = 12_000;
    let mut random = Random::new(14);
    let first = Day::new(2019, 1, 2);
    let span = i64::from(Day::new(2024, 12, 31).0 - first.0);
    (0..COUNT)
        .map(|index| {
            let (given, family) = (*random.pick_item(&FIRST_NAMES), *random.pick_item(&LAST_NAMES));
            let (city, code, state, nation, _) = HOMES[random.pick_weighted(HOMES.iter().map(|h| h.4))];
            let spellings = COUNTRIES[nation];
            let country = spellings[random.pick_weighted(spellings.iter().map(|s| s.1))].0;
            let domain = random.pick_item(&["example.com", "example.org", "example.net"]);
            Customer {
                name: format!("{given} {family}"),
                email: format!("{}.{}{}@{domain}", given.to_lowercase(), family.to_lowercase(), index % 97 + 1),
                city,
                state: if random.chance_per_mille(230) { state } else { code },
                country,
                nation,
                signup: first.add_days(index * span / (COUNT - 1)),
                prefs: (!random.chance_per_mille(120)).then(|| generate_preferences(&mut random, nation, city)),
            }
        })
        .collect()
}

fn generate_preferences(random: &mut Random, nation: usize, city: &str) -> String {
    let language = match (nation, city) {
        (1, "Montreal") => "fr",
        (0, _) if random.chance_per_mille(110) => "es",
        _ => "en",
    };
    let first = random.next_below(INTERESTS.len());
    let mut interests = vec![format!("\"{}\"", INTERESTS[first])];
    if random.chance_per_mille(450) {
        let second = (first + 1 + random.next_below(INTERESTS.len() - 1)) % INTERESTS.len();
        interests.push(format!("\"{}\"", INTERESTS[second]));
    }
    format!(
        "{{\"newsletter\": {}, \"language\": \"{language}\", \"interests\": [{}], \"contact\": {{\"email\": {}, \"sms\": {}}}}}",
        random.chance_per_mille(620),
        interests.join(", "),
        random.chance_per_mille(800),
        random.chance_per_mille(240),
    )
}
