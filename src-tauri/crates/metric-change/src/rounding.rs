//! Rounds numbers so that their printed forms still add up.

use crate::number::Number;
use num_bigint::BigInt;

/// Rounds values so that they sum to a total that has this many decimal places. Each value moves by less than one unit
/// of the last place, unless the values themselves do not sum to the total.
pub(crate) fn round_to_sum(values: &[Number], total: &Number, places: u32) -> Vec<Number> {
    let (mut units, rests): (Vec<BigInt>, Vec<Number>) = values.iter().map(|value| value.split_units(places)).unzip();
    let sum: BigInt = units.iter().sum();
    let missing = total.round_to_units(places) - sum;
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by(|a, b| rests[*b].cmp(&rests[*a]).then(a.cmp(b)));
    match usize::try_from(&missing) {
        Ok(count) if count <= order.len() => {
            for at in order.into_iter().take(count) {
                units[at] += 1;
            }
        }
        // Values with rounding errors of their own: the largest one takes the difference.
        _ => {
            let largest = (0..values.len()).max_by(|a, b| values[*a].abs().cmp(&values[*b].abs()));
            if let Some(largest) = largest {
                units[largest] += missing;
            }
        }
    }
    units.into_iter().map(|unit| Number::from_units(unit, places)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rounded_values_sum_to_the_total() {
        let third = Number::from_whole(1).divide(&Number::from_whole(3)).unwrap();
        let one = Number::from_whole(1);
        let rounded = round_to_sum(&[third.clone(), third.clone(), third], &one, 2);
        assert_eq!(rounded.iter().map(|value| value.format(2)).collect::<Vec<_>>(), ["0.34", "0.33", "0.33"]);
        let exact = [Number::parse("-1.25").unwrap(), Number::parse("2.25").unwrap()];
        assert_eq!(round_to_sum(&exact, &one, 2), exact);
    }

    #[test]
    fn a_difference_of_the_values_is_given_to_the_largest() {
        let values = [Number::from_whole(5), Number::from_whole(-7)];
        let rounded = round_to_sum(&values, &Number::from_whole(-4), 0);
        assert_eq!(rounded, [Number::from_whole(5), Number::from_whole(-9)]);
    }
}
