package main

import (
	"errors"
	"fmt"
	"hash/fnv"
	"io/fs"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"syscall"

	"golang.org/x/sys/unix"

	"emberdb/engine"
	"emberdb/internal/keep"
	"emberdb/server/options"
)

// Where the buffer pool's memory is when the process has ended: ember_pool_memory.
//
//	off      gone
//	tmpfs    a file in ember_pool_memory_dir, which is on tmpfs
//	hold     held by a process of ours, "ember hold", by descriptor
//	systemd  held by systemd, by descriptor
//
// The last two hold the listeners, too: clients that come between two processes wait.

// poolMemory is engine.PoolMemory and keep.Store.
type poolMemory struct {
	dir string // data directory
	log *slog.Logger

	left *os.File // the pool's memory, from the process that has handed over; nil: the store has it
	pool *os.File // the pool's memory that is used; nil: there is none

	open  func() (keep.Store, error)
	store keep.Store // nil until it is needed first; mu
	err   error      // why there is none
	mu    sync.Mutex
}

const poolName = "ember-pool"

// newPoolMemory reads the settings. nil: memory, or listeners, end with the process. left is the
// pool's memory, if a process has handed it over.
func newPoolMemory(o *options.Settings, log *slog.Logger, left *os.File) (engine.PoolMemory, keep.Store, *poolMemory) {
	dir := o.String("datadir")
	m := &poolMemory{dir: dir, log: log, left: left}
	switch o.String("ember_pool_memory") {
	case "tmpfs":
		return &tmpfsMemory{dir: o.String("ember_pool_memory_dir"), data: dir}, nil, nil
	case "hold":
		m.open = func() (keep.Store, error) { return keep.OpenHolder(dir, m.startHolder, m.holderLost) }
	case "systemd":
		m.open = func() (keep.Store, error) { return keep.NewSystemd() }
	default:
		return nil, nil, nil
	}
	return m, m, m
}

// keeper opens the store when it is wanted first: the data directory is locked by then.
func (m *poolMemory) keeper() (keep.Store, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.store == nil && m.err == nil {
		store, err := m.open()
		if m.err = err; err == nil {
			m.store = store
		}
	}
	return m.store, m.err
}

// Take implements keep.Store.
func (m *poolMemory) Take(name string) (*os.File, error) {
	s, err := m.keeper()
	if err != nil {
		return nil, err
	}
	return s.Take(name)
}

// Put implements keep.Store.
func (m *poolMemory) Put(name string, f *os.File) error {
	s, err := m.keeper()
	if err != nil {
		return err
	}
	return s.Put(name, f)
}

// Remove implements keep.Store.
func (m *poolMemory) Remove(name string) error {
	s, err := m.keeper()
	if err != nil {
		return err
	}
	return s.Remove(name)
}

// Left implements engine.PoolMemory.
func (m *poolMemory) Left() (*os.File, error) {
	f := m.left
	if m.left = nil; f == nil {
		var err error
		if f, err = m.Take(poolName); err != nil || f == nil {
			return nil, err
		}
	}
	return f, m.use(f)
}

// use notes the pool's memory for a hand-over.
func (m *poolMemory) use(f *os.File) error {
	own, err := keep.Duplicate(f)
	if err != nil {
		return err
	}
	if m.pool != nil {
		m.pool.Close()
	}
	m.pool = own
	return nil
}

// New implements engine.PoolMemory.
func (m *poolMemory) New(size int64) (*os.File, error) {
	fd, err := unix.MemfdCreate("ember buffer pool", unix.MFD_CLOEXEC|unix.MFD_ALLOW_SEALING)
	if err != nil {
		return nil, fmt.Errorf("memfd_create: %w", err)
	}
	f := os.NewFile(uintptr(fd), "memfd:ember buffer pool")
	if err = unix.Ftruncate(fd, size); err == nil { // and nobody may cut it: the process would die of that
		_, err = unix.FcntlInt(uintptr(fd), unix.F_ADD_SEALS, unix.F_SEAL_SHRINK|unix.F_SEAL_GROW|unix.F_SEAL_SEAL)
	}
	if err == nil {
		err = m.Put(poolName, f)
	}
	if err == nil {
		err = m.use(f)
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}

// GiveUp implements engine.PoolMemory.
func (m *poolMemory) GiveUp() error {
	if m.pool != nil {
		m.pool.Close()
		m.pool = nil
	}
	return m.Remove(poolName)
}

// Finite implements engine.PoolMemory.
func (m *poolMemory) Finite() bool { return false }

// Directory implements engine.PoolMemory.
func (m *poolMemory) Directory() uint64 { return directoryID(m.dir) }

// startHolder starts "ember hold" on a socket. It belongs to no terminal and no session of this
// process, and outlives it.
func (m *poolMemory) startHolder(listener *os.File) error {
	path, err := toolPath()
	if err != nil {
		return err
	}
	cmd := exec.Command(path, "hold", "--datadir="+m.dir, "--serve")
	cmd.Dir = "/"
	cmd.ExtraFiles = []*os.File{listener}
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	if err := cmd.Start(); err != nil {
		return err
	}
	go func() { _ = cmd.Wait() }() // nobody else would
	return nil
}

// toolPath finds the program ember: beside this one, or where programs are.
func toolPath() (string, error) {
	self, err := os.Executable()
	if err == nil {
		path := filepath.Join(filepath.Dir(self), "ember")
		if _, err := os.Stat(path); err == nil {
			return path, nil
		}
	}
	path, err := exec.LookPath("ember")
	if err != nil {
		return "", fmt.Errorf("the program ember is neither beside emberd nor in PATH: %w", err)
	}
	return path, nil
}

func (m *poolMemory) holderLost(err error) {
	switch {
	case err == nil:
		m.log.Warn("the holder of the buffer pool's memory has ended; another one was started")
	case errors.Is(err, keep.ErrEnded):
		m.log.Warn("the holder of the buffer pool's memory was told to end: the memory ends with this process")
	default:
		m.log.Error("the holder of the buffer pool's memory has ended, and there is no other: the memory ends with this process", "err", err)
	}
}

// tmpfsMemory is engine.PoolMemory on tmpfs.
type tmpfsMemory struct{ dir, data string }

func (m *tmpfsMemory) path() string {
	return filepath.Join(m.dir, fmt.Sprintf("%s-%d-%016x", poolName, os.Geteuid(), m.Directory()))
}

// Left implements engine.PoolMemory.
func (m *tmpfsMemory) Left() (*os.File, error) {
	f, err := os.OpenFile(m.path(), os.O_RDWR|syscall.O_NOFOLLOW, 0)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	if err := m.mayUse(f); err != nil {
		f.Close()
		return nil, fmt.Errorf("%s: %w", m.path(), err)
	}
	return f, nil
}

// mayUse refuses a file that is not ours alone.
func (m *tmpfsMemory) mayUse(f *os.File) error {
	var st unix.Stat_t
	if err := unix.Fstat(int(f.Fd()), &st); err != nil {
		return err
	}
	if st.Mode&unix.S_IFMT != unix.S_IFREG || int(st.Uid) != os.Geteuid() || st.Mode&0o077 != 0 || st.Nlink != 1 {
		return fmt.Errorf("it is not a file of this user alone (owner %d, mode %o)", st.Uid, st.Mode)
	}
	if err := unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB); err != nil {
		return fmt.Errorf("another process uses it: %w", err)
	}
	return nil
}

// New implements engine.PoolMemory.
func (m *tmpfsMemory) New(size int64) (*os.File, error) {
	var st unix.Statfs_t
	if err := unix.Statfs(m.dir, &st); err != nil {
		return nil, fmt.Errorf("ember_pool_memory_dir %s: %w", m.dir, err)
	}
	if st.Type != unix.TMPFS_MAGIC {
		return nil, fmt.Errorf("ember_pool_memory_dir %s is not on tmpfs", m.dir)
	}
	old, err := os.OpenFile(m.path(), os.O_RDWR|syscall.O_NOFOLLOW, 0)
	if err == nil {
		err = m.mayUse(old)
		old.Close()
		if err != nil {
			return nil, fmt.Errorf("%s: %w", m.path(), err)
		}
		err = os.Remove(m.path())
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	f, err := os.OpenFile(m.path(), os.O_RDWR|os.O_CREATE|os.O_EXCL|syscall.O_NOFOLLOW, 0o600)
	if err != nil {
		return nil, err
	}
	if err = m.mayUse(f); err == nil {
		err = f.Truncate(size)
	}
	if err != nil {
		f.Close()
		return nil, errors.Join(err, os.Remove(m.path()))
	}
	return f, nil
}

// GiveUp implements engine.PoolMemory.
func (m *tmpfsMemory) GiveUp() error { return os.Remove(m.path()) }

// Finite implements engine.PoolMemory.
func (m *tmpfsMemory) Finite() bool { return true }

// Directory implements engine.PoolMemory.
func (m *tmpfsMemory) Directory() uint64 { return directoryID(m.data) }

// directoryID tells a directory from all others on this machine, also from a copy that takes its
// place.
func directoryID(dir string) uint64 {
	var st unix.Stat_t
	if unix.Stat(dir, &st) != nil {
		return 0
	}
	h := fnv.New64a()
	fmt.Fprintf(h, "%d %d", st.Dev, st.Ino)
	return h.Sum64()
}

// freeLeft frees the memory that an earlier process has left in another way than this one's: nobody
// will take it over.
func freeLeft(o *options.Settings, log *slog.Logger) {
	dir, how := o.String("datadir"), o.String("ember_pool_memory")
	if how != "hold" {
		if err := keep.EndHolder(dir); err != nil && !errors.Is(err, fs.ErrNotExist) {
			log.Warn("the holder of the last process's memory does not end", "err", err)
		}
	}
	if how != "tmpfs" {
		m := &tmpfsMemory{dir: o.String("ember_pool_memory_dir"), data: dir}
		if f, err := m.Left(); err == nil && f != nil {
			f.Close()
			_ = os.Remove(m.path())
		}
	}
}
