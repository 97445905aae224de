//! What the child does: things that may not come to an end.

use super::Setup;
use super::module::{Given, Kernel};
use std::time::Duration;
use wavediff::engine::isolate;
use wavediff::vulkan::{Error, Job, Shader};

/// Answers requests with a line of text.
pub fn serve() {
    isolate::serve(|request| {
        let request = String::from_utf8_lossy(request);
        answer(&request).unwrap_or_else(|e| format!("error: {e}")).into_bytes()
    })
    .expect("streams");
}

fn answer(request: &str) -> Result<String, Error> {
    match request {
        "hello" => Ok("hello".to_owned()),
        "abort" => std::process::abort(),
        // The driver is asked to stop waiting.
        "spin 300 ms" => spin(Duration::from_millis(300)),
        // Nobody stops waiting but the parent.
        "spin" => spin(Duration::from_secs(3600)),
        // The validation layer sees it; a driver may do anything.
        "unbound" => unbound(),
        _ => Ok("what?".to_owned()),
    }
}

/// Years of work on a GPU, which no compiler can see through. llvmpipe leaves loops after 65535 rounds, whatever their conditions say (see
/// `LP_MAX_TGSI_LOOP_ITERATIONS` in Mesa), so there it is the number of groups that takes so long.
pub fn endless() -> Vec<u32> {
    Kernel::build(Given::buffers(1), |k| {
        let (start, most) = (k.load(0, k.id), k.constant(u32::MAX));
        let end = k.repeat(most, start, |k, outer, _| {
            let most = k.constant(u32::MAX);
            k.repeat(most, outer, |k, value, round| {
                let factor = k.constant(1_664_525);
                let product = k.b.i_mul(k.u32, None, value, factor).expect("an instruction");
                k.b.i_add(k.u32, None, product, round).expect("an instruction")
            })
        });
        k.store(0, k.id, end);
    })
}

fn spin(limit: Duration) -> Result<String, Error> {
    let setup = Setup::load()?;
    let device = setup.open()?;
    let words = endless();
    let pipeline = device.pipeline(&Shader { buffers: 1, ..Shader::new("endless", &words) })?;
    let numbers = device.buffer("numbers", &[1u32; 64])?;
    let result = device.run(&Job { timeout: limit, groups: [65535, 8192, 1], ..Job::new(&pipeline, &[&numbers]) });
    // A device that hung takes no more work, and goes without a word.
    let next = device.zeroed("next", 4).map(|b| b.len());
    Ok(format!("{:?}, then {next:?}, lost: {}", result.map(|_| ()), device.is_lost()))
}

fn unbound() -> Result<String, Error> {
    let setup = Setup::load()?;
    let device = setup.open()?;
    let words = Kernel::build(Given::buffers(2), |k| {
        let value = k.load(1, k.id);
        k.store(0, k.id, value);
    });
    match device.pipeline(&Shader { buffers: 1, ..Shader::new("unbound", &words) }) {
        Ok(_) => Ok("accepted".to_owned()),
        Err(Error::Validation { messages }) => Ok(format!("refused: {}", messages.join(" "))),
        Err(e) => Err(e),
    }
}
