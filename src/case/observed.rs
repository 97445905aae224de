//! What a case looks at, of every wave and group: a few words each in place of all their registers and memory.
//!
//! An [`Outcome`](super::Outcome) holds either whole [wave states](super::WaveState), for those who compare everything, or this. A row has a word for each
//! [column](Columns): a vector register takes one for every lane that can carry a work-item, a scalar register one, a single register such as
//! VCC two. Rows lie one behind the other by the numbers of the waves, so that how much memory they take is known before the run.

use crate::case::value::{File, Place, Value};
use crate::case::{Initial, What};
use crate::isa::regs;

/// Which state is kept of every wave, and how much of every group's local memory.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Columns {
    /// Registers by file, each once, in ascending order.
    pub(crate) registers: [Vec<u32>; 4],
    /// Single registers, by their bits in the order of [`SINGLES`].
    pub(crate) singles: u8,
    /// Lanes of a vector register.
    pub(crate) lanes: u32,
    /// Bytes of local memory, from its beginning.
    pub(crate) lds: u32,
}

/// The registers that are no part of a file.
const SINGLES: [Place; 6] = [Place::Vcc, Place::Exec, Place::Scc, Place::M0, Place::Mode, Place::Trapsts];
/// The files, in the order of their columns.
const FILES: [File; 4] = [File::Vector, File::Accumulation, File::Scalar, File::Trap];

fn single_bit(place: &Place) -> u8 {
    SINGLES.iter().position(|single| single == place).map_or(0, |n| 1 << n)
}

impl Columns {
    /// What a case looks at for its target.
    #[must_use]
    pub fn of(initial: &Initial<'_>) -> Columns {
        let generation = initial.target.generation();
        let most = |file| match file {
            File::Vector | File::Accumulation => 256,
            File::Scalar => u32::from(regs::sgpr_count(generation)),
            File::Trap => u32::from(regs::ttmp_count(generation)),
        };
        let mut columns = Columns { lanes: initial.waves.lanes(), ..Columns::default() };
        for place in initial.case.observed(initial.target) {
            match place {
                Place::Regs { file, first, count } => {
                    columns.registers[file as usize].extend(first..first.saturating_add(count).min(most(file)));
                }
                Place::Lds(_) | Place::Buffer(..) | Place::Export(_) | Place::Valid => {}
                single => columns.singles |= single_bit(&single),
            }
        }
        columns.lds = lds_end(initial);
        for file in &mut columns.registers {
            file.sort_unstable();
            file.dedup();
        }
        columns
    }

    /// How many words a column of a file has.
    fn width(&self, file: File) -> usize {
        if file.is_per_lane() { self.lanes as usize } else { 1 }
    }

    /// Words of a row.
    #[must_use]
    pub fn words(&self) -> usize {
        let files = FILES.iter().map(|file| self.registers[*file as usize].len() * self.width(*file));
        files.sum::<usize>() + 2 * self.singles.count_ones() as usize
    }

    /// Bytes that so many waves in so many groups take.
    #[must_use]
    pub fn bytes(&self, waves: u64, groups: u64) -> u64 {
        let rows = waves.saturating_mul(4 * self.words() as u64).saturating_add(waves.div_ceil(64) * 8);
        rows.saturating_add(groups.saturating_mul(self.lds.into()))
    }

    /// Where a column begins in a row.
    fn column(&self, file: File, n: u32) -> Option<usize> {
        let before = FILES.iter().take_while(|other| **other != file);
        let first: usize = before.map(|other| self.registers[*other as usize].len() * self.width(*other)).sum();
        let at = self.registers[file as usize].binary_search(&n).ok()?;
        Some(first + at * self.width(file))
    }

    /// Writes a row: registers by file, number and lane, and the single ones.
    pub fn fill(&self, row: &mut [u32], register: impl Fn(File, u32, u32) -> u32, single: impl Fn(&Place) -> u64) {
        let mut row = row.iter_mut();
        let mut put = |word: u32| {
            if let Some(to) = row.next() {
                *to = word;
            }
        };
        for file in FILES {
            for &n in &self.registers[file as usize] {
                (0..self.width(file)).for_each(|lane| put(register(file, n, lane as u32)));
            }
        }
        for place in SINGLES.iter().filter(|place| self.singles & single_bit(place) != 0) {
            let bits = single(place);
            put(bits as u32);
            put((bits >> 32) as u32);
        }
    }
}

/// Where the bytes end that a case looks at in local memory: a list that is expected has an end, anything else goes on to that of the memory.
fn lds_end(initial: &Initial<'_>) -> u32 {
    let all = initial.lds_size;
    if initial.case.observe.iter().any(|observe| matches!(observe.place, Place::Lds(_))) {
        return all;
    }
    let ends = initial.case.expect.iter().filter(|e| e.select.matches(initial.target)).map(|e| match &e.what {
        What::Value { place: Place::Lds(offset), value: value @ Value::List(list), .. } => {
            list.iter().fold(*offset, |sum: u32, one| sum.saturating_add(value.element_bytes(one)))
        }
        What::Value { place: Place::Lds(_), .. } => all,
        _ => 0,
    });
    ends.max().unwrap_or(0).min(all)
}

/// The rows of a run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Observed {
    pub(crate) columns: Columns,
    pub(crate) rows: Vec<u32>,
    /// Which waves have run, by their bits.
    pub(crate) there: Vec<u64>,
    /// The local memory of the groups, one behind the other.
    pub(crate) lds: Vec<u8>,
    /// How many groups have run.
    pub(crate) groups: u64,
}

impl Observed {
    /// Room for so many waves in so many groups, of which none has run.
    #[must_use]
    pub fn new(columns: Columns, waves: usize, groups: u64) -> Observed {
        let rows = vec![0; waves * columns.words()];
        let lds = vec![0; groups as usize * columns.lds as usize];
        Observed { columns, rows, there: vec![0; waves.div_ceil(64)], lds, groups }
    }

    /// What is kept.
    #[must_use]
    pub fn columns(&self) -> &Columns {
        &self.columns
    }

    /// Keeps a wave, which has run.
    pub fn put_wave(
        &mut self,
        number: usize,
        register: impl Fn(File, u32, u32) -> u32,
        single: impl Fn(&Place) -> u64,
    ) {
        let Observed { columns, rows, there, .. } = self;
        let words = columns.words();
        let Some(row) = rows.get_mut(number * words..(number + 1) * words) else { return };
        columns.fill(row, register, single);
        if let Some(bits) = there.get_mut(number / 64) {
            *bits |= 1 << (number % 64);
        }
    }

    /// Keeps the local memory of a group, as far as it is looked at.
    pub fn put_lds(&mut self, group: u64, words: &[u32]) {
        let bytes = self.columns.lds as usize;
        let Some(to) = self.lds.get_mut(group as usize * bytes..(group as usize + 1) * bytes) else { return };
        for (to, word) in to.chunks_mut(4).zip(words) {
            to.copy_from_slice(&word.to_le_bytes()[..to.len()]);
        }
    }

    /// Leaves only the first so many waves and groups.
    pub fn cut(&mut self, waves: usize, groups: u64) {
        for (n, bits) in self.there.iter_mut().enumerate() {
            let left = waves.saturating_sub(n * 64);
            if left < 64 {
                *bits &= (1 << left) - 1;
            }
        }
        self.groups = self.groups.min(groups);
    }

    fn row(&self, number: usize) -> Option<&[u32]> {
        let there = self.there.get(number / 64)? >> (number % 64) & 1 != 0;
        let words = self.columns.words();
        self.rows.get(number * words..(number + 1) * words).filter(|_| there)
    }

    /// Whether a wave has run.
    #[must_use]
    pub fn has(&self, number: usize) -> bool {
        self.row(number).is_some()
    }

    /// A register of a wave; of vector registers a lane.
    #[must_use]
    pub fn register(&self, number: usize, file: File, n: u32, lane: u32) -> Option<u32> {
        let lane = if file.is_per_lane() { lane } else { 0 };
        let at = self.columns.column(file, n)?;
        ((lane as usize) < self.columns.width(file)).then(|| self.row(number)?.get(at + lane as usize).copied())?
    }

    /// A single register of a wave.
    #[must_use]
    pub fn single(&self, number: usize, place: &Place) -> Option<u64> {
        let bit = single_bit(place);
        if self.columns.singles & bit == 0 {
            return None;
        }
        let behind = (self.columns.singles & !(bit - 1)).count_ones() as usize;
        let row = self.row(number)?;
        let at = row.len() - 2 * behind;
        Some(u64::from(row[at]) | u64::from(row[at + 1]) << 32)
    }

    /// The local memory of a group, as far as it is kept.
    #[must_use]
    pub fn lds(&self, group: u64) -> Option<&[u8]> {
        let bytes = self.columns.lds as usize;
        let at = usize::try_from(group).ok().filter(|_| group < self.groups)? * bytes;
        self.lds.get(at..at + bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::case::Case;
    use crate::isa::{Arch, Target};

    fn columns(header: &str) -> Columns {
        let case = Case::parse(&format!("{header}s_nop 0\n"), "case").expect("a case");
        let target = Target::new(Arch::find("gfx1100").expect("a processor"));
        Columns::of(&case.initial(target).expect("a start"))
    }

    #[test]
    fn a_row_has_what_was_asked_for() {
        assert_eq!(columns("; isa: gfx1100\n; grid: 1024\n; group: 64\n").words(), 0);
        let few =
            columns("; isa: gfx1100\n; grid: 9\n; group: 3\n; observe: v7, v[6:7], s3, vcc, scc\n; expect: s3 = 1\n");
        // Two vector registers of three lanes, a scalar one, two pairs.
        assert_eq!(few.words(), 2 * 3 + 1 + 2 * 2);
        assert_eq!(few.bytes(1000, 1000), 44_000 + 128);
    }

    #[test]
    fn local_memory_ends_where_what_is_expected_does() {
        let lds = |lines: &str| columns(&format!("; isa: gfx1100\n; lds: 65536\n{lines}")).lds;
        assert_eq!(lds(""), 0);
        assert_eq!(lds("; expect: lds[8] = [1, 2, u16 3]\n"), 8 + 10);
        assert_eq!(lds("; expect: lds[8] = [1]\n; expect: lds[100] = [u8 1]\n"), 101);
        assert_eq!(lds("; expect: lds = 7\n"), 65536);
        assert_eq!(lds("; observe: lds\n"), 65536);
    }

    #[test]
    fn what_is_put_is_found() {
        let columns =
            columns("; isa: gfx1100\n; grid: 9\n; group: 3\n; observe: v[6:7], s3, m0, vcc, scc, lds\n; lds: 6\n");
        let mut observed = Observed::new(columns, 3, 3);
        for wave in [0, 2] {
            let register = |file: File, n: u32, lane: u32| 1000 * wave + 100 * (file as u32 + 1) + 10 * n + lane;
            observed.put_wave(wave as usize, register, |place| u64::from(single_bit(place)) << 32 | u64::from(wave));
            observed.put_lds(wave.into(), &[0x0403_0201, 0x0807_0605 + wave]);
        }
        let v = File::Vector as u32 + 1;
        assert_eq!(observed.register(2, File::Vector, 7, 2), Some(2000 + 100 * v + 72));
        assert_eq!(observed.register(0, File::Scalar, 3, 9), Some(100 * (File::Scalar as u32 + 1) + 30));
        assert_eq!(observed.register(2, File::Vector, 7, 3), None);
        assert_eq!(observed.register(2, File::Vector, 8, 0), None);
        assert_eq!(observed.register(1, File::Vector, 7, 2), None);
        for place in [Place::Vcc, Place::Scc, Place::M0] {
            assert_eq!(observed.single(2, &place), Some(u64::from(single_bit(&place)) << 32 | 2), "{place}");
        }
        assert_eq!(observed.single(2, &Place::Exec), None);
        assert_eq!(observed.lds(2), Some(&[1, 2, 3, 4, 7, 6][..]));
        observed.cut(2, 2);
        assert_eq!((observed.has(0), observed.has(2), observed.lds(2)), (true, false, None));
    }
}
