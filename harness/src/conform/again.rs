//! The command that shows a case again: that case alone, on the engine with which it was not as expected.
//!
//! Inputs follow from the name of a case, from how many there are, and from the seed; programs from the seed. Files, recordings and lists are where the
//! command line said. All of that is said again, in words that a shell takes as they are. A case that a recording has and today's plan has not is none
//! that `--case` finds: then the command is the one that compares all of the recording, and says why.

use super::pool::without_input;
use super::task::Against;
use super::{Args, Compared, EXPECT};
use crate::engines::Lanes;
use crate::journal::CaseResult;
use crate::report::text;
use clap::ValueEnum;
use std::collections::{HashMap, HashSet};
use std::path::Path;
use wavediff::engine::Status;
use wavediff::suite::plan::{program_seed, share};
use wavediff::suite::{Content, Unit};

/// Makes the commands of a run.
pub struct Again<'r> {
    args: &'r Args,
    /// The names that `--case` finds, by suite and processor; of those where somebody asked.
    names: HashMap<String, HashSet<String>>,
}

impl<'r> Again<'r> {
    /// For a run with a command line.
    pub fn new(args: &'r Args) -> Again<'r> {
        Again { args, names: HashMap::new() }
    }

    /// The command for a case of a unit that was compared.
    pub fn command(&mut self, compared: &Compared, unit: &Unit, result: &CaseResult) -> String {
        match &compared.recording {
            // Names of what was not compared, of which there are many, are not looked up.
            Some(recording) if result.status() != Some(Status::Unsupported) && !self.finds(&result.case) => {
                let folder = recording.folder_in(&self.args.golden).display().to_string();
                let check = text::command(&["wavediff", "golden", "check", folder.as_str()].map(str::to_owned));
                format!("{check}  # all of it: the case is in no plan any more, and --case does not find it")
            }
            _ => text::command(&self.words(compared, unit, &result.case)),
        }
    }

    /// Whether `--case` finds a case.
    fn finds(&mut self, case: &str) -> bool {
        let path = without_input(case);
        let group = path.rsplit_once('/').map_or(path, |(group, _)| group);
        let selection = &self.args.selection;
        self.names.entry(group.to_owned()).or_insert_with(|| selection.names_around(path)).contains(path)
    }

    fn words(&self, compared: &Compared, unit: &Unit, case: &str) -> Vec<String> {
        let Args { selection, golden, expect, .. } = self.args;
        let mut words = ["wavediff", "conform", "--case", case].map(str::to_owned).to_vec();
        let mut option = |name: &str, value: &str| words.extend([name, value].map(str::to_owned));
        let (engines, device) = match &compared.against {
            Against::Vulkan { device, .. } => ("emu,vulkan", device.as_deref()),
            Against::Native { device } => ("emu,native", device.as_deref()),
            Against::Golden { .. } => ("emu,golden", None),
            Against::Itself => ("emu", None),
        };
        option("--engines", engines);
        if let Some(device) = device {
            // Behind `vulkan:` it would end at a comma.
            option("--device", device);
        }
        if let Against::Vulkan { lanes, .. } = &compared.against
            && *lanes != Lanes::Auto
            && let Some(lanes) = lanes.to_possible_value()
        {
            option("--lanes", lanes.get_name());
        }
        if let Some(recording) = &compared.recording {
            // The folder of one, without those beside it.
            option("--golden", &recording.folder_in(golden).display().to_string());
        }
        if expect != Path::new(EXPECT) {
            option("--expect", &expect.display().to_string());
        }
        if unit.content.instructions() > 0 {
            option("--inputs", &(unit.content.inputs() * share(unit.suite)).to_string());
        }
        let seed = match &unit.content {
            Content::Singles(batch) => Some(batch.seed),
            Content::Rows(rows) => Some(rows.seed),
            Content::Program(seed) => {
                let number = case.rsplit('/').next().and_then(|number| number.parse().ok());
                Some(number.map_or(*seed, |number| program_seed(*seed, number)))
            }
            Content::File(_) => None,
        };
        if let Some(seed) = seed {
            option("--seed", &seed.to_string());
        }
        words.extend(selection.said_again(unit.suite));
        if matches!(compared.against, Against::Vulkan { validate: true, .. }) {
            words.push("--validate".to_owned());
        }
        words
    }
}

#[cfg(test)]
mod tests {
    use super::super::task::Job;
    use super::*;
    use crate::journal::EngineInfo;
    use crate::recording::Recording;
    use clap::Parser;
    use std::collections::BTreeMap;
    use wavediff::isa::{Arch, Target};
    use wavediff::suite::stage::INPUTS;
    use wavediff::suite::{Processor, Suite};

    #[derive(Parser)]
    struct Line {
        #[command(flatten)]
        args: Args,
    }

    /// The command that a run with these arguments gives for a case that failed.
    fn command(args: &[&str], compared: &Compared, (suite, job): (Suite, Job), case: &str) -> String {
        let line = Line::parse_from(["conform"].iter().chain(args));
        let on = Processor::Waves(Target::new(Arch::find("gfx900").expect("a processor")), 64);
        let unit = job.unit(without_input(case), suite, on).expect("a unit");
        let status = Status::Fail.name().to_owned();
        let result = CaseResult { case: case.to_owned(), status, ..CaseResult::default() };
        Again::new(&line.args).command(compared, &unit, &result)
    }

    fn with(against: Against) -> Compared {
        Compared { info: EngineInfo::default(), against, recording: None }
    }

    fn recorded() -> Compared {
        Compared::of(Recording {
            name: "some-card".to_owned(),
            engine: "vulkan:some card".to_owned(),
            driver: String::new(),
            of_card: false,
            provenance: BTreeMap::new(),
            inputs: INPUTS,
            units: Vec::new(),
        })
    }

    #[test]
    fn a_program_is_made_again_by_the_seed_of_the_run() {
        let seed = 0x0123_4567_89ab_cdef;
        let program = (Suite::Random, Job::Program(program_seed(seed, 3)));
        let said = command(&[], &with(Against::Itself), program, "random/gfx900-w64/0003");
        assert_eq!(said, format!("wavediff conform --case random/gfx900-w64/0003 --engines emu --seed {seed}"));
    }

    /// Each input of an instruction of memory stands for two that are asked for.
    #[test]
    fn an_instruction_has_the_inputs_that_were_asked_for() {
        let singles = vec![("v_add_f32_e32~3fa2".to_owned(), vec![0x0200_0501])];
        let job = Job::Singles { seed: 5, inputs: 4, singles };
        let said = command(&[], &with(Against::Itself), (Suite::Memory, job), "memory/gfx900-w64/v_add_f32_e32~3fa2:3");
        let case = "'memory/gfx900-w64/v_add_f32_e32~3fa2:3'";
        assert_eq!(said, format!("wavediff conform --case {case} --engines emu --inputs 8 --seed 5"));
    }

    #[test]
    fn what_the_command_line_said_is_said_again() {
        let folders = ["--cases", "it's here", "--golden", "my recordings", "--expect", "lists", "--timeout", "9"];
        let device = Some("llvmpipe (LLVM 15.0.6, 256 bits)".to_owned());
        let vulkan = with(Against::Vulkan { device, lanes: Lanes::Serial, validate: true });
        let file = |name: &str| (Suite::Cases, Job::File(name.into()));
        let said = command(&folders, &vulkan, file("it's here/it's.s"), "cases/gfx900-w64/it's");
        let case = r"wavediff conform --case 'cases/gfx900-w64/it'\''s' --engines";
        let more = r"--expect lists --cases 'it'\''s here' --timeout 9";
        let device = "--device 'llvmpipe (LLVM 15.0.6, 256 bits)' --lanes serial";
        assert_eq!(said, format!("{case} emu,vulkan {device} {more} --validate"));
        // What is as it always is need not be said.
        let vulkan = with(Against::Vulkan { device: None, lanes: Lanes::Auto, validate: false });
        let said = command(&[], &vulkan, file("tests/cases/pass/loop.s"), "cases/gfx900-w64/loop");
        assert_eq!(said, "wavediff conform --case cases/gfx900-w64/loop --engines emu,vulkan");
    }

    /// There are 32 programs: the last one is number 31.
    #[test]
    fn what_was_recorded_may_be_planned_no_more() {
        let folder = ["--golden", "my recordings"];
        let program = || (Suite::Random, Job::Program(program_seed(1, 31)));
        let said = command(&folder, &recorded(), program(), "random/gfx900-w64/0031");
        let engines = "--engines emu,golden --golden 'my recordings/some-card' --seed 1";
        assert_eq!(said, format!("wavediff conform --case random/gfx900-w64/0031 {engines}"));
        let said = command(&folder, &recorded(), program(), "random/gfx900-w64/0032");
        let (command, why) = said.split_once("  # ").expect("it says why");
        assert_eq!(command, "wavediff golden check 'my recordings/some-card'");
        assert!(why.contains("no plan any more"), "{why}");
    }
}
