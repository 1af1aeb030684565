//! Arrow columns of a result in a server's own format. An engine supplies the type of each column and the decoder of
//! its values.

use crate::WarehouseError;
use arrow::array::*;
use arrow::datatypes::*;
use std::str::FromStr;

/// Decodes the values of one column.
pub(crate) trait DecodeValue {
    /// A value other than NULL in the server's format.
    type Raw<'v>;

    /// The sender of the values in error messages.
    const SENDER: &'static str = "the server";

    /// Returns name and type of the column.
    fn field(&self) -> Field;

    /// Appends a value to a column of this type and returns the value's size in bytes; `None` if the type cannot hold
    /// the value exactly.
    fn decode_value(&self, raw: Self::Raw<'_>, to: &mut ArrowColumn) -> Option<usize>;

    /// Appends a value or NULL like [`DecodeValue::decode_value`].
    fn decode_optional(&self, raw: Option<Self::Raw<'_>>, to: &mut ArrowColumn) -> Option<usize> {
        match raw {
            Some(raw) => self.decode_value(raw, to),
            None => {
                to.0.append_null();
                Some(1)
            }
        }
    }
}

/// Builds the Arrow schema of the columns.
pub(crate) fn build_schema(columns: &[impl DecodeValue]) -> Schema {
    Schema::new(columns.iter().map(DecodeValue::field).collect::<Vec<_>>())
}

/// Collects the values of one column.
pub(crate) struct ColumnBuilder<D> {
    decoder: D,
    values: ArrowColumn,
}

impl<D: DecodeValue> ColumnBuilder<D> {
    pub(crate) fn new(decoder: D) -> Self {
        Self { values: ArrowColumn::new(decoder.field().data_type()), decoder }
    }

    /// Appends a value or NULL and returns its size in bytes.
    pub(crate) fn push(&mut self, raw: Option<D::Raw<'_>>) -> Result<usize, WarehouseError> {
        self.decoder
            .decode_optional(raw, &mut self.values)
            .ok_or_else(|| WarehouseError::query(format!("{} sent a value that cannot be shown exactly", D::SENDER)))
    }

    /// Returns the values collected so far and resets the builder.
    pub(crate) fn finish(&mut self) -> ArrayRef {
        self.values.finish()
    }
}

/// An Arrow column that receives values. Each method appends one value and returns its size in bytes; `None` if the
/// column has another type.
pub(crate) struct ArrowColumn(Box<dyn NullableBuilder>);

impl ArrowColumn {
    pub(crate) fn new(data_type: &DataType) -> Self {
        Self(match data_type {
            DataType::Boolean => Box::new(BooleanBuilder::new()),
            DataType::Int16 => Box::new(Int16Builder::new()),
            DataType::Int32 => Box::new(Int32Builder::new()),
            DataType::Int64 => Box::new(Int64Builder::new()),
            DataType::UInt32 => Box::new(UInt32Builder::new()),
            DataType::UInt64 => Box::new(UInt64Builder::new()),
            DataType::Float32 => Box::new(Float32Builder::new()),
            DataType::Float64 => Box::new(Float64Builder::new()),
            DataType::Date32 => Box::new(Date32Builder::new()),
            DataType::Time64(_) => Box::new(Time64MicrosecondBuilder::new()),
            DataType::Timestamp(..) => Box::new(TimestampMicrosecondBuilder::new().with_data_type(data_type.clone())),
            DataType::Interval(_) => Box::new(IntervalMonthDayNanoBuilder::new()),
            DataType::Binary => Box::new(BinaryBuilder::new()),
            _ => Box::new(StringBuilder::new()),
        })
    }

    /// Appends a number, a date or a time.
    pub(crate) fn append_number<T: ArrowPrimitiveType>(&mut self, number: T::Native) -> Option<usize> {
        self.builder::<PrimitiveBuilder<T>>()?.append_value(number);
        Some(8)
    }

    /// Appends the number in a text.
    pub(crate) fn parse_number<T: ArrowPrimitiveType<Native: FromStr>>(&mut self, text: &str) -> Option<usize> {
        self.append_number::<T>(text.parse().ok()?)
    }

    pub(crate) fn append_boolean(&mut self, value: bool) -> Option<usize> {
        self.builder::<BooleanBuilder>()?.append_value(value);
        Some(8)
    }

    pub(crate) fn append_text(&mut self, text: &str) -> Option<usize> {
        self.builder::<StringBuilder>()?.append_value(text);
        Some(text.len())
    }

    pub(crate) fn append_bytes(&mut self, bytes: &[u8]) -> Option<usize> {
        self.builder::<BinaryBuilder>()?.append_value(bytes);
        Some(bytes.len())
    }

    /// Returns the values appended so far and resets the column.
    pub(crate) fn finish(&mut self) -> ArrayRef {
        self.0.finish()
    }

    fn builder<B: 'static>(&mut self) -> Option<&mut B> {
        self.0.as_any_mut().downcast_mut()
    }
}

/// A builder that can append NULL without knowing its type.
trait NullableBuilder: ArrayBuilder {
    fn append_null(&mut self);
}

impl<T: ArrowPrimitiveType> NullableBuilder for PrimitiveBuilder<T> {
    fn append_null(&mut self) {
        self.append_null();
    }
}

impl<T: ByteArrayType> NullableBuilder for GenericByteBuilder<T> {
    fn append_null(&mut self) {
        self.append_null();
    }
}

impl NullableBuilder for BooleanBuilder {
    fn append_null(&mut self) {
        self.append_null();
    }
}
