//! Pieces in, pieces out, on many threads, in order, in bounded memory.
//!
//! Every worker takes the next piece of input, turns it into output on its own, and waits for its turn to write. There is one buffer pair a
//! worker and no queue: the input is never further ahead of the output than one piece a worker.

use anyhow::{Error, Result};
use std::io::Write;
use std::sync::{Condvar, Mutex, PoisonError};

struct Output<T> {
    take: T,
    next: u64,
    /// The first thing that went wrong: everybody stops.
    failed: Option<Error>,
}

/// Turns pieces into pieces. `next` fills a buffer and gives the number of the piece, from 0 on, or nothing at the end; every worker makes its own
/// function of what a piece becomes; `take` takes these, in order. What a piece becomes is given to the function of the worker again.
pub fn in_order<N, T, M, F, P>(workers: usize, next: N, take: T, make: M) -> Result<()>
where
    N: FnMut(&mut Vec<u8>) -> Result<Option<u64>> + Send,
    T: FnMut(&mut P) -> Result<()> + Send,
    M: Fn() -> F + Sync,
    F: FnMut(u64, &[u8], &mut P),
    P: Default,
{
    let input = Mutex::new(next);
    let output = Mutex::new(Output { take, next: 0, failed: None });
    let turn = Condvar::new();
    let work = || {
        let mut become_other = make();
        let (mut piece, mut other) = (Vec::new(), P::default());
        loop {
            let got = input.lock().unwrap_or_else(PoisonError::into_inner)(&mut piece);
            let number = match got {
                Ok(Some(number)) => number,
                Ok(None) => return,
                Err(error) => {
                    output.lock().unwrap_or_else(PoisonError::into_inner).failed.get_or_insert(error);
                    turn.notify_all();
                    return;
                }
            };
            become_other(number, &piece, &mut other);
            let mut out = output.lock().unwrap_or_else(PoisonError::into_inner);
            while out.next != number && out.failed.is_none() {
                out = turn.wait(out).unwrap_or_else(PoisonError::into_inner);
            }
            if out.failed.is_some() {
                return;
            }
            if let Err(error) = (out.take)(&mut other) {
                out.failed = Some(error);
            }
            out.next += 1;
            drop(out);
            turn.notify_all();
        }
    };
    std::thread::scope(|scope| {
        for _ in 1..workers {
            scope.spawn(work);
        }
        work();
    });
    match output.into_inner().unwrap_or_else(PoisonError::into_inner).failed {
        Some(error) => Err(error),
        None => Ok(()),
    }
}

/// The same, where pieces become text that is written.
pub fn text_in_order<N, W, M, F>(workers: usize, next: N, mut to: W, make: M) -> Result<()>
where
    N: FnMut(&mut Vec<u8>) -> Result<Option<u64>> + Send,
    W: Write + Send,
    M: Fn() -> F + Sync,
    F: FnMut(u64, &[u8], &mut Vec<u8>),
{
    let write = |text: &mut Vec<u8>| {
        to.write_all(text)?;
        text.clear();
        Ok(to.flush()?)
    };
    in_order(workers, next, write, make)
}
