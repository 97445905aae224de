//! Kernels as a user meets them: assembly that a compiler wrote, arguments of the right types, and what a run shows.

#[path = "program/objects.rs"]
mod objects;
#[allow(dead_code, reason = "not every test needs all of it")]
mod program;

use objects::object;
use program::{code, err, file, folder, out, wavediff};
use std::path::Path;
use std::process::Command;

/// `y[i] = a * x[i] + y[i]`, with the types of its arguments.
const SAXPY: &str = "typedef unsigned uint;\n__kernel void saxpy(__global const float *x, __global float *y, float a, uint n) {\n  \
                     uint i = __builtin_amdgcn_workgroup_id_x() * 64 + __builtin_amdgcn_workitem_id_x();\n  if (i < n) y[i] = a * x[i] + y[i];\n}\n";

/// Whether clang is there. Where LLVM is required, it must be.
fn clang() -> Option<&'static str> {
    let found = ["clang-19", "clang"].into_iter().find(|c| Command::new(c).arg("--version").output().is_ok());
    assert!(found.is_some() || std::env::var_os("WAVEDIFF_REQUIRE_LLVM").is_none(), "clang is not there");
    if found.is_none() {
        println!("skipped: clang 19 is not there");
    }
    found
}

/// What clang makes of OpenCL: `-c` an object, `-S` assembly.
fn compiled(clang: &str, folder: &Path, gpu: &str, how: &str, more: &[&str]) -> String {
    let source = file(folder, "saxpy.cl", SAXPY);
    let to = folder.join(format!("{gpu}{}.{}", more.concat(), if how == "-S" { "s" } else { "o" }));
    let to = to.to_string_lossy().into_owned();
    let cpu = format!("-mcpu={gpu}");
    let flags = ["--target=amdgcn-amd-amdhsa", "-x", "cl", "-O2", "-nogpulib", &cpu, how, &source, "-o", &to];
    let made = Command::new(clang).args(flags).args(more).output().expect("clang starts");
    assert!(made.status.success(), "{gpu}: {}", err(&made));
    to
}

/// Files for the arguments: x is 0, 1, 2 ... and y half of that.
fn arguments(folder: &Path) -> [String; 2] {
    let bytes = |f: &dyn Fn(u32) -> f32| (0..100).flat_map(|i| f(i).to_le_bytes()).collect::<Vec<u8>>();
    let path = |name: &str| folder.join(name).to_string_lossy().into_owned();
    std::fs::write(path("x"), bytes(&|i| i as f32)).expect("a file");
    std::fs::write(path("y"), bytes(&|i| 0.5 * i as f32)).expect("a file");
    [format!("in:{}", path("x")), format!("inout:{}:{}", path("y"), path("z"))]
}

/// Assembly that names its processor by `.amdgcn_target` is run for it, as a case and as a kernel.
#[test]
fn assembly_that_a_compiler_wrote() {
    let Some(clang) = clang() else { return };
    let folder = folder("compiler");
    let [x, y] = arguments(&folder);
    let expected: Vec<u8> = (0..100).flat_map(|i| (2.5 * i as f32).to_le_bytes()).collect();
    for (gpu, more) in [("gfx906", &[][..]), ("gfx1100", &[]), ("gfx1100", &["-mwavefrontsize64"])] {
        let source = compiled(clang, &folder, gpu, "-S", more);
        let args = ["--arg", &x, "--arg", &y, "--arg", "f32:2", "--arg", "u32:100"];
        let run = wavediff(&[&["run", &source, "--grid", "128", "--group", "64"], &args[..]].concat());
        assert_eq!(code(&run), 0, "{gpu} {more:?}: {}{}", out(&run), err(&run));
        assert_eq!(std::fs::read(folder.join("z")).expect("the result"), expected, "{gpu} {more:?}");
        std::fs::remove_file(folder.join("z")).expect("the result");
        let trace = wavediff(&[&["trace", &source, "--grid", "128", "--group", "64", "--to", "0"], &args[..]].concat());
        assert_eq!((code(&trace), out(&trace).lines().count() > 0), (0, true), "{gpu}: {}", err(&trace));
        let scan = wavediff(&["scan", &source, "--json"]);
        let value: serde_json::Value = serde_json::from_slice(&scan.stdout).expect("JSON");
        let lanes = if gpu == "gfx906" || !more.is_empty() { 64 } else { 32 };
        assert_eq!((value["processor"].as_str(), value["wave"].as_u64()), (Some(gpu), Some(lanes)), "{}", err(&scan));
    }
}

/// Without a compiler: the directive alone decides, unless the header says something else, and its mistakes have a place.
#[test]
fn a_case_obeys_its_directive() {
    let folder = folder("directive");
    let text = |target: &str| {
        format!("; v0 = 1.5\n; expect: v1 = 3.0\n\t.amdgcn_target \"{target}\"\n\tv_add_f32 v1, v0, v0\n")
    };
    let case = file(&folder, "named.s", &text("amdgcn-amd-amdhsa--gfx90a:xnack-"));
    let run = wavediff(&["run", &case]);
    assert_eq!(code(&run), 0, "{}{}", out(&run), err(&run));
    assert!(
        out(&run).starts_with("named.s: gfx90a: pass") || out(&run).contains("named.s: gfx90a: pass\n"),
        "{}",
        out(&run)
    );
    let other = wavediff(&["run", &case, "--arch", "gfx1100"]);
    assert_eq!(code(&other), 1);
    assert!(err(&other).contains("is not for gfx1100 (isa: gfx90a)"), "{}", err(&other));
    let unknown = wavediff(&["run", &file(&folder, "unknown.s", &text("amdgcn-amd-amdhsa--gfx1109"))]);
    assert_eq!(code(&unknown), 1);
    assert!(err(&unknown).contains("unknown.s:3:17: error: unknown processor `gfx1109`"), "{}", err(&unknown));
    let header = format!("; isa: gfx1100\n{}", text("amdgcn-amd-amdhsa--gfx900"));
    let contrary = wavediff(&["run", &file(&folder, "contrary.s", &header)]);
    assert_eq!(code(&contrary), 1);
    assert!(err(&contrary).contains("the file is assembled for gfx1100"), "{}", err(&contrary));
    // A file without kernels is no kernel, whatever is asked of it.
    let none = wavediff(&["run", &case, "--grid", "64", "--group", "64"]);
    assert_eq!(code(&none), 2);
    assert!(err(&none).contains(".amdhsa_kernel"), "{}", err(&none));
}

/// Arguments of another type than the compiler wrote down are refused, before anything runs.
#[test]
fn arguments_have_types() {
    let Some(clang) = clang() else { return };
    let folder = folder("types");
    let [x, y] = &arguments(&folder);
    let (x, y) = (x.as_str(), y.as_str());
    let object = compiled(clang, &folder, "gfx906", "-c", &[]);
    let run = |args: [&str; 4]| {
        let args = args.iter().flat_map(|arg| ["--arg", arg]);
        wavediff(&["run", &object, "--grid", "128", "--group", "64"].into_iter().chain(args).collect::<Vec<_>>())
    };
    for (args, words) in [
        ([x, y, "u32:2", "u32:100"], "argument 2 of kernel `saxpy` is float: f32 by value; a u32 does not fit"),
        ([x, y, "f32:2", "f32:100"], "argument 3 of kernel `saxpy` is uint: u32 by value; a f32 does not fit"),
        ([x, y, "f64:2", "u32:100"], "argument 2 of kernel `saxpy` is float: f32 by value; a f64 does not fit"),
        (
            [x, "u64:4096", "f32:2", "u32:100"],
            "argument 1 of kernel `saxpy` is float*: global buffer; a u64 does not fit",
        ),
        ([x, y, x, "u32:100"], "argument 2 of kernel `saxpy` is float: f32 by value; a buffer does not fit"),
    ] {
        let refused = run(args);
        assert_eq!(code(&refused), 2, "{args:?}: {}", out(&refused));
        assert!(err(&refused).contains(words), "{args:?}: {}", err(&refused));
    }
    // Whatever the sign, bits as they are, and the null pointer of nobody's buffer.
    for args in [[x, y, "f32:2", "i32:100"], [x, y, "raw:00000040", "u32:100"], ["u64:0", y, "f32:2", "u32:0"]] {
        let fine = run(args);
        assert_eq!(code(&fine), 0, "{args:?}: {}", err(&fine));
    }
}

/// What a kernel leaves is shown, in the type of the pointer or the one that is asked for.
#[test]
fn results_of_kernels_are_shown() {
    let Some(clang) = clang() else { return };
    let folder = folder("show");
    let [x, y] = arguments(&folder);
    let object = compiled(clang, &folder, "gfx906", "-c", &["-cl-kernel-arg-info"]);
    let args = ["--arg", &x, "--arg", &y, "--arg", "f32:2", "--arg", "u32:100"];
    let launch = |object: &str, show: &str| {
        wavediff(&[&["run", object, "--grid", "128", "--group", "64", "--show", show], &args[..]].concat())
    };
    let run = launch(&object, "y,arg1:u32,v0,s[0:1]");
    assert_eq!(code(&run), 0, "{}", err(&run));
    let text = out(&run);
    let table: Vec<String> = text.lines().map(|line| line.split_whitespace().collect::<Vec<_>>().join(" ")).collect();
    let has = |words: &str| table.iter().any(|line| line.contains(words));
    assert!(has("buffer y [0] 0x00000000 0x40200000") && has("f32 0.0 2.5 5.0 7.5"), "{text}");
    assert!(has("buffer arg1 [0] 0x00000000 0x40200000") && has("u32 0 1075838976"), "{text}");
    assert!(has("v0 (0,0,0) wave 0 lanes") || has("v0 lanes") || has("v0 (0,0,0) wave 0"), "{text}");
    assert!(text.contains("(1,0,0) wave 0"), "the second group is missing: {text}");
    let json = wavediff(
        &[&["run", &object, "--grid", "128", "--group", "64", "--show", "1:f32", "--json"], &args[..]].concat(),
    );
    let value: serde_json::Value = serde_json::from_slice(&json.stdout).expect("JSON");
    assert_eq!(value["observed"][0]["values"][3], "7.5", "{value}");
    for (wrong, words) in
        [("z:f32", "the buffers are arg0, arg1"), ("v0:f64", "wider than the register"), ("v300", "no such register")]
    {
        let refused = launch(&object, wrong);
        assert_eq!(code(&refused), 2, "{wrong}");
        assert!(err(&refused).contains(words), "{wrong}: {}", err(&refused));
    }
}

/// A kernel that was written by hand, so that what its registers hold at the end is known: s[0:1] the address of the arguments, s2 the group, v0 the
/// number of the work-item in the grid.
fn saxpy(folder: &Path) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shaders/memory/saxpy.gfx9.s");
    object(folder, "saxpy", &std::fs::read_to_string(path).expect("a shader"))
}

#[test]
fn registers_are_shown_wave_by_wave() {
    let folder = folder("registers");
    let (object, [x, y]) = (saxpy(&folder), arguments(&folder));
    let launch = ["--grid", "128", "--group", "64", "--arg", &x, "--arg", &y, "--arg", "f32:2", "--arg", "u32:100"];
    let show = |more: &[&str]| {
        let run = wavediff(&[&["run", &object, "--show", "v0,s2,s[0:1]:u64"], &launch[..], more].concat());
        assert_eq!(code(&run), 0, "{}", err(&run));
        out(&run)
    };
    let all: serde_json::Value = serde_json::from_str(&show(&["--json"])).expect("JSON");
    let observed = all["observed"].as_array().expect("a list");
    assert_eq!(observed.len(), 6, "three places of two waves: {all}");
    // Where the launcher puts arguments.
    let arguments = 0x1200_0000_0000u64;
    for group in 0..2u64 {
        let items: Vec<String> = (64 * group..64 * group + 64).map(|item| item.to_string()).collect();
        let places = [("v0", items), ("s2", vec![group.to_string()]), ("s[0:1]", vec![arguments.to_string()])];
        for (place, values) in places {
            let of_group = |one: &&serde_json::Value| one["group"] == serde_json::json!([group, 0, 0]);
            let found = observed.iter().filter(of_group).find(|one| one["place"] == place);
            let found = found.unwrap_or_else(|| panic!("{place} of group {group}: {all}"));
            assert_eq!(found["values"], serde_json::json!(values), "{place} of group {group}");
        }
    }
    let text = show(&[]);
    let table = text.split_whitespace().collect::<Vec<_>>().join(" ");
    for words in [
        "v0 (0,0,0) wave 0 lanes 0-3 0x00000000 0x00000001 0x00000002 0x00000003 u32 0 1 2 3 lanes 4-7",
        "v0 (1,0,0) wave 0 lanes 0-3 0x00000040 0x00000041 0x00000042 0x00000043 u32 64 65 66 67 lanes 4-7",
        "s2 (1,0,0) wave 0 0x00000001 u32 1",
        "s[0:1] (1,0,0) wave 0 0x0000120000000000 u64 19791209299968",
    ] {
        assert!(table.contains(words), "{words}: {text}");
    }
}

/// What the registers of its waves would take, and what those take that run at the same time.
#[test]
fn a_kernel_that_needs_too_much_memory_says_how_much() {
    let folder = folder("memory");
    let (object, [x, y]) = (saxpy(&folder), arguments(&folder));
    let launch = ["--grid", "65536", "--group", "64", "--threads", "2", "--arg", &x, "--arg", &y, "--arg", "f32:2"];
    let launched = |command: &str, more: &[&str]| {
        wavediff(&[&[command, &object], &launch[..], &["--arg", "u32:100"], more].concat())
    };
    let registers = "most of it for the registers of 1024 waves, and may have 1.0 MiB (--memory)";
    for refused in [
        launched("bisect", &["--engines", "emu,emu", "--memory", "1M"]),
        launched("run", &["--show", "v0", "--memory", "1M"]),
    ] {
        assert_eq!(code(&refused), 1, "{}{}", out(&refused), err(&refused));
        let text = err(&refused);
        assert!(text.contains(registers), "{text}");
        let needs = text.split_once("the run needs ").and_then(|(_, rest)| rest.split_once(" MiB of memory"));
        let needs: f64 = needs.and_then(|(mib, _)| mib.parse().ok()).unwrap_or_else(|| panic!("{text}"));
        // A wave has four vector registers and, on this machine, 256 more to accumulate in: each is 64 words.
        assert!((65.0..70.0).contains(&needs), "{text}");
    }
    let little = launched("run", &["--memory", "1K"]);
    assert_eq!(code(&little), 1, "{}{}", out(&little), err(&little));
    let working = "most of it for the waves that run at the same time, and may have 1.0 KiB (--memory)";
    assert!(err(&little).contains(working), "{}", err(&little));
    let enough = launched("run", &["--memory", "1M"]);
    assert_eq!(code(&enough), 0, "{}{}", out(&enough), err(&enough));
}

/// A case says in which type a place is shown, and so does the command line.
#[test]
fn places_are_observed_in_types() {
    let folder = folder("observe");
    let text = "; isa: gfx1100\n; buffer in[8] = f32 ramp(1, 0.5)\n; buffer out[8]\n; s[0:1] = address(out)\n; v0 = 0\n; v2 = 1.5\n\
                ; observe: f16 v2, f32 buffer out, buffer in\nv_mov_b32 v2, 0x3c00\nv_mov_b32 v3, 2.5\nglobal_store_b32 v0, v3, s[0:1]\n";
    let case = file(&folder, "typed.s", text);
    let run = wavediff(&["run", &case]);
    assert_eq!(code(&run), 0, "{}", err(&run));
    // Columns align, whatever else is shown.
    let table = out(&run).split_whitespace().collect::<Vec<_>>().join(" ");
    for words in ["0x3c00 f16 1.0", "f32 2.5 0.0", "f32 1.0 1.5"] {
        assert!(table.contains(words), "{words}: {}", out(&run));
    }
    let other = wavediff(&["run", &case, "--show", "out:u32,v3:f32,v[2:3]:u64"]);
    for words in ["u32 1075838976 0", "f32 2.5", "u64 4620693217682144256"] {
        assert!(out(&other).contains(words), "{words}: {}", out(&other));
    }
    for wrong in ["f64 v2", "f31 v2", "f32"] {
        let case = file(&folder, "wrong.s", &text.replace("f16 v2", wrong));
        assert_eq!(code(&wavediff(&["run", &case])), 1, "{wrong}");
    }
    assert_eq!(code(&wavediff(&["run", &case, "--show", "nothing"])), 2);
}
