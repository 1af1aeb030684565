//! Texts of dates: patterns of the forms that users and programs write, and the expressions that parse them.

use super::months::month_of;
use crate::engines::duck::quote_literal;
use vitrine_domain::DateOrder;

const TIME: &str = r"(?:,?[ T]+([0-9]{1,2}:[0-9]{2}(?::[0-9]{2}(?:[.,][0-9]{1,6})?)?)(?:[ \x{00a0}\x{202f}]?([AaPp])[.]? ?[Mm][.]?)?(?: Uhr| h)?)?(?: ?((?:GMT|UTC|CET|CEST|MEZ|MESZ|Z)(?:[+-][0-9]{1,2}(?::?[0-9]{2})?)?))?";

/// The form of a date. Each pattern has five groups, followed by the groups of [`TIME`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    /// `31.12.2024`, `12/31/24`
    Numbers,
    /// `2024/12/31`
    YearFirst,
    /// `31. Dezember 2024`, `31-Dec-2024`, `31 de diciembre de 2024`
    DayName,
    /// `December 31, 2024`
    NameDay,
}

impl Form {
    pub const ALL: [Self; 4] = [Self::Numbers, Self::YearFirst, Self::DayName, Self::NameDay];

    pub fn pattern(self) -> String {
        let day = match self {
            Self::Numbers => "([0-9]{1,2})([./-])([0-9]{1,2})([./-])([0-9]{4}|[0-9]{2})",
            Self::YearFirst => "([0-9]{4})([./-])([0-9]{1,2})([./-])([0-9]{1,2})",
            Self::DayName => {
                r"(?:\p{L}+[.]?,? )?([0-9]{1,2})([.]|er|º|st|nd|rd|th)?[ ./-]*(?:de |of )?(\p{L}{3,})([.]?,?)[ /-]*(?:del? )?([0-9]{4})"
            }
            Self::NameDay => r"(?:\p{L}+[.]?, )?(\p{L}{3,})([.]?) ([0-9]{1,2})(st|nd|rd|th)?,? ([0-9]{4})",
        };
        format!("{day}{TIME}")
    }

    /// Returns the expression that extracts the pattern's groups from a text.
    pub fn capture_expression(self, text: &str) -> String {
        let names: Vec<String> = (1..=GROUPS).map(|number| format!("'g{number}'")).collect();
        format!("regexp_extract({text}, {}, [{}])", quote_literal(&format!("^{}$", self.pattern())), names.join(", "))
    }

    /// Returns expressions for year, month and day from the groups.
    fn date_parts(self, groups: &str, order: DateOrder, century: &str) -> [String; 3] {
        let group = |number: usize| group_expression(groups, number);
        let whole = |number: usize| format!("lpad({}, 2, '0')", group(number));
        match (self, order) {
            (Self::Numbers, order) => {
                let year = format!("CASE length({0}) WHEN 2 THEN '{century}' ELSE '' END || {0}", group(5));
                match order {
                    DateOrder::DayFirst => [year, whole(3), whole(1)],
                    DateOrder::MonthFirst => [year, whole(1), whole(3)],
                }
            }
            (Self::YearFirst, _) => [group(1), whole(3), whole(5)],
            (Self::DayName, _) => [group(5), month_of(&group(3)), whole(1)],
            (Self::NameDay, _) => [group(5), month_of(&group(1)), whole(3)],
        }
    }

    /// Returns the expression for the month from the groups; NULL if a word is not the name of a month.
    pub fn month_expression(self, groups: &str) -> String {
        let [_, month, _] = self.date_parts(groups, DateOrder::DayFirst, "20");
        month
    }

    /// Returns the expression for the value of the groups; NULL if the date does not exist.
    pub fn value_expression(self, groups: &str, order: DateOrder, century: &str, has_time: bool) -> String {
        let [year, month, day] = self.date_parts(groups, order, century);
        let date = format!("nullif({year}, '0000') || '-' || {month} || '-' || {day}");
        if !has_time {
            return format!("TRY_CAST({date} AS DATE)");
        }
        let (time, half) = (group_expression(groups, 6), group_expression(groups, 7));
        let hour = format!("CAST(nullif(regexp_extract({time}, '^[0-9]+'), '') AS INTEGER)");
        let hour =
            format!("CASE upper({half}) WHEN 'P' THEN {hour} % 12 + 12 WHEN 'A' THEN {hour} % 12 ELSE {hour} END");
        let rest = format!("replace(regexp_replace({time}, '^[0-9]+', ''), ',', '.')");
        let rest = format!("CASE length({rest}) WHEN 3 THEN {rest} || ':00' ELSE {rest} END");
        format!(
            "TRY_CAST({date} || ' ' || coalesce(lpad(CAST({hour} AS VARCHAR), 2, '0') || {rest}, '00:00:00') AS TIMESTAMP)"
        )
    }
}

/// Number of groups in a pattern.
const GROUPS: usize = 8;

/// Returns the expression for one group of a pattern.
pub(super) fn group_expression(groups: &str, number: usize) -> String {
    format!("struct_extract({groups}, 'g{number}')")
}

/// Returns the pattern of a date in any form.
pub(super) fn any_pattern() -> String {
    Form::ALL.map(|form| format!("(?:{})", form.pattern())).join("|")
}
