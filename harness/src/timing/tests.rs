use super::*;
use crate::common::Paint;
use crate::terminal::clean;
use serde_json::Value;
use std::collections::BTreeMap;
use wavediff::asm::Assembler;
use wavediff::asm::source::assemble;
use wavediff::isa::{Arch, Target};
use wavediff::program::Program;
use wavediff::timing::{Event, WaveTime};

const LOOP: &str = "
  s_load_b64 s[0:1], s[2:3], 0x0
  s_mov_b32 s4, 8
  s_waitcnt lgkmcnt(0)
  global_load_b32 v1, v0, s[0:1]
  s_waitcnt vmcnt(0)
again:
  v_fma_f32 v1, v1, v1, 1.0
  v_mul_f32 v2, v1, v1
  v_rcp_f32 v3, v2
  v_mul_lo_u32 v4, v3, v2
  ds_store_b32 v0, v4
  s_waitcnt lgkmcnt(0)
  s_barrier
  ds_load_b32 v5, v0 offset:4
  s_sub_u32 s4, s4, 1
  s_cmp_lg_u32 s4, 0
  s_cbranch_scc1 again
  s_cbranch_scc0 end
  v_mov_b32 v6, 0
  v_mov_b32 v7, 0
end:
  global_store_b32 v0, v5, s[0:1]
  s_endpgm
";

fn program() -> Program {
    let target = Target::new(Arch::find("gfx1100").expect("gfx1100"));
    let module = assemble("loop.s", LOOP, &Assembler::new(target), target).expect("it assembles");
    let bytes = &module.section(".text").expect("code").bytes;
    let words: Vec<u32> = bytes.chunks_exact(4).map(|w| u32::from_le_bytes([w[0], w[1], w[2], w[3]])).collect();
    Program::new(target, &words, 0x1000)
}

/// The number of the first word of an instruction.
fn step(program: &Program, text: &str) -> u32 {
    let starts = |step: &u32| program.text(*step).starts_with(text);
    std::iter::successors(Some(0), |step| Some(program.steps[*step as usize].next)).find(starts).expect("it is there")
}

/// Two waves that execute three instructions.
fn small(program: &Program) -> Report {
    let [load, wait, fma] = ["s_load_b64", "s_waitcnt", "v_fma_f32"].map(|text| step(program, text));
    let wave = |wave, begin, end| WaveTime {
        group: [1, 0, 0],
        wave,
        unit: 0,
        simd: wave,
        begin,
        end,
        arrived: end,
        instructions: 3,
    };
    let time = |count, clocks, waits: &[(Why, u64)], on| {
        let mut time = StepTime { count, clocks, waits: [0; Why::ALL.len()], on, ..StepTime::default() };
        waits.iter().for_each(|(why, clocks)| time.waits[*why as usize] = *clocks);
        time
    };
    let mut steps = vec![StepTime::default(); program.steps.len()];
    steps[load as usize] = time(2, 2, &[], None);
    steps[wait as usize] = time(2, 1234, &[(Why::Fetch, 30), (Why::Counter, 1200)], Some(load));
    steps[fma as usize] = time(2, 14, &[(Why::Dependency, 10)], Some(wait));
    let event = |wave, step, start: u64, done, why: Option<(Why, u32)>, on| Event {
        group: [1, 0, 0],
        wave,
        step,
        issue: start,
        start,
        done,
        why,
        on,
    };
    let one = |wave, at: u64| {
        [
            event(wave, load, at, at + 600, None, None),
            event(wave, wait, at + 617, at + 617, Some((Why::Counter, 600)), Some(load)),
            event(wave, fma, at + 624, at + 629, Some((Why::Dependency, 5)), Some(wait)),
        ]
    };
    Report {
        clocks: 1700,
        units: 1,
        occupancy: 1,
        waves: vec![wave(0, 0, 640), wave(1, 1000, 1640)],
        all_waves: 20,
        steps,
        events: [one(0, 0), one(1, 1000)].concat(),
        left_out: 2,
        recalled: 0,
    }
}

#[test]
fn tables_have_the_numbers_in_columns() {
    let program = program();
    let shown = text(&small(&program), &program, Paint::never());
    assert_eq!(
        shown,
        "\
clocks           1,700
compute units        1
waves               20
waves of a SIMD      1

group  wave  unit  SIMD  begin    end  instructions
1,0,0     0     0     0      0    640             3
1,0,0     1     0     1  1,000  1,640             3
and 18 more

pc      instruction                     count  clocks  share   each  waited for
000000  s_load_b64 s[0:1], s[2:3], 0x0      2       2   0.2%    1.0
00000c  s_waitcnt lgkmcnt(0)                2   1,234  98.7%  617.0  counter 1,200 on 000000, fetch 30
00001c  v_fma_f32 v1, v1, v1, 1.0           2      14   1.1%    7.0  dependency 10 on 00000c
"
    );
}

#[test]
fn a_run_of_nothing_is_shown() {
    let program = program();
    let nothing = Report::default();
    assert_eq!(text(&nothing, &program, Paint::never()).lines().count(), 4);
    assert_eq!(json(&nothing, &program)["instructions"], Value::Array(Vec::new()));
    assert!(html(&nothing, &program, "nothing").contains("id=\"l-body\">\n</tbody>"));
}

#[test]
fn json_names_everything() {
    let program = program();
    let report = small(&program);
    let all: Value = serde_json::from_str(&json(&report, &program).to_string()).expect("JSON");
    for (name, n) in [("clocks", 1700), ("compute_units", 1), ("occupancy", 1), ("wave_count", 20), ("left_out", 2)] {
        assert_eq!(all[name], n, "{name}");
    }
    assert_eq!(all["waves"].as_array().map(Vec::len), Some(2));
    let wait = &all["instructions"][1];
    assert_eq!(
        (&wait["pc"], &wait["clocks"], &wait["clocks_per_execution"]),
        (&12.into(), &1234.into(), &617.0.into())
    );
    assert_eq!(
        (&wait["waits"]["counter"], &wait["waits"]["fetch"], &wait["waits_on"]),
        (&1200.into(), &30.into(), &0.into())
    );
    let events = all["events"].as_array().expect("events");
    assert_eq!(events.len(), report.events.len());
    for (event, shown) in report.events.iter().zip(events) {
        assert_eq!(shown["pc"], u64::from(event.step) * 4);
        assert_eq!(
            (&shown["issue"], &shown["start"], &shown["done"]),
            (&event.issue.into(), &event.start.into(), &event.done.into())
        );
        assert_eq!(shown["waited_for"].as_str(), event.why.map(|(why, _)| why.name()));
    }
}

/// The data of a page.
fn data(page: &str) -> Value {
    let (_, rest) = page.split_once("id=\"data\">").expect("the data");
    serde_json::from_str(rest.split_once("</script>").expect("their end").0).expect("JSON")
}

#[test]
fn the_page_stands_for_itself() {
    let program = program();
    let page = html(&small(&program), &program, "</script><img src=x onerror='x'>");
    for what in ["http:", "https:", "url(", "@import", "<link", "<img"] {
        assert!(!page.contains(what), "{what}");
    }
    assert_eq!((page.matches("<script").count(), page.matches("</script").count()), (2, 2));
    for what in [
        "&lt;/script&gt;",
        "2 further instructions are counted and not drawn",
        "v_fma_f32 v1, v1, v1, 1.0",
        "counter 1,200 on 000000",
    ] {
        assert!(page.contains(what), "{what}");
    }
    assert_eq!(page, clean(&page), "nothing in it acts");
}

/// Every event is in the lane of its wave, a wave that is not listed has one as well.
#[test]
fn the_page_has_every_event() {
    let program = program();
    let mut report = small(&program);
    report.waves.pop();
    let data = data(&html(&report, &program, "events"));
    let mut found: BTreeMap<u64, Vec<Vec<i64>>> = BTreeMap::new();
    for lane in data["lanes"].as_array().expect("lanes") {
        assert_eq!(lane[8].as_bool(), Some(lane[3] == 0), "listed");
        let numbers: Vec<i64> =
            lane[7].as_array().expect("events").iter().map(|n| n.as_i64().expect("a number")).collect();
        found.insert(lane[3].as_u64().expect("a number"), numbers.chunks(7).map(<[i64]>::to_vec).collect());
    }
    let word = |n: i64| data["steps"][usize::try_from(n).ok()?][0].as_u64();
    for wave in 0..2u32 {
        let mine = &found[&wave.into()];
        let events: Vec<&Event> = report.events.iter().filter(|event| event.wave == wave).collect();
        assert_eq!(mine.len(), events.len());
        for (event, shown) in events.iter().zip(mine) {
            let clocks = [event.issue, event.start - event.issue, event.done - event.issue].map(|n| n as i64);
            assert_eq!((word(shown[0]), &shown[1..4]), (Some(event.step.into()), &clocks[..]));
            let why = event.why.map_or([-1, 0], |(why, clocks)| [why as i64, clocks.into()]);
            assert_eq!((&shown[4..6], word(shown[6])), (&why[..], event.on.map(u64::from)));
        }
    }
}
