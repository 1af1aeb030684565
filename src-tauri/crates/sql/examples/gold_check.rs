//! throwaway
use std::collections::HashMap;
use vitrine_domain::*;
use vitrine_sql::*;
fn main() {
    let args: Vec<String> = std::env::args().collect();
    let mut cats: HashMap<String, Catalog> = HashMap::new();
    let mut cur = String::new();
    for l in std::fs::read_to_string(&args[1]).unwrap().lines() {
        let f: Vec<&str> = l.split('\t').collect();
        match f[0] {
            "D" => { cur = f[1].into(); cats.insert(cur.clone(), Catalog { database: f[1].into(), dialect: Dialect::Sqlite, fingerprint: "".into(), tables: vec![] }); }
            "T" => cats.get_mut(&cur).unwrap().tables.push(Table { name: TableName::bare(f[1]), kind: TableKind::Table, comment: None, row_count: None, columns: vec![], primary_key: vec![], foreign_keys: vec![] }),
            "C" => { let t = cats.get_mut(&cur).unwrap().tables.last_mut().unwrap(); t.columns.push(Column { name: f[1].into(), data_type: f[2].into(), nullable: true, comment: None }); if f[3] != "0" { t.primary_key.push(f[1].into()); } }
            "F" => { let t = cats.get_mut(&cur).unwrap().tables.last_mut().unwrap(); t.foreign_keys.push(ForeignKey { columns: vec![f[1].into()], ref_table: TableName::bare(f[2]), ref_columns: if f[3].is_empty() { vec![] } else { vec![f[3].into()] } }); }
            _ => {}
        }
    }
    let dia = if std::env::var("DUCK").is_ok() { Dialect::Duckdb } else { Dialect::Sqlite };
    let t0 = std::time::Instant::now();
    for l in std::fs::read_to_string(&args[2]).unwrap().lines() {
        let f: Vec<&str> = l.splitn(3, '\t').collect();
        let sql = f[2].replace("\\n", "\n");
        let c = &cats[f[1]];
        match ReadOnlySql::parse(&sql, dia) {
            Err(e) => println!("{}\tREJECT\t{e}\t{}\t", f[0], f[2]),
            Ok(q) => {
                let b = bind(&q, c);
                let lits = literals(&q).len();
                let fm = format(&sql, dia);
                if ReadOnlySql::parse(&fm, dia).is_err() { println!("{}\tFORMAT\t\t{}\t", f[0], f[2]); }
                let r = if args.len() > 3 { rebind(&q, c) } else { None };
                let p: Vec<String> = b.problems.iter().map(|p| p.to_string()).collect();
                let kind = if p.is_empty() { "OK" } else { "PROBLEM" };
                println!("{}\t{kind}\t{}\t{}\t{}\t{}\t{}\t{lits}", f[0], p.join(" | "), f[2], r.as_ref().map(|r| r.sql.as_str().replace('\n', " ")).unwrap_or_default(), r.map(|r| r.notes.join("; ")).unwrap_or_default(), b.outputs.iter().map(|o| o.name.replace(['\t','\n'], " ")).collect::<Vec<_>>().join("\u{1}"));
            }
        }
    }
    eprintln!("{:?}", t0.elapsed());
}
