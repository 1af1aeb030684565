use super::Mssql;
use crate::dialect::Proof;
use crate::dialect::proof::{FileName, FunctionList, is_listed};
use crate::rejection::Instead::{self, Advice, Nothing, Write};
use sqlparser::ast::TableFactor;
use vitrine_words::later;

/// Complete without the common functions: the owner of a database can define functions that SQL Server lacks.
static FUNCTIONS: FunctionList = FunctionList::new(&[include_str!("functions.txt")]);

/// Table functions that only compute. Others open files and other servers.
const TABLE_FUNCTIONS: &[&str] = &["string_split", "generate_series", "openjson"];

/// Databases of the server itself.
const SYSTEM_DATABASES: &[&str] = &["master", "model", "msdb", "tempdb"];

/// Tables of `information_schema` that are about data and not about users.
const OWN_STRUCTURE_TABLES: &[&str] =
    &["columns", "key_column_usage", "referential_constraints", "schemata", "table_constraints", "tables", "views"];

/// Legacy names of system tables.
const LEGACY_TABLES: &[&str] = &[
    "sysaltfiles",
    "syscacheobjects",
    "syscharsets",
    "syscolumns",
    "syscomments",
    "sysconfigures",
    "sysconstraints",
    "syscurconfigs",
    "sysdatabases",
    "sysdepends",
    "sysdevices",
    "sysfilegroups",
    "sysfiles",
    "sysforeignkeys",
    "sysfulltextcatalogs",
    "sysindexes",
    "sysindexkeys",
    "syslanguages",
    "syslockinfo",
    "syslogins",
    "sysmembers",
    "sysmessages",
    "sysobjects",
    "sysoledbusers",
    "sysopentapes",
    "sysperfinfo",
    "syspermissions",
    "sysprocesses",
    "sysprotects",
    "sysreferences",
    "sysremotelogins",
    "sysservers",
    "systypes",
    "sysusers",
];

impl Proof for Mssql {
    fn scalar_functions(&self) -> &'static FunctionList {
        &FUNCTIONS
    }

    fn is_table_function(&self, name: &str) -> bool {
        TABLE_FUNCTIONS.contains(&name)
    }

    fn replacement(&self, name: &str) -> Instead {
        match name {
            "strftime" | "to_char" | "date_format" | "format_date" => Write("FORMAT(x, 'yyyy-MM')"),
            "extract" | "date_part" => Write("DATEPART(year, x)"),
            "date_trunc" => Write("DATEFROMPARTS(YEAR(x), MONTH(x), 1)"),
            "date_diff" | "julianday" => Write("DATEDIFF(day, earlier, later)"),
            "date_add" | "date_sub" => Write("DATEADD(day, 1, x)"),
            "to_date" | "strptime" | "parse_date" | "str_to_date" => Write("TRY_CONVERT(date, text, 103)"),
            "now" | "sysdate" | "today" => Write("GETDATE()"),
            "quarter" => Write("DATEPART(quarter, x)"),
            "hour" => Write("DATEPART(hour, x)"),
            "weekday" | "dayofweek" => Write("DATEPART(weekday, x)"),
            "last_day" => Write("EOMONTH(x)"),
            "instr" | "strpos" | "position" | "locate" => Write("CHARINDEX(part, text)"),
            "length" | "char_length" | "character_length" => Write("LEN(text)"),
            "substr" => Write("SUBSTRING(text, 1, n)"),
            "ifnull" | "nvl" => Write("COALESCE"),
            "if" | "iff" => Write("IIF(condition, a, b)"),
            "group_concat" | "listagg" => Write("STRING_AGG(x, ', ')"),
            "ceil" => Write("CEILING(x)"),
            "mod" => Write("a % b"),
            "stddev" | "stddev_samp" => Write("STDEV(x)"),
            "stddev_pop" => Write("STDEVP(x)"),
            "variance" | "var_samp" => Write("VAR(x)"),
            "count_if" | "countif" => Write("SUM(CASE WHEN condition THEN 1 ELSE 0 END)"),
            "safe_divide" => Write("a / NULLIF(b, 0)"),
            "safe_cast" => Write("TRY_CAST(x AS type)"),
            "json_extract" | "json_extract_scalar" | "json_extract_string" => Write("JSON_VALUE(x, '$.key')"),
            "unnest" | "explode" | "flatten" => Advice(later!("write CROSS APPLY OPENJSON(column) AS j in FROM")),
            "median" => Advice(later!("write PERCENTILE_CONT(0.5) WITHIN GROUP (ORDER BY x) OVER (PARTITION BY g)")),
            _ => Nothing,
        }
    }

    // The system databases and the schema `sys`, whose legacy names (`sysusers`) need no schema. More than two
    // qualifiers name a linked server.
    fn holds_secrets(&self, qualifier: &[&str], table: &str) -> bool {
        qualifier.len() > 2
            || matches!(qualifier, [database, _] if is_listed(SYSTEM_DATABASES, database))
            || match qualifier.last() {
                Some(schema) if is_listed(&["sys"], schema) => true,
                Some(schema) if is_listed(&["information_schema"], schema) => !is_listed(OWN_STRUCTURE_TABLES, table),
                schema => {
                    schema.is_none_or(|schema| is_listed(&["dbo", ""], schema)) && is_listed(LEGACY_TABLES, table)
                }
            }
    }

    fn file_name(&self, _parts: &[&str], _is_text: bool) -> FileName {
        FileName::Never
    }

    fn allows_table_expression(&self, factor: &TableFactor) -> bool {
        matches!(factor, TableFactor::OpenJsonTable { .. })
    }

    fn ignores_case_in_scope(&self) -> bool {
        true
    }
}
