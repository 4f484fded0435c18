package clients

import (
	"encoding/binary"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/go-mysql-org/go-mysql/mysql"
	"github.com/stretchr/testify/require"
)

// packetCell is a COM_STMT_EXECUTE that may break the protocol.
type packetCell struct {
	name string
	text string // of the statement
	body func(id uint32) [][]byte
	long []byte // sent before by COM_STMT_SEND_LONG_DATA for parameter 0
}

// packetDifferences are the cells in which Ember does not follow MySQL.
var packetDifferences = []difference{
	{regexp.MustCompile(`^length of type|^order .*cut|^moment type 11 length 25[234]`), "a length beyond the packet is an error: MySQL takes what there is"},
}

// TestBinaryPackets sends executions that are cut, too long, of unknown types or of wrong lengths.
// The server answers each as MySQL does and goes on.
func TestBinaryPackets(t *testing.T) {
	c := binaryServer(t)
	var out cells
	for _, cell := range packetCells() {
		s := c.mustPrepare(t, cell.text)
		if cell.long != nil {
			require.NoError(t, c.send(mysql.COM_STMT_SEND_LONG_DATA, le(4, uint64(s.id)), le(2, 0), cell.long))
		}
		require.NoError(t, c.send(mysql.COM_STMT_EXECUTE, cell.body(s.id)...))
		answer := "closed"
		if r, err := c.read(); err == nil {
			answer = r.shown()
		}
		if _, err := c.query("DO 1"); err != nil {
			answer += ", then closed"
			require.NoError(t, c.redial())
		} else {
			c.closeStmt(t, s)
		}
		out.add(t, cell.name, answer)
	}
	out.check(t, "packets", packetDifferences, false)
}

// executeOne is an execution with one parameter.
func executeOne(typ, flag byte, value []byte) func(uint32) [][]byte {
	return func(id uint32) [][]byte {
		return [][]byte{stmt{id: id}.head(), {0, 1, typ, flag}, value}
	}
}

func packetCells() []packetCell {
	return slices.Concat(typeCells(), momentCells(), lengthCells(), headCells(), orderCells(), longCells())
}

// typeCells are all codes of types.
func typeCells() (out []packetCell) {
	for typ := range 256 {
		for _, flag := range []byte{0, 0x80, 0x01} {
			if flag == 0x01 && typ > 8 {
				continue
			}
			value := append([]byte{4}, "1234567890123"...)
			out = append(out, packetCell{name: fmt.Sprintf("type %d flag %02x", typ, flag), text: "SELECT HEX(?)", body: executeOne(byte(typ), flag, value)})
		}
	}
	return out
}

// momentCells are dates and times of every length.
func momentCells() (out []packetCell) {
	value := append([]byte{0xea, 0x07, 1, 2, 3, 4, 5, 6, 0, 0, 0, 0, 0}, make([]byte, 255)...)
	times := append([]byte{0, 0, 0, 0, 0, 3, 4, 5, 6, 0, 0, 0}, make([]byte, 255)...)
	for _, typ := range []byte{mysql.MYSQL_TYPE_DATE, mysql.MYSQL_TYPE_DATETIME, mysql.MYSQL_TYPE_TIMESTAMP, mysql.MYSQL_TYPE_TIME} {
		body := value
		if typ == mysql.MYSQL_TYPE_TIME {
			body = times
		}
		for length := range 256 {
			if length > 15 && length < 249 {
				continue
			}
			for _, have := range []int{length - 1, length, length + 2} {
				if have < 0 || have > len(body) {
					continue
				}
				sent := append([]byte{byte(length)}, body[:have]...)
				out = append(out, packetCell{name: fmt.Sprintf("moment type %d length %d with %d bytes", typ, length, have), text: "SELECT ?", body: executeOne(typ, 0, sent)})
			}
		}
		out = append(out, packetCell{name: fmt.Sprintf("moment type %d without length", typ), text: "SELECT ?", body: executeOne(typ, 0, nil)})
	}
	return out
}

// lengthCells are strings whose lengths say more or less than there is, and numbers that are cut.
func lengthCells() (out []packetCell) {
	for _, typ := range []byte{mysql.MYSQL_TYPE_VAR_STRING, mysql.MYSQL_TYPE_BLOB, mysql.MYSQL_TYPE_NEWDECIMAL, mysql.MYSQL_TYPE_JSON} {
		for _, value := range []string{"", "\x01", "\x02a", "\xfa", "\xfb", "\xfba", "\xfc", "\xfc\x01", "\xfc\x01\x00", "\xfc\x01\x00a", "\xfc\x02\x00a", "\xfc\xff\xffa",
			"\xfd", "\xfd\x01\x00", "\xfd\x01\x00\x00a", "\xfd\xff\xff\xffa", "\xfe", "\xfe\x01\x00\x00\x00", "\xfe\x01\x00\x00\x00\x00\x00\x00\x00a",
			"\xfe\xff\xff\xff\xff\x00\x00\x00\x00a", "\xfe\xff\xff\xff\x7f\x00\x00\x00\x00a", "\xfe\xff\xff\xff\xff\xff\xff\xff\xffa", "\xfe\x00\x00\x00\x00\x01\x00\x00\x00a",
			"\xff", "\xffa", "\x01ab", "\x01abcdefgh"} {
			out = append(out, packetCell{name: fmt.Sprintf("length of type %d %q", typ, value), text: "SELECT HEX(?)", body: executeOne(typ, 0, []byte(value))})
		}
	}
	for _, typ := range []byte{mysql.MYSQL_TYPE_TINY, mysql.MYSQL_TYPE_SHORT, mysql.MYSQL_TYPE_LONG, mysql.MYSQL_TYPE_LONGLONG, mysql.MYSQL_TYPE_FLOAT, mysql.MYSQL_TYPE_DOUBLE} {
		for have := range 11 {
			out = append(out, packetCell{name: fmt.Sprintf("number type %d of %d bytes", typ, have), text: "SELECT ?", body: executeOne(typ, 0, make([]byte, have))})
		}
	}
	return out
}

// headCells vary what stands before the values.
func headCells() (out []packetCell) {
	whole := func(id uint32) []byte { return slices.Concat(executeOne(mysql.MYSQL_TYPE_TINY, 0, []byte{7})(id)...) }
	for have := 9; have <= len(whole(0)); have++ {
		out = append(out, packetCell{name: fmt.Sprintf("execution cut to %d bytes", have), text: "SELECT ?",
			body: func(id uint32) [][]byte { return [][]byte{whole(id)[:have]} }})
	}
	for _, bound := range []byte{0, 1, 2, 255} {
		out = append(out, packetCell{name: fmt.Sprintf("types bound %d the first time", bound), text: "SELECT ?", body: func(id uint32) [][]byte {
			return [][]byte{stmt{id: id}.head(), {0, bound, mysql.MYSQL_TYPE_TINY, 0, 7}}
		}})
	}
	for _, iterations := range []uint32{0, 1, 2, 1 << 31} {
		out = append(out, packetCell{name: fmt.Sprintf("%d iterations", iterations), text: "SELECT ?", body: func(id uint32) [][]byte {
			head := append(append(le(4, uint64(id)), 0), le(4, uint64(iterations))...)
			return [][]byte{head, {0, 1, mysql.MYSQL_TYPE_TINY, 0, 7}}
		}})
	}
	for _, nulls := range []byte{0, 1, 2, 0xff} {
		out = append(out, packetCell{name: fmt.Sprintf("null bits %02x", nulls), text: "SELECT ?", body: func(id uint32) [][]byte {
			return [][]byte{stmt{id: id}.head(), {nulls, 1, mysql.MYSQL_TYPE_TINY, 0, 7}}
		}})
	}
	for _, more := range []string{"", "\x00", "\x00\x01", strings.Repeat("x", 300)} {
		out = append(out, packetCell{name: fmt.Sprintf("without parameters and with %d bytes", len(more)), text: "SELECT 1", body: func(id uint32) [][]byte {
			return [][]byte{stmt{id: id}.head(), []byte(more)}
		}})
	}
	return out
}

// orderCells tell which of two errors is told.
func orderCells() (out []packetCell) {
	values := map[string][]byte{"good": {mysql.MYSQL_TYPE_TINY}, "type": {mysql.MYSQL_TYPE_YEAR}, "range": {mysql.MYSQL_TYPE_DATETIME}, "cut": {mysql.MYSQL_TYPE_VAR_STRING},
		"null": {mysql.MYSQL_TYPE_NULL}, "badnull": {mysql.MYSQL_TYPE_GEOMETRY}}
	sent := map[string][]byte{"good": {7}, "type": {0}, "range": moment(4, 2026, 13, 1, 0, 0, 0, 0), "cut": {200, 'a'}, "null": nil, "badnull": nil}
	kinds := []string{"good", "type", "range", "cut", "null", "badnull"}
	for _, a := range kinds {
		for _, b := range kinds {
			nulls := byte(0)
			if strings.HasSuffix(a, "null") {
				nulls |= 1
			}
			if strings.HasSuffix(b, "null") {
				nulls |= 2
			}
			out = append(out, packetCell{name: "order " + a + " then " + b, text: "SELECT CONCAT(?, ?)", body: func(id uint32) [][]byte {
				return [][]byte{stmt{id: id}.head(), {nulls, 1, values[a][0], 0, values[b][0], 0}, sent[a], sent[b]}
			}})
		}
	}
	return out
}

// longCells mix COM_STMT_SEND_LONG_DATA with values in the packet.
func longCells() (out []packetCell) {
	for typ := range 256 {
		if typ > 15 && typ < 240 {
			continue
		}
		for _, value := range []string{"", "\x01z\x00\x00\x00\x00\x00\x00"} {
			out = append(out, packetCell{name: fmt.Sprintf("long data of type %d with %d bytes", typ, len(value)), text: "SELECT HEX(?)", long: []byte("12"),
				body: executeOne(byte(typ), 0, []byte(value))})
		}
	}
	out = append(out, packetCell{name: "long data and null", text: "SELECT HEX(?)", long: []byte("12"), body: func(id uint32) [][]byte {
		return [][]byte{stmt{id: id}.head(), {1, 1, mysql.MYSQL_TYPE_BLOB, 0}}
	}})
	return append(out, packetCell{name: "long data and a second parameter", text: "SELECT CONCAT(?, ?)", long: []byte("12"), body: func(id uint32) [][]byte {
		return [][]byte{binary.LittleEndian.AppendUint32(nil, id), {0, 1, 0, 0, 0, 0, 1, mysql.MYSQL_TYPE_BLOB, 0, mysql.MYSQL_TYPE_TINY, 0, 7}}
	}})
}
