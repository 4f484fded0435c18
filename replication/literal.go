package replication

import (
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"strconv"
	"strings"

	"emberdb/binlog"
)

// A column of a table here, as far as writing its values needs.
type column struct {
	name      string
	kind      string // first word of its type, lower case
	charset   string // of texts; "" for everything else
	padded    int    // bytes of a value of BINARY, whose zeros at the end the log leaves out
	unsigned  bool
	generated bool
	updated   bool // ON UPDATE CURRENT_TIMESTAMP
}

// unsigned turns an integer, which the log's reader takes for signed, into what the column holds.
func unsigned(v any) any {
	switch v := v.(type) {
	case int8:
		return uint8(v)
	case int16:
		return uint16(v)
	case int32:
		return uint32(v)
	case int64:
		return uint64(v)
	}
	return v
}

// appendLiteral writes a value of the log so that it becomes the same value of the column.
func (c *column) appendLiteral(b []byte, v any, isUnsigned bool) ([]byte, error) {
	switch c.kind {
	case "bit", "set":
		isUnsigned = true
	}
	if isUnsigned {
		if v = unsigned(v); c.kind == "mediumint" {
			if n, ok := v.(uint32); ok {
				v = n & 0xffffff
			}
		}
	}
	switch v := v.(type) {
	case nil:
		return append(b, "NULL"...), nil
	case int8, int16, int32, int64, int, uint8, uint16, uint32, uint64:
		return fmt.Append(b, v), nil
	case float32:
		// All digits of the number that the column holds, so that it compares equal too.
		return strconv.AppendFloat(b, float64(v), 'e', -1, 64), nil
	case float64:
		return strconv.AppendFloat(b, v, 'e', -1, 64), nil
	case []byte:
		return c.appendBytes(b, v)
	case string:
		return c.appendBytes(b, []byte(v))
	}
	return nil, fmt.Errorf("column %s: a value of type %T", c.name, v)
}

func (c *column) appendBytes(b, v []byte) ([]byte, error) {
	switch c.kind {
	case "decimal", "numeric":
		return append(b, v...), nil
	case "date", "time", "datetime", "timestamp", "year":
		return appendQuoted(b, v), nil
	case "json":
		text, err := binlog.JSONText(v)
		if err != nil {
			return nil, fmt.Errorf("column %s: %w", c.name, err)
		}
		return appendQuoted(b, text), nil
	case "geometry", "point", "linestring", "polygon", "multipoint", "multilinestring", "multipolygon", "geomcollection", "geometrycollection":
		if len(v) < 4 {
			return nil, fmt.Errorf("column %s: a geometry of %d bytes", c.name, len(v))
		}
		b = appendHex(append(b, "ST_GeomFromWKB("...), v[4:])
		return fmt.Appendf(b, ", %d, 'axis-order=long-lat')", binary.LittleEndian.Uint32(v)), nil
	}
	switch c.charset {
	case "":
		return appendHex(b, append(v[:len(v):len(v)], make([]byte, max(0, c.padded-len(v)))...)), nil
	case "utf8mb4", "utf8mb3", "utf8", "ascii":
		return appendQuoted(b, v), nil
	}
	return appendHex(append(append(append(b, '_'), c.charset...), ' '), v), nil
}

// appendHex writes bytes. No bytes are written as a text, for MySQL takes no empty number.
func appendHex(b, v []byte) []byte {
	if len(v) == 0 {
		return append(b, "''"...)
	}
	return hex.AppendEncode(append(b, "0x"...), v)
}

// appendQuoted writes a text. The session's sql_mode leaves the backslash its meaning.
func appendQuoted(b, v []byte) []byte {
	b = append(b, '\'')
	for _, c := range v {
		switch c {
		case 0:
			b = append(b, '\\', '0')
		case '\'', '\\':
			b = append(b, '\\', c)
		case '\n':
			b = append(b, '\\', 'n')
		case '\r':
			b = append(b, '\\', 'r')
		case 26:
			b = append(b, '\\', 'Z')
		default:
			b = append(b, c)
		}
	}
	return append(b, '\'')
}

// quoteName writes a name.
func quoteName(name string) string { return "`" + strings.ReplaceAll(name, "`", "``") + "`" }
