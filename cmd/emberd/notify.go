package main

import (
	"net"
	"os"
	"runtime"
	"strconv"
	"strings"
	"time"
)

// notifyReady tells systemd (Type=notify) that clients are served. Outside of systemd it does nothing.
func notifyReady() error {
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
	_, err = c.Write([]byte("READY=1"))
	return err
}

func platform() string { return runtime.GOOS + " on " + runtime.GOARCH }

// processStart is when the kernel started this process; it comes before main by the runtime's own start. Where that cannot be known it is now.
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
