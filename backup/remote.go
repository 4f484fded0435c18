package backup

import (
	"context"
	"errors"
	"net"
	"time"
)

// What stores over a network share.

// errBroken says that a connection ended inside an answer.
var errBroken = errors.New("the connection to the backup store broke")

const (
	attempts    = 5           // of a request
	stall       = time.Minute // without a byte in either direction, after which a connection counts as broken
	dialTimeout = 20 * time.Second
)

// again calls fn until it does not fail with errBroken, a few times, with growing pauses.
func again(ctx context.Context, fn func() error) error {
	for n, wait := 1, firstWait; ; n, wait = n+1, min(4*wait, longestWait) {
		err := fn()
		if !errors.Is(err, errBroken) || n == attempts {
			return err
		}
		select {
		case <-time.After(wait):
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// stallConn is a connection that breaks when nothing moves on it.
type stallConn struct{ net.Conn }

func dialPatiently(ctx context.Context, network, addr string) (net.Conn, error) {
	c, err := (&net.Dialer{Timeout: dialTimeout, KeepAlive: 15 * time.Second}).DialContext(ctx, network, addr)
	if err != nil {
		return nil, err
	}
	return stallConn{c}, nil
}

// Read implements net.Conn.
func (c stallConn) Read(p []byte) (int, error) {
	if err := c.SetDeadline(time.Now().Add(stall)); err != nil {
		return 0, err
	}
	return c.Conn.Read(p)
}

// Write implements net.Conn. It puts off the deadline of a Read that waits for the answer.
func (c stallConn) Write(p []byte) (int, error) {
	if err := c.SetDeadline(time.Now().Add(stall)); err != nil {
		return 0, err
	}
	return c.Conn.Write(p)
}
