//! A DuckDB database in which changes are explained.

use std::path::Path;
use std::sync::Arc;
use tempfile::TempDir;
use tokio::runtime::Runtime;
use tokio_util::sync::CancellationToken;
use vitrine_domain::{AppError, Catalog, Page};
use vitrine_metric_change::{
    DimensionChange, LeftOut, MetricChange, MetricChangeRequest, Number, plan_change, read_last_day,
};
use vitrine_metrics::{CompiledQuery, MetricsFile, parse_file};
use vitrine_sql::ReadOnlySql;
use vitrine_warehouse::{Limits, Warehouse, duckdb_address, open_warehouse, read_page};

pub struct Db {
    _folder: Option<TempDir>,
    runtime: Runtime,
    warehouse: Arc<dyn Warehouse>,
    pub catalog: Catalog,
    pub file: MetricsFile,
}

const METRICS: &str = "
tables:
  - name: sales
    time: day
    primary_entity: sale
    entities:
      - {name: store, kind: foreign, column: store_id}
    dimensions:
      - {name: day, kind: time}
      - {name: region, label: Region}
      - {name: product, label: Product}
  - name: stock
    time: day
    primary_entity: count
    dimensions:
      - {name: day, kind: time}
      - {name: region, label: Region}
metrics:
  - {name: revenue, label: Revenue, unit: EUR, aggregate: sum, of: amount, table: sales}
  - {name: units, label: Units, aggregate: sum, of: qty, table: sales, when_empty: 0}
  - {name: sales, label: Sales, aggregate: count, table: sales}
  - {name: discounts, label: Discounts, aggregate: sum, of: discount, table: sales}
  - {name: net, label: Net revenue, formula: revenue - discounts}
  - {name: price, label: Price, ratio: {of: revenue, to: units}}
  - {name: discount_rate, label: Discount rate, unit: '%', formula: '100 * discounts / NULLIF(revenue, 0)'}
  - {name: mean_amount, label: Mean amount, aggregate: average, of: amount, table: sales}
  - {name: buyers, label: Buyers, aggregate: count_distinct, of: customer, table: sales}
  - {name: middle, label: Middle amount, aggregate: median, of: amount, table: sales}
  - {name: per_buyer, label: Revenue per buyer, ratio: {of: revenue, to: buyers}}
  - {name: rounded, label: Rounded, formula: ROUND(revenue)}
  - {name: so_far, label: Revenue so far, cumulative: {metric: revenue}}
  - {name: at_least_five, label: At least five, aggregate: sum, of: amount, table: sales, when_empty: 5}
  - {name: stock, label: Stock, aggregate: sum, of: units, table: stock, last_of: {over: day}}
";

impl Db {
    /// Creates a shop from rows of `(day, region, product, customer, qty, amount, discount)`.
    pub fn with_sales(rows: &str) -> Self {
        Self::create(&format!(
            "CREATE TABLE sales (day DATE, region VARCHAR, product VARCHAR, customer INTEGER, qty INTEGER, amount DECIMAL(12,2), discount DECIMAL(12,2), store_id INTEGER);
             INSERT INTO sales (day, region, product, customer, qty, amount, discount) VALUES {rows};
             CREATE TABLE stock (day DATE, region VARCHAR, units INTEGER);
             INSERT INTO stock VALUES ('2024-03-30', 'North', 99), ('2024-03-31', 'North', 10), ('2024-03-31', 'South', 20), ('2024-04-30', 'North', 4), ('2024-04-30', 'South', 25);"
        ))
    }

    fn create(script: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("shop.duckdb");
        let db = duckdb::Connection::open(&path).unwrap();
        db.execute_batch(script).unwrap();
        db.close().unwrap();
        Self::open(&path, METRICS, Some(folder))
    }

    /// Opens the sample warehouse.
    pub fn sample() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("sample.duckdb");
        vitrine_warehouse::sample::create_database(&path, |_| ()).unwrap();
        Self::open(&path, vitrine_warehouse::sample::METRICS, Some(folder))
    }

    fn open(path: &Path, metrics: &str, folder: Option<TempDir>) -> Self {
        let runtime = Runtime::new().unwrap();
        let uri = duckdb_address(path);
        let (warehouse, catalog) = runtime.block_on(async {
            let warehouse = open_warehouse(&uri).await.unwrap();
            let catalog = warehouse.load_catalog().await.unwrap();
            (warehouse, catalog)
        });
        Self { _folder: folder, runtime, warehouse, catalog, file: parse_file(metrics).unwrap() }
    }

    pub fn read(&self, sql: &ReadOnlySql) -> Page {
        self.runtime.block_on(async {
            let limits = Limits { rows: Some(100_000), ..Limits::default() };
            let batches = self.warehouse.run_query(sql, limits, CancellationToken::new()).await.unwrap();
            read_page(batches, 100_000).await.unwrap()
        })
    }

    /// Runs SQL and returns its rows.
    pub fn rows(&self, sql: &str) -> Vec<Vec<Option<String>>> {
        self.read(&ReadOnlySql::parse(sql, self.catalog.dialect).unwrap()).rows
    }

    /// Runs SQL that returns one number.
    pub fn number(&self, sql: &str) -> Number {
        Number::parse(self.rows(sql)[0][0].as_deref().unwrap()).unwrap()
    }

    pub fn try_explain(&self, request: &MetricChangeRequest) -> Result<MetricChange, AppError> {
        let plan = plan_change(&self.file, &self.catalog, request, &|_, _| None)?;
        let both = |queries: &[CompiledQuery; 2]| queries.each_ref().map(|query| self.read(&query.sql));
        let [before, after] = both(&plan.totals);
        let totals = plan.read_totals([&before, &after])?;
        let days = plan.last_days.as_ref().map(both);
        let days = days.map_or([None, None], |pages| pages.each_ref().map(read_last_day));
        let (mut dimensions, mut left_out) = (Vec::new(), Vec::new());
        for dimension in &plan.dimensions {
            let [before, after] = both(&dimension.queries);
            match plan.split_by(dimension, &totals, [&before, &after]) {
                Ok(split) => dimensions.push(split),
                Err(reason) => left_out.push(LeftOut { name: dimension.name.clone(), reason }),
            }
        }
        Ok(plan.assemble_report(&totals, dimensions, left_out, days))
    }

    pub fn explain(&self, request: &MetricChangeRequest) -> MetricChange {
        let change = self.try_explain(request).unwrap();
        check_sums(&change);
        change
    }
}

/// Creates the request for two periods.
pub fn periods(metric: &str, from: &str, to: &str) -> MetricChangeRequest {
    MetricChangeRequest {
        metric: metric.into(),
        from: Some(from.into()),
        to: Some(to.into()),
        ..MetricChangeRequest::default()
    }
}

/// Creates the request for March and April of 2024, by region.
pub fn march_to_april(metric: &str) -> MetricChangeRequest {
    MetricChangeRequest { by: vec!["sale__region".into()], ..periods(metric, "2024-03", "2024-04") }
}

pub fn number(text: &str) -> Number {
    Number::parse(text).unwrap()
}

fn numbers<'t>(texts: impl Iterator<Item = &'t String>) -> Number {
    texts.fold(Number::zero(), |sum, text| &sum + &number(text))
}

/// Checks that the printed contributions of every dimension sum to the printed change.
pub fn check_sums(change: &MetricChange) {
    let Some(total) = &change.change else { return };
    for dimension in &change.dimensions {
        let others = dimension.others.iter().map(|others| &others.contribution);
        let sum = numbers(dimension.members.iter().map(|member| &member.contribution).chain(others));
        assert_eq!(sum, number(total), "{}: {dimension:?}", dimension.name);
        if let (Some(rate), Some(mix)) = (&dimension.rate, &dimension.mix) {
            assert_eq!(&number(rate) + &number(mix), number(total), "{}", dimension.name);
            let others = dimension.others.as_ref();
            let parts = |of_member: fn(&vitrine_metric_change::MemberChange) -> &Option<String>,
                         others: Option<&String>| {
                numbers(dimension.members.iter().filter_map(|member| of_member(member).as_ref()).chain(others))
            };
            assert_eq!(parts(|m| &m.rate, others.and_then(|o| o.rate.as_ref())), number(rate));
            assert_eq!(parts(|m| &m.mix, others.and_then(|o| o.mix.as_ref())), number(mix));
        }
    }
}

/// Returns the contributions of a dimension by value.
pub fn contributions(dimension: &DimensionChange) -> Vec<(&str, &str)> {
    dimension
        .members
        .iter()
        .map(|member| (member.member.as_deref().unwrap_or("NULL"), member.contribution.as_str()))
        .collect()
}
