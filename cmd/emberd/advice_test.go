package main

import (
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"emberdb/internal/base"
)

func TestAdvice(t *testing.T) {
	dir := t.TempDir()
	for _, denied := range []error{&fs.PathError{Op: "open", Path: dir, Err: syscall.EACCES}, fmt.Errorf("datadir %s: %w", dir, syscall.EACCES)} {
		require.Contains(t, advice(denied), fmt.Sprintf("runs as user %d", os.Geteuid()))
	}
	require.Empty(t, advice(&net.OpError{Op: "listen", Err: os.NewSyscallError("bind", syscall.EACCES)}), "a port is no file")
	require.Contains(t, advice(fmt.Errorf("initialising: %w", base.ErrDiskFull)), "free some room")
	require.Contains(t, advice(&fs.PathError{Op: "open", Path: dir, Err: syscall.ENOSPC}), "free some room")
	require.Contains(t, advice(&fs.PathError{Op: "open", Path: dir, Err: syscall.EROFS}), "writable")
	require.Empty(t, advice(errors.New("listen tcp: address already in use")))
}

// A data directory that is a file, or lies below one, is told in one line with the path.
func TestDatadirIsNoDirectory(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	require.NoError(t, os.WriteFile(file, nil, 0o600))
	for _, dir := range []string{file, file + "/below"} {
		require.Contains(t, fails(t, "--datadir="+dir, "--socket="+file+".sock", "--port=0"), file)
	}
}
