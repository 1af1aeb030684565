use std::time::Instant;
use vitrine_catalog::*;
use vitrine_warehouse::{open, WarehouseUri};
#[tokio::main]
async fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    if args[0] == "sample" {
        let t = Instant::now();
        vitrine_warehouse::sample::create(std::path::Path::new(&args[1]), |p| eprintln!("{:.2} {:?}", p, t.elapsed())).unwrap();
        return;
    }
    for uri in &args[1..] {
        let t = Instant::now();
        let w = match open(&WarehouseUri::parse(uri).unwrap()).await { Ok(w) => w, Err(e) => { println!("{uri}: OPEN {e}"); continue } };
        let c = match w.catalog().await { Ok(c) => c, Err(e) => { println!("{uri}: CATALOG {e}"); continue } };
        let t_open = t.elapsed();
        let t = Instant::now();
        let z = compress(&c);
        let t_c = t.elapsed();
        let expanded: usize = z.expand().iter().map(|t| t.1.len()).sum();
        let plain = Compressed { tables: c.tables.iter().flat_map(|t| { let mut one = c.clone(); one.tables = vec![t.clone()]; let mut k = compress(&one).tables; for x in &mut k { x.columns = t.columns.iter().map(|col| CompressedColumn{pattern: col.name.clone(), members: vec![col.name.clone()], column: col.clone()}).collect(); } k }).collect::<Vec<_>>().into_iter().collect() };
        let o = RenderOptions::default();
        let raw = if c.tables.len() < 3000 { render(&plain, None, None, &o).len() } else { 0 };
        let t = Instant::now();
        let profile = if args[0] == "profile" { Some(profile(w.clone(), &c, ProfileOptions::default(), |_, _, _| {}, Default::default()).await) } else { None };
        let t_p = t.elapsed();
        let profile = match profile { Some(Err(e)) => { println!("{uri}: PROFILE {e}"); None } Some(Ok(p)) => Some(p), None => None };
        let t = Instant::now();
        let text = render(&z, profile.as_ref(), None, &o);
        let t_r = t.elapsed();
        println!("{} tables {} -> {} columns {} (exp {}) groups {} chars {} -> {} open {:?} compress {:?} render {:?} profile {:?} n={:?}", uri, c.tables.len(), z.tables.len(), c.column_count(), expanded, z.group_count(), raw, text.len(), t_open, t_c, t_r, t_p, profile.as_ref().map(|p| p.tables.len()));
        if std::env::var("SHOW").is_ok() { println!("{text}"); }
    }
}
