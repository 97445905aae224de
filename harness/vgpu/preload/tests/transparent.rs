//! A program that the library is preloaded into behaves as without, but finds the devices; and so
//! do its children.

use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

/// The library, which cargo builds beside this program or a folder above.
fn library() -> PathBuf {
    let program = std::env::current_exe().expect("this program has a path");
    let found =
        program.ancestors().skip(1).take(2).map(|folder| folder.join("libwavediff_preload.so")).find(|p| p.exists());
    found.expect("the library is built with its tests")
}

fn run(program: &str, arguments: &[&str], chips: Option<&str>) -> Option<Output> {
    let mut command = Command::new(program);
    command.args(arguments).stdin(Stdio::null()).env_remove("LD_PRELOAD").env_remove("WAVEDIFF_VGPU_CHIPS");
    if let Some(chips) = chips {
        command.env("LD_PRELOAD", library()).env("WAVEDIFF_VGPU_CHIPS", chips);
    }
    match command.output() {
        Ok(output) => Some(output),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            println!("skipped: there is no {program}");
            None
        }
        Err(error) => panic!("{program}: {error}"),
    }
}

/// The same text and the same status, without the library, with it but no devices, and with it and
/// devices.
fn same(program: &str, arguments: &[&str]) {
    let Some(plain) = run(program, arguments, None) else { return };
    for chips in ["", "navi31,polaris10"] {
        let Some(with) = run(program, arguments, Some(chips)) else { return };
        assert_eq!(plain.status, with.status, "{program} {arguments:?} with `{chips}`");
        assert_eq!(String::from_utf8_lossy(&plain.stdout), String::from_utf8_lossy(&with.stdout));
        assert_eq!(String::from_utf8_lossy(&plain.stderr), String::from_utf8_lossy(&with.stderr));
    }
}

/// What a Python program with a device prints. Nothing where there is no Python.
fn python(program: &str, expected: &str) {
    let Some(output) = run("python3", &["-c", program], Some("navi31,tahiti")) else { return };
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
    assert_eq!(String::from_utf8_lossy(&output.stdout).trim(), expected);
    assert!(output.status.success());
}

#[test]
fn shells_are_as_they_are() {
    let script = r#"umask 022; t=$(mktemp -d); echo a > $t/x; exec 5< $t/x 6>&1; read line <&5; echo $line >&6; exec 5<&-
        stat -c '%a %F' $t/x; (cd $t && ls -a); cat $t/none 2>/dev/null || echo no; (exit 3); echo $?; rm -r $t
        echo abc | sed s/b/x/ | tr c d; cat /proc/self/fd/77 2>/dev/null || echo none; tty || true"#;
    same("sh", &["-c", script]);
    same("bash", &["-c", script]);
}

#[test]
fn scripts_are_as_they_are() {
    let script = r#"
import errno, fcntl, mmap, os, subprocess, sys, tempfile, threading
def fails(f, *a):
    try: f(*a); return 'no error'
    except OSError as e: return errno.errorcode[e.errno]
print(fails(os.open, '/nowhere/file', 0), fails(os.close, 987), fails(os.dup, 987), fails(os.fstat, 987))
print(fails(os.readlink, '/proc'), fails(os.listdir, '/nowhere'), fails(fcntl.ioctl, 0, 0x5401, b' ' * 64))
with tempfile.TemporaryFile() as f:
    f.write(b'x' * 8192); f.flush()
    m = mmap.mmap(f.fileno(), 8192, offset=0); m[5] = 65; print(m[4:7])
    d = fcntl.fcntl(f.fileno(), fcntl.F_DUPFD_CLOEXEC, 50); print(d >= 50, fcntl.fcntl(d, fcntl.F_GETFD)); os.close(d)
    os.dup2(f.fileno(), 60); print(os.fstat(60).st_size); os.closerange(60, 61); print(fails(os.fstat, 60))
threads = [threading.Thread(target=lambda: [os.close(os.open('/dev/null', 0)) for _ in range(200)]) for _ in range(4)]
[t.start() for t in threads]; [t.join() for t in threads]
pid = os.fork()
if pid == 0: os._exit(7)
print(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
print(subprocess.run(['sh', '-c', 'echo child; exit 4'], capture_output=True, text=True))
print(os.path.realpath('/proc/self/../../etc/.'), os.stat('/etc').st_mode, sorted(os.listdir('/')) == sorted(e.name for e in os.scandir('/')))
"#;
    same("python3", &["-c", script]);
    same("git", &["--version"]);
    same("git", &["-C", env!("CARGO_MANIFEST_DIR"), "status", "--short", "--", "Cargo.toml"]);
    same("cargo", &["--version"]);
}

#[test]
fn devices_are_found() {
    let list = "import os; print(sorted(os.listdir('/dev/dri')), os.path.exists('/dev/dri/card0'), ";
    let stat =
        "oct(os.stat('/dev/dri/renderD129').st_mode), os.stat('/dev/dri/renderD129').st_rdev == os.makedev(226, 129), ";
    let text = "open('/sys/dev/char/226:129/device/device').read().strip(), os.readlink('/sys/dev/char/226:128/device/subsystem'))";
    python(&[list, stat, text].concat(), "['renderD128', 'renderD129'] False 0o20666 True 0x6798 /sys/bus/pci");
}

#[test]
fn descriptors_are_known_by_all_their_names() {
    let script = r#"
import fcntl, os, struct
version = lambda fd: struct.unpack_from('iii', fcntl.ioctl(fd, 0xc0406400, bytes(64)))[0]
def gone(fd):
    try: version(fd); return False
    except OSError: return True
a = os.open('/dev/dri/renderD128', os.O_RDWR)
b, c = os.dup(a), fcntl.fcntl(a, fcntl.F_DUPFD_CLOEXEC, 100)
d = os.dup2(a, 90); os.close(a)
print([version(fd) for fd in (b, c, d)], os.fstat(b).st_rdev == os.makedev(226, 128), gone(a))
os.dup2(os.open('/dev/null', 0), d); os.closerange(c, c + 1)
print(gone(d), gone(c), version(b))
"#;
    python(script, "[3, 3, 3] True True\nTrue True 3");
}

#[test]
fn children_leave_the_devices_of_their_parents_alone() {
    let script = r#"
import fcntl, os, struct, subprocess, sys, threading
version = lambda fd: struct.unpack_from('iii', fcntl.ioctl(fd, 0xc0406400, bytes(64)))[0]
fd = os.open('/dev/dri/renderD128', os.O_RDWR)
stop = threading.Event()
def busy():
    while not stop.is_set(): os.close(os.open('/dev/dri/renderD129', os.O_RDWR)); version(fd)
threads = [threading.Thread(target=busy) for _ in range(2)]
[t.start() for t in threads]
for n in range(20):
    pid = os.fork()
    if pid == 0:
        os.close(fd)
        new = os.open('/dev/dri/renderD129', os.O_RDWR)
        os._exit(version(new))
    assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 3
    subprocess.run(['true'], close_fds=True, check=True)
    child = "import os; print(sorted(os.listdir('/dev/dri')))"
    if n < 3: print(subprocess.run([sys.executable, '-c', child], capture_output=True, text=True).stdout.strip())
stop.set(); [t.join() for t in threads]
print(version(fd))
"#;
    let devices = "['renderD128', 'renderD129']";
    python(script, &format!("{devices}\n{devices}\n{devices}\n3"));
}

#[test]
fn a_pointer_that_leads_nowhere_is_an_error() {
    let script = r#"
import ctypes, errno, os
c = ctypes.CDLL(None, use_errno=True)
fd = os.open('/dev/dri/renderD128', os.O_RDWR)
for request in (0xc0406400, 0xc0206440, 0x40206445, 0xc0186444, 0xc02864c3):
    print(c.ioctl(fd, ctypes.c_ulong(request), ctypes.c_void_p(16)), errno.errorcode[ctypes.get_errno()])
"#;
    python(script, &["-1 EFAULT"; 5].join("\n"));
}
