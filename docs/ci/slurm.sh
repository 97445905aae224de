#!/usr/bin/env bash
# A campaign as a Slurm array, and a job behind it that puts the parts together. On a login node, in the project's folder:
#
#     RESULTS=/scratch/me/campaign docs/ci/slurm.sh submit 32
#
# A task that is started again, after preemption or by hand, goes on where its journal ends.
#SBATCH --job-name=wavediff
#SBATCH --cpus-per-task=8
#SBATCH --time=02:00:00
#SBATCH --requeue
#SBATCH --open-mode=append
set -euo pipefail

export RESULTS=${RESULTS:-$PWD/results}
export PATH="$PWD/target/release:$PATH"

case ${1:-} in
submit)
    shards=${2:-8}
    mkdir -p "$RESULTS"
    array=$(sbatch --parsable --array="0-$((shards - 1))" --output="$RESULTS/part-%a.log" "$0" part)
    # The report is made whatever became of the parts.
    sbatch --dependency="afterany:${array%%;*}" --cpus-per-task=1 --output="$RESULTS/report.log" "$0" report
    ;;
part)
    number=$((SLURM_ARRAY_TASK_ID - SLURM_ARRAY_TASK_MIN + 1))
    journal=$RESULTS/part-$number.jsonl
    XDG_RUNTIME_DIR=$(mktemp -d)
    export XDG_RUNTIME_DIR
    shard=$number/$SLURM_ARRAY_TASK_COUNT
    if [ -s "$journal" ]; then
        wavediff conform --all --require vulkan --shard "$shard" --jobs "${SLURM_CPUS_PER_TASK:-1}" --resume "$journal"
    else
        wavediff conform --all --require vulkan --shard "$shard" --jobs "${SLURM_CPUS_PER_TASK:-1}" --jsonl "$journal"
    fi
    ;;
report)
    status=0
    wavediff report merge --expect golden/expect "$RESULTS"/part-*.jsonl -o "$RESULTS/run.jsonl" || status=$?
    wavediff report html "$RESULTS/run.jsonl" -o "$RESULTS/run.html"
    wavediff report junit "$RESULTS/run.jsonl" -o "$RESULTS/run.xml"
    wavediff report show "$RESULTS/run.jsonl"
    exit $status
    ;;
*)
    echo "usage: $0 submit [SHARDS]" >&2
    exit 2
    ;;
esac
