//! Work in a process of its own, because it may hang or crash.
//!
//! A [`Worker`] starts a child when it is first asked something, sends requests and waits for answers; bytes both ways, whatever they mean. A child that
//! does not answer in time is killed, one that dies is mourned by its status and its last words, and the next request starts another.
//! The child's side is [`serve`]: usually the same program, started again with a hidden subcommand.
//!
//! Frames go over the child's standard input and output, and look alike:
//!
//! ```text
//! "\0wavediff"  time limit in ms (8 bytes, little endian; 0 in answers)  length (8 bytes)  that many bytes
//! ```
//!
//! Drivers print where they like. What comes before the mark of a frame on standard output is theirs, and skipped. Standard error is kept, as far as
//! it may tell why a child died.
//!
//! A child whose parent died reads the end of its input and leaves. If it hangs at that moment it would stay for ever; so the limit of a request
//! travels with it, and the child ends itself some seconds later, should nobody else have done so.

use super::EngineError;
use std::collections::VecDeque;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

const MARK: &[u8] = b"\0wavediff";
/// How long after its limit a child ends itself.
const GRACE: Duration = Duration::from_secs(5);
/// How much of a child's last words is kept.
const WORDS: usize = 16 << 10;
/// The largest frame: more is a broken stream.
const LARGEST: u64 = 1 << 40;

/// A child that answers requests, and is started again if it has to be.
pub struct Worker {
    make: Box<dyn FnMut() -> Command + Send>,
    child: Option<Running>,
    starts: u32,
}

/// Why there is no answer.
#[derive(Debug, thiserror::Error)]
pub enum Lost {
    /// It took too long, and was killed.
    #[error("no answer within {0:?}")]
    Timeout(Duration),
    /// It died.
    #[error("the process ended with {status}{}{said}", if .said.is_empty() { "" } else { ": " })]
    Crash {
        /// `signal: 11 (SIGSEGV)`
        status: String,
        /// The end of what it wrote to standard error.
        said: String,
    },
    /// It can not be started.
    #[error("a process can not be started: {0}")]
    Start(#[from] io::Error),
}

impl Lost {
    /// What an engine on a device of this name reports.
    #[must_use]
    pub fn on(self, device: &str) -> EngineError {
        match self {
            Lost::Timeout(limit) => EngineError::Timeout(limit),
            other => EngineError::Crash {
                device: device.to_owned(),
                doing: "running in a process of its own",
                reason: other.to_string(),
            },
        }
    }
}

/// A child that runs.
struct Running {
    child: Child,
    input: ChildStdin,
    answers: Receiver<Vec<u8>>,
    said: Arc<Mutex<VecDeque<u8>>>,
    /// Closed when standard error is.
    silent: Receiver<()>,
}

/// How long a dead child's standard error is waited for. It stays open if a child of the child has it.
const SILENCE: Duration = Duration::from_millis(500);

impl Worker {
    /// A worker whose children are started by this command. Its standard streams are taken over.
    #[must_use]
    pub fn new(make: impl FnMut() -> Command + Send + 'static) -> Worker {
        Worker { make: Box::new(make), child: None, starts: 0 }
    }

    /// A worker that is this very program with other arguments.
    ///
    /// # Errors
    /// The program does not know where it is.
    pub fn myself(args: &[&str]) -> io::Result<Worker> {
        let program = std::env::current_exe()?;
        let args: Vec<String> = args.iter().map(|arg| (*arg).to_owned()).collect();
        Ok(Worker::new(move || {
            let mut command = Command::new(&program);
            command.args(&args);
            command
        }))
    }

    /// Sends a request and waits for its answer, at most so long. Starting the child counts.
    ///
    /// # Errors
    /// See [`Lost`]; the worker can be asked again after each.
    pub fn ask(&mut self, request: &[u8], limit: Duration) -> Result<Vec<u8>, Lost> {
        let start = Instant::now();
        let mut running = match self.child.take() {
            Some(running) => running,
            None => {
                self.starts += 1;
                Running::start((self.make)())?
            }
        };
        // A child that does not read blocks its parent, so the request is written by a thread while this one watches the time. That a pipe is
        // broken is seen from the other end.
        let answer = thread::scope(|scope| {
            let Running { child, input, answers, .. } = &mut running;
            scope.spawn(|| {
                let _ = send(input, request, limit);
            });
            let answer = answers.recv_timeout(limit.saturating_sub(start.elapsed()));
            if answer.is_err() {
                // Its end also ends the writing thread.
                let _ = child.kill();
            }
            answer
        });
        match answer {
            Ok(answer) => {
                self.child = Some(running);
                Ok(answer)
            }
            Err(RecvTimeoutError::Timeout) => {
                running.end();
                Err(Lost::Timeout(limit))
            }
            Err(RecvTimeoutError::Disconnected) => {
                let (status, said) = running.end();
                Err(Lost::Crash { status, said })
            }
        }
    }

    /// Ends the child, with whatever hangs in it; the next request starts another.
    pub fn end(&mut self) {
        if let Some(mut running) = self.child.take() {
            // It has nothing to do, so nothing is lost; and waiting for drivers to end well takes longer.
            let _ = running.child.kill();
            running.end();
        }
    }

    /// How many children there have been.
    #[must_use]
    pub fn starts(&self) -> u32 {
        self.starts
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        self.end();
    }
}

impl Running {
    fn start(mut command: Command) -> io::Result<Running> {
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn()?;
        let missing = || io::Error::other("a stream is missing");
        let input = child.stdin.take().ok_or_else(missing)?;
        let mut output = BufReader::new(child.stdout.take().ok_or_else(missing)?);
        let mut errors = child.stderr.take().ok_or_else(missing)?;
        let (send, answers) = mpsc::channel();
        let said = Arc::new(Mutex::new(VecDeque::new()));
        let kept = said.clone();
        thread::spawn(move || {
            while let Ok(Some((_, answer))) = receive(&mut output) {
                if send.send(answer).is_err() {
                    return;
                }
            }
        });
        let (closed, silent) = mpsc::channel();
        thread::spawn(move || {
            let _closed: mpsc::Sender<()> = closed;
            let mut some = [0; 4096];
            while let Ok(n @ 1..) = errors.read(&mut some) {
                let mut kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
                kept.extend(&some[..n]);
                let over = kept.len().saturating_sub(WORDS);
                kept.drain(..over);
            }
        });
        Ok(Running { child, input, answers, said, silent })
    }

    /// Waits for the end of a child that was killed or has died: its status and last words.
    fn end(self) -> (String, String) {
        let Running { mut child, input, said, silent, .. } = self;
        drop(input);
        let status = child.wait().map_or_else(|e| e.to_string(), |status| status.to_string());
        let _ = silent.recv_timeout(SILENCE);
        let said: Vec<u8> = said.lock().unwrap_or_else(PoisonError::into_inner).iter().copied().collect();
        (status, String::from_utf8_lossy(&said).trim().to_owned())
    }
}

/// The child's side: answers requests from standard input on standard output until there are no more.
///
/// # Errors
/// A stream is broken.
pub fn serve(mut answer: impl FnMut(&[u8]) -> Vec<u8>) -> io::Result<()> {
    let (mut input, mut output) = (io::stdin().lock(), io::stdout().lock());
    while let Some((limit, request)) = receive(&mut input)? {
        let watchdog = Watchdog::start(limit.saturating_add(GRACE));
        let answer = answer(&request);
        drop(watchdog);
        send(&mut output, &answer, Duration::ZERO)?;
    }
    Ok(())
}

/// Ends the process if it is not dropped in time.
struct Watchdog {
    done: Option<mpsc::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Watchdog {
    fn start(limit: Duration) -> Watchdog {
        let (done, wait) = mpsc::channel::<()>();
        let thread = thread::spawn(move || {
            if wait.recv_timeout(limit) == Err(RecvTimeoutError::Timeout) {
                // Not an ordinary exit, which would wait for what hangs.
                std::process::abort();
            }
        });
        Watchdog { done: Some(done), thread: Some(thread) }
    }
}

impl Drop for Watchdog {
    fn drop(&mut self) {
        drop(self.done.take());
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

fn send(to: &mut impl Write, bytes: &[u8], limit: Duration) -> io::Result<()> {
    let limit = u64::try_from(limit.as_millis()).unwrap_or(u64::MAX);
    to.write_all(MARK)?;
    to.write_all(&limit.to_le_bytes())?;
    to.write_all(&(bytes.len() as u64).to_le_bytes())?;
    to.write_all(bytes)?;
    to.flush()
}

/// The next frame; nothing at the end of the stream.
fn receive(from: &mut impl BufRead) -> io::Result<Option<(Duration, Vec<u8>)>> {
    let mut seen = 0;
    while seen < MARK.len() {
        let Some(byte) = from.by_ref().bytes().next() else { return Ok(None) };
        let byte = byte?;
        // The mark's first byte is nowhere else in it.
        seen = if byte == MARK[seen] { seen + 1 } else { usize::from(byte == MARK[0]) };
    }
    let mut number = || -> io::Result<u64> {
        let mut bytes = [0; 8];
        from.read_exact(&mut bytes)?;
        Ok(u64::from_le_bytes(bytes))
    };
    let (limit, length) = (number()?, number()?);
    if length > LARGEST {
        return Err(io::Error::new(io::ErrorKind::InvalidData, "a frame that is too large"));
    }
    // What is promised is not reserved: a broken length must not take all memory.
    let mut bytes = Vec::new();
    from.take(length).read_to_end(&mut bytes)?;
    if bytes.len() as u64 != length {
        return Err(io::ErrorKind::UnexpectedEof.into());
    }
    Ok(Some((Duration::from_millis(limit), bytes)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn noise_before_a_frame_is_skipped() {
        let mut stream = b"MESA: warning\0\0wave\n".to_vec();
        send(&mut stream, b"one", Duration::from_millis(1500)).expect("memory");
        stream.extend(b"more");
        send(&mut stream, b"", Duration::ZERO).expect("memory");
        let mut from = stream.as_slice();
        let first = receive(&mut from).expect("a frame");
        assert_eq!(first, Some((Duration::from_millis(1500), b"one".to_vec())));
        assert_eq!(receive(&mut from).expect("a frame"), Some((Duration::ZERO, Vec::new())));
        assert_eq!(receive(&mut from).expect("the end"), None);
    }

    #[test]
    fn a_frame_that_ends_early_is_an_error() {
        let mut stream = Vec::new();
        send(&mut stream, b"abcdef", Duration::ZERO).expect("memory");
        stream.pop();
        assert!(receive(&mut stream.as_slice()).is_err());
    }

    #[cfg(unix)]
    fn shell(script: &'static str) -> Worker {
        Worker::new(move || {
            let mut command = Command::new("sh");
            command.args(["-c", script]);
            command
        })
    }

    #[cfg(unix)]
    #[test]
    fn a_child_that_dies_leaves_its_status_and_last_words() {
        let mut worker = shell("echo 'the driver fell over' >&2; kill -SEGV $$");
        for starts in 1..3 {
            let lost = worker.ask(b"x", Duration::from_secs(30)).expect_err("it dies");
            let Lost::Crash { status, said } = &lost else { panic!("{lost}") };
            assert!(status.contains("11") && said == "the driver fell over", "{lost}");
            assert_eq!(worker.starts(), starts);
        }
    }

    /// It does not even read, and the request does not fit into a pipe.
    #[cfg(unix)]
    #[test]
    fn a_child_that_hangs_is_killed() {
        let mut worker = shell("exec sleep 1000");
        let start = Instant::now();
        let lost = worker.ask(&vec![0; 1 << 20], Duration::from_millis(300)).expect_err("it hangs");
        assert!(matches!(lost, Lost::Timeout(_)), "{lost}");
        assert!(start.elapsed() < Duration::from_secs(20));
    }

    #[cfg(unix)]
    #[test]
    fn an_answer_is_whatever_comes_back() {
        // What goes in comes out: frames look alike both ways.
        let mut worker = shell("exec cat");
        for n in [0usize, 1, 100, 1 << 20] {
            let bytes: Vec<u8> = (0..n).map(|i| (i * 7) as u8).collect();
            assert_eq!(worker.ask(&bytes, Duration::from_secs(30)).expect("an echo"), bytes);
        }
        assert_eq!(worker.starts(), 1);
    }
}
