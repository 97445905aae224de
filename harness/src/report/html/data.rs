//! What the script of a page works on: the matrix and the results, small enough that tens of thousands of them are no burden. Texts that occur again and again
//! are numbers into one list, and records are arrays: `page.js` names their fields.

use crate::journal::{CaseResult, Journal, Unit};
use crate::report::tally::{self, Tally};
use serde::Serialize;
use std::collections::{BTreeMap, HashMap};

/// Results that a page has; the journal has all of them.
const RESULTS: usize = 50_000;

/// Everything.
#[derive(Serialize)]
pub struct Data {
    /// Texts, which others are numbers of.
    texts: Vec<String>,
    /// The names of statuses; those that make a run fail.
    statuses: Vec<&'static str>,
    bad: Vec<bool>,
    /// Names in the order of the page.
    suites: Vec<String>,
    processors: Vec<String>,
    engines: Vec<String>,
    /// What the others are compared with.
    reference: String,
    /// Pairs of processor and engine that have cases: the columns of the matrix.
    columns: Vec<[usize; 2]>,
    /// Rows of the matrix: suite, name, cells; a cell is a column and then pairs of status and count.
    rows: Vec<(usize, String, Vec<Vec<u64>>)>,
    /// Results that are bad or excused.
    results: Vec<Record>,
    /// How many more there are.
    more: usize,
}

/// Case, suite, column, row, text, status, reason, count, again (the last five and the case but for status and count as numbers of texts),
/// differences, each as four numbers of texts (place, both values, how far apart), the lines of what was read, and the case file.
#[derive(Serialize)]
struct Record(String, usize, usize, usize, usize, usize, usize, u64, usize, Vec<[usize; 4]>, Vec<usize>, usize);

/// Texts with their numbers.
#[derive(Default)]
struct Texts {
    numbers: HashMap<String, usize>,
    texts: Vec<String>,
}

impl Texts {
    fn number(&mut self, text: &str) -> usize {
        if let Some(n) = self.numbers.get(text) {
            return *n;
        }
        self.numbers.insert(text.to_owned(), self.texts.len());
        self.texts.push(text.to_owned());
        self.texts.len() - 1
    }
}

impl Data {
    /// The data of a journal.
    pub fn of(journal: &Journal, tally: &Tally) -> Data {
        let place = |unit: &Unit| {
            let key = tally.key(unit);
            [key.engine, key.processor]
        };
        let mut columns: Vec<[usize; 2]> = journal.units.iter().map(place).collect();
        columns.sort_unstable();
        columns.dedup();
        let column = |unit: &Unit| columns.binary_search(&place(unit)).unwrap_or(0);
        let mut cells: BTreeMap<(usize, &str), BTreeMap<usize, tally::Counts>> = BTreeMap::new();
        for unit in &journal.units {
            for (row, counts) in &unit.rows {
                let cell = cells.entry((tally.key(unit).suite, row)).or_default().entry(column(unit)).or_default();
                counts.iter().for_each(|(status, n)| cell.add(status, *n));
            }
        }
        let cell = |(column, counts): (usize, tally::Counts)| {
            let pairs = counts.0.into_iter().enumerate().filter(|(_, n)| *n > 0);
            std::iter::once(column as u64).chain(pairs.flat_map(|(kind, n)| [kind as u64, n])).collect()
        };
        let row = |((suite, name), all): ((usize, &str), BTreeMap<usize, tally::Counts>)| {
            (suite, name.to_owned(), all.into_iter().map(cell).collect())
        };
        let told = |r: &CaseResult| tally::is_bad(&r.status) || r.status == crate::expect::EXPECTED;
        let mut texts = Texts::default();
        let mut results = Vec::new();
        let mut more = 0;
        for (unit, result) in tally::results(journal).filter(|(_, r)| told(r)) {
            if results.len() == RESULTS {
                more += 1;
                continue;
            }
            let suite = tally.key(unit).suite;
            let differences = result.differences.iter();
            let differences =
                differences.map(|d| [&d.place, &d.expected, &d.got, &d.apart].map(|t| texts.number(t))).collect();
            let inputs = result.inputs.iter().map(|line| texts.number(line)).collect();
            results.push(Record(
                result.case.clone(),
                suite,
                column(unit),
                texts.number(&result.row),
                texts.number(&result.text),
                tally::kind(&result.status),
                texts.number(&result.reason),
                result.count,
                texts.number(&result.again),
                differences,
                inputs,
                texts.number(&result.file),
            ));
        }
        Data {
            rows: cells.into_iter().map(row).collect(),
            texts: texts.texts,
            statuses: tally::names().to_vec(),
            bad: tally::names().iter().map(|name| tally::is_bad(name)).collect(),
            suites: tally.suites.clone(),
            processors: (0..tally.processors.len()).map(|at| tally.processor(at)).collect(),
            engines: (0..tally.engines.len()).map(|at| tally.engine(at).to_owned()).collect(),
            reference: journal.header.engines.first().map_or_else(|| "expected".to_owned(), |e| e.name.clone()),
            columns,
            results,
            more,
        }
    }
}
