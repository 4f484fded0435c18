package replication

import (
	"encoding/binary"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/go-mysql-org/go-mysql/replication"

	"emberdb/binlog"
)

// variable takes the value of an AUTO_INCREMENT column, or of LAST_INSERT_ID(), that the statement
// behind it uses.
func (a *applier) variable(e *replication.IntVarEvent) error {
	name := "insert_id"
	if e.Type == replication.LAST_INSERT_ID {
		name = "last_insert_id"
	}
	if err := a.begin(); err != nil {
		return err
	}
	_, err := a.target.Execute(fmt.Sprintf("SET %s = %d", name, e.Value))
	return err
}

// seeds take the two seeds, of 8 bytes each, that RAND() in the statement behind them begins with.
func (a *applier) seeds(data []byte) error {
	if len(data) < 16 {
		return fmt.Errorf("a RAND event of %d bytes", len(data))
	}
	if err := a.begin(); err != nil {
		return err
	}
	_, err := a.target.Execute(fmt.Sprintf("SET rand_seed1 = %d, rand_seed2 = %d", binary.LittleEndian.Uint64(data), binary.LittleEndian.Uint64(data[8:])))
	return err
}

// userVariable sets a user variable that the statement behind it uses.
func (a *applier) userVariable(data []byte) error {
	set, err := userVariable(data, a.collations)
	if err != nil {
		return err
	}
	if err := a.begin(); err != nil {
		return err
	}
	// The literals have backslashes, whatever the last statement's sql_mode was.
	if err := a.session("SET sql_mode = ''"); err != nil {
		return err
	}
	_, err = a.target.Execute(set)
	return err
}

// The types of values of user variables in the log.
const (
	userString  = 0
	userReal    = 1
	userInt     = 2
	userDecimal = 4
)

// userVariable reads the event's body and writes the SET of the variable:
//
//	4 length of the name   name   1 is NULL   1 type   4 collation   4 length of the value   value   1 flags: 1 unsigned
func userVariable(b []byte, collations map[uint16]string) (string, error) {
	take := func(n uint32) (v []byte, ok bool) {
		if uint64(n) > uint64(len(b)) {
			return nil, false
		}
		v, b = b[:n], b[n:]
		return v, true
	}
	number := func() (n uint32, ok bool) {
		v, ok := take(4)
		if ok {
			n = binary.LittleEndian.Uint32(v)
		}
		return n, ok
	}
	n, _ := number()
	name, ok := take(n)
	null, there := take(1)
	if !ok || !there || len(name) == 0 {
		return "", errUserVariable
	}
	set := "SET @" + quoteName(string(name)) + " = "
	if null[0] != 0 {
		return set + "NULL", nil
	}
	kind, _ := take(1)
	collation, _ := number()
	n, ok = number()
	value, there := take(n)
	if !ok || !there {
		return "", errUserVariable
	}
	text, err := userValue(kind[0], value, len(b) > 0 && b[0]&1 != 0, collations[uint16(collation)])
	return set + text, err
}

var errUserVariable = fmt.Errorf("a user variable of the log: %w", errUnreadable)

// userValue is the value as a literal of its type, and of its collation if it is a text.
func userValue(kind byte, v []byte, isUnsigned bool, collation string) (string, error) {
	switch kind {
	case userReal:
		if len(v) != 8 {
			return "", errUserVariable
		}
		f := math.Float64frombits(binary.LittleEndian.Uint64(v))
		if math.IsNaN(f) || math.IsInf(f, 0) {
			return "", errUserVariable
		}
		return strconv.FormatFloat(f, 'e', -1, 64), nil
	case userInt:
		if len(v) != 8 {
			return "", errUserVariable
		}
		if n := binary.LittleEndian.Uint64(v); isUnsigned {
			return strconv.FormatUint(n, 10), nil
		} else {
			return strconv.FormatInt(int64(n), 10), nil
		}
	case userDecimal:
		text, err := binlog.AppendDecimal(nil, v)
		if err != nil {
			return "", errUserVariable
		}
		return string(text), nil
	case userString:
		name, _, _ := strings.Cut(collation, "_")
		switch name {
		case "":
			return "", fmt.Errorf("%w: its collation is unknown here", errUserVariable)
		case "binary":
			return string(appendHex([]byte("_binary "), v)), nil
		}
		return string(appendHex([]byte("_"+name+" "), v)) + " COLLATE " + collation, nil
	}
	return "", errUserVariable
}
