//! Which part of all work a machine takes.
//!
//! Units are dealt out one after the other, so that every shard has its share of every suite and processor, and the same unit is always in the same
//! shard. CI systems say in variables which of how many jobs this one is.

/// A shard: its number, from 1, and how many there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shard {
    /// Its number, from 1.
    pub number: u32,
    /// How many there are.
    pub of: u32,
}

/// Variables of CI systems: the number, what it counts from, and how many there are.
#[rustfmt::skip]
const SYSTEMS: &[(&str, u32, &str)] = &[
    ("CI_NODE_INDEX",        1, "CI_NODE_TOTAL"),          // GitLab, parallel
    ("SLURM_ARRAY_TASK_ID",  0, "SLURM_ARRAY_TASK_COUNT"), // Slurm, --array=0-9
    ("JOB_COMPLETION_INDEX", 0, "JOB_COMPLETIONS"),        // Kubernetes, completionMode: Indexed; the count is the job's to set
];

impl Shard {
    /// Whether it takes the unit with a number.
    #[must_use]
    pub fn takes(self, unit: usize) -> bool {
        unit as u64 % u64::from(self.of) == u64::from(self.number - 1)
    }

    /// The shard that the environment asks for.
    ///
    /// # Errors
    /// A number without a count, or what is no shard: every machine would do all the work.
    pub fn of_environment(variable: impl Fn(&str) -> Option<String>) -> Result<Option<Shard>, String> {
        let Some((name, first, of)) = SYSTEMS.iter().find(|(name, ..)| variable(name).is_some()) else {
            return Ok(None);
        };
        let value = |name: &str| variable(name)?.parse::<u32>().ok();
        let shard = || Shard::new(value(name)?.checked_sub(*first)?.checked_add(1)?, value(of)?);
        let shown = |name: &str| variable(name).map_or("not set".to_owned(), |value| format!("`{value}`"));
        let (number, count) = (shown(name), shown(of));
        let wrong = || {
            format!("{name} is {number} and {of} {count}, which is no shard counted from {first}; --shard K/N says it")
        };
        shard().map(Some).ok_or_else(wrong)
    }

    fn new(number: u32, of: u32) -> Option<Shard> {
        (1..=of).contains(&number).then_some(Shard { number, of })
    }
}

impl std::str::FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Shard, String> {
        let parts = text.split_once('/').and_then(|(n, of)| Shard::new(n.parse().ok()?, of.parse().ok()?));
        parts.ok_or_else(|| "a shard is K/N, with K from 1 to N".to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_unit_is_in_one_shard() {
        for unit in 0..100 {
            let taking = (1..=3).filter(|number| Shard { number: *number, of: 3 }.takes(unit));
            assert_eq!(taking.count(), 1);
        }
    }

    #[test]
    fn shards_are_read() {
        assert_eq!("2/3".parse(), Ok(Shard { number: 2, of: 3 }));
        for text in ["0/3", "4/3", "1", "a/b", "1/0"] {
            assert!(text.parse::<Shard>().is_err(), "{text}");
        }
        let gitlab = |name: &str| match name {
            "CI_NODE_INDEX" => Some("3".to_owned()),
            "CI_NODE_TOTAL" => Some("5".to_owned()),
            _ => None,
        };
        assert_eq!(Shard::of_environment(gitlab), Ok(Some(Shard { number: 3, of: 5 })));
        let slurm = |name: &str| match name {
            "SLURM_ARRAY_TASK_ID" => Some("0".to_owned()),
            "SLURM_ARRAY_TASK_COUNT" => Some("4".to_owned()),
            _ => None,
        };
        assert_eq!(Shard::of_environment(slurm), Ok(Some(Shard { number: 1, of: 4 })));
        assert_eq!(Shard::of_environment(|_| None), Ok(None));
        let without_count = |name: &str| (name == "JOB_COMPLETION_INDEX").then(|| "0".to_owned());
        assert!(Shard::of_environment(without_count).is_err_and(|error| error.contains("JOB_COMPLETIONS not set")));
        let from_one = |name: &str| name.starts_with("SLURM").then(|| "4".to_owned());
        assert!(Shard::of_environment(from_one).is_err_and(|error| error.contains("counted from 0")));
    }
}
