package handover

import (
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"
	"time"

	"emberdb/internal/keep"
)

// A server listens on a socket of messages in its data directory. Its own user, and root, may ask
// it to hand over:
//
//	RESTART \n program      "" is the program that it was started as
//
// It answers when that is done, or has failed: "OK \n text", or "ERROR \n text".

// SocketName is the socket's name in the data directory.
const SocketName = "ember.restart"

const (
	askLimit = 10 * time.Second // for the request itself
	maxPath  = 4096
)

// Control listens for requests.
type Control struct {
	l    *net.UnixListener
	path string
}

// ErrUnderWay refuses a request that comes while another one is carried out.
var ErrUnderWay = errors.New("another restart is under way")

// Listen makes the socket. hand serves one request: its text, or its error, is the answer. Several
// requests may come at a time.
func Listen(dir string, hand func(program string) (string, error)) (*Control, error) {
	l, err := keep.Listen(dir, SocketName)
	if err != nil {
		return nil, err
	}
	c := &Control{l: l, path: filepath.Join(dir, SocketName)}
	go c.serve(hand)
	return c, nil
}

// Close ends it, and removes the socket.
func (c *Control) Close() {
	if c != nil {
		c.l.Close()
		_ = os.Remove(c.path)
	}
}

// Leave ends it in a process that has handed over. The socket's file is the next one's.
func (c *Control) Leave() {
	if c != nil {
		c.l.Close()
	}
}

func (c *Control) serve(hand func(program string) (string, error)) {
	for {
		conn, err := c.l.AcceptUnix()
		if errors.Is(err, net.ErrClosed) {
			return
		}
		if err != nil { // out of descriptors, or the like
			time.Sleep(100 * time.Millisecond)
			continue
		}
		go func() {
			defer conn.Close()
			answer(conn, hand)
		}()
	}
}

func answer(conn *net.UnixConn, hand func(program string) (string, error)) {
	program, err := readRequest(conn)
	text := ""
	if err == nil {
		text, err = hand(program)
	}
	if err != nil {
		text = "ERROR\n" + err.Error()
	} else {
		text = "OK\n" + text
	}
	_ = conn.SetWriteDeadline(time.Now().Add(askLimit))
	_ = keep.Send(conn, text[:min(len(text), maxPath)])
}

func readRequest(conn *net.UnixConn) (program string, err error) {
	uid, err := keep.PeerUser(conn)
	if err != nil {
		return "", err
	}
	if uid != 0 && uid != os.Geteuid() {
		return "", fmt.Errorf("user %d may not restart a server of user %d", uid, os.Geteuid())
	}
	_ = conn.SetReadDeadline(time.Now().Add(askLimit))
	text, files, err := keep.Receive(conn)
	if err != nil {
		return "", err
	}
	closeAll(files)
	program, ok := strings.CutPrefix(text, "RESTART\n")
	if !ok || len(program) > maxPath || program != "" && program[0] != '/' || strings.ContainsRune(program, 0) {
		return "", fmt.Errorf("not a request: %.100q", text)
	}
	return program, nil
}

// Ask asks the server of a data directory to hand over to a program, and waits for its answer.
func Ask(dir, program string) (string, error) {
	conn, err := keep.Dial(dir, SocketName)
	if err != nil {
		return "", fmt.Errorf("no server is to be reached in %s: %w", dir, err)
	}
	defer conn.Close()
	if err := keep.Send(conn, "RESTART\n"+program); err != nil {
		return "", err
	}
	text, _, err := keep.Receive(conn)
	if err != nil {
		return "", fmt.Errorf("the server has ended without an answer: %w", err)
	}
	if text, ok := strings.CutPrefix(text, "OK\n"); ok {
		return text, nil
	}
	return "", errors.New(strings.TrimPrefix(text, "ERROR\n"))
}
