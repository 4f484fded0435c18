package main

import (
	"fmt"
	"net"
	"os"
	"runtime"
	"strconv"
	"strings"
	"time"
)

// notify tells systemd (Type=notify) something. Outside of systemd it does nothing.
func notify(state string) error {
	path := os.Getenv("NOTIFY_SOCKET")
	if path == "" {
		return nil
	}
	if path[0] == '@' {
		path = "\x00" + path[1:]
	}
	c, err := net.DialUnix("unixgram", nil, &net.UnixAddr{Name: path, Net: "unixgram"})
	if err != nil {
		return err
	}
	defer c.Close()
	_, err = c.Write([]byte(state))
	return err
}

const (
	patience     = 60 * time.Second // what a phase that goes on asks for
	patienceStep = 10 * time.Second
)

// keepPatient has the service manager wait as long as a phase goes on: a server that recovers, or
// writes its pages, must not be killed for taking long. phase says what it does; first is sent at
// once. The returned function ends it.
func keepPatient(first string, phase func() string) (end func()) {
	began, quit, done := time.Now(), make(chan struct{}), make(chan struct{})
	tell := func(first string) {
		_ = notify(fmt.Sprintf("%sEXTEND_TIMEOUT_USEC=%d\nSTATUS=%s, for %.0f s", first, patience.Microseconds(), phase(), time.Since(began).Seconds()))
	}
	tell(first)
	go func() {
		defer close(done)
		t := time.NewTicker(patienceStep)
		defer t.Stop()
		for {
			select {
			case <-t.C:
				tell("")
			case <-quit:
				return
			}
		}
	}()
	return func() {
		close(quit)
		<-done
	}
}

// feedWatchdog tells systemd twice in each WatchdogSec that the process lives; it ends with the
// process. Without a watchdog it does nothing.
func feedWatchdog() {
	micros, err := strconv.ParseInt(os.Getenv("WATCHDOG_USEC"), 10, 64)
	if err != nil || micros <= 0 {
		return
	}
	go func() {
		for range time.Tick(time.Duration(micros) * time.Microsecond / 2) {
			_ = notify("WATCHDOG=1")
		}
	}()
}

func platform() string { return runtime.GOOS + " on " + runtime.GOARCH }

// processStart is when the kernel started this process; it comes before main by the runtime's own
// start. Where that cannot be known it is now.
func processStart() time.Time {
	now := time.Now()
	stat, err1 := os.ReadFile("/proc/self/stat")
	uptime, err2 := os.ReadFile("/proc/uptime")
	_, rest, ok := strings.Cut(string(stat), ") ") // the name before it may hold blanks
	fields := strings.Fields(rest)
	if err1 != nil || err2 != nil || !ok || len(fields) < 20 {
		return now
	}
	const ticks = 100 // a second, on every architecture Go runs on
	started, err1 := strconv.ParseFloat(fields[19], 64)
	up, _, _ := strings.Cut(string(uptime), " ")
	boot, err2 := strconv.ParseFloat(up, 64)
	age := time.Duration((boot - started/ticks) * float64(time.Second))
	if err1 != nil || err2 != nil || age < 0 || age > time.Minute {
		return now
	}
	return now.Add(-age)
}
