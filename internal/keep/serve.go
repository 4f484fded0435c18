package keep

import (
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"
)

// holding is the state of a holder.
type holding struct {
	mu      sync.Mutex
	held    map[string]*os.File
	program program // of the process that watches, or watched last
	end     chan struct{}
	busy    sync.WaitGroup // clients
}

// orphanCheck is how often a holder looks whether its socket can still be found.
const orphanCheck = 30 * time.Second

// Serve holds descriptors until it is told to end, or the socket's file in the directory is gone or
// another one's.
func Serve(listener *os.File, dir string) error {
	l, err := net.FileListener(listener)
	if err != nil {
		return err
	}
	listener.Close()
	ul, ok := l.(*net.UnixListener)
	if !ok {
		l.Close()
		return fmt.Errorf("%s is no unix socket", listener.Name())
	}
	path := filepath.Join(dir, SocketName)
	own, err := os.Lstat(path)
	if err != nil {
		ul.Close()
		return err
	}
	h := &holding{held: map[string]*os.File{}, end: make(chan struct{})}
	go h.watch(path, own)
	go func() {
		<-h.end
		if now, err := os.Lstat(path); err == nil && os.SameFile(own, now) {
			_ = os.Remove(path)
		}
		ul.Close()
	}()
	for {
		c, err := ul.AcceptUnix()
		if errors.Is(err, net.ErrClosed) {
			h.busy.Wait()
			return nil
		}
		if err != nil { // out of descriptors, or the like
			time.Sleep(100 * time.Millisecond)
			continue
		}
		h.busy.Go(func() { h.serve(c) })
	}
}

// watch ends the holder when nobody can find it any more.
func (h *holding) watch(path string, own os.FileInfo) {
	for range time.Tick(orphanCheck) {
		if now, err := os.Lstat(path); errors.Is(err, os.ErrNotExist) || err == nil && !os.SameFile(own, now) {
			h.stop()
			return
		}
	}
}

func (h *holding) stop() {
	h.mu.Lock()
	defer h.mu.Unlock()
	select {
	case <-h.end:
	default:
		close(h.end)
	}
}

// serve answers one client.
func (h *holding) serve(c *net.UnixConn) {
	defer c.Close()
	if sameUser(c) != nil {
		return
	}
	_ = c.SetDeadline(time.Now().Add(answerTime))
	text, files, err := Receive(c)
	if err != nil {
		_ = send(c, "ERROR\n"+err.Error(), nil)
		return
	}
	what, name, _ := strings.Cut(text, "\n")
	answer, f, err := h.do(what, name, files)
	if err != nil {
		answer = "ERROR\n" + err.Error()
	}
	_ = send(c, answer, f)
	switch {
	case err != nil:
	case what == "END":
		h.stop()
	case what == "WATCH":
		h.keepProgram(c)
		_ = c.SetDeadline(time.Time{})
		gone := make(chan struct{})
		go func() {
			var b [1]byte
			_, _ = c.Read(b[:])
			close(gone)
		}()
		select {
		case <-gone:
		case <-h.end:
			_ = send(c, "END", nil)
		}
	}
}

// do carries a request out. It closes the descriptors that it does not keep.
func (h *holding) do(what, name string, files []*os.File) (answer string, f *os.File, err error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	keep := what == "PUT" && len(files) == 1
	if !keep {
		for _, f := range files {
			f.Close()
		}
	}
	switch {
	case what == "NAMES":
		names := []string{"OK"}
		for n := range h.held {
			names = append(names, n)
		}
		slices.Sort(names[1:])
		return strings.Join(names, "\n"), nil, nil
	case what == "WATCH":
		return "OK", nil, nil
	case what == "END": // whoever is answered finds the addresses free
		for _, f := range h.held {
			f.Close()
		}
		clear(h.held)
		return "OK", nil, nil
	}
	if err = checkName(name); err == nil && keep && h.held[name] == nil && len(h.held) == maxHeld {
		err = fmt.Errorf("%d descriptors are held", maxHeld)
	}
	if err != nil {
		if keep {
			files[0].Close()
		}
		return "", nil, err
	}
	switch was := h.held[name]; {
	case keep:
		if was != nil {
			was.Close()
		}
		h.held[name] = files[0]
	case what == "TAKE":
		return "OK", was, nil
	case what == "REMOVE":
		if was != nil {
			was.Close()
		}
		delete(h.held, name)
	default:
		return "", nil, fmt.Errorf("unknown request %q", what)
	}
	return "OK", nil, nil
}
