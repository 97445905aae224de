//! Workers at work: units go out, lines of the journal come back, whatever becomes of the workers.
//!
//! Each thread has a worker process of its own. A unit whose worker dies or does not answer is cut in halves until the instruction is alone that does it;
//! alone it gets a second try, and if that succeeds it was a flake. So a crash costs one case. What differs on a device is tried once more, too.
//!
//! Where a unit did not come back its device is asked whether it does anything yet, within the unit's time, of which some is kept for that; one that does
//! not is given up.

use super::task::{Against, Reply, Task};
use crate::journal::{CaseResult, Unit as Line};
use anyhow::Result;
use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::{Duration, Instant};
use wavediff::engine::Status;
use wavediff::engine::isolate::{Lost, Worker};
use wavediff::suite::judge::Changes;
use wavediff::suite::{Content, Unit};

/// Something to do: a unit and the task that it is for a worker.
pub struct Work<'u> {
    /// The unit.
    pub unit: &'u Unit,
    /// The task.
    pub task: Task,
    /// The name of the engine that is compared.
    pub engine: String,
    /// What of the unit is not to be run.
    pub left_out: Vec<CaseResult>,
}

impl Work<'_> {
    /// The line of the journal: what came of the unit, with its name and with what was left out.
    pub fn line(&self, mut line: Line) -> Line {
        line.unit.clone_from(&self.unit.name);
        line.suite = self.unit.suite.name().to_owned();
        line.arch = self.unit.on.name().to_owned();
        line.lanes = self.unit.on.lanes();
        line.engine.clone_from(&self.engine);
        for result in &self.left_out {
            if let Some(status) = result.status() {
                line.add(&result.row, status, result.count);
            }
            line.results.push(result.clone());
        }
        line
    }
}

/// What becomes of the work.
pub enum Event {
    /// A unit is done.
    Done(Line, Changes),
    /// For a while nothing has come.
    Waiting,
}

/// After how long without a result that is said.
const QUIET: Duration = Duration::from_secs(5);

/// Has everything done, and hands on what comes of it, until `stop`.
pub fn run(
    work: &[Work<'_>],
    jobs: usize,
    limit: Duration,
    stop: &AtomicBool,
    mut each: impl FnMut(Event) -> Result<()>,
) -> Result<()> {
    let next = AtomicUsize::new(0);
    let (send, receive) = mpsc::channel();
    std::thread::scope(|scope| {
        for _ in 0..jobs.clamp(1, work.len().max(1)) {
            let (send, next) = (send.clone(), &next);
            scope.spawn(move || {
                let mut hand = Hand { worker: worker(jobs), limit, end: Instant::now(), silent: None };
                while !stop.load(Ordering::Relaxed) {
                    let Some(one) = work.get(next.fetch_add(1, Ordering::Relaxed)) else { break };
                    let done =
                        hand.worker.as_mut().map(|_| ()).map_err(|e| std::io::Error::new(e.kind(), e.to_string()));
                    let done = done.map(|()| hand.unit(one));
                    if send.send(done).is_err() {
                        break;
                    }
                    if let Some(reason) = hand.silent.take() {
                        let silent = format!("{} is given up: {reason}", one.engine);
                        let _ = send.send(Err(std::io::Error::other(silent)));
                        break;
                    }
                }
            });
        }
        drop(send);
        loop {
            let event = match receive.recv_timeout(QUIET) {
                Ok(Ok((line, changes))) => Ok(Event::Done(line, changes)),
                Ok(Err(e)) => Err(e.into()),
                Err(RecvTimeoutError::Timeout) => Ok(Event::Waiting),
                Err(RecvTimeoutError::Disconnected) => return Ok(()),
            };
            if let Err(e) = event.and_then(&mut each) {
                stop.store(true, Ordering::Relaxed);
                return Err(e);
            }
        }
    })
}

/// A worker: this program again, in a group of its own, so that Ctrl-C is for its parent alone.
fn worker(jobs: usize) -> std::io::Result<Worker> {
    let program = std::env::current_exe()?;
    Ok(Worker::new(move || {
        let mut command = std::process::Command::new(&program);
        command.arg("worker");
        if jobs > 1 && std::env::var_os("LP_NUM_THREADS").is_none() {
            // Mesa's CPU driver takes all cores for each process, which then only wait for each other.
            command.env("LP_NUM_THREADS", "1");
        }
        if std::env::var_os("GALLIVM_PERF").is_none() {
            // Its compiler takes far longer for a program of singles than the program takes.
            command.env("GALLIVM_PERF", "nopt");
        }
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        command
    }))
}

/// How long a device may take to open and to answer.
const OPENING: Duration = Duration::from_secs(60);
/// How long it may take at least, however little time a unit has left.
const BRIEFLY: Duration = Duration::from_secs(5);

/// Whether an engine answers: a worker that opens it, which is asked for nothing more.
pub fn answers(against: &Against) -> std::result::Result<(), String> {
    answers_within(against, OPENING)
}

fn answers_within(against: &Against, limit: Duration) -> std::result::Result<(), String> {
    let mut worker = worker(1).map_err(|e| e.to_string())?;
    let request = serde_json::to_vec(&Task::nothing(against.clone())).map_err(|e| e.to_string())?;
    let answer = worker.ask(&request, limit).map_err(|lost| lost.to_string())?;
    let reply: Reply = serde_json::from_slice(&answer).map_err(|e| e.to_string())?;
    reply.down.map_or(Ok(()), |down| Err(down.reason))
}

/// The status of a process that was killed.
const KILLED: &str = "SIGKILL";
/// How often in a row a worker may be killed from outside.
const KILLS: u32 = 5;

/// A thread with its worker.
struct Hand {
    worker: std::io::Result<Worker>,
    limit: Duration,
    /// When the time of the unit under way is over.
    end: Instant,
    /// Why the device is given up.
    silent: Option<String>,
}

/// Why a task has no answer.
struct Failed {
    status: Status,
    reason: String,
    /// Whether the worker was asked at all.
    asked: bool,
}

impl Failed {
    /// Of a worker that was asked, or could not be.
    fn of(status: Status, reason: impl ToString) -> Failed {
        Failed { status, reason: reason.to_string(), asked: true }
    }

    fn crash(reason: impl ToString) -> Failed {
        Failed::of(Status::Crash, reason)
    }
}

impl Hand {
    /// What is left of the unit's time.
    fn left(&self) -> Duration {
        self.end.saturating_duration_since(Instant::now())
    }

    /// Asks the worker, within a part of what is left of the unit's time.
    fn ask(&mut self, task: &Task, part: u32) -> std::result::Result<Reply, Failed> {
        let left = self.left();
        // If a device does not come back, there is time to ask whether it answers.
        let kept = if task.against.is_device() { OPENING.min(left / 4) } else { Duration::ZERO };
        let limit = (left / part).min(left - kept);
        if limit.is_zero() {
            let reason = format!("the unit's time of {} s was over", self.limit.as_secs());
            return Err(Failed { status: Status::Timeout, reason, asked: false });
        }
        let worker = self.worker.as_mut().map_err(Failed::crash)?;
        let request = serde_json::to_vec(task).map_err(Failed::crash)?;
        let mut killed = 0;
        let answer = loop {
            match worker.ask(&request, limit) {
                Ok(answer) => break answer,
                // Nobody kills itself like this: somebody from outside did, or the system, for want of memory. That says nothing about the case.
                Err(Lost::Crash { status, .. }) if status.contains(KILLED) && killed < KILLS => killed += 1,
                Err(lost) => {
                    let status = if matches!(lost, Lost::Timeout(_)) { Status::Timeout } else { Status::Crash };
                    return Err(Failed::of(status, lost));
                }
            }
        };
        let reply: Reply = serde_json::from_slice(&answer).map_err(Failed::crash)?;
        match reply.down {
            Some(down) => {
                // What hangs on a device that was given up goes with its process.
                worker.end();
                let status = crate::journal::status(&down.status).unwrap_or(Status::Crash);
                Err(Failed::of(status, down.reason))
            }
            None => Ok(reply),
        }
    }

    /// Judges a unit.
    fn unit(&mut self, work: &Work<'_>) -> (Line, Changes) {
        let start = Instant::now();
        self.end = start + self.limit;
        // One that is looked into when it does not answer leaves time for that.
        let part = if work.unit.content.instructions() > 0 { 2 } else { 1 };
        let (mut line, changes) = self.part(work, work.task.only.clone(), part);
        self.again(work, &mut line);
        let mut line = work.line(line);
        line.seconds = start.elapsed().as_secs_f64();
        (line, changes)
    }

    /// Judges some singles of a unit, or all of it.
    fn part(&mut self, work: &Work<'_>, only: Option<Vec<u32>>, part: u32) -> (Line, Changes) {
        let task = Task { only: only.clone(), ..work.task.clone() };
        let failed = match self.ask(&task, part) {
            Ok(reply) => return (reply.line, reply.changes),
            Err(failed) => failed,
        };
        if failed.status == Status::Timeout && failed.asked && self.silent.is_none() && task.against.is_device() {
            // Whether it was the program, or the device does nothing any more.
            self.silent = answers_within(&task.against, self.left().clamp(BRIEFLY, OPENING)).err();
        }
        let count = work.unit.content.instructions() as u32;
        let all = only.filter(|_| count > 0).unwrap_or_else(|| (0..count).collect());
        let over = self.silent.is_some() || Instant::now() >= self.end;
        if over && all.len() > 1 {
            return (lost(work, &all, &failed), Changes::new());
        }
        if all.len() > 1 {
            let (first, second) = all.split_at(all.len() / 2);
            let (mut line, mut changes) = self.part(work, Some(first.to_vec()), 2);
            let (more, others) = self.part(work, Some(second.to_vec()), 2);
            merge(&mut line, more);
            changes.extend(others);
            return (line, changes);
        }
        // It is alone now, and gets another try.
        let again = if over { Err(failed.status) } else { self.ask(&task, 1).map_err(|again| again.status) };
        let (mut line, changes, status) = match again {
            Ok(reply) => (reply.line, reply.changes, Status::Flake),
            Err(status) => (Line::default(), Changes::default(), status),
        };
        merge(&mut line, lost(work, &all, &Failed { status, ..failed }));
        (line, changes)
    }

    /// Tries what differs once more: what passes then is a flake.
    fn again(&mut self, work: &Work<'_>, line: &mut Line) {
        let failed = line.results.iter().filter(|result| result.status() == Some(Status::Fail));
        let names: BTreeSet<&str> = failed.map(|result| without_input(&result.case)).collect();
        let cases = (0..).zip(work.unit.cases());
        let failing: Vec<u32> = cases.filter(|(_, (case, _))| names.contains(case.as_str())).map(|(n, _)| n).collect();
        if failing.is_empty() {
            return;
        }
        let only = (work.unit.content.instructions() > 0).then_some(failing);
        let Ok(reply) = self.ask(&Task { only, ..work.task.clone() }, 1) else { return };
        let fails = |case: &str| reply.line.results.iter().any(|r| r.case == case && r.status() == Some(Status::Fail));
        for result in line.results.iter_mut().filter(|r| r.status() == Some(Status::Fail)) {
            if fails(&result.case) {
                continue;
            }
            result.status = Status::Flake.name().to_owned();
            result.reason = "it failed once and passed once".to_owned();
            if let Some(counts) = line.rows.get_mut(&result.row) {
                if let Some(count) = counts.get_mut(Status::Fail.name()) {
                    *count -= 1;
                }
                counts.retain(|_, count| *count > 0);
                *counts.entry(Status::Flake.name().to_owned()).or_default() += 1;
            }
        }
    }
}

/// The name of a case without its input, and its input: `alu/gfx1100-w64/v_sin_f32_e32` and 7 of `...:7`.
pub fn split_input(case: &str) -> (&str, Option<u32>) {
    let split = case.rsplit_once(':').filter(|(_, input)| input.bytes().all(|b| b.is_ascii_digit()));
    match split.and_then(|(name, input)| Some((name, input.parse().ok()?))) {
        Some((name, input)) => (name, Some(input)),
        None => (case, None),
    }
}

/// The name of a case without its input.
pub fn without_input(case: &str) -> &str {
    split_input(case).0
}

/// Which of the instructions of a unit a case is of, by its name without an input.
pub fn single_of(unit: &Unit, name: &str) -> Option<u32> {
    (0..).zip(unit.cases()).find_map(|(n, (case, _))| (case == name).then_some(n))
}

/// The line of cases that have no outcome; of all singles where none is named. It is all inputs of each, if it was not asked for one.
fn lost(work: &Work<'_>, all: &[u32], failed: &Failed) -> Line {
    let mut line = Line::default();
    let cases = work.unit.cases();
    let first = [0];
    for n in if all.is_empty() { &first[..] } else { all } {
        let Some((mut case, row)) = cases.get(*n as usize).cloned() else { continue };
        if let Some(input) = work.task.input.filter(|_| work.unit.content.instructions() > 0) {
            case = format!("{case}:{input}");
        }
        let text = match &work.unit.content {
            Content::Singles(batch) => batch.text(&batch.singles[*n as usize]),
            _ => row.clone(),
        };
        line.add(&row, failed.status, 1);
        let (status, reason) = (failed.status.name().to_owned(), failed.reason.clone());
        line.results.push(CaseResult { case, row, text, status, reason, count: 1, ..CaseResult::default() });
    }
    line
}

/// Adds the cases of another line.
fn merge(line: &mut Line, other: Line) {
    for (row, counts) in other.rows {
        for (status, count) in counts {
            *line.rows.entry(row.clone()).or_default().entry(status).or_default() += count;
        }
    }
    line.results.extend(other.results);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_input_is_a_number_behind_the_name() {
        let name = "alu/gfx900-w64/v_add_f32_e64~3fa2";
        assert_eq!(split_input(&format!("{name}:7")), (name, Some(7)));
        // Names of files may have anything in them.
        for whole in [name, "cases/gfx900-w64/it:s", "cases/gfx900-w64/it:+7", "cases/gfx900-w64/it:"] {
            assert_eq!(split_input(whole), (whole, None));
        }
    }
}
