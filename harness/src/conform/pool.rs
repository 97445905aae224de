//! Workers at work: units go out, lines of the journal come back, whatever becomes of the workers.
//!
//! Each thread has a worker process of its own. A unit whose worker dies or does not answer is cut in halves until the instruction is alone that does it;
//! alone it gets a second try, and if that succeeds it was a flake. So a crash costs one case. What differs on a device is tried once more, too.

use super::task::{Against, Job, Reply, Task};
use crate::engines::Lanes;
use crate::journal::{CaseResult, Unit as Line};
use anyhow::Result;
use clap::ValueEnum;
use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::{Duration, Instant};
use wavediff::engine::Status;
use wavediff::engine::isolate::{Lost, Worker};
use wavediff::suite::judge::Changes;
use wavediff::suite::plan::{program_seed, share};
use wavediff::suite::{Content, Suite, Unit};

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
        for result in &mut line.results {
            result.again = again(&self.task, &result.case);
        }
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

/// Whether an engine answers: a worker that opens it, which is asked for nothing more.
pub fn answers(against: &Against) -> std::result::Result<(), String> {
    let mut worker = worker(1).map_err(|e| e.to_string())?;
    let request = serde_json::to_vec(&Task::nothing(against.clone())).map_err(|e| e.to_string())?;
    let answer = worker.ask(&request, OPENING).map_err(|lost| lost.to_string())?;
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
}

impl Hand {
    /// Asks the worker, within a part of what is left of the unit's time.
    fn ask(&mut self, task: &Task, part: u32) -> std::result::Result<Reply, Failed> {
        let limit = self.end.saturating_duration_since(Instant::now()) / part;
        if limit.is_zero() {
            let reason = format!("the unit's time of {} s was over", self.limit.as_secs());
            return Err(Failed { status: Status::Timeout, reason });
        }
        let worker = self.worker.as_mut().map_err(|e| Failed { status: Status::Crash, reason: e.to_string() })?;
        let request = serde_json::to_vec(task).map_err(|e| Failed { status: Status::Crash, reason: e.to_string() })?;
        let mut killed = 0;
        let answer = loop {
            match worker.ask(&request, limit) {
                Ok(answer) => break answer,
                // Nobody kills itself like this: somebody from outside did, or the system, for want of memory. That says nothing about the case.
                Err(Lost::Crash { status, .. }) if status.contains(KILLED) && killed < KILLS => killed += 1,
                Err(lost) => {
                    let status = if matches!(lost, Lost::Timeout(_)) { Status::Timeout } else { Status::Crash };
                    return Err(Failed { status, reason: lost.to_string() });
                }
            }
        };
        let reply: Reply =
            serde_json::from_slice(&answer).map_err(|e| Failed { status: Status::Crash, reason: e.to_string() })?;
        match reply.down {
            Some(down) => {
                // What hangs on a device that was given up goes with its process.
                worker.end();
                let status = crate::journal::status(&down.status).unwrap_or(Status::Crash);
                Err(Failed { status, reason: down.reason })
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
        if failed.status == Status::Timeout
            && self.silent.is_none()
            && matches!(task.against, Against::Vulkan { .. } | Against::Native { .. })
        {
            // Whether it was the program, or the device does nothing any more.
            self.silent = answers(&task.against).err();
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

/// The name of a case without its input: `alu/gfx1100-w64/v_sin_f32_e32` of `...:7`.
pub fn without_input(case: &str) -> &str {
    case.rsplit_once(':').map_or(case, |(single, _)| single)
}

/// The command that runs a case again.
fn again(task: &Task, case: &str) -> String {
    let engine = match &task.against {
        Against::Vulkan { device: None, .. } => ",vulkan".to_owned(),
        Against::Vulkan { device: Some(device), .. } => format!(",vulkan:{device}"),
        Against::Native { device: None } => ",native".to_owned(),
        Against::Native { device: Some(device) } => format!(",native:{device}"),
        Against::Golden { .. } => ",golden".to_owned(),
        Against::Itself => String::new(),
    };
    let numbers = match &task.work {
        Job::Singles { seed, inputs, .. } => {
            let asked = inputs * Suite::find(&task.suite).map_or(1, share);
            format!(" --inputs {asked} --seed {seed}")
        }
        Job::Rows { seed, inputs, .. } => format!(" --inputs {inputs} --seed {seed}"),
        Job::Program(seed) => {
            let number = without_input(case).rsplit('/').next().and_then(|number| number.parse().ok());
            format!(" --seed {}", number.map_or(*seed, |number| program_seed(*seed, number)))
        }
        Job::File(_) => String::new(),
    };
    let lanes = match &task.against {
        Against::Vulkan { lanes, .. } if *lanes != Lanes::Auto => lanes.to_possible_value(),
        _ => None,
    };
    let lanes = lanes.map_or(String::new(), |lanes| format!(" --lanes {}", lanes.get_name()));
    format!("wavediff conform --case '{case}' --engines emu{engine}{lanes}{numbers}")
}

/// The line of cases that have no outcome; of all singles where none is named.
fn lost(work: &Work<'_>, all: &[u32], failed: &Failed) -> Line {
    let mut line = Line::default();
    let cases = work.unit.cases();
    let first = [0];
    for n in if all.is_empty() { &first[..] } else { all } {
        let Some((case, row)) = cases.get(*n as usize).cloned() else { continue };
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
    fn a_program_is_made_again_by_the_seed_of_the_run() {
        let seed = 0x0123_4567_89ab_cdef;
        let task = Task { work: Job::Program(program_seed(seed, 3)), ..Task::nothing(Against::Itself) };
        let command = again(&task, "random/gfx1100-w32/0003");
        assert!(command.ends_with(&format!(" --seed {seed}")), "{command}");
    }
}
