package handover

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"emberdb/internal/keep"
)

// Next is the process that takes over, seen by the one that gives.
type Next struct {
	cmd   *exec.Cmd
	conn  *net.UnixConn
	ended chan struct{} // closed when the process has ended
	err   error         // how; behind ended
}

// Limits on silence. A process that keeps them is far from them: they end a wait that nothing else
// would end.
const (
	readyLimit   = time.Minute
	takenLimit   = time.Minute
	servingLimit = 10 * time.Minute // its start may have to recover
)

// Start starts a program and waits until it is ready to take over. It gets this process's output
// and environment. name is what it is to take for its program: see Program. The end of ctx ends the
// wait, and the program.
func Start(ctx context.Context, path, name string, args []string) (*Next, error) {
	pair, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_SEQPACKET|unix.SOCK_CLOEXEC|unix.SOCK_NONBLOCK, 0)
	if err != nil {
		return nil, err
	}
	own, other := os.NewFile(uintptr(pair[0]), "handover"), os.NewFile(uintptr(pair[1]), "handover")
	c, err := net.FileConn(own)
	own.Close()
	if err != nil {
		other.Close()
		return nil, err
	}
	n := &Next{cmd: exec.Command(path, args...), conn: c.(*net.UnixConn), ended: make(chan struct{})}
	n.cmd.Args[0] = name
	n.cmd.Env = append(os.Environ(), variable+"=3", formatVariable+"="+strconv.Itoa(Format))
	n.cmd.ExtraFiles = []*os.File{other}
	n.cmd.Stdout, n.cmd.Stderr = os.Stdout, os.Stderr
	n.cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true} // what ends this process's terminal or session does not end it
	err = n.cmd.Start()
	other.Close() // only the new process has it: its end is seen
	if err != nil {
		n.conn.Close()
		return nil, err
	}
	go func() {
		n.err = n.cmd.Wait()
		_ = n.conn.CloseRead() // a child of the program may have its end of the socket
		close(n.ended)
	}()
	stop := context.AfterFunc(ctx, n.Kill)
	err = n.await("READY", readyLimit)
	stop()
	if ctx.Err() != nil {
		err = context.Cause(ctx)
	}
	if err != nil {
		n.Kill()
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return n, nil
}

// PID is the new process's number.
func (n *Next) PID() int { return n.cmd.Process.Pid }

// await waits for a message of the new process.
func (n *Next) await(want string, limit time.Duration) error {
	_ = n.conn.SetReadDeadline(time.Now().Add(limit))
	text, files, err := keep.Receive(n.conn)
	for _, f := range files {
		f.Close()
	}
	if err == nil && text != want {
		return fmt.Errorf("the new process says %.100q, not %s", text, want)
	}
	if err == nil {
		return nil
	}
	if errors.Is(err, os.ErrDeadlineExceeded) {
		return fmt.Errorf("the new process has not said %s within %v", want, limit)
	}
	n.Kill()
	return fmt.Errorf("the new process has ended before it said %s: %v", want, n.err)
}

// Give hands over, and returns when the new process has all.
func (n *Next) Give(c *Content) error {
	state, files, err := encode(c)
	if err != nil {
		return err
	}
	memory, err := inMemory(state)
	if err != nil {
		return err
	}
	defer memory.Close()
	_ = n.conn.SetWriteDeadline(time.Now().Add(takenLimit))
	if err := keep.Send(n.conn, fmt.Sprintf("STATE %d", len(files)), memory); err != nil {
		return err
	}
	for len(files) > 0 {
		k := min(len(files), keep.MaxFiles)
		if err := keep.Send(n.conn, "FILES", files[:k]...); err != nil {
			return err
		}
		files = files[k:]
	}
	return n.await("TAKEN", takenLimit)
}

// Alive is the error of a new process that has ended.
func (n *Next) Alive() error {
	select {
	case <-n.ended:
		return fmt.Errorf("the new process has ended: %v", n.err)
	default:
		return nil
	}
}

// Serving waits until the new process serves.
func (n *Next) Serving() error { return n.await("SERVING", servingLimit) }

// Kill ends the new process and its children, and returns when it is gone. It leads their process
// group.
func (n *Next) Kill() {
	n.conn.Close()
	_ = syscall.Kill(-n.PID(), syscall.SIGKILL)
	<-n.ended
}

// inMemory makes a file in memory.
func inMemory(b []byte) (*os.File, error) {
	fd, err := unix.MemfdCreate("ember hand-over", unix.MFD_CLOEXEC)
	if err != nil {
		return nil, fmt.Errorf("memfd_create: %w", err)
	}
	f := os.NewFile(uintptr(fd), "memfd:ember hand-over")
	if _, err = f.Write(b); err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}

// trimDeleted is the path of a program whose file was replaced, as the kernel names it.
func trimDeleted(path string) string { return strings.TrimSuffix(path, " (deleted)") }

// Program is the path by which this process was started: a file that has taken the place of the
// program's, or a link that points to another one, is what is started next. It is to be called
// early, in the directory that the process began in.
func Program() (string, error) {
	if path, err := exec.LookPath(os.Args[0]); err == nil {
		if !strings.HasPrefix(path, "/") {
			dir, err := os.Getwd()
			if err != nil {
				return "", err
			}
			path = dir + "/" + path
		}
		return path, nil
	}
	path, err := os.Executable()
	return trimDeleted(path), err
}

// Running is the path of the program that runs, whatever has become of its file.
const Running = "/proc/self/exe"
