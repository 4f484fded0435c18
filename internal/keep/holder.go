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
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// The holder of a data directory listens on the socket SocketName in it, of type SOCK_SEQPACKET.
// Both sides see to it that the other runs as the same user. A client sends one request and gets
// one answer, each a message of up to maxMessage bytes:
//
//	PUT \n name        with one descriptor: hold it under the name
//	REMOVE \n name     let go of it
//	TAKE \n name       the answer comes with the descriptor, if there is one
//	NAMES              the answer lists the names
//	WATCH              the connection stays open as long as the holder lives; if it is told to end, it sends "END"
//	END                let go of all, and end
//
// The answer is "OK", or "OK \n name \n name ...", or "ERROR \n text".

// SocketName is the socket's name in the data directory.
const SocketName = "ember.hold"

const (
	maxMessage = 32 << 10
	answerTime = 10 * time.Second
)

// ErrEnded says that the holder was told to end.
var ErrEnded = errors.New("the holder was told to end")

// Holder is the store that the holder of a directory is.
type Holder struct {
	dir   string
	start func(listener *os.File) error

	mu      sync.Mutex
	held    map[string]*os.File // what this process has put: a new holder gets it, too
	lost    func(err error)
	retired bool
}

// OpenHolder connects to the holder of a directory, and starts one if there is none: start is given
// the socket that the holder shall serve. lost is told when the holder has ended and what this
// process had put is held by another one, or, with an error, by none.
func OpenHolder(dir string, start func(listener *os.File) error, lost func(err error)) (*Holder, error) {
	h := &Holder{dir: dir, start: start, held: map[string]*os.File{}, lost: lost}
	if err := h.connect(); err != nil {
		return nil, err
	}
	return h, nil
}

// connect finds or starts a holder and watches it.
func (h *Holder) connect() error {
	c, err := dial(h.dir)
	if noHolder(err) {
		if err = h.launch(); err == nil {
			c, err = dial(h.dir)
		}
	}
	if err != nil {
		return err
	}
	if _, _, err := request(c, "WATCH", nil); err != nil {
		c.Close()
		return err
	}
	_ = c.SetDeadline(time.Time{})
	go h.watchOver(c)
	return nil
}

// Retire makes this process stop seeing to the holder: another process does.
func (h *Holder) Retire() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.retired = true
	for _, f := range h.held {
		f.Close()
	}
	h.held = map[string]*os.File{}
}

// watchOver waits for the holder's end, and then sees to another one.
func (h *Holder) watchOver(c *net.UnixConn) {
	text, _, err := Receive(c)
	c.Close()
	h.mu.Lock()
	retired := h.retired
	h.mu.Unlock()
	if retired {
		return
	}
	if err == nil && text == "END" { // somebody wants the memory back
		h.lost(ErrEnded)
		return
	}
	if err = h.connect(); err == nil {
		h.mu.Lock()
		for name, f := range h.held {
			err = errors.Join(err, h.send("PUT\n"+name, f))
		}
		h.mu.Unlock()
	}
	h.lost(err)
}

// launch makes the socket and starts a holder on it.
func (h *Holder) launch() error {
	l, err := Listen(h.dir, SocketName)
	if err != nil {
		return err
	}
	defer l.Close()
	f, err := l.File()
	if err != nil {
		return err
	}
	defer f.Close()
	if err := h.start(f); err != nil {
		_ = os.Remove(filepath.Join(h.dir, SocketName))
		return fmt.Errorf("starting a holder: %w", err)
	}
	return nil
}

// Take implements Store.
func (h *Holder) Take(name string) (*os.File, error) {
	if err := checkName(name); err != nil {
		return nil, err
	}
	_, f, err := h.ask("TAKE\n"+name, nil)
	return f, err
}

// Put implements Store.
func (h *Holder) Put(name string, f *os.File) error {
	if err := checkName(name); err != nil {
		return err
	}
	own, err := Duplicate(f)
	if err != nil {
		return err
	}
	if err := h.send("PUT\n"+name, own); err != nil {
		own.Close()
		return err
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if was := h.held[name]; was != nil {
		was.Close()
	}
	h.held[name] = own
	return nil
}

// Remove implements Store.
func (h *Holder) Remove(name string) error {
	if err := checkName(name); err != nil {
		return err
	}
	h.mu.Lock()
	if was := h.held[name]; was != nil {
		was.Close()
		delete(h.held, name)
	}
	h.mu.Unlock()
	if err := h.send("REMOVE\n"+name, nil); !noHolder(err) {
		return err
	}
	return nil
}

// Names are those of the descriptors that are held.
func (h *Holder) Names() ([]string, error) {
	names, _, err := h.ask("NAMES", nil)
	slices.Sort(names)
	return names, err
}

func (h *Holder) send(what string, f *os.File) error {
	_, _, err := h.ask(what, f)
	return err
}

func (h *Holder) ask(what string, f *os.File) (answer []string, got *os.File, err error) {
	c, err := dial(h.dir)
	if err != nil {
		return nil, nil, fmt.Errorf("holder of %s: %w", h.dir, err)
	}
	defer c.Close()
	return request(c, what, f)
}

// EndHolder ends the holder of a directory, if there is one.
func EndHolder(dir string) error {
	c, err := dial(dir)
	if noHolder(err) {
		return nil
	}
	if err != nil {
		return err
	}
	defer c.Close()
	_, _, err = request(c, "END", nil)
	return err
}

// HolderNames lists what the holder of a directory holds; ok is false if there is no holder.
func HolderNames(dir string) (names []string, ok bool, err error) {
	h := &Holder{dir: dir}
	names, err = h.Names()
	if noHolder(err) {
		return nil, false, nil
	}
	return names, err == nil, err
}

// noHolder tells an error of dial that says that there is no holder.
func noHolder(err error) bool {
	return errors.Is(err, syscall.ECONNREFUSED) || errors.Is(err, os.ErrNotExist)
}

// socketPath is the path of a directory's socket, short enough for the system however long the
// directory's is.
func socketPath(dir, name string) (open *os.File, path string, err error) {
	if open, err = os.Open(dir); err != nil {
		return nil, "", err
	}
	return open, filepath.Join(fmt.Sprintf("/proc/self/fd/%d", open.Fd()), name), nil
}

func dial(dir string) (*net.UnixConn, error) {
	c, err := Dial(dir, SocketName)
	if err != nil {
		return nil, err
	}
	if err := sameUser(c); err != nil {
		c.Close()
		return nil, err
	}
	return c, nil
}

// Dial connects to a socket of messages in a directory.
func Dial(dir, name string) (*net.UnixConn, error) {
	open, path, err := socketPath(dir, name)
	if err != nil {
		return nil, err
	}
	defer open.Close()
	return net.DialUnix("unixpacket", nil, &net.UnixAddr{Name: path, Net: "unixpacket"})
}

// Listen makes a socket of messages in a directory, in the place of one that a dead process has
// left. Its file stays when it is closed.
func Listen(dir, name string) (*net.UnixListener, error) {
	open, path, err := socketPath(dir, name)
	if err != nil {
		return nil, err
	}
	defer open.Close()
	if err := os.Remove(path); err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, err
	}
	l, err := net.ListenUnix("unixpacket", &net.UnixAddr{Name: path, Net: "unixpacket"})
	if err != nil {
		return nil, err
	}
	l.SetUnlinkOnClose(false)
	if err := os.Chmod(path, 0o600); err != nil {
		l.Close()
		return nil, err
	}
	return l, nil
}

// sameUser refuses a peer that runs as another user.
func sameUser(c *net.UnixConn) error {
	uid, err := PeerUser(c)
	if err == nil && uid != os.Geteuid() {
		err = fmt.Errorf("the other side of %s runs as user %d, this process as %d", SocketName, uid, os.Geteuid())
	}
	return err
}

// PeerUser is the user whom the other side runs as.
func PeerUser(c *net.UnixConn) (int, error) {
	cred, err := peer(c)
	if err != nil {
		return 0, err
	}
	return int(cred.Uid), nil
}

// peer tells who the other side is.
func peer(c *net.UnixConn) (cred *unix.Ucred, err error) {
	raw, err := c.SyscallConn()
	if err != nil {
		return nil, err
	}
	if cerr := raw.Control(func(fd uintptr) { cred, err = unix.GetsockoptUcred(int(fd), unix.SOL_SOCKET, unix.SO_PEERCRED) }); cerr != nil {
		return nil, cerr
	}
	return cred, err
}

// request sends a message and reads the answer.
func request(c *net.UnixConn, what string, f *os.File) (answer []string, got *os.File, err error) {
	_ = c.SetDeadline(time.Now().Add(answerTime))
	if err := send(c, what, f); err != nil {
		return nil, nil, err
	}
	text, files, err := Receive(c)
	if err != nil {
		return nil, nil, fmt.Errorf("answer of the holder: %w", err)
	}
	lines := strings.Split(text, "\n")
	if lines[0] != "OK" || len(files) > 1 {
		for _, f := range files {
			f.Close()
		}
		return nil, nil, fmt.Errorf("the holder refuses: %s", strings.Join(lines[1:], " "))
	}
	if len(files) == 1 {
		got = files[0]
	}
	return lines[1:], got, nil
}

// Receive reads one message and the descriptors that came with it.
func Receive(c *net.UnixConn) (text string, files []*os.File, err error) {
	b, rights := make([]byte, maxMessage+1), make([]byte, unix.CmsgSpace(4*MaxFiles))
	n, oobn, flags, _, err := c.ReadMsgUnix(b, rights)
	if err != nil {
		return "", nil, err
	}
	messages, perr := unix.ParseSocketControlMessage(rights[:oobn])
	for _, m := range messages {
		fds, ferr := unix.ParseUnixRights(&m)
		perr = errors.Join(perr, ferr)
		for _, fd := range fds {
			files = append(files, os.NewFile(uintptr(fd), "kept"))
		}
	}
	if perr == nil && (flags&(unix.MSG_TRUNC|unix.MSG_CTRUNC) != 0 || n > maxMessage) {
		perr = errors.New("the message is too long")
	}
	if perr != nil {
		for _, f := range files {
			f.Close()
		}
		return "", nil, perr
	}
	return string(b[:n]), files, nil
}
