//! Programs that nobody thought of, in languages that others compile: a number makes a program, always the same.
//!
//! What a program may be is data: a [dialect](Dialect) has types, and rows of what an expression of a type may be. A row is a text with holes:
//! `{x}` is another expression of the same type, `{x2}` one of so many components, `{u}`, `{f2}` and so on are of the types with these letters,
//! `{t*}` has as many components as the row, `{T}` is the name of the type, `{bits}` the mask for counts of its shifts. `{.x}` is a variable or a number
//! only, for what must not be an operation. `{?q}` stands for nothing: the program has to have what `q` is.
//!
//! The rows are chosen so that a program's meaning is determined, whoever compiles it: numbers wrap, counts, divisors and indices are brought into
//! range where they are used, and floats are folded where they come to rest, by a function of the dialect.

mod rows;
mod writer;

pub use writer::Writer;

/// A language.
pub struct Dialect {
    pub types: &'static [Type],
    /// What an expression may be besides [what languages write alike](rows).
    pub rows: &'static [Row],
    /// What an expression may be that is no operation.
    pub leaves: &'static [Row],
    /// Memory of an item: what is stored there can be an expression later, besides [what languages write alike](rows). No floats, which would not
    /// be at rest.
    pub places: &'static [Row],
    /// Atomics on memory of an item, which give what was there.
    pub returning: &'static [Row],
    /// What stands in front of declarations.
    pub qualifier: &'static str,
    /// A value as one of a type: the name of the type, the value.
    pub cast: fn(&str, &str) -> String,
    /// Where all items of a group meet.
    pub barrier: &'static str,
    /// What adds to a word in memory, and so on, up to the place: changes whose order makes no difference.
    pub atomics: [&'static str; 6],
}

/// What numbers a type has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Class {
    Bool,
    /// Whole numbers of so many bits.
    Whole(u32),
    Float,
}

/// A type without its components.
pub struct Type {
    /// How it is named in holes.
    pub letter: char,
    pub class: Class,
    pub scalar: &'static str,
    /// What vectors of it are called, but for their number.
    pub vector: &'static str,
    /// What of memory it may come from; `@` is an index below 256.
    pub given: &'static [&'static str],
    /// The words of a value, each with `@` for it.
    pub words: &'static [&'static str],
}

/// A type.
#[derive(Clone, Copy)]
pub struct Kind {
    pub of: &'static Type,
    pub n: u32,
}

impl PartialEq for Kind {
    fn eq(&self, other: &Kind) -> bool {
        (self.of.letter, self.n) == (other.of.letter, other.n)
    }
}

impl Kind {
    /// Its name.
    pub fn name(self) -> String {
        let Type { scalar, vector, .. } = self.of;
        if self.n == 1 { (*scalar).to_owned() } else { format!("{vector}{}", self.n) }
    }
}

impl Dialect {
    /// The type with a letter.
    pub fn named(&self, letter: char) -> &'static Type {
        self.types.iter().find(|ty| ty.letter == letter).unwrap_or_else(|| panic!("no type has the letter `{letter}`"))
    }

    /// What an expression of a type may be.
    fn rows(&self, kind: Kind) -> impl Iterator<Item = &'static str> {
        rows::ALIKE.iter().chain(self.rows).chain(self.places()).filter(move |row| row.fits(kind)).map(|row| row.text)
    }

    /// Memory of an item.
    fn places(&self) -> impl Iterator<Item = &'static Row> {
        rows::PLACES.iter().chain(self.places)
    }

    /// A number of a type.
    fn literal(&self, kind: Kind, dice: &mut Dice) -> String {
        let value = match kind.of.class {
            Class::Bool => dice.percent(50).to_string(),
            // Quarters from -8 to 8.
            Class::Float => format!("{:?}", f64::from(dice.below(65)) / 4.0 - 8.0),
            Class::Whole(bits) => {
                let word = match dice.below(4) {
                    0 => dice.word() >> dice.below(32),
                    1 => 1 << dice.below(32),
                    2 => 0u32.wrapping_sub(dice.below(20)),
                    _ => dice.below(20),
                };
                if bits == 64 { format!("{word}ul * 0x100000003ul") } else { format!("{word}u") }
            }
        };
        (self.cast)(&kind.name(), &value)
    }
}

/// What an expression may be.
pub struct Row {
    /// Of which types, by their letters.
    pub of: &'static str,
    /// Of how many components.
    pub sizes: std::ops::RangeInclusive<u32>,
    pub text: &'static str,
}

impl Row {
    /// The first type that it may be of.
    fn kind(&self, dialect: &Dialect) -> Kind {
        Kind { of: dialect.named(self.of.chars().next().expect("a type")), n: *self.sizes.start() }
    }

    /// Whether it may be of a type.
    fn fits(&self, kind: Kind) -> bool {
        self.of.contains(kind.of.letter) && self.sizes.contains(&kind.n)
    }
}

/// Of any number of components.
pub const fn row(of: &'static str, text: &'static str) -> Row {
    Row { of, sizes: 1..=4, text }
}

/// Of one.
pub const fn one(of: &'static str, text: &'static str) -> Row {
    Row { of, sizes: 1..=1, text }
}

/// Of more than one.
pub const fn vectors(of: &'static str, text: &'static str) -> Row {
    Row { of, sizes: 2..=4, text }
}

/// Of so many.
pub const fn several(of: &'static str, n: u32, text: &'static str) -> Row {
    Row { of, sizes: n..=n, text }
}

/// What stands in braces.
enum Hole {
    /// The name of the type.
    Name,
    /// The mask for counts of its shifts.
    Bits,
    /// Nothing, of a program that has something.
    Has(char),
    /// An expression.
    Of { leaf: bool, letter: char, n: Option<u32> },
}

impl Hole {
    fn of(text: &str) -> Hole {
        match text {
            "T" => return Hole::Name,
            "bits" => return Hole::Bits,
            _ => {}
        }
        if let Some(what) = text.strip_prefix('?') {
            return Hole::Has(what.chars().next().expect("a letter"));
        }
        let mut rest = text.trim_start_matches('.').chars();
        let letter = rest.next().expect("a type");
        let n = match rest.next() {
            Some('*') => None,
            Some(digit) => digit.to_digit(10),
            None if letter == 'x' => None,
            None => Some(1),
        };
        Hole::Of { leaf: text.starts_with('.'), letter, n }
    }

    /// Those of a text, each behind what stands in front of it.
    fn all(text: &str) -> impl Iterator<Item = Hole> {
        text.split('{').skip(1).filter_map(|part| part.split_once('}')).map(|(hole, _)| Hole::of(hole))
    }
}

/// Random numbers: splitmix64.
pub struct Dice(u64);

impl Dice {
    pub fn new(seed: u64) -> Dice {
        Dice(seed.wrapping_mul(0x2545_f491_4f6c_dd1d))
    }

    /// A word.
    pub fn word(&mut self) -> u32 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ z >> 31) >> 32) as u32
    }

    /// A number below another.
    pub fn below(&mut self, n: u32) -> u32 {
        ((u64::from(self.word()) * u64::from(n)) >> 32) as u32
    }

    /// Whether something happens that happens so many times of a hundred.
    pub fn percent(&mut self, n: u32) -> bool {
        self.below(100) < n
    }

    /// One of some.
    pub fn of<'a, T>(&mut self, some: &'a [T]) -> &'a T {
        &some[self.below(some.len() as u32) as usize]
    }
}
