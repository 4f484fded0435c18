package replication

import (
	"encoding/binary"

	"github.com/go-mysql-org/go-mysql/mysql"
	"github.com/go-mysql-org/go-mysql/replication"

	"emberdb/binlog"
)

// Parts of JSON documents: Partial_update_rows events of a source with
// binlog_row_value_options=PARTIAL_JSON. The image of a row after its update begins with a number
// and, if that is 1, a bit for each JSON column of the table: set where the image holds not the
// document but what changes in it. The library reads one change for each; here are all.

// documentParts is what changes in a document: the value of a column in an image.
type documentParts []binlog.DiffStep

// partBits are those of an image.
type partBits []byte

func (p partBits) has(i int) bool { return i/8 < len(p) && p[i/8]>>(i%8)&1 != 0 }

// cutParts takes the bits out of the rows of an event, which begin at a place of data, so that the
// library, to which documents are byte strings, reads the rest.
func cutParts(e *replication.RowsEvent, data []byte, at int) (rest []byte, bits []partBits, err error) {
	documents := 0
	for _, t := range e.Table.ColumnType {
		if t == mysql.MYSQL_TYPE_JSON {
			documents++
		}
	}
	rest = append(rest, data[:at]...)
	row := data[at:]
	for len(row) > 0 {
		n, err := imageSize(e, row, e.ColumnBitmap1)
		if err != nil {
			return nil, nil, err
		}
		rest, row = append(rest, row[:n]...), row[n:]
		if len(row) == 0 || row[0] > 1 {
			return nil, nil, errUnreadable
		}
		var own partBits
		rest = append(rest, row[0])
		if parts := row[0] == 1; parts {
			size := (documents + 7) / 8
			if len(row) < 1+size {
				return nil, nil, errUnreadable
			}
			own, row = row[1:1+size], row[size:]
		}
		row = row[1:]
		if n, err = imageSize(e, row, e.ColumnBitmap2); err != nil {
			return nil, nil, err
		}
		rest, row = append(rest, row[:n]...), row[n:]
		bits = append(bits, own)
	}
	return rest, bits, nil
}

// putParts makes what changes in documents of the values that the library took for byte strings.
func putParts(e *replication.RowsEvent, types []byte, bits []partBits) error {
	if len(e.Rows) != 2*len(bits) {
		return errUnreadable
	}
	for i, own := range bits {
		document := 0
		for column, t := range types {
			if t != mysql.MYSQL_TYPE_JSON {
				continue
			}
			if b, ok := e.Rows[2*i+1][column].([]byte); ok && own.has(document) {
				steps, err := binlog.ReadDiff(b)
				if err != nil {
					return err
				}
				e.Rows[2*i+1][column] = documentParts(steps)
			}
			document++
		}
	}
	return nil
}

// imageSize is the length of an image: NULL bits, then the values of the columns in cols.
func imageSize(e *replication.RowsEvent, data, cols []byte) (int, error) {
	in := 0
	for i := range e.Table.ColumnType {
		if cols[i/8]>>(i%8)&1 != 0 {
			in++
		}
	}
	nulls := partBits(data)
	at := (in + 7) / 8
	n := 0
	for i, t := range e.Table.ColumnType {
		if cols[i/8]>>(i%8)&1 == 0 {
			continue
		}
		if at > len(data) {
			return 0, errUnreadable
		}
		if !nulls.has(n) {
			size, ok := valueSize(data[at:], t, e.Table.ColumnMeta[i])
			if !ok {
				return 0, errUnreadable
			}
			at += size
		}
		n++
	}
	if at > len(data) {
		return 0, errUnreadable
	}
	return at, nil
}

// digitBytes is how many bytes of a binary decimal so many digits take.
func digitBytes(n int) int { return n/9*4 + [...]int{0, 1, 1, 2, 2, 3, 3, 4, 4}[n%9] }

// valueSize is the length of a value, by the type and the metadata of its column; false: it has no
// form in a log, or ends too early.
func valueSize(data []byte, t byte, meta uint16) (int, bool) {
	high, low := int(meta>>8), int(meta&0xFF)
	if t == mysql.MYSQL_TYPE_STRING && meta >= 256 {
		if high&0x30 != 0x30 { // a length of more than 255 bytes has its upper bits here
			low, t = low|(high&0x30^0x30)<<4, byte(high|0x30)
		} else {
			t = byte(high)
		}
	}
	fraction := func(n int) int { return n + (int(meta)+1)/2 }
	switch t {
	case mysql.MYSQL_TYPE_TINY, mysql.MYSQL_TYPE_YEAR:
		return 1, true
	case mysql.MYSQL_TYPE_SHORT:
		return 2, true
	case mysql.MYSQL_TYPE_INT24, mysql.MYSQL_TYPE_DATE, mysql.MYSQL_TYPE_TIME:
		return 3, true
	case mysql.MYSQL_TYPE_LONG, mysql.MYSQL_TYPE_FLOAT, mysql.MYSQL_TYPE_TIMESTAMP:
		return 4, true
	case mysql.MYSQL_TYPE_LONGLONG, mysql.MYSQL_TYPE_DOUBLE, mysql.MYSQL_TYPE_DATETIME:
		return 8, true
	case mysql.MYSQL_TYPE_NEWDECIMAL:
		return digitBytes(max(0, high-low)) + digitBytes(low), true
	case mysql.MYSQL_TYPE_BIT:
		return (high*8 + low + 7) / 8, true
	case mysql.MYSQL_TYPE_TIMESTAMP2:
		return fraction(4), true
	case mysql.MYSQL_TYPE_DATETIME2:
		return fraction(5), true
	case mysql.MYSQL_TYPE_TIME2:
		return fraction(3), true
	case mysql.MYSQL_TYPE_ENUM, mysql.MYSQL_TYPE_SET:
		return low, true
	case mysql.MYSQL_TYPE_VARCHAR, mysql.MYSQL_TYPE_VAR_STRING:
		return prefixed(data, 1+bit(meta > 255))
	case mysql.MYSQL_TYPE_STRING:
		return prefixed(data, 1+bit(low > 255))
	case mysql.MYSQL_TYPE_BLOB, mysql.MYSQL_TYPE_JSON, mysql.MYSQL_TYPE_GEOMETRY, mysql.MYSQL_TYPE_VECTOR:
		return prefixed(data, int(meta))
	}
	return 0, false
}

func bit(b bool) int {
	if b {
		return 1
	}
	return 0
}

// prefixed is the length of bytes behind their length, which takes so many.
func prefixed(data []byte, size int) (int, bool) {
	if size < 1 || size > 4 || len(data) < size {
		return 0, false
	}
	var n [4]byte
	copy(n[:], data[:size])
	return size + int(binary.LittleEndian.Uint32(n[:])), true
}

// append appends the expression that makes the document what it becomes. Steps of the same kind are
// arguments of one call, which does them in order.
func (p documentParts) append(b []byte, column string) []byte {
	expression := []byte(column)
	for len(p) > 0 {
		function := p[0].Function()
		expression = append(append([]byte(function), '('), expression...)
		for ; len(p) > 0 && p[0].Function() == function; p = p[1:] {
			expression = appendQuoted(append(expression, ", "...), []byte(p[0].Path))
			if p[0].Value != "" {
				expression = append(appendQuoted(append(expression, ", CAST("...), []byte(p[0].Value)), " AS JSON)"...)
			}
		}
		expression = append(expression, ')')
	}
	return append(b, expression...)
}
