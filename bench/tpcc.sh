#!/usr/bin/env bash
# Loads and runs the TPC-C-like workload on a fresh server, then checks the consistency conditions.
# WAREHOUSES, THREADS, DURATION, POOL and PORT change the run.
set -euo pipefail
cd "$(dirname "$0")/.."

warehouses=${WAREHOUSES:-10} threads=${THREADS:-8} secs=${DURATION:-60} pool=${POOL:-1G} port=${PORT:-3399}
dir=$(mktemp -d)
bin/emberd --datadir="$dir/data" --port="$port" --socket="$dir/s.sock" --innodb-buffer-pool-size="$pool" >"$dir/log" 2>&1 &
pid=$!
stop() {
	kill "$pid" 2>/dev/null || true
	wait "$pid" 2>/dev/null || true
	rm -rf "$dir"
}
trap stop EXIT

tpcc=(bin/ember bench tpcc)
for _ in $(seq 1 100); do
	[ -S "$dir/s.sock" ] && break
	sleep 0.1
done
"${tpcc[@]}" load --socket "$dir/s.sock" --warehouses "$warehouses" --threads "$threads"
"${tpcc[@]}" run --socket "$dir/s.sock" --threads "$threads" --seconds "$secs" --warmup 5 --protocol prepared --report-interval 10
"${tpcc[@]}" check --socket "$dir/s.sock"
