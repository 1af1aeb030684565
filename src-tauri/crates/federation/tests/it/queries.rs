//! Queries over a shop and its targets, for any engines.

/// Names of columns are lower case; `amount` has quarters only, so that sums of floats are exact.
pub const QUERIES: &[&str] = &[
    "SELECT count(*) FROM shop.orders",
    "SELECT * FROM plan.targets ORDER BY region",
    "SELECT o.id, t.target FROM shop.orders o JOIN plan.targets t ON o.region = t.region",
    "SELECT t.region, t.target, sum(o.amount) AS total FROM shop.orders o JOIN plan.targets t ON o.region = t.region GROUP BY t.region, t.target",
    "SELECT t.region, t.target, sum(o.amount), count(*), count(o.note), avg(o.qty), min(o.ordered), max(o.id)
     FROM plan.targets t LEFT JOIN shop.orders o ON o.region = t.region GROUP BY ALL",
    "SELECT t.region, count(*) FROM plan.targets t LEFT JOIN shop.orders o ON o.region = t.region AND o.qty > 2 GROUP BY 1",
    "SELECT t.region, count(*) FROM plan.targets t LEFT JOIN shop.orders o ON o.region = t.region WHERE o.qty > 2 GROUP BY 1",
    "SELECT t.region, count(*) FROM plan.targets t LEFT JOIN shop.orders o ON o.region = t.region WHERE o.id IS NULL GROUP BY 1",
    "SELECT o.region, count(*) FROM shop.orders o LEFT JOIN plan.targets t ON o.region = t.region AND t.target > 100 WHERE t.region IS NULL GROUP BY 1",
    "SELECT count(*), count(t.region), sum(o.qty) FROM shop.orders o FULL JOIN plan.targets t ON o.region = t.region AND o.qty = 1",
    "SELECT count(*) FROM shop.orders o RIGHT JOIN plan.targets t ON o.region = t.region WHERE t.target >= 100",
    "SELECT region, sum(amount) AS total FROM shop.orders JOIN plan.targets USING (region) WHERE region = 'North' GROUP BY region",
    "SELECT o.region FROM shop.orders o WHERE o.region = 'north'",
    "SELECT o.region FROM shop.orders o WHERE o.region <> 'North'",
    "SELECT o.id FROM shop.orders o WHERE o.region LIKE 'N%'",
    "SELECT o.id FROM shop.orders o WHERE o.note LIKE '%a%' OR o.qty = 1",
    "SELECT o.id FROM shop.orders o WHERE o.note IS NULL AND o.qty BETWEEN 1 AND 3",
    "SELECT o.id FROM shop.orders o WHERE NOT (o.qty > 1) OR o.note IN ('late', 'Late')",
    "SELECT o.id FROM shop.orders o WHERE o.ordered >= '2024-02-01' AND o.ordered < DATE '2024-03-01'",
    "SELECT o.id FROM shop.orders o WHERE o.ordered BETWEEN DATE '2024-01-15' AND DATE '2024-02-15'",
    "SELECT o.id FROM shop.orders o WHERE o.qty NOT IN (1, 2)",
    "SELECT o.id FROM shop.orders o WHERE o.qty NOT BETWEEN 1 AND 2",
    "SELECT o.id FROM shop.orders o WHERE 2 < o.qty AND o.amount <= 10.5",
    "SELECT date_trunc('month', o.ordered) AS m, sum(o.amount * o.qty) AS total FROM shop.orders o GROUP BY 1 ORDER BY 1",
    "SELECT year(o.ordered) AS y, month(o.ordered) AS m, count(DISTINCT o.customer_id) FROM shop.orders o GROUP BY 1, 2",
    "SELECT s.region, s.total, t.target FROM (SELECT region, sum(amount) AS total FROM shop.orders GROUP BY region) s JOIN plan.targets t ON t.region = s.region",
    "WITH s AS (SELECT region, count(*) AS n, max(ordered) AS latest FROM shop.orders WHERE qty >= 2 GROUP BY region HAVING count(*) > 1)
     SELECT t.region, s.n, s.latest FROM plan.targets t LEFT JOIN s ON s.region = t.region",
    "SELECT c.country, t.target, sum(o.amount) FROM shop.orders o JOIN shop.customers c ON c.id = o.customer_id JOIN plan.targets t ON t.region = o.region GROUP BY c.country, t.target",
    "SELECT c.name FROM shop.customers c WHERE c.country = 'uk'",
    "SELECT c.name FROM shop.customers c WHERE c.country <> 'uk'",
    "SELECT c.country, count(*) FROM shop.customers c GROUP BY c.country",
    "SELECT c.name FROM shop.customers c WHERE EXISTS (SELECT 1 FROM shop.orders o WHERE o.customer_id = c.id AND o.qty > 3)",
    "SELECT c.name FROM shop.customers c WHERE c.id NOT IN (SELECT customer_id FROM shop.orders WHERE region = 'South')",
    "SELECT a.id, b.id FROM shop.orders a JOIN shop.orders b ON a.customer_id = b.customer_id AND a.id < b.id WHERE a.qty = 1",
    "SELECT o.id, sum(o.amount) OVER (PARTITION BY o.region ORDER BY o.id) FROM shop.orders o WHERE o.qty < 3",
    "SELECT region FROM shop.orders UNION SELECT region FROM plan.targets ORDER BY 1",
    "SELECT sum(amount) FROM shop.orders WHERE qty > 1000",
    "SELECT count(*), count(DISTINCT t.region) FROM shop.orders o, plan.targets t WHERE o.qty > 1000",
    "SELECT o.region AS r, sum(o.amount) AS amount FROM shop.orders o GROUP BY r ORDER BY amount DESC",
    "SELECT region, round(sum(amount), 1) FROM shop.orders GROUP BY region",
    "SELECT region, sum(amount) FILTER (WHERE qty > 1) FROM shop.orders GROUP BY region",
    "SELECT region, sum(CASE WHEN qty > 1 THEN amount ELSE 0 END) AS x, sum(amount) AS y FROM shop.orders GROUP BY region",
    "SELECT t.region, sum(t.target), sum(o.amount) FROM shop.orders o JOIN plan.targets t ON t.region = o.region GROUP BY 1",
    "SELECT t.region, max(t.target), count(DISTINCT o.customer_id), sum(o.qty) FROM shop.orders o JOIN plan.targets t ON t.region = o.region GROUP BY 1",
    "SELECT DISTINCT region FROM shop.orders WHERE amount > 1",
    "SELECT o FROM plan.targets o",
    "SELECT t.* EXCLUDE (target) FROM plan.targets t",
    "SELECT region, count(*) FROM shop.orders NATURAL JOIN plan.targets GROUP BY region",
    "FROM plan.targets SELECT region",
    "SELECT avg(o.amount), mean(o.qty), min(o.region), max(o.note) FROM shop.orders o",
    "SELECT o.region, sum(o.qty * 2 + 1) AS odd, sum(-o.qty) AS negative FROM shop.orders o GROUP BY o.region",
    "SELECT sum(o.amount) / count(*) AS mean FROM shop.orders o WHERE o.ordered IS NOT NULL",
    "SELECT t.region, o.n FROM plan.targets t, LATERAL (SELECT count(*) AS n FROM shop.orders o WHERE o.region = t.region) o",
    "SELECT t.region, (SELECT max(o.amount) FROM shop.orders o WHERE o.region = t.region) AS most FROM plan.targets t",
    "SELECT region, count(*) FROM shop.orders WHERE note IS NULL GROUP BY ROLLUP (region)",
    "SELECT * FROM (PIVOT plan.targets ON region IN ('North', 'East') USING sum(target))",
    "SELECT region, count(note), max(ordered), sum(qty), sum(shop.orders.qty) FROM shop.orders GROUP BY region",
    "SELECT o.id, t.region FROM shop.orders o POSITIONAL JOIN plan.targets t WHERE o.qty > 2",
    "SELECT o.id FROM shop.orders o SEMI JOIN plan.targets t ON o.region = t.region AND t.target > 100",
    "SELECT o.id FROM shop.orders o ANTI JOIN plan.targets t ON o.region = t.region AND o.qty > 1",
    "SELECT count(*) FROM shop.orders o JOIN (plan.targets t LEFT JOIN shop.customers c ON c.id = 1) ON o.region = t.region WHERE c.country = 'UK'",
    "SELECT o.qty, count(*) FROM shop.orders o WHERE o.amount > 1 AND o.region IN (SELECT region FROM plan.targets) GROUP BY o.qty",
    "SELECT length(o.note), count(*) FROM shop.orders o GROUP BY 1",
    "SELECT count(region), max(region) FROM plan.targets LEFT JOIN shop.orders USING (region)",
    "SELECT count(region), max(region), min(region) FROM shop.orders LEFT JOIN plan.targets USING (region)",
    "SELECT count(region), max(region) FROM shop.orders RIGHT JOIN plan.targets USING (region)",
    "SELECT count(region), min(region), sum(qty) FROM plan.targets FULL JOIN shop.orders USING (region)",
    "SELECT region, count(*), sum(qty) FROM plan.targets FULL JOIN shop.orders USING (region) GROUP BY region",
    "SELECT count(*) FROM plan.targets FULL JOIN shop.orders USING (region) WHERE region = 'Nowhere'",
    "SELECT count(*), sum(qty) FROM plan.targets LEFT JOIN shop.orders USING (region) WHERE region = 'Nowhere'",
    "SELECT count(*) FROM shop.orders RIGHT JOIN plan.targets USING (region) WHERE region = 'Nowhere'",
    "SELECT a.target, count(*) FROM plan.targets a, plan.targets b JOIN shop.orders o USING (region) WHERE region = 'East' GROUP BY a.target",
];

/// The rows of the shop as INSERT statements; `date` writes a date.
pub fn insert_rows(prefix: &str, date: fn(&str) -> String) -> String {
    let mut script = String::new();
    for (id, name, country) in
        [(1, "Ada", "UK"), (2, "Grace", "US"), (3, "Alan", "uk"), (4, "Größe", "DE"), (5, "Edsger", "")]
    {
        script.push_str(&format!("INSERT INTO {prefix}customers VALUES ({id}, '{name}', '{country}');\n"));
    }
    script.push_str(&format!("INSERT INTO {prefix}customers VALUES (6, 'Nobody', NULL);\n"));
    let regions = ["North", "north", "South", "East ", "East", "West"];
    let notes = ["NULL", "'late'", "'Late'", "'a%b'", "''", "'O''Brien'"];
    for id in 1..=120_usize {
        let (customer, region) = (id % 6 + 1, regions[id % 5]);
        let amount = (id * 7 % 41) as f64 / 4.0;
        let (qty, note) = (id % 4 + 1, notes[id * 5 % 6]);
        let day = match id % 13 {
            0 => "NULL".to_owned(),
            _ => date(&format!("2024-{:02}-{:02}", id % 3 + 1, id % 28 + 1)),
        };
        let region = if id % 17 == 0 { "NULL".to_owned() } else { format!("'{region}'") };
        script.push_str(&format!(
            "INSERT INTO {prefix}orders VALUES ({id}, {customer}, {region}, {amount}, {qty}, {day}, {note});\n"
        ));
    }
    script
}

/// The targets: North and north differ, two rows of South, and one region without orders.
pub const TARGETS: [(&str, i64); 6] =
    [("North", 100), ("north", 7), ("South", 250), ("South", 300), ("East", 80), ("Nowhere", 1)];

/// The script of a DuckDB database with the schemas `shop` and `plan`.
pub fn reference_script() -> String {
    let mut script = "CREATE SCHEMA shop; CREATE SCHEMA plan;
        CREATE TABLE shop.customers (id BIGINT, name VARCHAR, country VARCHAR);
        CREATE TABLE shop.orders (id BIGINT, customer_id BIGINT, region VARCHAR, amount DOUBLE, qty BIGINT, ordered DATE, note VARCHAR);
        CREATE TABLE plan.targets (region VARCHAR, target BIGINT);\n"
        .to_owned();
    script.push_str(&insert_rows("shop.", |day| format!("DATE '{day}'")));
    for (region, target) in TARGETS {
        script.push_str(&format!("INSERT INTO plan.targets VALUES ('{region}', {target});\n"));
    }
    script
}

pub fn targets_csv() -> String {
    let rows: Vec<String> = TARGETS.iter().map(|(region, target)| format!("{region},{target}")).collect();
    format!("region,target\n{}\n", rows.join("\n"))
}
