package clients

import (
	"encoding/binary"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/go-mysql-org/go-mysql/client"
	"github.com/go-mysql-org/go-mysql/mysql"
)

// binaryConn speaks the packets of prepared statements itself, so that it can also send what no
// driver sends.
type binaryConn struct {
	*client.Conn
	socket string
}

// answerLimit is how long the server may take for an answer.
const answerLimit = 5 * time.Minute

func dialBinary(socket string) (*binaryConn, error) {
	c := &binaryConn{socket: socket}
	return c, c.redial()
}

// withoutAttributes keeps the attributes of statements out of COM_QUERY and COM_STMT_EXECUTE.
func withoutAttributes(c *client.Conn) error {
	c.UnsetCapability(mysql.CLIENT_QUERY_ATTRIBUTES)
	return nil
}

// redial opens the connection again after the server has closed it.
func (c *binaryConn) redial() (err error) {
	if c.Conn, err = client.Connect(c.socket, "root", "", "", withoutAttributes); err != nil {
		return err
	}
	for _, q := range []string{"SET NAMES utf8mb4", "SET time_zone = '+00:00'"} {
		if _, err := c.query(q); err != nil {
			return err
		}
	}
	return nil
}

// send writes a command.
func (c *binaryConn) send(command byte, parts ...[]byte) error {
	c.ResetSequence()
	return c.WritePacket(append([]byte{0, 0, 0, 0, command}, slices.Concat(parts...)...))
}

// field is the description of a column.
type field struct {
	typ     byte
	flags   uint16
	charset uint16
}

// shownFlags are the flags that say how a value is to be read.
const shownFlags = mysql.UNSIGNED_FLAG | mysql.ZEROFILL_FLAG | mysql.BINARY_FLAG | mysql.ENUM_FLAG | mysql.SET_FLAG

// String describes the column. Of a computed text, one type is as good as another, and NULL is of
// any.
func (f field) String() string {
	switch f.typ {
	case mysql.MYSQL_TYPE_NULL, mysql.MYSQL_TYPE_VAR_STRING, mysql.MYSQL_TYPE_STRING, mysql.MYSQL_TYPE_BLOB, mysql.MYSQL_TYPE_MEDIUM_BLOB, mysql.MYSQL_TYPE_LONG_BLOB:
		return "text"
	}
	return fmt.Sprintf("type=%d flags=%04x charset=%d", f.typ, f.flags&shownFlags, f.charset)
}

// reply is the answer to a command: an error, an OK packet or rows, which are kept as they came.
type reply struct {
	err      string
	warnings uint16
	fields   []field
	rows     [][]byte
}

// read reads the answer to COM_QUERY or COM_STMT_EXECUTE.
func (c *binaryConn) read() (*reply, error) {
	if err := c.SetReadDeadline(time.Now().Add(answerLimit)); err != nil {
		return nil, err
	}
	p, err := c.ReadPacket()
	if err != nil {
		return nil, err
	}
	switch p[0] {
	case mysql.ERR_HEADER:
		return &reply{err: errorText(p)}, nil
	case mysql.OK_HEADER:
		_, _, n := mysql.LengthEncodedInt(p[1:])
		_, _, m := mysql.LengthEncodedInt(p[1+n:])
		return &reply{warnings: binary.LittleEndian.Uint16(p[1+n+m+2:])}, nil
	}
	count, _, _ := mysql.LengthEncodedInt(p)
	r := &reply{}
	if r.fields, err = c.readFields(int(count)); err != nil {
		return nil, err
	}
	for {
		if p, err = c.ReadPacket(); err != nil {
			return nil, err
		}
		switch {
		case p[0] == mysql.EOF_HEADER && len(p) < 9:
			r.warnings = binary.LittleEndian.Uint16(p[1:])
			return r, nil
		case p[0] == mysql.ERR_HEADER:
			r.err = errorText(p)
			return r, nil
		}
		r.rows = append(r.rows, slices.Clone(p))
	}
}

// readFields reads the descriptions of columns and the packet behind them.
func (c *binaryConn) readFields(n int) (fields []field, err error) {
	if n == 0 {
		return nil, nil
	}
	for range n {
		p, err := c.ReadPacket()
		if err != nil {
			return nil, err
		}
		for range 6 { // catalog, schema, tables and names
			_, _, size, err := mysql.LengthEncodedString(p)
			if err != nil {
				return nil, err
			}
			p = p[size:]
		}
		fields = append(fields, field{charset: binary.LittleEndian.Uint16(p[1:]), typ: p[7], flags: binary.LittleEndian.Uint16(p[8:])})
	}
	_, err = c.ReadPacket()
	return fields, err
}

func errorText(p []byte) string {
	return fmt.Sprintf("error %d %s %s", binary.LittleEndian.Uint16(p[1:]), p[4:9], p[9:])
}

// query runs a statement with the text protocol.
func (c *binaryConn) query(text string) (*reply, error) {
	if err := c.send(mysql.COM_QUERY, []byte(text)); err != nil {
		return nil, err
	}
	return c.read()
}

// stmt is a statement that the server has prepared.
type stmt struct {
	id     uint32
	params int
}

// prepare prepares a statement; an error of the server is a text.
func (c *binaryConn) prepare(text string) (stmt, string, error) {
	if err := c.send(mysql.COM_STMT_PREPARE, []byte(text)); err != nil {
		return stmt{}, "", err
	}
	p, err := c.ReadPacket()
	if err != nil {
		return stmt{}, "", err
	}
	if p[0] == mysql.ERR_HEADER {
		return stmt{}, errorText(p), nil
	}
	s := stmt{id: binary.LittleEndian.Uint32(p[1:]), params: int(binary.LittleEndian.Uint16(p[7:]))}
	columns := int(binary.LittleEndian.Uint16(p[5:]))
	if _, err = c.readFields(s.params); err == nil {
		_, err = c.readFields(columns)
	}
	return s, "", err
}

// param is a parameter of COM_STMT_EXECUTE.
type param struct {
	name  string
	typ   byte
	flag  byte
	null  bool   // in the bitmap
	value []byte // as it is sent
	long  []byte // sent before by COM_STMT_SEND_LONG_DATA; nil: none
}

// head is the part of COM_STMT_EXECUTE that all executions have.
func (s stmt) head() []byte {
	return append(binary.LittleEndian.AppendUint32(nil, s.id), 0, 1, 0, 0, 0)
}

// execute runs a prepared statement with the same parameter at all places.
func (c *binaryConn) execute(s stmt, p *param) (*reply, error) {
	if s.params == 0 {
		if err := c.send(mysql.COM_STMT_EXECUTE, s.head()); err != nil {
			return nil, err
		}
		return c.read()
	}
	nulls, types, values := make([]byte, (s.params+7)/8), []byte{1}, []byte(nil)
	for i := range s.params {
		if p.null {
			nulls[i/8] |= 1 << (i % 8)
		}
		types = append(types, p.typ, p.flag)
		if p.long == nil {
			values = append(values, p.value...)
			continue
		}
		at := binary.LittleEndian.AppendUint16(binary.LittleEndian.AppendUint32(nil, s.id), uint16(i))
		if err := c.send(mysql.COM_STMT_SEND_LONG_DATA, at, p.long); err != nil {
			return nil, err
		}
	}
	if err := c.send(mysql.COM_STMT_EXECUTE, s.head(), nulls, types, values); err != nil {
		return nil, err
	}
	return c.read()
}

// shown is the answer on one line.
func (r *reply) shown() string {
	if r.err != "" && r.fields == nil {
		return r.err
	}
	var b strings.Builder
	if r.fields == nil {
		b.WriteString("ok")
	}
	for _, f := range r.fields {
		b.WriteString(f.String())
	}
	for _, row := range r.rows {
		fmt.Fprintf(&b, " row=%x", row)
	}
	if r.warnings > 0 {
		fmt.Fprintf(&b, " warnings=%d", r.warnings)
	}
	if r.err != "" {
		b.WriteString(" " + r.err)
	}
	return b.String()
}
