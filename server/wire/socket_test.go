package wire

import (
	"bytes"
	"io"
	"net"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// sockets gives both ends of a connection, the first one as the server has it.
func sockets(t *testing.T, network string) (server, client net.Conn) {
	addr := "127.0.0.1:0"
	if network == "unix" {
		addr = filepath.Join(t.TempDir(), "s")
	}
	l, err := net.Listen(network, addr)
	require.NoError(t, err)
	defer l.Close()
	client, err = net.Dial(network, l.Addr().String())
	require.NoError(t, err)
	c, err := l.Accept()
	require.NoError(t, err)
	server = NewSocket(c)
	require.IsType(t, &socket{}, server)
	t.Cleanup(func() { client.Close(); server.Close() })
	return server, client
}

func eachNetwork(t *testing.T, f func(t *testing.T, server, client net.Conn)) {
	for _, network := range []string{"tcp", "unix"} {
		t.Run(network, func(t *testing.T) {
			server, client := sockets(t, network)
			f(t, server, client)
		})
	}
}

// More than the kernel holds goes both ways at once, and then the end of the stream comes.
func TestSocketGivesTheStream(t *testing.T) {
	eachNetwork(t, func(t *testing.T, server, client net.Conn) {
		sent := make([]byte, 32<<20)
		for i := range sent {
			sent[i] = byte(i >> 10 * i)
		}
		echoed := make(chan error, 1)
		go func() {
			_, err := io.CopyBuffer(struct{ io.Writer }{server}, struct{ io.Reader }{server}, make([]byte, 3<<20))
			echoed <- err
		}()
		go func() {
			client.Write(sent)
			client.(interface{ CloseWrite() error }).CloseWrite()
		}()
		got := make([]byte, len(sent))
		_, err := io.ReadFull(client, got)
		require.NoError(t, err)
		require.True(t, bytes.Equal(sent, got))
		require.NoError(t, <-echoed)
	})
}

// Close ends a Read and a Write that wait.
func TestSocketCloseEndsWaits(t *testing.T) {
	eachNetwork(t, func(t *testing.T, server, _ net.Conn) {
		ends := make(chan error, 2)
		go func() {
			_, err := server.Read(make([]byte, 1))
			ends <- err
		}()
		go func() {
			_, err := server.Write(make([]byte, 64<<20))
			ends <- err
		}()
		time.Sleep(20 * time.Millisecond) // most of the time they wait by now
		require.NoError(t, server.Close())
		require.ErrorIs(t, <-ends, net.ErrClosed)
		require.ErrorIs(t, <-ends, net.ErrClosed)
		_, err := server.Read(make([]byte, 1))
		require.ErrorIs(t, err, net.ErrClosed)
	})
}

func TestSocketDeadlines(t *testing.T) {
	eachNetwork(t, func(t *testing.T, server, client net.Conn) {
		require.NoError(t, server.SetDeadline(time.Now().Add(time.Millisecond)))
		_, err := server.Read(make([]byte, 1))
		require.ErrorIs(t, err, os.ErrDeadlineExceeded)
		n, err := server.Write(make([]byte, 64<<20))
		require.ErrorIs(t, err, os.ErrDeadlineExceeded)
		require.Less(t, n, 64<<20)

		require.NoError(t, server.SetDeadline(time.Time{}))
		_, err = client.Write([]byte("x"))
		require.NoError(t, err)
		n, err = server.Read(make([]byte, 10))
		require.NoError(t, err)
		require.Equal(t, 1, n)
	})
}

// A client that is gone is an error to write to.
func TestSocketPeerGone(t *testing.T) {
	eachNetwork(t, func(t *testing.T, server, client net.Conn) {
		require.NoError(t, client.Close())
		var err error
		for err == nil {
			_, err = server.Write(make([]byte, 1000))
		}
		require.NotErrorIs(t, err, net.ErrClosed)
		var call *os.SyscallError
		require.ErrorAs(t, err, &call)
	})
}
