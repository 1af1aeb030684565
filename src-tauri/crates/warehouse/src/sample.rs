//! The sample warehouse: three years of an invented chain of home stores, made by the program itself.
//!
//! It is small enough to be made in seconds and has what makes real databases hard: abbreviated names and codes,
//! one country written in several ways, look-alike tables by year, one column per year, a date kept as text, a JSON
//! column, a table nobody uses, and comments on some columns only. Every value follows from fixed seeds; nothing
//! depends on the clock, on the machine, or on a library's random numbers.

mod calendar;
mod definitions;
mod questions;
mod random;
mod schema;
mod shop;
#[cfg(test)]
mod tests;
mod trade;
mod words;

pub use definitions::sample_definitions;
pub use questions::{Level, QUESTIONS, SampleQuestion};

use crate::WarehouseError;
use calendar::Day;
use duckdb::{Appender, Connection, params};
use random::Random;
use std::path::{Path, PathBuf};
use words::{CATEGORIES, STORES, SUPPLIERS};

/// Grows when the sample's content changes, so that an older file can be told apart and made anew.
pub const VERSION: u32 = 1;

/// Makes the sample at `path`, replacing what is there. `progress` is told the part done, from 0 to 1.
///
/// The file appears under its name only when it is whole.
pub fn create_database(path: &Path, progress: impl Fn(f32)) -> Result<(), WarehouseError> {
    let partial = partial_path(path);
    let failed = |error: std::io::Error| WarehouseError::from_io_error("writing", path, &error);
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder).map_err(failed)?;
    }
    remove_database(&partial).map_err(failed)?;
    if let Err(error) = fill_database(&partial, &progress) {
        // Nobody would look for the half-made file.
        let _ = remove_database(&partial);
        let message = error.to_string();
        let disk_full = message.contains("No space left") || message.contains("disk is full");
        return Err(WarehouseError::Io { action: "writing".into(), path: path.into(), message, disk_full });
    }
    remove_database(&wal_path(path)).map_err(failed)?;
    std::fs::rename(&partial, path).map_err(failed)?;
    progress(1.0);
    Ok(())
}

/// Beside the target, so that the rename stays on one disk; by process, so that two makers do not meet.
fn partial_path(path: &Path) -> PathBuf {
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(format!(".{}.part", std::process::id()));
    path.with_file_name(name)
}

fn wal_path(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".wal");
    name.into()
}

fn remove_database(path: &Path) -> std::io::Result<()> {
    for file in [path, wal_path(path).as_path()] {
        match std::fs::remove_file(file) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => return Err(error),
            _ => {}
        }
    }
    Ok(())
}

fn cents_to_dollars(cents: i64) -> f64 {
    // Cents are exact in a double, and DuckDB rounds to the column's two places.
    cents as f64 / 100.0
}

fn fill_database(path: &Path, progress: &impl Fn(f32)) -> duckdb::Result<()> {
    let db = Connection::open(path)?;
    db.execute_batch("BEGIN")?;
    db.execute_batch(schema::TABLES)?;
    let products = shop::generate_products();
    let opened = shop::opening_days();
    let promotions = shop::generate_promotions();
    let customers = shop::generate_customers();
    fill_shop(&db, &products, &opened, &promotions)?;
    fill_table(&db, "customers", |rows| {
        customers.iter().enumerate().try_for_each(|(i, c)| {
            let id = customer_id(i);
            rows.append_row(params![id, c.name, c.email, c.city, c.state, c.country, c.signup.day_first(), c.prefs])
        })
    })?;
    progress(0.1);

    let (orders, lines) = trade::generate_orders(&products, &customers, &opened, &promotions);
    progress(0.25);
    fill_table(&db, "orders", |rows| {
        orders.iter().enumerate().try_for_each(|(i, o)| {
            let (store, promo) = (o.store.map(index_to_key), o.promo.map(index_to_key));
            rows.append_row(params![
                order_id(i),
                customer_id(o.customer),
                store,
                promo,
                o.date.to_value(),
                o.channel,
                o.status
            ])
        })
    })?;
    progress(0.45);
    fill_table(&db, "order_items", |rows| {
        lines.iter().try_for_each(|l| {
            let (unit, net) = (cents_to_dollars(l.unit_cents), cents_to_dollars(l.net_cents));
            rows.append_row(params![order_id(l.order), l.number, index_to_key(l.product), l.qty, unit, l.disc_pct, net])
        })
    })?;
    progress(0.85);
    fill_table(&db, "returns", |rows| {
        trade::generate_returns(&products, &orders, &lines).iter().enumerate().try_for_each(|(i, r)| {
            let line = &lines[r.line];
            let refund = cents_to_dollars(r.refund_cents);
            rows.append_row(params![
                index_to_key(i),
                order_id(line.order),
                line.number,
                r.date.to_value(),
                r.qty,
                r.reason,
                refund
            ])
        })
    })?;
    fill_plans(&db, &products, &trade::generate_targets(&orders, &lines))?;
    db.execute_batch("COMMIT; CHECKPOINT")?;
    progress(0.98);
    db.close().map_err(|(_, error)| error)
}

fn fill_shop(
    db: &Connection,
    products: &[shop::Product],
    opened: &[Day],
    promotions: &[shop::Promotion],
) -> duckdb::Result<()> {
    fill_table(db, "suppliers", |rows| {
        SUPPLIERS.iter().enumerate().try_for_each(|(i, s)| rows.append_row(params![index_to_key(i), s.0, s.1, s.2]))
    })?;
    fill_table(db, "categories", |rows| {
        CATEGORIES.iter().enumerate().try_for_each(|(i, c)| rows.append_row(params![index_to_key(i), c.0, c.1]))
    })?;
    fill_table(db, "products", |rows| {
        products.iter().enumerate().try_for_each(|(i, p)| {
            let (category, supplier) = (index_to_key(p.category), index_to_key(p.supplier));
            let (price, cost) = (cents_to_dollars(p.price_cents), cents_to_dollars(p.cost_cents));
            rows.append_row(params![index_to_key(i), p.sku, p.name, category, supplier, price, cost, p.status])
        })
    })?;
    let mut random = Random::new(31);
    fill_table(db, "stores", |rows| {
        STORES.iter().zip(opened).enumerate().try_for_each(|(i, (s, day))| {
            let sqm = i64::from(s.5) * 11 + random.next_between(120, 260);
            rows.append_row(params![index_to_key(i), s.0, s.1, s.2, s.3, s.4, day.to_value(), sqm])
        })
    })?;
    let employees = shop::generate_employees(opened);
    // One flush per generation: a manager has to be there before anyone refers to them.
    let depths: Vec<usize> = (0..employees.len())
        .map(|mut at| {
            let mut depth = 0;
            while let Some(manager) = employees[at].manager {
                at = manager;
                depth += 1;
            }
            depth
        })
        .collect();
    for depth in 0..=depths.iter().copied().max().unwrap_or(0) {
        fill_table(db, "employees", |rows| {
            employees.iter().enumerate().filter(|(i, _)| depths[*i] == depth).try_for_each(|(i, e)| {
                let (store, manager) = (e.store.map(index_to_key), e.manager.map(index_to_key));
                rows.append_row(params![
                    index_to_key(i),
                    e.name,
                    e.title,
                    store,
                    manager,
                    e.hired.to_value(),
                    cents_to_dollars(e.rate_cents)
                ])
            })
        })?;
    }
    fill_table(db, "promotions", |rows| {
        promotions.iter().enumerate().try_for_each(|(i, p)| {
            rows.append_row(params![index_to_key(i), p.name, p.starts.to_value(), p.ends.to_value(), p.pct])
        })
    })
}

fn fill_plans(db: &Connection, products: &[shop::Product], targets: &[Vec<[i64; 12]>; 3]) -> duckdb::Result<()> {
    let mut random = Random::new(41);
    fill_table(db, "inventory", |rows| {
        for store in 0..STORES.len() {
            for (product, facts) in products.iter().enumerate() {
                let reorder = random.next_between(2, 12);
                let on_hand =
                    if facts.status == "D" { random.next_between(0, 3) } else { random.next_between(0, reorder * 5) };
                let counted = Day::new(2024, 12, 27).add_days(random.next_between(0, 4)).to_value();
                rows.append_row(params![index_to_key(store), index_to_key(product), on_hand, reorder, counted])?;
            }
        }
        Ok(())
    })?;
    for (year, stores) in targets.iter().enumerate() {
        fill_table(db, &format!("sales_targets_{}", 2022 + year), |rows| {
            for (store, months) in stores.iter().enumerate() {
                for (month, target) in months.iter().enumerate().filter(|(_, target)| **target > 0) {
                    rows.append_row(params![index_to_key(store), index_to_key(month), *target as f64])?;
                }
            }
            Ok(())
        })?;
    }
    let mut departments: Vec<&str> = CATEGORIES.iter().map(|c| c.1).collect();
    departments.dedup();
    fill_table(db, "budgets", |rows| {
        for department in &departments {
            for (cost_type, base) in [("staff", 900), ("rent", 620), ("marketing", 240), ("IT", 130)] {
                let mut amount = base * random.next_between(60, 140) * 10;
                let mut years = [0; 12];
                for year in &mut years {
                    *year = amount / 1000 * 1000;
                    amount = amount * random.next_between(96, 112) / 100;
                }
                let mut row: Vec<&dyn duckdb::ToSql> = vec![department, &cost_type];
                row.extend(years.iter().map(|y| y as &dyn duckdb::ToSql));
                rows.append_row(row.as_slice())?;
            }
        }
        Ok(())
    })
}

/// Fills one table and reports what its constraints have to say.
fn fill_table(
    db: &Connection,
    name: &str,
    fill: impl FnOnce(&mut Appender<'_>) -> duckdb::Result<()>,
) -> duckdb::Result<()> {
    let mut rows = db.appender(name)?;
    fill(&mut rows)?;
    rows.flush()
}

fn index_to_key(index: usize) -> i32 {
    index as i32 + 1
}

fn customer_id(index: usize) -> i32 {
    index as i32 + 10_001
}

fn order_id(index: usize) -> i32 {
    index as i32 + 100_001
}
