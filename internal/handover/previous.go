package handover

import (
	"fmt"
	"io"
	"net"
	"os"
	"strconv"
	"time"

	"golang.org/x/sys/unix"

	"emberdb/internal/keep"
)

// Previous is the process that gives, seen by the one that takes over.
type Previous struct{ conn *net.UnixConn }

// FromEnvironment returns the process that has started this one to take over; nil: there is none.
func FromEnvironment() (*Previous, error) {
	text, ok := os.LookupEnv(variable)
	if !ok {
		return nil, nil
	}
	format, told := os.LookupEnv(formatVariable)
	_, _ = os.Unsetenv(variable), os.Unsetenv(formatVariable)
	if told && format != strconv.Itoa(Format) {
		return nil, fmt.Errorf("the state of the previous process has format %.20s, this program reads %d", format, Format)
	}
	fd, err := strconv.Atoi(text)
	if err != nil || fd < 3 {
		return nil, fmt.Errorf("%s=%.20q is no descriptor", variable, text)
	}
	unix.CloseOnExec(fd)
	f := os.NewFile(uintptr(fd), "handover")
	defer f.Close()
	c, err := net.FileConn(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", variable, err)
	}
	u, ok := c.(*net.UnixConn)
	if !ok {
		c.Close()
		return nil, fmt.Errorf("%s is no unix socket", variable)
	}
	return &Previous{conn: u}, nil
}

// Receive says that this process is ready, and returns what it is given. It may wait long: until
// the clients of the previous process are where they can be taken over.
func (p *Previous) Receive() (*Content, error) {
	if err := keep.Send(p.conn, "READY"); err != nil {
		return nil, p.gone(err)
	}
	_ = p.conn.SetReadDeadline(time.Time{})
	text, first, err := keep.Receive(p.conn)
	if err != nil {
		return nil, p.gone(err)
	}
	defer closeAll(first)
	n := 0
	if _, err := fmt.Sscanf(text, "STATE %d", &n); err != nil || len(first) != 1 || n < 0 || n > maxFiles {
		return nil, fmt.Errorf("the previous process says %.100q with %d descriptors", text, len(first))
	}
	w, err := decode(io.NewSectionReader(first[0], 0, headSize+maxState+1))
	if err != nil {
		return nil, err
	}
	files, err := p.receiveFiles(n)
	if err == nil && len(w.Names) != n {
		err = fmt.Errorf("the state names %d descriptors, and %d came", len(w.Names), n)
	}
	if err == nil {
		err = keep.Send(p.conn, "TAKEN")
	}
	if err != nil {
		closeAll(files)
		return nil, err
	}
	c := &Content{State: w.State, Files: make(map[string]*os.File, n)}
	for i, name := range w.Names {
		c.Files[name] = files[i]
	}
	return c, nil
}

func (p *Previous) receiveFiles(n int) (files []*os.File, err error) {
	for len(files) < n {
		text, more, err := keep.Receive(p.conn)
		files = append(files, more...)
		if err != nil {
			return files, p.gone(err)
		}
		if text != "FILES" || len(more) == 0 || len(files) > n {
			return files, fmt.Errorf("the previous process says %.100q with %d descriptors", text, len(more))
		}
	}
	return files, nil
}

// Serving says that this process serves, and that the previous one may end. That one may be gone
// already.
func (p *Previous) Serving() {
	_ = keep.Send(p.conn, "SERVING")
	p.conn.Close()
}

func (p *Previous) gone(err error) error {
	return fmt.Errorf("the previous process has ended, or has given up: %w", err)
}

func closeAll(files []*os.File) {
	for _, f := range files {
		f.Close()
	}
}
