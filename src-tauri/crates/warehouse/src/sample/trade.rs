//! The transactions of the shop over three years: orders with their lines, returns, and targets.

use super::calendar::Day;
use super::random::Random;
use super::shop::{Customer, Product, Promotion};
use super::words::{CATEGORIES, STORES};

/// Orders per month in percent of an average month.
const MONTHS: [i64; 12] = [82, 78, 90, 94, 102, 100, 97, 93, 96, 104, 136, 158];
/// Orders per day of the week in percent, Monday first.
const WEEKDAYS: [i64; 7] = [88, 84, 88, 94, 108, 128, 112];
/// Weight of the winter season per month in percent.
const WINTER: [u32; 12] = [50, 40, 25, 10, 0, 0, 0, 5, 25, 50, 90, 100];
/// Indices of the first Canadian and the first British store; a store's customers come from its country.
const FIRST_CANADIAN_STORE: usize = 35;
const FIRST_BRITISH_STORE: usize = 38;

/// An order with its amounts.
pub(super) struct Order {
    pub customer: usize,
    pub store: Option<usize>,
    pub promo: Option<usize>,
    pub date: Day,
    pub channel: &'static str,
    pub status: &'static str,
}

/// One line of an order.
pub(super) struct Line {
    pub order: usize,
    pub number: i32,
    pub product: usize,
    pub qty: i64,
    pub unit_cents: i64,
    pub disc_pct: i64,
    pub net_cents: i64,
}

/// Generates all orders and their lines, by day.
pub(super) fn generate_orders(
    products: &[Product],
    customers: &[Customer],
    opened: &[Day],
    promotions: &[Promotion],
) -> (Vec<Order>, Vec<Line>) {
    let mut random = Random::new(21);
    let (mut orders, mut lines) = (Vec::new(), Vec::new());
    let by_category = popularity_weights(products);
    let (first, last) = (Day::new(2022, 1, 1), Day::new(2024, 12, 31));
    let mut signed_up = 0;
    for number in first.0..=last.0 {
        let today = Day(number);
        let (year, month, _) = today.year_month_day();
        while signed_up < customers.len() && customers[signed_up].signup <= today {
            signed_up += 1;
        }
        let growth = [100, 110, 121][(year - 2022) as usize];
        let expected = 62 * growth * MONTHS[month as usize - 1] * WEEKDAYS[today.weekday()] / 1_000_000;
        let on_offer = promotions.iter().position(|p| p.starts <= today && today <= p.ends);
        let lift = if on_offer.is_some() { 116 } else { 97 };
        for _ in 0..expected * lift * random.next_between(86, 114) / 10_000 {
            // About half of the orders come from long-time customers.
            let newest = if random.chance_per_mille(480) { random.next_below(signed_up) + 1 } else { signed_up };
            let customer = random.next_below(newest);
            let in_store = 620 - 80 * (year as usize - 2022);
            let channel = match random.next_below(1000) {
                x if x < in_store => "store",
                x if x < in_store + 300 => "web",
                _ => "app",
            };
            let store = (channel == "store").then(|| store_of(&mut random, customers[customer].nation, opened, today));
            let promo = on_offer.filter(|_| random.chance_per_mille(560));
            let status = if random.chance_per_mille(26) {
                "cancelled"
            } else if today >= Day::new(2024, 12, 30) {
                "processing"
            } else if channel != "store" && today >= Day::new(2024, 12, 26) {
                "shipped"
            } else {
                "completed"
            };
            let discount = promo.map_or_else(|| if random.chance_per_mille(60) { 5 } else { 0 }, |p| promotions[p].pct);
            let order = orders.len();
            orders.push(Order { customer, store, promo, date: today, channel, status });
            let count = random.pick_weighted([34, 28, 18, 11, 6, 3].into_iter()) + 1;
            for number in 1..=count {
                let product = product_of(&mut random, &by_category, products, month, year);
                // The list prices apply to 2024.
                let unit_cents = products[product].price_cents * [94, 97, 100][(year - 2022) as usize] / 100;
                let small = unit_cents < 4_000;
                let qty = if small && random.chance_per_mille(420) { random.next_between(2, 6) } else { 1 };
                let net_cents = qty * unit_cents * (100 - discount) / 100;
                let number = number as i32;
                lines.push(Line { order, number, product, qty, unit_cents, disc_pct: discount, net_cents });
            }
        }
    }
    (orders, lines)
}

fn popularity_weights(products: &[Product]) -> Vec<Vec<(usize, u32)>> {
    let mut by_category = vec![Vec::new(); CATEGORIES.len()];
    for (index, product) in products.iter().enumerate() {
        by_category[product.category].push((index, product.popularity));
    }
    by_category
}

fn store_of(random: &mut Random, nation: usize, opened: &[Day], today: Day) -> usize {
    let range = match nation {
        0 => 0..FIRST_CANADIAN_STORE,
        1 => FIRST_CANADIAN_STORE..FIRST_BRITISH_STORE,
        _ => FIRST_BRITISH_STORE..STORES.len(),
    };
    let start = range.start;
    start + random.pick_weighted(range.map(|s| if opened[s] <= today { STORES[s].5 } else { 0 }))
}

fn product_of(
    random: &mut Random,
    by_category: &[Vec<(usize, u32)>],
    products: &[Product],
    month: u32,
    year: i32,
) -> usize {
    let winter = WINTER[month as usize - 1];
    let category = random.pick_weighted(CATEGORIES.iter().map(|c| c.2 * (100 - winter) + c.3 * winter));
    let choice =
        random.pick_weighted(by_category[category].iter().map(|&(product, weight)| match products[product].status {
            // Discontinued products end with 2022; seasonal products sell from October to December.
            "D" if year > 2022 => 0,
            "S" if month < 10 => 0,
            _ => weight,
        }));
    by_category[category][choice].0
}

/// A return of goods from an order.
pub(super) struct Return {
    pub line: usize,
    pub date: Day,
    pub qty: i64,
    pub reason: &'static str,
    pub refund_cents: i64,
}

/// Generates the returns of completed orders until the end of 2024.
pub(super) fn generate_returns(products: &[Product], orders: &[Order], lines: &[Line]) -> Vec<Return> {
    let mut random = Random::new(22);
    let mut all = Vec::new();
    for (index, line) in lines.iter().enumerate() {
        let order = &orders[line.order];
        let per_mille = CATEGORIES[products[line.product].category].4;
        let factor = if order.channel == "store" { 85 } else { 135 };
        if order.status != "completed" || !random.chance_per_mille(per_mille * factor / 100) {
            continue;
        }
        let date = order.date.add_days(random.next_between(2, 34));
        if date > Day::new(2024, 12, 31) {
            continue;
        }
        let qty = random.next_between(1, line.qty);
        let reason = ["MIND", "FIT", "DMG", "WRG", "LATE"][random.pick_weighted([34, 25, 23, 12, 6].into_iter())];
        all.push(Return { line: index, date, qty, reason, refund_cents: line.net_cents * qty / line.qty });
    }
    all.sort_by_key(|r| r.date);
    all
}

/// Generates targets in dollars by year, store and month, close to the sales, so that some are met and some are not.
pub(super) fn generate_targets(orders: &[Order], lines: &[Line]) -> [Vec<[i64; 12]>; 3] {
    let mut sold = [(); 3].map(|()| vec![[0i64; 12]; STORES.len()]);
    for line in lines {
        let order = &orders[line.order];
        if let (Some(store), true) = (order.store, order.status != "cancelled") {
            let (year, month, _) = order.date.year_month_day();
            sold[(year - 2022) as usize][store][month as usize - 1] += line.net_cents;
        }
    }
    let mut random = Random::new(23);
    for year in &mut sold {
        for store in year {
            let ambition = random.next_between(90, 112);
            for cents in store {
                // Rounded to hundreds of dollars; months before the opening stay zero and get no target.
                *cents = *cents * ambition / 100 * random.next_between(94, 106) / 100 / 10_000 * 100;
            }
        }
    }
    sold
}
