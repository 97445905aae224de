//! Pieces in, pieces out, on many threads, in order, in bounded memory.
//!
//! Every worker takes the next piece of input, turns it into output on its own, and waits for its turn to write. There is one buffer pair a
//! worker and no queue: the input is never further ahead of the output than one piece a worker.

use anyhow::{Error, Result};
use std::io::Write;
use std::sync::{Condvar, Mutex, PoisonError};

struct Output<W> {
    to: W,
    next: u64,
    /// The first thing that went wrong: everybody stops.
    failed: Option<Error>,
}

/// Turns pieces into pieces. `next` fills a buffer and gives the number of the piece, from 0 on, or nothing at the end; every worker makes its own
/// function that appends what a piece becomes.
pub fn in_order<N, W, M, F>(workers: usize, next: N, to: W, make: M) -> Result<()>
where
    N: FnMut(&mut Vec<u8>) -> Result<Option<u64>> + Send,
    W: Write + Send,
    M: Fn() -> F + Sync,
    F: FnMut(u64, &[u8], &mut Vec<u8>),
{
    let input = Mutex::new(next);
    let output = Mutex::new(Output { to, next: 0, failed: None });
    let turn = Condvar::new();
    std::thread::scope(|scope| {
        for _ in 0..workers.max(1) {
            scope.spawn(|| {
                let mut become_text = make();
                let (mut piece, mut text) = (Vec::new(), Vec::new());
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
                    text.clear();
                    become_text(number, &piece, &mut text);
                    let mut out = output.lock().unwrap_or_else(PoisonError::into_inner);
                    while out.next != number && out.failed.is_none() {
                        out = turn.wait(out).unwrap_or_else(PoisonError::into_inner);
                    }
                    if out.failed.is_some() {
                        return;
                    }
                    if let Err(error) = out.to.write_all(&text).and_then(|()| out.to.flush()) {
                        out.failed = Some(error.into());
                    }
                    out.next += 1;
                    drop(out);
                    turn.notify_all();
                }
            });
        }
    });
    match output.into_inner().unwrap_or_else(PoisonError::into_inner).failed {
        Some(error) => Err(error),
        None => Ok(()),
    }
}
