//! Cases that fail only behind others: which of several, run one behind the other, shows a difference, and what has to run before it.

use super::ddmin::ddmin;

/// A case that differs, and what it needs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Needs {
    /// The first one that differs.
    pub case: usize,
    /// Those that must run before it; none can be left out.
    pub before: Vec<usize>,
}

/// Runs a list of cases, and says for which of them the engines differ first.
pub type Differs<'d, E> = dyn FnMut(&[usize]) -> Result<Option<usize>, E> + 'd;

/// Finds the first of `count` cases that differs when all run in order, and the fewest before it that it takes. `differs` runs a list of cases on engines that
/// have run nothing yet, and says for which of them the engines differ first.
///
/// # Errors
/// Those of `differs`.
pub fn sequence<E>(count: usize, differs: &mut Differs<'_, E>) -> Result<Option<Needs>, E> {
    let all: Vec<usize> = (0..count).collect();
    let Some(case) = differs(&all)? else { return Ok(None) };
    let before = ddmin(case, &mut |lists: &[Vec<usize>]| {
        for (n, list) in lists.iter().enumerate() {
            let run: Vec<usize> = list.iter().copied().chain([case]).collect();
            if differs(&run)? == Some(case) {
                return Ok(Some(n));
            }
        }
        Ok(None)
    })?;
    Ok(Some(Needs { case, before }))
}

#[cfg(test)]
mod tests {
    use super::{Needs, sequence};
    use std::convert::Infallible;

    /// An engine in which case 7 goes wrong behind 2 and 5.
    fn engine(run: &[usize]) -> Result<Option<usize>, Infallible> {
        let at = run.iter().position(|n| *n == 7).unwrap_or(0);
        let before = &run[..at];
        Ok((before.contains(&2) && before.contains(&5)).then_some(7))
    }

    #[test]
    fn what_must_run_before_is_found() {
        assert_eq!(sequence(10, &mut engine), Ok(Some(Needs { case: 7, before: vec![2, 5] })));
        assert_eq!(sequence(7, &mut engine), Ok(None));
        let alone = sequence::<Infallible>(3, &mut |run| Ok(run.contains(&1).then_some(1)));
        assert_eq!(alone, Ok(Some(Needs { case: 1, before: Vec::new() })));
    }
}
