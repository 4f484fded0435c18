package main

import (
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"syscall"

	"emberdb/internal/base"
)

// advice says what helps against an error of the file system at the start; "" if there is nothing
// to say.
func advice(err error) string {
	var network *net.OpError
	switch {
	case errors.Is(err, base.ErrDiskFull), errors.Is(err, syscall.ENOSPC):
		return "; free some room there and start again"
	case errors.Is(err, syscall.EROFS):
		return "; mount that file system writable, or start with another --datadir"
	case errors.Is(err, fs.ErrPermission) && !errors.As(err, &network):
		return fmt.Sprintf("; the server runs as user %d: start it as the owner of that path, or chown -R its --datadir to this user", os.Geteuid())
	}
	return ""
}
