package main

import (
	"bufio"
	"math"
	"os"
	"path"
	"runtime/debug"
	"strconv"
	"strings"

	"emberdb/internal/quota"
	"emberdb/server/options"
)

// heapFloor is the least memory beside the buffer pool: the server needs some to start and to
// answer.
const heapFloor = 256 << 20

// limitHeap bounds Go's heap by ember_heap_memory or by what the buffer pool leaves of the
// machine's memory, and returns the limit. The collector works harder when the heap comes near.
// GOMEMLIMIT in the environment wins.
func limitHeap(o *options.Settings) int64 {
	if os.Getenv("GOMEMLIMIT") != "" {
		return debug.SetMemoryLimit(-1)
	}
	limit := o.Int("ember_heap_memory")
	if limit == 0 {
		limit = leftOf(machineMemory("/"), o.Int("innodb_buffer_pool_size"))
	}
	limit = max(limit, heapFloor)
	debug.SetMemoryLimit(limit)
	return limit
}

// leftOf is the heap's part of what a pool leaves: a fifth is for everything else.
func leftOf(memory, pool int64) int64 { return (memory - min(pool, memory)) / 5 * 4 }

// statementMemory is what all statements may hold together: the collector needs as much again.
func statementMemory(heap int64) *quota.Server { return quota.NewServer(heap / 2) }

// machineMemory is the memory of the machine, or of the control group that the process is in if
// that has less. root is "/" but in tests.
func machineMemory(root string) int64 {
	memory := int64(math.MaxInt64)
	if kib, ok := fieldOf(path.Join(root, "proc/meminfo"), "MemTotal:"); ok {
		memory = kib << 10
	}
	groups, err := os.ReadFile(path.Join(root, "proc/self/cgroup"))
	if err != nil {
		return memory
	}
	for line := range strings.Lines(string(groups)) {
		parts := strings.SplitN(strings.TrimSpace(line), ":", 3)
		switch {
		case len(parts) < 3:
		case parts[0] == "0":
			memory = min(memory, leastLimit(path.Join(root, "sys/fs/cgroup"), parts[2], "memory.max"))
		case strings.Contains(","+parts[1]+",", ",memory,"):
			memory = min(memory, leastLimit(path.Join(root, "sys/fs/cgroup/memory"), parts[2], "memory.limit_in_bytes"))
		}
	}
	return memory
}

// leastLimit is the least limit of a control group and of those around it. A container sees its own
// group at the top.
func leastLimit(base, group, file string) int64 {
	least := int64(math.MaxInt64)
	for {
		if text, err := os.ReadFile(path.Join(base, group, file)); err == nil {
			if n, err := strconv.ParseInt(strings.TrimSpace(string(text)), 10, 64); err == nil { // else "max"
				least = min(least, n)
			}
		}
		if group == "/" || group == "." || group == "" {
			return least
		}
		group = path.Dir(group)
	}
}

// fieldOf reads the number behind a name in a file of lines.
func fieldOf(file, name string) (int64, bool) {
	f, err := os.Open(file)
	if err != nil {
		return 0, false
	}
	defer f.Close()
	for lines := bufio.NewScanner(f); lines.Scan(); {
		if words := strings.Fields(lines.Text()); len(words) > 1 && words[0] == name {
			n, err := strconv.ParseInt(words[1], 10, 64)
			return n, err == nil
		}
	}
	return 0, false
}
