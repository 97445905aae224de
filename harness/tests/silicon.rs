//! Registers that cards left (`../shared/hw/register_cases.jsonl`, with its provenance there) against the emulator: whole programs, memory
//! included. Skipped, by name, where the recordings are not there.

#[expect(dead_code, reason = "other test programs use the rest of it")]
mod program;

use program::{out, wavediff};

#[test]
fn the_emulator_leaves_what_an_rx_7900_xtx_left() {
    let cases = concat!(env!("CARGO_MANIFEST_DIR"), "/../../shared/hw/register_cases.jsonl");
    if !std::path::Path::new(cases).exists() {
        println!("skipped: no recorded register cases");
        return;
    }
    // One of them has a scalar float, which manuals and compilers do not give the card.
    let done = wavediff(&["golden", "import", cases, "--check", "--mattr=+salu-float", "--json"]);
    let tally: serde_json::Value = serde_json::from_str(&out(&done)).expect("JSON");
    assert_eq!(tally["traps"].as_array().map(Vec::len), Some(0), "{}", tally["traps"]);
    let wrong: Vec<_> = tally["differences"].as_array().into_iter().flatten().filter(|d| d["nan"] == false).collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert!(tally["cases"].as_u64() >= Some(390) && tally["checked"].as_u64() >= Some(2000), "{tally}");
    assert!(done.status.success());
    // Without the feature that case is illegal there.
    let plain = wavediff(&["golden", "import", cases, "--check", "--json"]);
    let tally: serde_json::Value = serde_json::from_str(&out(&plain)).expect("JSON");
    assert_eq!(tally["traps"].as_array().map(Vec::len), Some(1), "{}", tally["traps"]);
}
