//! The emulator's side: the runs of a unit from a code object.

use crate::unit::{Arg, Unit};
use wavediff::emu::engine::{Emulator, Options};
use wavediff::emu::launch::{Buffer, Dispatch, Loaded, Value};

/// Instructions of one wave: no kernel of the corpus takes as many.
const BUDGET: u64 = 20_000_000;

/// Runs a unit; gives its buffers.
pub fn run(unit: &Unit, loaded: &Loaded) -> Result<Vec<Vec<u8>>, String> {
    let mut buffers: Vec<Vec<u8>> = unit.buffers.iter().map(|b| b.bytes.clone()).collect();
    let emulator = Emulator { options: Options { budget: Some(BUDGET), ..Options::default() } };
    for run in &unit.runs {
        let value = |arg: &Arg| match arg {
            Arg::Buffer(n) => {
                let bytes = buffers[*n].clone();
                Value::Buffer(Buffer { bytes, writable: unit.buffers[*n].writable, save: None })
            }
            Arg::Value(value) => value.clone(),
        };
        let values: Vec<Value> = run.args.iter().map(value).collect();
        let failed = |error: &dyn std::fmt::Display| format!("{}: {error}", run.kernel);
        let mut dispatch = Dispatch::new(loaded, &run.kernel, run.grid, run.group, &values).map_err(|e| failed(&e))?;
        let outcome = emulator.run_kernel(loaded, &mut dispatch, None).map_err(|e| failed(&e))?;
        if let Some(trap) = outcome.trap {
            return Err(failed(&trap));
        }
        for (output, bytes) in outcome.buffers {
            if let Some(Arg::Buffer(n)) = run.args.get(output.argument) {
                buffers[*n] = bytes;
            }
        }
    }
    Ok(buffers)
}
