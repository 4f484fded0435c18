package accounts

import (
	"bytes"
	"fmt"

	"github.com/go-mysql-org/go-mysql/client"
	"github.com/go-mysql-org/go-mysql/mysql"
)

// change makes a session one of another account with COM_CHANGE_USER, which the client library
// lacks. A session whose account the server refuses is over.
func (r *runner) change(name, user, password string) string {
	c := r.sessions[name]
	if c == nil {
		return "no session"
	}
	answer, err := changeUser(c, user, password)
	if err != nil {
		r.close(name)
		return "lost"
	}
	if answer != "changed" {
		r.close(name)
	}
	return answer
}

func changeUser(c *client.Conn, user, password string) (string, error) {
	const utf8mb4 = 45
	packet := append([]byte{0x11}, user...)
	packet = append(packet, 0, 0, 0, utf8mb4, 0)
	packet = append(packet, mysql.AUTH_NATIVE_PASSWORD...) // the server asks for another, with a challenge
	c.ResetSequence()
	packet = append(packet, 0, 0) // and no attributes
	if err := send(c, packet); err != nil {
		return "", err
	}
	for {
		p, err := c.ReadPacket()
		if err != nil {
			return "", err
		}
		var answer []byte
		switch p[0] {
		case mysql.OK_HEADER:
			return "changed", nil
		case mysql.ERR_HEADER:
			return fmt.Sprintf("error %d %s %s", uint16(p[1])|uint16(p[2])<<8, p[4:9], p[9:]), nil
		case mysql.EOF_HEADER: // another method, or another challenge
			_, challenge, _ := bytes.Cut(p[1:], []byte{0})
			answer = mysql.CalcCachingSha2Password(bytes.TrimRight(challenge, "\x00"), password)
		case mysql.MORE_DATE_HEADER:
			if p[1] == mysql.CACHE_SHA2_FAST_AUTH {
				continue
			}
			answer = append([]byte(password), 0) // the socket is safe
		}
		if err := send(c, answer); err != nil {
			return "", err
		}
	}
}

// send writes a packet, before which the library wants room for its header.
func send(c *client.Conn, payload []byte) error {
	return c.WritePacket(append(make([]byte, 4, 4+len(payload)), payload...))
}
