package main

import (
	"net"
	"os"
	"runtime"
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
