package warm

import (
	"bytes"
	"runtime"
	"strconv"
	"time"

	"golang.org/x/sys/unix"

	"emberdb/internal/vfs"
)

// What the processors do, for the governor.

// clockTick is the unit of /proc/stat: a hundredth of a second on every architecture Linux has
// today.
const clockTick = 10 * time.Millisecond

// processTime is the processor time this process has used.
func processTime() time.Duration { return usage(unix.RUSAGE_SELF) }

// threadTime is the processor time the calling thread has used.
func threadTime() time.Duration { return usage(unix.RUSAGE_THREAD) }

func usage(who int) time.Duration {
	var u unix.Rusage
	if unix.Getrusage(who, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// idleness is what the machine's processors have left.
type idleness struct {
	stat  vfs.File // /proc/stat; nil: the system has none
	began time.Time
}

func newIdleness() *idleness {
	i := &idleness{began: time.Now()}
	if f, err := vfs.NewOS(nil).Open("/proc/stat", vfs.Options{ReadOnly: true}); err == nil {
		i.stat = f
	}
	return i
}

func (i *idleness) close() {
	if i.stat != nil {
		_ = i.stat.Close() // it was only read
	}
}

// time is how long the processors had nothing to do, or could do nothing but wait for devices,
// since some moment; the sum of all. Those of a system that does not tell count as idle all the
// time.
func (i *idleness) time() time.Duration {
	if i.stat != nil {
		var b [256]byte // the first line is that of all processors: "cpu", then user, nice, system, idle, iowait
		if n, err := i.stat.ReadAt(b[:], 0); err == nil || n > 0 {
			return idleOf(b[:n])
		}
	}
	return time.Since(i.began) * time.Duration(runtime.NumCPU())
}

// idleOf reads idle and iowait from the first line of /proc/stat.
func idleOf(stat []byte) time.Duration {
	line, _, _ := bytes.Cut(stat, []byte("\n"))
	ticks := int64(0)
	for i, field := range bytes.Fields(line) {
		if i == 4 || i == 5 {
			n, _ := strconv.ParseInt(string(field), 10, 64)
			ticks += n
		}
	}
	return time.Duration(ticks) * clockTick
}
