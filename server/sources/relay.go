package sources

import (
	"io"
	"net"
	"os"

	"golang.org/x/sys/unix"
)

// TlsRelay passes the bytes of a client over TLS on to the process in which the connection goes on.
// The keys of the connection stay where they are: this process decrypts and encrypts, the other one
// has one end of a pair of sockets. It is an ordinary connection there, so that one more hand-over
// moves it as such and makes no chain of relays. The process ends with its last relay.
type TlsRelay struct{ near *net.UnixConn }

// NewRelay makes the pair of sockets.
func NewRelay() (r *TlsRelay, far *os.File, err error) {
	pair, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_STREAM|unix.SOCK_CLOEXEC|unix.SOCK_NONBLOCK, 0)
	if err != nil {
		return nil, nil, err
	}
	own := os.NewFile(uintptr(pair[0]), "relay")
	defer own.Close()
	far = os.NewFile(uintptr(pair[1]), "relay")
	c, err := net.FileConn(own)
	if err != nil {
		far.Close()
		return nil, nil, err
	}
	return &TlsRelay{near: c.(*net.UnixConn)}, far, nil
}

func (r *TlsRelay) Close() {
	if r != nil {
		r.near.Close()
	}
}

// Run passes bytes on until the server has closed the connection, or the client has and the server
// has seen it.
func (r *TlsRelay) Run(client net.Conn) {
	go func() {
		copyBytes(r.near, client)
		_ = r.near.CloseWrite()
	}()
	copyBytes(client, r.near)
	client.Close()
	r.near.Close()
}

// copyBytes copies until from ends or to fails.
func copyBytes(to io.Writer, from io.Reader) {
	_, _ = io.Copy(struct{ io.Writer }{to}, struct{ io.Reader }{from}) // no splice: sockets of another kind
}
