package main

import (
	"os"
	"path/filepath"
	"runtime/debug"
	"runtime/metrics"
	"testing"

	"github.com/stretchr/testify/require"
)

// The least of the machine's memory and of the limits of all control groups around the process
// counts.
func TestMachineMemory(t *testing.T) {
	const gib = 1 << 30
	for _, c := range []struct {
		name  string
		files map[string]string
		want  int64
	}{
		{"no groups", map[string]string{"proc/meminfo": "MemFree: 1 kB\nMemTotal:  8388608 kB\n"}, 8 * gib},
		{"second version, no limit", map[string]string{"proc/meminfo": "MemTotal: 8388608 kB\n", "proc/self/cgroup": "0::/a/b\n", "sys/fs/cgroup/a/b/memory.max": "max\n"}, 8 * gib},
		{"limit of the group around", map[string]string{"proc/meminfo": "MemTotal: 8388608 kB\n", "proc/self/cgroup": "0::/a/b\n",
			"sys/fs/cgroup/a/b/memory.max": "max\n", "sys/fs/cgroup/a/memory.max": "2147483648\n"}, 2 * gib},
		{"in a container", map[string]string{"proc/meminfo": "MemTotal: 8388608 kB\n", "proc/self/cgroup": "0::/\n", "sys/fs/cgroup/memory.max": "1073741824\n"}, gib},
		{"first version", map[string]string{"proc/meminfo": "MemTotal: 8388608 kB\n", "proc/self/cgroup": "5:cpu,cpuacct:/x\n4:memory:/x/y\n",
			"sys/fs/cgroup/memory/x/y/memory.limit_in_bytes": "1073741824\n", "sys/fs/cgroup/memory/memory.limit_in_bytes": "9223372036854771712\n"}, gib},
	} {
		t.Run(c.name, func(t *testing.T) {
			root := t.TempDir()
			for name, text := range c.files {
				file := filepath.Join(root, name)
				require.NoError(t, os.MkdirAll(filepath.Dir(file), 0o755))
				require.NoError(t, os.WriteFile(file, []byte(text), 0o644))
			}
			require.Equal(t, c.want, machineMemory(root))
		})
	}
	require.EqualValues(t, 4*gib, leftOf(6*gib, gib))
	require.Zero(t, leftOf(gib, 2*gib))
}

// A small heap may grow by leastGrowth, a large one by gcPercent.
func TestHeapGrowth(t *testing.T) {
	require.Equal(t, 100*leastGrowth/leastHeap, percentOf(0))
	require.Equal(t, 200, percentOf(leastGrowth/2))
	require.Equal(t, gcPercent, percentOf(4*leastGrowth))
	p := &pace{live: []metrics.Sample{{Name: "/gc/heap/live:bytes"}}}
	before := debug.SetGCPercent(gcPercent)
	defer debug.SetGCPercent(before)
	p.set()
	require.Equal(t, p.percent, debug.SetGCPercent(p.percent))
	require.Equal(t, metrics.KindUint64, p.live[0].Value.Kind(), "the runtime knows the metric")
}
