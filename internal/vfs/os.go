package vfs

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"sync/atomic"

	"golang.org/x/sys/unix"

	"emberdb/internal/base"
)

// MaxOpen is how many files and connections the process may have open at a time. Who keeps many
// open takes a third of that at most, so that there is always one for a checkpoint: without it the
// engine could not go on.
func MaxOpen() int {
	const endless = 1 << 30
	var l unix.Rlimit
	if err := unix.Getrlimit(unix.RLIMIT_NOFILE, &l); err != nil || l.Cur > endless {
		return endless
	}
	return int(l.Cur)
}

// maxVec is the kernel's limit of buffers in one vectored call (IOV_MAX).
const maxVec = 1024

// osFS is the real file system. Files are bare descriptors: their calls block a thread, as file I/O
// does anyway, and cost no more than the system call.
type osFS struct {
	log        *slog.Logger
	notedCache atomic.Bool // the note that direct I/O is refused was logged
}

// NewOS returns the real file system. Notes go to log; nil means slog.Default().
func NewOS(log *slog.Logger) FS {
	if log == nil {
		log = slog.Default()
	}
	return &osFS{log: log}
}

func (f *osFS) Open(name string, o Options) (File, error) {
	if o.Temporary {
		return openTemporary(name)
	}
	flags := unix.O_CLOEXEC
	if o.ReadOnly {
		flags |= unix.O_RDONLY
	} else {
		flags |= unix.O_RDWR
	}
	if o.Create {
		flags |= unix.O_CREAT
		if o.Exclusive {
			flags |= unix.O_EXCL
		}
	}
	if o.Truncate {
		flags |= unix.O_TRUNC
	}
	perm := o.Perm
	if perm == 0 {
		perm = DefaultPerm
	}
	fd, direct := -1, false
	var err error
	if o.Direct {
		fd, err = openRetry(name, flags|unix.O_DIRECT, perm)
		direct = err == nil
		if err == unix.EINVAL {
			if f.notedCache.CompareAndSwap(false, true) {
				f.log.Info("file system refuses direct I/O; using the page cache", "file", name)
			}
			// The refusing kernel may have created the file already.
			flags &^= unix.O_EXCL
		}
	}
	if !o.Direct || err == unix.EINVAL {
		fd, err = openRetry(name, flags, perm)
	}
	if err != nil {
		return nil, wrap("open", name, err)
	}
	return &osFile{fd: fd, name: name, direct: direct}, nil
}

// openTemporary opens a file without a name. Where the file system has no such files, the name is
// removed before anything is written.
func openTemporary(dir string) (File, error) {
	fd, err := openRetry(dir, unix.O_TMPFILE|unix.O_RDWR|unix.O_CLOEXEC, 0o600)
	switch err {
	case nil:
		return &osFile{fd: fd, name: dir}, nil
	case unix.EOPNOTSUPP, unix.EISDIR, unix.EINVAL:
	default:
		return nil, wrap("open", dir, err)
	}
	named, err := os.CreateTemp(dir, "ember-")
	if err != nil {
		return nil, wrap("open", dir, err)
	}
	defer named.Close()
	if err = os.Remove(named.Name()); err != nil {
		return nil, wrap("remove", named.Name(), err)
	}
	if fd, err = unix.FcntlInt(named.Fd(), unix.F_DUPFD_CLOEXEC, 0); err != nil {
		return nil, wrap("open", dir, err)
	}
	return &osFile{fd: fd, name: dir}, nil
}

func openRetry(name string, flags int, perm fs.FileMode) (int, error) {
	for {
		fd, err := unix.Open(name, flags, uint32(perm.Perm()))
		if err != unix.EINTR {
			return fd, err
		}
	}
}

func (f *osFS) Remove(name string) error { return wrap("remove", name, os.Remove(name)) }
func (f *osFS) Rename(oldname, newname string) error {
	return wrap("rename", oldname, os.Rename(oldname, newname))
}

func (f *osFS) MkdirAll(dir string) error {
	dir = filepath.Clean(dir)
	if info, err := os.Stat(dir); err == nil {
		if !info.IsDir() {
			return wrap("mkdir", dir, unix.ENOTDIR)
		}
		return nil
	}
	parent := filepath.Dir(dir)
	if parent != dir {
		if err := f.MkdirAll(parent); err != nil {
			return err
		}
	}
	if err := os.Mkdir(dir, 0o750); err != nil && !errors.Is(err, fs.ErrExist) {
		return wrap("mkdir", dir, err)
	}
	return f.SyncDir(parent)
}

func (f *osFS) List(dir string) ([]string, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, wrap("list", dir, err)
	}
	names := make([]string, len(entries))
	for i, e := range entries {
		names[i] = e.Name()
	}
	return names, nil
}

func (f *osFS) Stat(name string) (FileInfo, error) {
	info, err := os.Stat(name)
	if err != nil {
		return FileInfo{}, wrap("stat", name, err)
	}
	return FileInfo{Name: info.Name(), Size: info.Size(), Dir: info.IsDir()}, nil
}

func (f *osFS) SyncDir(dir string) error {
	fd, err := openRetry(dir, unix.O_RDONLY|unix.O_DIRECTORY|unix.O_CLOEXEC, 0)
	if err != nil {
		return wrap("open", dir, err)
	}
	defer unix.Close(fd)
	return wrap("fsync", dir, retry(func() error { return unix.Fsync(fd) }))
}

// Lock implements FS. Besides the file it locks its folder: a file that somebody removes does not
// let a second process in. File systems over a network that cannot lock folders lock the file only.
func (f *osFS) Lock(name string) (io.Closer, error) {
	file, err := flock(name, unix.O_RDWR|unix.O_CREAT)
	if err != nil {
		return nil, err
	}
	folder, err := flock(filepath.Dir(name), unix.O_RDONLY|unix.O_DIRECTORY)
	switch {
	case err == nil:
		return closers{folder, file}, nil
	case errors.Is(err, unix.EBADF) || errors.Is(err, unix.EINVAL) || errors.Is(err, unix.ENOLCK) || errors.Is(err, unix.ENOTSUP):
		return file, nil
	}
	return nil, errors.Join(err, file.Close())
}

// flock opens a file or folder and locks it.
func flock(name string, flags int) (io.Closer, error) {
	fd, err := openRetry(name, flags|unix.O_CLOEXEC, DefaultPerm)
	if err != nil {
		return nil, wrap("open", name, err)
	}
	err = retry(func() error { return unix.Flock(fd, unix.LOCK_EX|unix.LOCK_NB) })
	if err == nil {
		return &osFile{fd: fd, name: name}, nil
	}
	unix.Close(fd)
	if err == unix.EWOULDBLOCK {
		return nil, fmt.Errorf("lock %s: %w", name, base.ErrInUse)
	}
	return nil, wrap("lock", name, err)
}

// closers are closed together.
type closers []io.Closer

func (c closers) Close() (err error) {
	for _, x := range c {
		err = errors.Join(err, x.Close())
	}
	return err
}

func (f *osFS) FreeBytes(dir string) (int64, error) {
	var st unix.Statfs_t
	if err := retry(func() error { return unix.Statfs(dir, &st) }); err != nil {
		return 0, wrap("statfs", dir, err)
	}
	return int64(st.Bavail) * int64(st.Bsize), nil
}

// osFile is a descriptor and the path it was opened by.
type osFile struct {
	fd     int
	name   string
	direct bool
}

func (f *osFile) Name() string { return f.name }

func (f *osFile) ReadAt(p []byte, off int64) (int, error) {
	if f.direct && !Aligned(p) {
		return f.readCopied([][]byte{p}, off)
	}
	done := 0
	for done < len(p) {
		n, err := unix.Pread(f.fd, p[done:], off+int64(done))
		if err == unix.EINTR {
			continue
		}
		if err != nil {
			return done, wrap("read", f.name, err)
		}
		if n == 0 {
			return done, io.EOF
		}
		done += n
	}
	return done, nil
}

func (f *osFile) WriteAt(p []byte, off int64) (int, error) {
	if f.direct && !Aligned(p) {
		return f.writeCopied([][]byte{p}, off)
	}
	done := 0
	for done < len(p) {
		n, err := unix.Pwrite(f.fd, p[done:], off+int64(done))
		if err == unix.EINTR {
			continue
		}
		if err == nil && n == 0 {
			err = io.ErrShortWrite
		}
		if err != nil {
			return done, wrap("write", f.name, err)
		}
		done += n
	}
	return done, nil
}

func (f *osFile) ReadVAt(bufs [][]byte, off int64) (int, error) {
	if f.direct && !allAligned(bufs) {
		return f.readCopied(bufs, off)
	}
	n, err := vectored(bufs, off, func(vec [][]byte, off int64) (int, error) { return unix.Preadv(f.fd, vec, off) })
	if err == io.ErrNoProgress {
		return n, io.EOF
	}
	return n, wrap("read", f.name, err)
}

func (f *osFile) WriteVAt(bufs [][]byte, off int64) (int, error) {
	if f.direct && !allAligned(bufs) {
		return f.writeCopied(bufs, off)
	}
	n, err := vectored(bufs, off, func(vec [][]byte, off int64) (int, error) { return unix.Pwritev(f.fd, vec, off) })
	if err == io.ErrNoProgress {
		err = io.ErrShortWrite
	}
	return n, wrap("write", f.name, err)
}

// vectored runs call until all of bufs went through it, resuming after short counts. A call that
// moves nothing gives io.ErrNoProgress.
func vectored(bufs [][]byte, off int64, call func([][]byte, int64) (int, error)) (int, error) {
	total, done := totalLen(bufs), 0
	vec := bufs
	owned := false // vec is a copy whose elements may be cut
	for done < total {
		n, err := call(vec[:min(len(vec), maxVec)], off+int64(done))
		if err == unix.EINTR {
			continue
		}
		if err != nil {
			return done, err
		}
		if n == 0 {
			return done, io.ErrNoProgress
		}
		done += n
		for len(vec) > 0 && n >= len(vec[0]) {
			n -= len(vec[0])
			vec = vec[1:]
		}
		if n > 0 {
			if !owned {
				vec, owned = append([][]byte(nil), vec...), true
			}
			vec[0] = vec[0][n:]
		}
	}
	return done, nil
}

func (f *osFile) readCopied(bufs [][]byte, off int64) (int, error) {
	block := AlignedBlock(totalLen(bufs))
	n, err := f.ReadAt(block, off)
	rest := block[:n]
	for _, b := range bufs {
		rest = rest[copy(b, rest):]
	}
	return n, err
}

func (f *osFile) writeCopied(bufs [][]byte, off int64) (int, error) {
	block := AlignedBlock(totalLen(bufs))
	rest := block
	for _, b := range bufs {
		rest = rest[copy(rest, b):]
	}
	return f.WriteAt(block, off)
}

func allAligned(bufs [][]byte) bool {
	for _, b := range bufs {
		if !Aligned(b) {
			return false
		}
	}
	return true
}

func (f *osFile) Sync() error {
	return wrap("fdatasync", f.name, retry(func() error { return unix.Fdatasync(f.fd) }))
}

func (f *osFile) SyncAll() error {
	return wrap("fsync", f.name, retry(func() error { return unix.Fsync(f.fd) }))
}

func (f *osFile) Allocate(off, n int64) error {
	err := retry(func() error { return unix.Fallocate(f.fd, 0, off, n) })
	if err == unix.EOPNOTSUPP {
		// Without fallocate the space is only promised, not reserved.
		var size int64
		if size, err = f.Size(); err == nil && size < off+n {
			return f.Truncate(off + n)
		}
	}
	return wrap("fallocate", f.name, err)
}

func (f *osFile) PunchHole(off, n int64) error {
	const mode = unix.FALLOC_FL_PUNCH_HOLE | unix.FALLOC_FL_KEEP_SIZE
	return wrap("punch hole", f.name, retry(func() error { return unix.Fallocate(f.fd, mode, off, n) }))
}

func (f *osFile) Truncate(size int64) error {
	return wrap("truncate", f.name, retry(func() error { return unix.Ftruncate(f.fd, size) }))
}

func (f *osFile) Size() (int64, error) {
	var st unix.Stat_t
	if err := retry(func() error { return unix.Fstat(f.fd, &st) }); err != nil {
		return 0, wrap("stat", f.name, err)
	}
	return st.Size, nil
}

// Close gives the descriptor back. It is not retried: after EINTR the descriptor is gone all the
// same.
func (f *osFile) Close() error {
	fd := f.fd
	f.fd = -1
	if err := unix.Close(fd); err != nil && err != unix.EINTR {
		return wrap("close", f.name, err)
	}
	return nil
}

func retry(call func() error) error {
	for {
		if err := call(); err != unix.EINTR {
			return err
		}
	}
}

// wrap names operation and file, and gives a full disk the name the rest of the server knows it by.
func wrap(op, name string, err error) error {
	if err == nil {
		return nil
	}
	var pe *fs.PathError
	if errors.As(err, &pe) {
		err = pe.Err
	}
	var le *os.LinkError
	if errors.As(err, &le) {
		err = le.Err
	}
	switch {
	case errors.Is(err, unix.ENOSPC):
		err = base.ErrDiskFull // its text is the system's
	case errors.Is(err, unix.EDQUOT):
		return fmt.Errorf("%s %s: %w (%w)", op, name, base.ErrDiskFull, err)
	}
	return fmt.Errorf("%s %s: %w", op, name, err)
}
