//! Sample questions. Each has a SQL answer, with which tests verify the sample.

use vitrine_words::later;

/// The difficulty of a question.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Level {
    /// The question needs a single table.
    Easy,
    /// The question needs a join, a grouping, or values that are stored differently from their names.
    Medium,
    /// The question needs several steps.
    Hard,
}

impl Level {
    /// Returns the display name of the level.
    pub fn as_str(self) -> &'static str {
        match self {
            Level::Easy => "easy",
            Level::Medium => "medium",
            Level::Hard => "hard",
        }
    }
}

/// A question about the sample warehouse.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SampleQuestion {
    /// The question in the words of a business user.
    pub question: &'static str,
    /// The difficulty of the question.
    pub level: Level,
    /// A correct query. Never shown to a model.
    pub sql: &'static str,
}

/// Ten questions in order of difficulty.
pub const QUESTIONS: [SampleQuestion; 10] = [
    SampleQuestion {
        question: later!("How many customers do we have?"),
        level: Level::Easy,
        sql: "SELECT count(*) AS customers FROM customers",
    },
    SampleQuestion {
        question: later!("Which five products have the highest list price?"),
        level: Level::Easy,
        sql: "SELECT prod_nm, list_price FROM products ORDER BY list_price DESC LIMIT 5",
    },
    SampleQuestion {
        question: later!("How many stores are there in each region?"),
        level: Level::Easy,
        sql: "SELECT region, count(*) AS stores FROM stores GROUP BY region ORDER BY region",
    },
    SampleQuestion {
        question: later!("How many of our customers live in the USA?"),
        level: Level::Medium,
        sql: "SELECT count(*) AS customers FROM customers WHERE country IN ('US', 'USA', 'U.S.', 'United States')",
    },
    SampleQuestion {
        question: later!("What was our revenue in each month of 2023, not counting cancelled orders?"),
        level: Level::Medium,
        sql: "SELECT month(o.order_date) AS month, sum(i.net_amt) AS revenue FROM orders o \
              JOIN order_items i ON i.order_id = o.order_id \
              WHERE year(o.order_date) = 2023 AND o.status <> 'cancelled' GROUP BY 1 ORDER BY 1",
    },
    SampleQuestion {
        question: later!("Which ten products sold the most units in 2024, not counting cancelled orders?"),
        level: Level::Medium,
        sql: "SELECT p.prod_nm, sum(i.qty) AS units FROM orders o JOIN order_items i ON i.order_id = o.order_id \
              JOIN products p ON p.product_id = i.product_id \
              WHERE year(o.order_date) = 2024 AND o.status <> 'cancelled' \
              GROUP BY p.product_id, p.prod_nm ORDER BY units DESC LIMIT 10",
    },
    SampleQuestion {
        question: later!("How much did we refund in 2024 for each return reason?"),
        level: Level::Medium,
        sql: "SELECT reason_cd, sum(refund_amt) AS refunded FROM returns WHERE year(return_date) = 2024 \
              GROUP BY reason_cd ORDER BY refunded DESC",
    },
    SampleQuestion {
        question: later!("How many customers signed up in 2023?"),
        level: Level::Medium,
        sql: "SELECT count(*) AS customers FROM customers WHERE year(strptime(signup_dt, '%d/%m/%Y')) = 2023",
    },
    SampleQuestion {
        question: later!("By how much did each department's total budget change from 2023 to 2024?"),
        level: Level::Hard,
        sql: "SELECT department, sum(budget_2024) - sum(budget_2023) AS change FROM budgets GROUP BY department \
              ORDER BY department",
    },
    SampleQuestion {
        question: later!("Which stores missed their sales target for the whole of 2024, and by how much?"),
        level: Level::Hard,
        sql: "WITH sold AS (SELECT o.store_id, sum(i.net_amt) AS sales FROM orders o \
              JOIN order_items i ON i.order_id = o.order_id \
              WHERE year(o.order_date) = 2024 AND o.status <> 'cancelled' AND o.store_id IS NOT NULL GROUP BY 1), \
              target AS (SELECT store_id, sum(target_amt) AS target FROM sales_targets_2024 GROUP BY 1) \
              SELECT s.store_name, t.target - coalesce(sold.sales, 0) AS missed_by FROM target t \
              JOIN stores s ON s.store_id = t.store_id LEFT JOIN sold ON sold.store_id = t.store_id \
              WHERE coalesce(sold.sales, 0) < t.target ORDER BY missed_by DESC",
    },
];
