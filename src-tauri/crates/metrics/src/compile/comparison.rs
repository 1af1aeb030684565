//! Earlier periods: their distance, and the times that they need.

use super::leaf::Leaf;
use super::meaning::{TimeForm, own_time_forms};
use super::request::{Comparison, MetricQuery};
use crate::definition::MetricsFile;
use crate::grain::{Grain, Span};
use crate::problem::MetricError;
use vitrine_words::tr;

/// Returns the distance of the earlier period with which a query's leaves are compared.
///
/// # Errors
/// Fails if a leaf has no period among the groups, or if a group is only a part of a date.
pub(crate) fn comparison_span(
    file: &MetricsFile,
    leaves: &[Leaf<'_>],
    comparison: Comparison,
    query: &MetricQuery,
) -> Result<Span, MetricError> {
    let hint = || tr!("Add a period to --by, such as metric_time__month");
    let mut grains: Vec<Grain> = Vec::new();
    for leaf in leaves {
        let forms = own_time_forms(file, leaf, &query.by)?;
        if forms.is_empty() {
            return Err(
                MetricError::new(tr!("A comparison with an earlier period needs a time to group by")).with_hint(hint())
            );
        }
        for form in forms {
            match form {
                TimeForm::Start(grain) => grains.push(grain),
                TimeForm::Part(_) => {
                    return Err(MetricError::new(tr!(
                        "Parts of dates, such as extract_month, cannot be compared with an earlier period"
                    ))
                    .with_hint(hint()));
                }
            }
        }
    }
    let Some(finest) = grains.into_iter().min_by_key(|grain| grain.length()) else {
        return Err(
            MetricError::new(tr!("A comparison with an earlier period needs a time to group by")).with_hint(hint())
        );
    };
    Ok(match (comparison, finest) {
        (Comparison::PreviousYear, _) => Span { count: 1, grain: Grain::Year },
        (Comparison::PreviousPeriod, Grain::FiscalQuarter) => Span { count: 1, grain: Grain::Quarter },
        (Comparison::PreviousPeriod, Grain::FiscalYear) => Span { count: 1, grain: Grain::Year },
        (Comparison::PreviousPeriod, grain) => Span { count: 1, grain },
    })
}

/// Checks that values of an earlier period have a time by which they are moved.
///
/// # Errors
/// Fails if such a leaf has neither a group nor a condition on its own time.
pub(crate) fn check_offsets(file: &MetricsFile, leaves: &[Leaf<'_>], groups: &[String]) -> Result<(), MetricError> {
    for leaf in leaves {
        let Some(span) = leaf.shift else { continue };
        let has_condition = leaf.conditions.iter().any(|condition| condition.mentions_time);
        if !has_condition && own_time_forms(file, leaf, groups)?.is_empty() {
            return Err(MetricError::new(tr!(
                "The value of metric '{name}' {span} before needs a time to group by",
                name = leaf.name,
                span
            ))
            .with_hint(tr!("Add a period to --by, such as metric_time__month")));
        }
    }
    Ok(())
}
