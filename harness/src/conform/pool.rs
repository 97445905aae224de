//! Workers at work: units go out, lines of the journal come back, whatever becomes of the workers.
//!
//! Each thread has a worker process of its own. A unit whose worker dies or does not answer is cut in halves until the instruction is alone that does it;
//! alone it gets a second try, and if that succeeds it was a flake. So a crash costs one case. What differs on a device is tried once more, too.

use super::task::{Against, Reply, Task};
use crate::journal::{CaseResult, Unit as Line};
use anyhow::Result;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc;
use std::time::{Duration, Instant};
use wavediff::engine::Status;
use wavediff::engine::isolate::{Lost, Worker};
use wavediff::suite::judge::Digests;
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
        line.arch = self.unit.target.arch.name.to_owned();
        line.lanes = self.unit.lanes;
        line.engine.clone_from(&self.engine);
        for result in &mut line.results {
            result.again = again(&self.task);
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

/// Has everything done, and hands the lines on as they come, until `stop`.
pub fn run(
    work: &[Work<'_>],
    jobs: usize,
    limit: Duration,
    stop: &AtomicBool,
    mut each: impl FnMut(Line, Digests) -> Result<()>,
) -> Result<()> {
    let next = AtomicUsize::new(0);
    let (send, receive) = mpsc::channel();
    std::thread::scope(|scope| {
        for _ in 0..jobs.clamp(1, work.len().max(1)) {
            let (send, next) = (send.clone(), &next);
            scope.spawn(move || {
                let mut hand = Hand { worker: worker(jobs), limit };
                while !stop.load(Ordering::Relaxed) {
                    let Some(one) = work.get(next.fetch_add(1, Ordering::Relaxed)) else { break };
                    let done =
                        hand.worker.as_mut().map(|_| ()).map_err(|e| std::io::Error::new(e.kind(), e.to_string()));
                    let done = done.map(|()| hand.unit(one));
                    if send.send(done).is_err() {
                        break;
                    }
                }
            });
        }
        drop(send);
        for done in receive {
            let (line, digests) = match done {
                Ok(done) => done,
                Err(e) => {
                    stop.store(true, Ordering::Relaxed);
                    return Err(e.into());
                }
            };
            if let Err(e) = each(line, digests) {
                stop.store(true, Ordering::Relaxed);
                return Err(e);
            }
        }
        Ok(())
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
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        command
    }))
}

/// The status of a process that was killed.
const KILLED: &str = "SIGKILL";
/// How often in a row a worker may be killed from outside.
const KILLS: u32 = 5;

/// A thread with its worker.
struct Hand {
    worker: std::io::Result<Worker>,
    limit: Duration,
}

/// Why a task has no answer.
struct Failed {
    status: Status,
    reason: String,
}

impl Hand {
    fn ask(&mut self, task: &Task) -> std::result::Result<Reply, Failed> {
        let worker = self.worker.as_mut().map_err(|e| Failed { status: Status::Crash, reason: e.to_string() })?;
        let request = serde_json::to_vec(task).map_err(|e| Failed { status: Status::Crash, reason: e.to_string() })?;
        let mut killed = 0;
        let answer = loop {
            match worker.ask(&request, self.limit) {
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
            Some(down) => Err(Failed {
                status: crate::journal::status(&down.status).unwrap_or(Status::Crash),
                reason: down.reason,
            }),
            None => Ok(reply),
        }
    }

    /// Judges a unit.
    fn unit(&mut self, work: &Work<'_>) -> (Line, Digests) {
        let start = Instant::now();
        let (mut line, digests) = self.part(work, work.task.only.clone());
        self.again(work, &mut line);
        let mut line = work.line(line);
        line.seconds = start.elapsed().as_secs_f64();
        (line, digests)
    }

    /// Judges some singles of a unit, or all of it.
    fn part(&mut self, work: &Work<'_>, only: Option<Vec<u32>>) -> (Line, Digests) {
        let task = Task { only: only.clone(), ..work.task.clone() };
        let failed = match self.ask(&task) {
            Ok(reply) => return (reply.line, reply.digests),
            Err(failed) => failed,
        };
        let all = match &work.unit.content {
            Content::Singles(batch) => only.unwrap_or_else(|| (0..batch.singles.len() as u32).collect()),
            _ => Vec::new(),
        };
        if all.len() > 1 {
            let (first, second) = all.split_at(all.len() / 2);
            let (mut line, mut digests) = self.part(work, Some(first.to_vec()));
            let (more, others) = self.part(work, Some(second.to_vec()));
            merge(&mut line, more);
            digests.extend(others);
            return (line, digests);
        }
        // It is alone now, and gets another try.
        let (mut line, digests, status) = match self.ask(&task) {
            Ok(reply) => (reply.line, reply.digests, Status::Flake),
            Err(again) => (Line::default(), Digests::default(), again.status),
        };
        let (row, text, case) = match &work.unit.content {
            Content::Singles(batch) => {
                let n = all.first().copied().unwrap_or_default();
                let single = &batch.singles[n as usize];
                (single.row.to_owned(), batch.text(single), n.to_string())
            }
            _ => (work.unit.name.clone(), work.unit.name.clone(), "0".to_owned()),
        };
        line.add(&row, status, 1);
        line.results.push(CaseResult {
            case: format!("{}:{case}", work.unit.name),
            row,
            text,
            status: status.name().to_owned(),
            reason: failed.reason,
            count: 1,
            ..CaseResult::default()
        });
        (line, digests)
    }

    /// Tries what differs once more: what passes then is a flake.
    fn again(&mut self, work: &Work<'_>, line: &mut Line) {
        let failing: Vec<u32> = line
            .results
            .iter()
            .filter(|result| result.status() == Some(Status::Fail))
            .filter_map(|result| result.case.rsplit(':').next()?.split('.').next()?.parse().ok())
            .collect::<std::collections::BTreeSet<u32>>()
            .into_iter()
            .collect();
        if failing.is_empty() {
            return;
        }
        let only = matches!(work.unit.content, Content::Singles(_)).then_some(failing);
        let Ok(reply) = self.ask(&Task { only, ..work.task.clone() }) else { return };
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

/// The command that runs a unit again.
fn again(task: &Task) -> String {
    let Task { unit, suite, arch, plan, against, .. } = task;
    let engine = match against {
        Against::Vulkan { device: None, .. } => "vulkan".to_owned(),
        Against::Vulkan { device: Some(device), .. } => format!("vulkan:{device}"),
        Against::Golden(_) => "golden".to_owned(),
        Against::Itself => return format!("wavediff conform {suite} --arch {arch} --filter '^{unit}$' --engines emu"),
    };
    let all = if super::is_all(*plan) { " --all" } else { "" };
    let (inputs, seed) = (plan.inputs, plan.seed);
    format!(
        "wavediff conform {suite} --arch {arch} --filter '^{unit}$' --engines emu,{engine} --inputs {inputs} --seed {seed}{all}"
    )
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
