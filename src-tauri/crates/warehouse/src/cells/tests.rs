use super::*;
use arrow::array::*;
use arrow::buffer::Buffer;
use proptest::prelude::*;
use std::sync::Arc;

fn texts(array: &dyn Array) -> Vec<Option<String>> {
    (0..array.len()).map(|row| format_cell(array, row)).collect()
}

fn one(array: impl Array) -> String {
    format_cell(&array, 0).unwrap()
}

#[test]
fn decimals_of_every_width_keep_every_digit() {
    let wide = |value: &str, scale| {
        one(Decimal256Array::from(vec![value.parse::<arrow::datatypes::i256>().unwrap()])
            .with_precision_and_scale(76, scale)
            .unwrap())
    };
    assert_eq!(
        wide("1234567890123456789012345678901234567890123456789", 10),
        "123456789012345678901234567890123456789.0123456789"
    );
    assert_eq!(wide("-5", 3), "-0.005");
    let narrow = |value, scale| one(Decimal128Array::from(vec![value]).with_precision_and_scale(38, scale).unwrap());
    assert_eq!(narrow(i128::from(i64::MAX), 0), "9223372036854775807");
    assert_eq!(narrow(0, 2), "0.00");
    assert_eq!(narrow(-12, 2), "-0.12");
    assert_eq!(narrow(12, -3), "12000");
    assert_eq!(one(Decimal32Array::from(vec![105]).with_precision_and_scale(5, 1).unwrap()), "10.5");
    assert_eq!(
        one(Decimal64Array::from(vec![i64::MAX]).with_precision_and_scale(18, 4).unwrap()),
        "922337203685477.5807"
    );
}

#[test]
fn integers_and_floats_read_back_as_themselves() {
    assert_eq!(one(Int64Array::from(vec![i64::MIN])), "-9223372036854775808");
    assert_eq!(one(UInt64Array::from(vec![u64::MAX])), "18446744073709551615");
    assert_eq!(one(Float32Array::from(vec![0.1])), "0.1");
    assert_eq!(one(Float64Array::from(vec![0.1 + 0.2])), "0.30000000000000004");
    assert_eq!(one(Float64Array::from(vec![3.0])), "3.0");
    assert_eq!(texts(&Float64Array::from(vec![f64::NAN, f64::INFINITY])), [Some("NaN".into()), Some("inf".into())]);
    assert_eq!(texts(&BooleanArray::from(vec![Some(true), None])), [Some("true".into()), None]);
    assert_eq!(texts(&NullArray::new(1)), [None]);
}

#[test]
fn dates_and_times_of_every_unit() {
    assert_eq!(
        texts(&Date32Array::from(vec![0, -1, 19_782, i32::MAX])),
        ["1970-01-01", "1969-12-31", "2024-02-29", "infinity"].map(|t| Some(t.into()))
    );
    assert_eq!(one(Date64Array::from(vec![-1])), "1969-12-31");
    assert_eq!(one(Time32SecondArray::from(vec![86_399])), "23:59:59");
    assert_eq!(one(Time32MillisecondArray::from(vec![1])), "00:00:00.001");
    assert_eq!(one(Time64NanosecondArray::from(vec![1_500_000_000])), "00:00:01.5");
    assert_eq!(one(TimestampSecondArray::from(vec![-1])), "1969-12-31 23:59:59");
    assert_eq!(one(TimestampMicrosecondArray::from(vec![-1])), "1969-12-31 23:59:59.999999");
    assert_eq!(one(TimestampMillisecondArray::from(vec![0]).with_timezone("+05:30")), "1970-01-01 05:30:00+05:30");
    assert_eq!(one(TimestampNanosecondArray::from(vec![0]).with_timezone("UTC")), "1970-01-01 00:00:00+00:00");
    assert_eq!(one(DurationMillisecondArray::from(vec![-90_500])), "-00:01:30.5");
    assert_eq!(one(IntervalYearMonthArray::from(vec![14])), "1 year 2 months");
    assert_eq!(one(IntervalMonthDayNanoArray::from(vec![IntervalMonthDayNano::new(0, 0, 0)])), "00:00:00");
    assert_eq!(one(IntervalDayTimeArray::from(vec![IntervalDayTime::new(1, 500)])), "1 day 00:00:00.5");
}

#[test]
fn text_and_bytes_of_every_layout() {
    assert_eq!(one(LargeStringArray::from(vec!["ü"])), "ü");
    assert_eq!(
        one(StringViewArray::from(vec!["a text that is longer than twelve bytes"])),
        "a text that is longer than twelve bytes"
    );
    assert_eq!(one(BinaryArray::from(vec![&b"\x00\xff"[..]])), "00ff");
    assert_eq!(one(FixedSizeBinaryArray::from(vec![&[1_u8, 2][..]])), "0102");
    assert_eq!(one(BinaryViewArray::from(vec![&b"\x0a"[..]])), "0a");
    let words: DictionaryArray<Int8Type> = vec![Some("a"), None, Some("b")].into_iter().collect();
    assert_eq!(texts(&words), [Some("a".into()), None, Some("b".into())]);
}

#[test]
fn nested_values_are_json_with_exact_numbers() {
    let list = ListArray::from_iter_primitive::<Int64Type, _, _>(vec![Some(vec![Some(i64::MAX), None]), None]);
    assert_eq!(texts(&list), [Some("[9223372036854775807,null]".into()), None]);
    let price: ArrayRef = Arc::new(Decimal128Array::from(vec![150]).with_precision_and_scale(10, 2).unwrap());
    let name: ArrayRef = Arc::new(StringArray::from(vec!["a \"b\"\n"]));
    let nan: ArrayRef = Arc::new(Float64Array::from(vec![f64::NAN]));
    let fields = Fields::from(vec![
        Field::new("price", price.data_type().clone(), true),
        Field::new("name", DataType::Utf8, true),
        Field::new("nan", DataType::Float64, true),
    ]);
    assert_eq!(
        one(StructArray::new(fields, vec![price, name, nan], None)),
        r#"{"price":1.50,"name":"a \"b\"\n","nan":"NaN"}"#
    );
    let mut map = MapBuilder::new(None, StringBuilder::new(), Int32Builder::new());
    map.keys().append_value("k");
    map.values().append_value(7);
    map.append(true).unwrap();
    assert_eq!(one(map.finish()), r#"{"k":7}"#);
    let runs =
        RunArray::<Int32Type>::try_new(&Int32Array::from(vec![2, 3]), &StringArray::from(vec!["x", "y"])).unwrap();
    assert_eq!(texts(&runs), ["x", "x", "y"].map(|t| Some(t.into())));
    let union = UnionArray::try_new(
        [(0, Arc::new(Field::new("n", DataType::Int32, true)))].into_iter().collect(),
        Buffer::from_vec(vec![0_i8]).into(),
        None,
        vec![Arc::new(Int32Array::from(vec![9]))],
    );
    assert_eq!(one(union.unwrap()), "9");
}

proptest! {
    #[test]
    fn any_float_reads_back_exactly(value in any::<f64>().prop_filter("numbers", |value| !value.is_nan())) {
        prop_assert_eq!(one(Float64Array::from(vec![value])).parse::<f64>().unwrap(), value);
    }

    #[test]
    fn any_decimal_has_its_digits_and_its_scale(value in -10_i128.pow(37)..10_i128.pow(37), scale in 0_i8..38) {
        let text = one(Decimal128Array::from(vec![value]).with_precision_and_scale(38, scale).unwrap());
        let (whole, fraction) = text.split_once('.').unwrap_or((&text, ""));
        prop_assert_eq!(fraction.len(), scale as usize);
        prop_assert_eq!(format!("{whole}{fraction}").parse::<i128>().unwrap(), value);
    }

    #[test]
    fn days_count_up_one_by_one(day in -1_000_000_i32..1_000_000) {
        let (today, tomorrow) = (one(Date32Array::from(vec![day])), one(Date32Array::from(vec![day + 1])));
        let number = |text: &str| text.rsplit('-').next().unwrap().parse::<u32>().unwrap();
        prop_assert!(number(&tomorrow) == number(&today) + 1 || number(&tomorrow) == 1 && number(&today) >= 28);
    }
}
