//! The real environment: installed once in the cache folder, then reused. Needs the user's package index the first
//! time.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used)]

use crate::support;

use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::Instant;

use support::{cache, limits, sandbox};
use tokio_util::sync::CancellationToken;
use vitrine_python::{Environment, Input, Interpreter, Job, Limits, Outcome, PythonError, Script, Step};

/// Returns the environment. Tests run in parallel, each in its own process: one installs it, the others wait.
async fn environment() -> Environment {
    for _ in 0..600 {
        if let Some(found) = Environment::find(&cache()) {
            return found;
        }
        match Environment::install(&cache(), &sandbox(), &|_| {}, &CancellationToken::new()).await {
            Ok(made) => return made,
            Err(PythonError::Busy) => tokio::time::sleep(std::time::Duration::from_secs(1)).await,
            Err(error) => panic!("{error}"),
        }
    }
    panic!("the environment was not there after ten minutes")
}

struct Desk {
    folder: tempfile::TempDir,
    environment: Environment,
    runs: std::cell::Cell<u32>,
}

impl Desk {
    async fn new() -> Self {
        Self { folder: tempfile::tempdir().unwrap(), environment: environment().await, runs: 0.into() }
    }

    async fn run(&self, code: &str, inputs: &[Input]) -> Result<Outcome, PythonError> {
        self.run_within(code, inputs, &limits()).await
    }

    async fn run_within(&self, code: &str, inputs: &[Input], limits: &Limits) -> Result<Outcome, PythonError> {
        self.runs.set(self.runs.get() + 1);
        let output = self.folder.path().join(format!("{}.parquet", self.runs.get()));
        let script = Script::new(code).unwrap();
        let job = Job { script: &script, inputs, output: &output };
        sandbox().run(&self.environment, job, limits, &CancellationToken::new()).await
    }

    /// Returns the contents of a result, as printed by Python.
    async fn rows(&self, of: &Path) -> String {
        let input = [Input { name: "made".into(), path: of.into() }];
        let code = "print(made.to_dict('list'))";
        match self.run(code, &input).await {
            Err(PythonError::NoResult { stdout }) => stdout.trim().to_owned(),
            other => panic!("{other:?}"),
        }
    }

    async fn result(&self, code: &str, inputs: &[Input]) -> String {
        let outcome = self.run(code, inputs).await.unwrap_or_else(|error| panic!("{code}\n{error}"));
        self.rows(&outcome.output).await
    }

    /// Creates a table of orders, with gaps, exact amounts and dates.
    async fn orders(&self) -> Input {
        let code = "import pyarrow as pa, decimal, datetime\nresult = pa.table({'id': [1, None, 2**60 + 1], 'city': ['Oslo', 'Rome', 'Oslo'],\n\
                    'amount': [decimal.Decimal('1.50'), decimal.Decimal('2.25'), None],\n'day': [datetime.date(2024, 1, d) for d in (1, 2, 3)]})";
        let outcome = self.run(code, &[]).await.unwrap();
        Input { name: "orders".into(), path: outcome.output }
    }
}

#[tokio::test]
async fn an_analysis_from_tables_to_a_table() {
    let desk = Desk::new().await;
    let orders = [desk.orders().await];
    for (code, rows) in [
        ("result = orders.groupby('city').amount.sum()", "{'city': ['Oslo', 'Rome'], 'amount': [1.5, 2.25]}"),
        ("result = orders.id.tolist()[2]", "{'result': [1152921504606846977]}"),
        ("result = orders[orders.day > '2024-01-02'].city", "{'city': ['Oslo']}"),
        (
            "result = pl.from_pandas(orders).group_by('city').len().sort('city').lazy()",
            "{'city': ['Oslo', 'Rome'], 'len': [2, 1]}",
        ),
        ("result = [{'a': 1}, {'b': 'x'}]", "{'a': [1, None], 'b': [None, 'x']}"),
        ("result = np.float32(1.5)", "{'result': [1.5]}"),
        ("result = orders.merge(orders, on='city').iloc[:, :2].shape[0]", "{'result': [5]}"),
    ] {
        let found = desk.result(code, &orders).await.replace("nan", "None").replace(".0,", ",").replace("<NA>", "None");
        assert_eq!(found.replace("1.0", "1"), rows, "{code}");
    }
    let outcome =
        desk.run("import warnings\nprint('hello')\nwarnings.warn('look')\nresult = orders", &orders).await.unwrap();
    assert_eq!(outcome.stdout, "hello\n");
    assert!(outcome.stderr.contains("look"));
}

#[tokio::test]
async fn mistakes_are_told_with_their_line() {
    let desk = Desk::new().await;
    let orders = [desk.orders().await];
    for (code, message) in [
        ("x = 1\nresult = orders['amuont'].sum()", "line 2: KeyError: 'amuont' (in `result = orders['amuont'].sum()`)"),
        (
            "result = orders.groupby('city')\nreturn result",
            "line 2: SyntaxError: 'return' outside function (in `return result`)",
        ),
        (
            "def share(f):\n  return f.amount / f.nothing\nresult = share(orders)",
            "line 2: AttributeError: 'DataFrame' object has no attribute 'nothing'",
        ),
        ("result = customers", "line 1: NameError: name 'customers' is not defined"),
        ("import sklearn", "line 1: ModuleNotFoundError: No module named 'sklearn'"),
        ("result = orders.groupby('city')", "`result` is not a table: it is a DataFrameGroupBy"),
        ("result = pd.DataFrame()", "`result` is not a table: it has no columns"),
        ("answer = orders", "the code does not assign `result`"),
    ] {
        let error = desk.run(code, &orders).await.unwrap_err();
        assert!(error.to_string().starts_with(message), "{code}\n{error}");
        assert!(error.is_the_codes_fault());
    }
}

#[tokio::test]
async fn a_result_that_pretends_is_found_out() {
    let desk = Desk::new().await;
    let fake = "class Fake:\n  __class__ = pd.DataFrame\n  def __getattr__(self, name): raise ValueError(name)\nresult = Fake()";
    let fake_subclass = "class Fake(pd.DataFrame):\n  @property\n  def columns(self): return open('/etc/passwd').read()\nresult = Fake({'a': [1]})";
    for code in [fake, fake_subclass] {
        let error = desk.run(code, &[]).await.unwrap_err();
        assert!(matches!(error, PythonError::NotATable { .. } | PythonError::Raised(_)), "{error:?}");
    }
    let large = "result = pd.DataFrame(np.random.rand(1000000, 20))";
    let error = desk.run_within(large, &[], &Limits { output: 10 << 20, ..limits() }).await.unwrap_err();
    assert_eq!(error.to_string(), "the result is larger than 10 MB");
}

#[tokio::test]
async fn memory_is_bounded_in_all_packages() {
    let desk = Desk::new().await;
    let few = Limits { memory: 400 << 20, ..limits() };
    for code in [
        "result = np.ones(10**9).sum()",
        "result = pd.DataFrame({'a': np.arange(10**8)}).astype(str)",
        "result = pl.select(pl.int_range(0, 10**9).alias('a').cast(pl.String)).sum()",
        "import pyarrow as pa\nresult = pa.concat_arrays([pa.array(np.zeros(10**6))] * 200)",
    ] {
        let error = desk.run_within(code, &[], &few).await.unwrap_err();
        assert!(matches!(error, PythonError::TooMuchMemory { .. }), "{code}: {error:?}");
    }
}

#[tokio::test]
async fn tables_that_are_none_are_named() {
    let desk = Desk::new().await;
    let orders = desk.orders().await;
    let good = std::fs::read(&orders.path).unwrap();
    // The length of the footer, before the last magic bytes, exceeds the file; then every byte of the footer is
    // overwritten.
    let mut too_long = good.clone();
    let at = good.len() - 8;
    too_long[at..at + 4].copy_from_slice(&0x7fff_ffff_u32.to_le_bytes());
    let mut enormous = good.clone();
    enormous[good.len() / 2..at].fill(0xff);
    for (name, bytes) in [("empty", vec![]), ("text", b"a,b\n1,2\n".to_vec()), ("long", too_long), ("huge", enormous)] {
        let path = desk.folder.path().join(name);
        std::fs::write(&path, bytes).unwrap();
        let error = desk.run("result = orders", &[Input { name: "orders".into(), path }]).await.unwrap_err();
        assert!(matches!(&error, PythonError::Input { name, .. } if name == "orders"), "{name}: {error:?}");
    }
    for (path, message) in
        [("/no/such/file", "No such file"), ("/dev/zero", "it is not a file"), ("/tmp", "it is not a file")]
    {
        let error = desk.run("1", &[Input { name: "orders".into(), path: path.into() }]).await.unwrap_err();
        assert!(error.to_string().contains(message), "{error}");
    }
    // A few bytes that claim to be very large data.
    let code = "import pyarrow as pa\nresult = pa.table({'a': pa.DictionaryArray.from_arrays(pa.nulls(10**7, pa.int8()).fill_null(0), ['x' * 10000])})";
    let bomb = desk.run(code, &[]).await;
    if let Ok(outcome) = bomb {
        let input = [Input { name: "bomb".into(), path: outcome.output }];
        let error = desk.run("result = len(bomb.a.sum())", &input).await.unwrap_err();
        assert!(matches!(error, PythonError::TooMuchMemory { .. }), "{error:?}");
    }
}

#[tokio::test]
async fn nothing_of_the_person_is_in_a_message() {
    let desk = Desk::new().await;
    let home = std::env::var("HOME").unwrap();
    for code in ["from pandas import nothing", "import polars.nothing", "raise ValueError(pd.__file__)"] {
        let error = desk.run(code, &[]).await.unwrap_err().to_string();
        assert!(!error.contains(&home), "{error}");
    }
}

#[tokio::test]
#[ignore = "downloads 130 MB; run it by name"]
async fn setting_up_is_whole_or_nothing() {
    let folder = tempfile::tempdir_in(cache().parent().unwrap()).unwrap();
    let cancel = CancellationToken::new();
    let stop = |progress: vitrine_python::Progress| {
        if progress.step == Step::Packages && progress.bytes > 20_000_000 {
            cancel.cancel();
        }
    };
    let error = Environment::install(folder.path(), &sandbox(), &stop, &cancel).await.unwrap_err();
    assert!(matches!(error, PythonError::Cancelled), "{error:?}");
    assert_eq!(Environment::find(folder.path()), None);
    assert_eq!(Environment::size_on_disk(folder.path()), 0);

    let steps = Mutex::new(vec![]);
    let note = |progress: vitrine_python::Progress| {
        let mut steps = steps.lock().unwrap();
        if steps.last() != Some(&progress.step) {
            steps.push(progress.step);
        }
    };
    let started = Instant::now();
    let made = Environment::install(folder.path(), &sandbox(), &note, &CancellationToken::new()).await.unwrap();
    eprintln!("installed in {:?}: {} bytes", started.elapsed(), Environment::size_on_disk(folder.path()));
    assert_eq!(*steps.lock().unwrap(), [Step::Installer, Step::Interpreter, Step::Packages, Step::Trial]);
    assert_eq!(Environment::find(folder.path()), Some(made));
    let size = Environment::size_on_disk(folder.path()) as f64 / vitrine_python::INSTALLED_BYTES as f64;
    assert!((0.8..1.2).contains(&size), "{size}");
    Environment::remove(folder.path()).unwrap();
    assert_eq!(Environment::find(folder.path()), None);
    Environment::remove(folder.path()).unwrap();
}

#[tokio::test]
#[ignore = "measures"]
async fn how_long_it_takes() {
    let desk = Desk::new().await;
    let orders = [desk.orders().await];
    let bare = Environment::without_packages(Interpreter::of_system().await.unwrap());
    for (what, code) in [
        ("empty", ""),
        ("pandas", "import pandas"),
        ("all", "import pandas, polars, pyarrow"),
        ("table", "result = orders"),
    ] {
        let mut times = vec![];
        for _ in 0..7 {
            let started = Instant::now();
            if what == "empty" {
                let script = Script::new(code).unwrap();
                let output: PathBuf = desk.folder.path().join("none");
                let job = Job { script: &script, inputs: &[], output: &output };
                let _ = sandbox().run(&bare, job, &limits(), &CancellationToken::new()).await;
            } else {
                let _ = desk.run(code, &orders).await;
            }
            times.push(started.elapsed().as_millis());
        }
        times.sort_unstable();
        eprintln!("{what}: median {} ms, all {times:?}", times[3]);
    }
}
