//! The schemas of a table in JSON, for the description of the service.

use super::{Cell, Table};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use std::borrow::Cow;
use std::collections::BTreeMap;

/// A table in JSON.
#[derive(JsonSchema)]
#[expect(dead_code, reason = "the schema is made of it")]
struct Form {
    /// Its name.
    table: String,
    /// Title.
    title: String,
    /// The columns in order.
    columns: Vec<ColumnForm>,
    /// The rows: what is in each column, by its key.
    rows: Vec<BTreeMap<String, Cell>>,
}

/// A column of a table.
#[derive(JsonSchema)]
#[expect(dead_code, reason = "the schema is made of it")]
struct ColumnForm {
    /// Its name in the rows.
    key: String,
    /// Its head.
    head: String,
    /// The unit of its numbers, empty where they have none.
    unit: String,
}

impl JsonSchema for Table {
    fn schema_name() -> Cow<'static, str> {
        "Table".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        Form::json_schema(generator)
    }
}

impl JsonSchema for Cell {
    fn schema_name() -> Cow<'static, str> {
        "Cell".into()
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": ["string", "number", "null"] })
    }
}
