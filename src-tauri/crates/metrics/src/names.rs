//! Names of dimensions in queries and filters: `entity__dimension`, with a grain or a part of a date at the end.

use crate::grain::Grain;
use crate::problem::MetricError;
use vitrine_domain::views::Period;
use vitrine_words::tr;

/// The name of a metric's own time in queries.
pub(crate) const METRIC_TIME: &str = "metric_time";
/// Separates the parts of a name.
pub(crate) const SEPARATOR: &str = "__";

/// A name of a dimension, split into its parts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct DimensionName {
    /// The entities on the way to the dimension.
    pub links: Vec<String>,
    /// The name of the dimension or entity.
    pub element: String,
    /// The period of a time dimension.
    pub grain: Option<Grain>,
    /// The number that is extracted from a time dimension.
    pub part: Option<Period>,
}

impl DimensionName {
    /// Returns the possible readings of a name: as a plain dimension, then with a grain. `None` if a part is empty.
    pub fn readings(name: &str) -> Option<Vec<Self>> {
        let parts: Vec<&str> = name.trim().split(SEPARATOR).collect();
        if parts.iter().any(|part| part.is_empty()) {
            return None;
        }
        let (last, before) = parts.split_last()?;
        let mut readings = vec![Self::plain(before, last)];
        if let Some((element, links)) = before.split_last() {
            let plain = Self::plain(links, element);
            if let Some(grain) = Grain::parse(last) {
                readings.push(Self { grain: Some(grain), ..plain });
            } else if let Some(part) = last.strip_prefix("extract_").and_then(parse_part) {
                readings.push(Self { part: Some(part), ..plain });
            }
        }
        Some(readings)
    }

    fn plain(links: &[&str], element: &str) -> Self {
        let links = links.iter().map(|link| (*link).to_owned()).collect();
        Self { links, element: element.to_owned(), grain: None, part: None }
    }

    /// Returns true for a metric's own time.
    pub fn is_metric_time(&self) -> bool {
        self.links.is_empty() && self.element.eq_ignore_ascii_case(METRIC_TIME)
    }
}

/// Returns the error for a text that cannot be the name of a dimension.
pub(crate) fn unknown_name(written: &str) -> MetricError {
    MetricError::missing(tr!("'{name}' is not the name of a dimension", name = written))
        .with_hint(tr!("Write dimensions as entity__dimension, and times with a period: metric_time__month"))
}

fn parse_part(name: &str) -> Option<Period> {
    [Period::Year, Period::Quarter, Period::Month].into_iter().find(|part| part.name().eq_ignore_ascii_case(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_has_entities_a_dimension_and_a_grain() {
        let last = |name: &str| DimensionName::readings(name).unwrap().pop().unwrap();
        let name = last("customer__region__opened_at__month");
        assert_eq!((name.links, name.element.as_str()), (vec!["customer".into(), "region".into()], "opened_at"));
        assert_eq!(name.grain, Some(Grain::Month));
        assert!(last("metric_time").is_metric_time() && last("metric_time__fiscal_year").is_metric_time());
        assert_eq!(last("metric_time__extract_month").part, Some(Period::Month));
        assert_eq!(last("store__region").grain, None);
        for wrong in ["", "a____b", "__a", "a__"] {
            assert_eq!(DimensionName::readings(wrong), None, "{wrong}");
        }
    }
}
