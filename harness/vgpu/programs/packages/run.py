#!/usr/bin/env python3
"""Vulkan programs from package registries, each in an environment of its own, under a command.

    run.py FOLDER [SCRIPT...] [-- COMMAND...]

FOLDER keeps the environments. COMMAND stands before each program: `wavediff gpu --chip navi31 --`; without it the programs run on
the machine's own device. Each script computes something, checks it against Python or NumPy, and prints `right`.
"""

import pathlib
import shutil
import subprocess
import sys
import venv

# Script: packages, pinned.
PROGRAMS = {
    "wgpu_sum": ["wgpu==0.32.0"],
    "taichi_kernels": ["taichi==1.7.4", "numpy==2.4.6"],
    "ncnn_network": ["ncnn==1.0.20261020", "numpy==2.4.6"],
    "slangpy_module": ["slangpy==0.43.1", "numpy==2.4.6"],
    "iree_module": ["iree-base-compiler==3.13.0", "iree-base-runtime==3.13.0", "numpy==2.4.6"],
    "vulkan_binding": ["vulkan==1.3.275.1"],
    "onnxruntime_network": ["onnxruntime-webgpu==1.27.0", "onnx==1.23.2", "numpy==2.4.6"],
    "hephaistos_program": ["hephaistos==0.15.0", "numpy==2.4.6"],
    "vkdispatch_fourier": ["vkdispatch==0.1.0", "numpy==2.4.6"],
    "numba_kernels": ["numba-vulkan==0.1.0", "numba==0.68.1", "numpy==2.4.6"],
    "computeml_tensors": ["computeml==0.4.4", "numpy==2.4.6"],
    # From npm; Node.js must be there.
    "node_webgpu": ["webgpu@0.6.2"],
}

# Seconds for one program.
LIMIT = 300


def environment(folder: pathlib.Path, packages: list[str]) -> tuple[pathlib.Path | str, pathlib.Path]:
    """The interpreter of an environment with the packages, and where its programs have to lie."""
    here, stamp, wanted = pathlib.Path(__file__).parent, folder / "installed", "\n".join(packages)
    npm = all("@" in package for package in packages)
    if not stamp.exists() or stamp.read_text() != wanted:
        if npm:
            folder.mkdir(parents=True, exist_ok=True)
            subprocess.run(["npm", "install", "--silent", "--prefix", folder, *packages], check=True)
        else:
            venv.create(folder, with_pip=True, clear=True)
            pip = [folder / "bin/python", "-m", "pip", "install", "--quiet", "--only-binary", ":all:"]
            subprocess.run([*pip, *packages], check=True)
        stamp.write_text(wanted)
    return ("node", folder) if npm else (folder / "bin/python", here)


def main(arguments: list[str]) -> int:
    command = []
    if "--" in arguments:
        at = arguments.index("--")
        arguments, command = arguments[:at], arguments[at + 1 :]
    if not arguments or any(name not in PROGRAMS for name in arguments[1:]):
        print(__doc__, file=sys.stderr)
        return 2
    folder, failed = pathlib.Path(arguments[0]).absolute(), 0
    for name in arguments[1:] or PROGRAMS:
        interpreter, where = environment(folder / name, PROGRAMS[name])
        script = pathlib.Path(__file__).with_name(name).with_suffix(".mjs" if interpreter == "node" else ".py")
        if where != script.parent:
            # Node.js looks for packages beside the program.
            script = pathlib.Path(shutil.copy(script, where))
        try:
            done = subprocess.run([*command, interpreter, script], capture_output=True, text=True, timeout=LIMIT)
            right, said = done.returncode == 0 and done.stdout.rstrip().endswith("right"), done.stdout + done.stderr
        except subprocess.TimeoutExpired:
            right, said = False, f"longer than {LIMIT} s"
        print(f"{name}: {'right' if right else 'WRONG'}", flush=True)
        if not right:
            failed += 1
            print(said, flush=True)
    return 1 if failed else 0


sys.exit(main(sys.argv[1:]))
