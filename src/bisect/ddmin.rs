//! Which of many things are needed.

/// Says of some lists of numbers which is the first that will do.
pub type Kept<'k, E> = dyn FnMut(&[Vec<usize>]) -> Result<Option<usize>, E> + 'k;

/// The things, of `count`, without which something is lost: none of those that are left can go alone. `kept` says of some lists of numbers which is the
/// first that will do. (Zeller and Hildebrandt, "Simplifying and isolating failure-inducing input"; all things together must do.)
///
/// # Errors
/// Those of `kept`.
pub fn ddmin<E>(count: usize, kept: &mut Kept<'_, E>) -> Result<Vec<usize>, E> {
    let mut all: Vec<usize> = (0..count).collect();
    // Nothing at all is a guess worth one try.
    if all.is_empty() || kept(&[Vec::new()])?.is_some() {
        return Ok(Vec::new());
    }
    let mut pieces = 2;
    while all.len() > 1 {
        let size = all.len().div_ceil(pieces);
        let chunks: Vec<&[usize]> = all.chunks(size).collect();
        let without = |n: usize| -> Vec<usize> {
            chunks.iter().enumerate().filter(|(i, _)| *i != n).flat_map(|(_, chunk)| chunk.iter().copied()).collect()
        };
        let mut candidates: Vec<Vec<usize>> = Vec::new();
        if pieces > 2 || chunks.len() > 2 {
            candidates.extend(chunks.iter().map(|chunk| chunk.to_vec()));
        }
        let alone = candidates.len();
        // From behind: what comes last is needed least.
        candidates.extend((0..chunks.len()).rev().map(without));
        match kept(&candidates)? {
            Some(at) => {
                pieces = if at < alone { 2 } else { (pieces - 1).max(2) };
                all = candidates.swap_remove(at);
            }
            None if size == 1 => break,
            None => pieces = (pieces * 2).min(all.len()),
        }
    }
    Ok(all)
}

#[cfg(test)]
mod tests {
    use super::ddmin;
    use std::convert::Infallible;

    #[test]
    fn what_is_needed_stays() {
        for (count, needed) in
            [(1, vec![]), (1, vec![0]), (9, vec![3, 7]), (64, vec![0, 31, 63]), (5, vec![0, 1, 2, 3, 4])]
        {
            let mut tries = 0;
            let found = ddmin::<Infallible>(count, &mut |lists| {
                tries += lists.len();
                Ok(lists.iter().position(|list| needed.iter().all(|n| list.contains(n))))
            });
            assert_eq!(found, Ok(needed.clone()), "{count}");
            assert!(tries < 200, "{tries} tries for {needed:?} of {count}");
        }
    }
}
