//! Random conditions.

use super::cells::Cell;
use super::dice::{Dice, Kind, is_date, is_number};
use serde_json::{Number, json};
use vitrine_domain::views::{AllOf, AnyOf, Arithmetic, Comparison, Condition, Constant, Day, Expression, Sign, Test};

impl Dice {
    pub fn condition(&mut self, columns: &[(String, Kind)], depth: usize) -> Condition {
        if depth > 0 && self.one_in(3) {
            let inner: Vec<Condition> = (0..self.below(2) + 1).map(|_| self.condition(columns, depth - 1)).collect();
            return if self.one_in(2) {
                Condition::All(AllOf { all: inner })
            } else {
                Condition::Any(AnyOf { any: inner })
            };
        }
        if self.one_in(4) {
            return self.pair(columns);
        }
        self.single(columns)
    }

    /// Generates a condition on a column and constants.
    pub fn single(&mut self, columns: &[(String, Kind)]) -> Condition {
        let (column, kind) = self.of(columns).clone();
        let op = match (self.below(8), kind) {
            (0, _) => Comparison::IsNull,
            (1, _) => Comparison::IsNotNull,
            (_, Kind::Truth) => *self.of(&[Comparison::Is, Comparison::IsNot]),
            (2, _) => Comparison::In,
            (3, _) => Comparison::NotIn,
            (4, _) => Comparison::Between,
            (5, Kind::Text) => Comparison::Contains,
            (6, Kind::Text) => Comparison::Like,
            _ => {
                use Comparison as C;
                *self.of(&[C::Is, C::IsNot, C::Less, C::AtMost, C::More, C::AtLeast])
            }
        };
        let count = match op {
            Comparison::IsNull | Comparison::IsNotNull => 0,
            Comparison::Between => 2,
            Comparison::In | Comparison::NotIn => self.below(3) + 1,
            _ => 1,
        };
        let values = (0..count).map(|_| self.constant(kind, op)).collect();
        Condition::Test(Test { column: Expression::Column(column), op, values, to: None })
    }

    /// Generates a condition on two columns of the same kind, or on a sum and a column.
    fn pair(&mut self, columns: &[(String, Kind)]) -> Condition {
        let (column, kind) = self.of(columns).clone();
        let like = |other: &Kind| {
            *other == kind || (is_number(*other) && is_number(kind)) || (is_date(*other) && is_date(kind))
        };
        let alike: Vec<&String> = columns.iter().filter(|(_, other)| like(other)).map(|(name, _)| name).collect();
        let to = Expression::Column((*self.of(&alike)).clone());
        use Comparison as C;
        let all = [C::Is, C::IsNot, C::Less, C::AtMost, C::More, C::AtLeast];
        let op = *self.of(if kind == Kind::Truth { &all[..2] } else { &all });
        let column = Expression::Column(column);
        let column = if is_number(kind) && self.one_in(3) {
            let right = Expression::Number(Number::from(self.below(3)));
            Expression::Arithmetic(Box::new(Arithmetic { left: column, op: Sign::Plus, right }))
        } else {
            column
        };
        Condition::Test(Test { column, op, values: Vec::new(), to: Some(to) })
    }

    fn constant(&mut self, kind: Kind, op: Comparison) -> Constant {
        // A text column that hides a value is compared by that value.
        let kind = match kind {
            Kind::NumberText | Kind::MoneyText => Kind::Decimal,
            kind if is_date(kind) => Kind::Day,
            kind => kind,
        };
        match (op, self.cell(kind)) {
            (Comparison::Contains, _) => Constant::Text((*self.of(&["A", "d", "%", "'", "_1", "\\S"])).to_owned()),
            (Comparison::Like, _) => Constant::Text((*self.of(&["a%", "%A", "_d_", "X_Y", "%"])).to_owned()),
            (_, Cell::Number(n)) => match json!(n) {
                _ if n.fract() == 0.0 => Constant::Number(Number::from(n as i64)),
                serde_json::Value::Number(number) => Constant::Number(number),
                other => panic!("{other} is no number"),
            },
            (_, Cell::Text(text)) => Constant::Text(text),
            (_, Cell::Truth(truth)) => Constant::Boolean(truth),
            (_, Cell::Day(days)) => Constant::Day(Day { date: super::engines::written_day(days) }),
            (_, Cell::Time(time)) => Constant::Day(Day { date: super::engines::written_day(time / (24 * 60)) }),
            (_, Cell::Null) => Constant::Boolean(true),
        }
    }
}
