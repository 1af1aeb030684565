//! The tables of the sample, in an order that satisfies foreign keys.

/// Statements that create the empty tables.
pub(super) const TABLES: &str = "
CREATE TABLE suppliers (
  supplier_id INTEGER PRIMARY KEY,
  supplier_name VARCHAR NOT NULL,
  country VARCHAR,
  lead_days INTEGER
);
CREATE TABLE categories (
  category_id INTEGER PRIMARY KEY,
  category_name VARCHAR NOT NULL,
  department VARCHAR NOT NULL
);
CREATE TABLE products (
  product_id INTEGER PRIMARY KEY,
  sku VARCHAR NOT NULL UNIQUE,
  prod_nm VARCHAR NOT NULL,
  category_id INTEGER NOT NULL REFERENCES categories(category_id),
  supplier_id INTEGER REFERENCES suppliers(supplier_id),
  list_price DECIMAL(10,2) NOT NULL,
  unit_cost DECIMAL(10,2),
  status_cd VARCHAR NOT NULL
);
CREATE TABLE stores (
  store_id INTEGER PRIMARY KEY,
  store_name VARCHAR NOT NULL,
  city VARCHAR NOT NULL,
  state VARCHAR,
  country VARCHAR NOT NULL,
  region VARCHAR NOT NULL,
  opened_on DATE,
  sqm INTEGER
);
CREATE TABLE employees (
  emp_id INTEGER PRIMARY KEY,
  full_nm VARCHAR NOT NULL,
  job_title VARCHAR NOT NULL,
  store_id INTEGER REFERENCES stores(store_id),
  manager_id INTEGER REFERENCES employees(emp_id),
  hired_on DATE,
  hourly_rate DECIMAL(6,2)
);
CREATE TABLE customers (
  customer_id INTEGER PRIMARY KEY,
  full_nm VARCHAR NOT NULL,
  email VARCHAR,
  city VARCHAR,
  state VARCHAR,
  country VARCHAR,
  signup_dt VARCHAR,
  prefs JSON
);
CREATE TABLE promotions (
  promo_id INTEGER PRIMARY KEY,
  promo_name VARCHAR NOT NULL,
  starts_on DATE NOT NULL,
  ends_on DATE NOT NULL,
  pct_off INTEGER NOT NULL
);
CREATE TABLE orders (
  order_id INTEGER PRIMARY KEY,
  customer_id INTEGER NOT NULL REFERENCES customers(customer_id),
  store_id INTEGER REFERENCES stores(store_id),
  promo_id INTEGER REFERENCES promotions(promo_id),
  order_date DATE NOT NULL,
  channel VARCHAR NOT NULL,
  status VARCHAR NOT NULL
);
CREATE TABLE order_items (
  order_id INTEGER NOT NULL REFERENCES orders(order_id),
  line_no INTEGER NOT NULL,
  product_id INTEGER NOT NULL REFERENCES products(product_id),
  qty INTEGER NOT NULL,
  unit_price DECIMAL(10,2) NOT NULL,
  disc_pct INTEGER NOT NULL,
  net_amt DECIMAL(12,2) NOT NULL,
  PRIMARY KEY (order_id, line_no)
);
CREATE TABLE returns (
  return_id INTEGER PRIMARY KEY,
  order_id INTEGER NOT NULL,
  line_no INTEGER NOT NULL,
  return_date DATE NOT NULL,
  qty INTEGER NOT NULL,
  reason_cd VARCHAR NOT NULL,
  refund_amt DECIMAL(12,2) NOT NULL,
  FOREIGN KEY (order_id, line_no) REFERENCES order_items(order_id, line_no)
);
CREATE TABLE inventory (
  store_id INTEGER NOT NULL REFERENCES stores(store_id),
  product_id INTEGER NOT NULL REFERENCES products(product_id),
  on_hand INTEGER NOT NULL,
  reorder_pt INTEGER NOT NULL,
  counted_on DATE,
  PRIMARY KEY (store_id, product_id)
);
CREATE TABLE sales_targets_2022 (
  store_id INTEGER NOT NULL REFERENCES stores(store_id),
  month INTEGER NOT NULL,
  target_amt DECIMAL(12,2) NOT NULL,
  PRIMARY KEY (store_id, month)
);
CREATE TABLE sales_targets_2023 (
  store_id INTEGER NOT NULL REFERENCES stores(store_id),
  month INTEGER NOT NULL,
  target_amt DECIMAL(12,2) NOT NULL,
  PRIMARY KEY (store_id, month)
);
CREATE TABLE sales_targets_2024 (
  store_id INTEGER NOT NULL REFERENCES stores(store_id),
  month INTEGER NOT NULL,
  target_amt DECIMAL(12,2) NOT NULL,
  PRIMARY KEY (store_id, month)
);
CREATE TABLE budgets (
  department VARCHAR NOT NULL,
  cost_type VARCHAR NOT NULL,
  budget_2015 INTEGER, budget_2016 INTEGER, budget_2017 INTEGER, budget_2018 INTEGER,
  budget_2019 INTEGER, budget_2020 INTEGER, budget_2021 INTEGER, budget_2022 INTEGER,
  budget_2023 INTEGER, budget_2024 INTEGER, budget_2025 INTEGER, budget_2026 INTEGER,
  PRIMARY KEY (department, cost_type)
);
CREATE TABLE tmp_price_import (
  sku VARCHAR,
  new_price VARCHAR,
  loaded_at TIMESTAMP
);
COMMENT ON TABLE orders IS 'One row per order; cancelled orders do not count as sales';
COMMENT ON TABLE order_items IS 'Lines of orders; revenue is the sum of net_amt';
COMMENT ON TABLE sales_targets_2022 IS 'Net sales target in USD per store and month';
COMMENT ON TABLE sales_targets_2023 IS 'Net sales target in USD per store and month';
COMMENT ON TABLE sales_targets_2024 IS 'Net sales target in USD per store and month';
COMMENT ON TABLE budgets IS 'Yearly budget in USD, one column per year';
COMMENT ON TABLE tmp_price_import IS 'Not used since the 2021 migration';
COMMENT ON COLUMN products.status_cd IS 'A = active, D = discontinued, S = seasonal';
COMMENT ON COLUMN customers.signup_dt IS 'Day of sign-up as text';
COMMENT ON COLUMN orders.store_id IS 'NULL for web and app orders';
COMMENT ON COLUMN order_items.net_amt IS 'qty * unit_price after discount, USD';
COMMENT ON COLUMN order_items.disc_pct IS 'Discount in per cent';
COMMENT ON COLUMN returns.reason_cd IS 'DMG damaged, WRG wrong item, FIT does not fit, LATE too late, MIND changed mind';
";
