package server

// Programs of prepared statements: COM_STMT_EXECUTE.

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/dolthub/vitess/go/mysql"
	"github.com/dolthub/vitess/go/sqltypes"
	querypb "github.com/dolthub/vitess/go/vt/proto/query"

	"emberdb/compiled"
)

// preparedProgram is what is known of a prepared statement.
type preparedProgram struct {
	data     *mysql.PrepareData
	prefixes uint64
	key      string
	program  *compiled.Program
	plain    bool // it has no tables
}

// countFollows is the flag of COM_STMT_EXECUTE that says that the number of parameters follows. Some clients set it always; the number only follows where
// the server knows query attributes, and this one does not.
const countFollows = 8

// tryPrepared looks for the program of a prepared statement. p is the payload of COM_STMT_EXECUTE behind the command:
//
//	statement id u32 | flags u8 | iterations u32 | bits of NULL parameters | 1 if types follow | type u8, flags u8 of each | values
func (w *wireConn) tryPrepared(p []byte) (taken bool, err error) {
	cs := &w.compiled
	if len(p) < 9 || p[4]&^countFollows != 0 || binary.LittleEndian.Uint32(p[5:]) != 1 {
		return false, nil
	}
	id := binary.LittleEndian.Uint32(p)
	data := w.conn.PrepareData[id]
	if data == nil {
		return false, nil
	}
	st := cs.stmts[id]
	if st == nil || st.data != data || st.prefixes != cs.prefixes {
		if st = w.preparedKey(id, data); st == nil {
			return false, nil
		}
	}
	if st.program == nil {
		if st.program, cs.why = w.srv.programs.Get([]byte(st.key), cs.dictionary()); cs.why == compiled.ByFirst {
			st.program = w.unknownPrepared(st)
		}
	}
	if st.program == nil {
		return false, nil
	}
	if !w.bind(data, p[9:]) {
		cs.why = compiled.ByParameter
		return false, nil
	}
	taken, err = w.runProgram(st.program, cs.params, nil, data.PrepareStmt, true)
	if taken || cs.why != compiled.ByChange {
		return taken, err
	}
	w.srv.programs.Forget([]byte(st.key))
	if st.program = w.unknownPrepared(st); st.program == nil {
		return false, err
	}
	return w.runProgram(st.program, cs.params, nil, data.PrepareStmt, true)
}

// unknownPrepared is unknown of a prepared statement.
func (w *wireConn) unknownPrepared(st *preparedProgram) *compiled.Program {
	cs := &w.compiled
	cs.learnPlain = st.plain
	return w.unknown([]byte(st.key), []byte(st.key[len(cs.prefix)+len(preparedMark):]), nil, true)
}

// preparedKey makes the key of a prepared statement: another one than that of the same text.
func (w *wireConn) preparedKey(id uint32, data *mysql.PrepareData) *preparedProgram {
	cs := &w.compiled
	text := string(compiled.Bare([]byte(data.PrepareStmt), true))
	if text == "" || !compilable(text[0]) {
		cs.why = compiled.ByKind
		return nil
	}
	if !isASCII([]byte(text)) || strings.ContainsAny(text, "@#;\\\"\x00") && !compiled.Plain([]byte(text)) || strings.Contains(text, "/*") || strings.Contains(text, "--") {
		return nil
	}
	if data.ParamsCount > 0 && compiled.Plain([]byte(text)) {
		return nil // a plan has the values of one execution
	}
	st := &preparedProgram{data: data, prefixes: cs.prefixes, key: string(cs.prefix) + preparedMark + text}
	st.plain = compiled.Plain([]byte(text))
	st.program = compiled.Control([]byte(text))
	if cs.stmts == nil {
		cs.stmts = make(map[uint32]*preparedProgram)
	}
	cs.stmts[id] = st
	return st
}

// bind reads the parameters of COM_STMT_EXECUTE; false if they are not plain.
func (w *wireConn) bind(data *mysql.PrepareData, p []byte) bool {
	cs := &w.compiled
	n := int(data.ParamsCount)
	cs.params, cs.arena = cs.params[:0], cs.arena[:0]
	for _, v := range data.BindVars {
		if v != nil {
			return false // COM_STMT_SEND_LONG_DATA
		}
	}
	if n == 0 {
		return true
	}
	nulls := (n + 7) / 8
	if len(p) < nulls+1 || len(data.ParamsType) != n {
		return false
	}
	bitmap, bound := p[:nulls], p[nulls]
	p = p[nulls+1:]
	if bound == 1 {
		if len(p) < 2*n {
			return false
		}
		for i := range n {
			t, err := sqltypes.MySQLToType(int64(p[2*i]), int64(p[2*i+1])>>2)
			if err != nil {
				return false
			}
			data.ParamsType[i] = int32(t)
		}
		p = p[2*n:]
	}
	for i := range n {
		if bitmap[i/8]&(1<<(i%8)) != 0 {
			cs.params = append(cs.params, compiled.Param{})
			continue
		}
		v, rest, ok := w.bindOne(querypb.Type(data.ParamsType[i]), p)
		if !ok {
			return false
		}
		cs.params = append(cs.params, v)
		p = rest
	}
	return true
}

// bindOne reads one parameter.
func (w *wireConn) bindOne(t querypb.Type, p []byte) (v compiled.Param, rest []byte, ok bool) {
	size := 0
	switch t {
	case sqltypes.Null:
		return v, p, true
	case sqltypes.Int8, sqltypes.Uint8:
		size = 1
	case sqltypes.Int16, sqltypes.Uint16:
		size = 2
	case sqltypes.Int24, sqltypes.Int32, sqltypes.Uint24, sqltypes.Uint32:
		size = 4
	case sqltypes.Int64, sqltypes.Uint64:
		size = 8
	case sqltypes.Float64:
		return w.bindDouble(p)
	case sqltypes.VarChar, sqltypes.Char, sqltypes.Text, sqltypes.VarBinary, sqltypes.Binary, sqltypes.Blob, sqltypes.Decimal:
		return w.bindText(t, p)
	case sqltypes.Date, sqltypes.Datetime, sqltypes.Timestamp:
		return w.bindTime(p)
	}
	if size == 0 || len(p) < size {
		return v, p, false
	}
	var b [8]byte
	copy(b[:], p[:size])
	n := binary.LittleEndian.Uint64(b[:])
	v = compiled.Param{Kind: compiled.KindInt, N: n}
	shift := 64 - 8*size
	switch t {
	case sqltypes.Int8, sqltypes.Int16, sqltypes.Int24, sqltypes.Int32, sqltypes.Int64:
		v.N = uint64(int64(n<<shift) >> shift)
	default:
		if n > math.MaxInt64 {
			v.Kind = compiled.KindUint
		}
	}
	return v, p[size:], true
}

func (w *wireConn) bindText(t querypb.Type, p []byte) (v compiled.Param, rest []byte, ok bool) {
	c := cursor{b: p}
	b := c.bytes(c.lenEnc())
	if c.bad {
		return v, p, false
	}
	v = compiled.Param{Kind: compiled.KindString, B: b}
	if t == sqltypes.Decimal {
		if len(b) == 0 || len(b) > 60 || strings.Trim(string(b), "0123456789.") != "" || strings.Count(string(b), ".") > 1 || b[0] == '.' {
			return v, p, false
		}
		v.Kind = compiled.KindDecimal
	} else if !w.compiled.wide && !isASCII(b) {
		return v, p, false
	}
	return v, c.b, true
}

// bindDouble reads a floating-point number. The SQL layer takes it for the number that its text is, a DECIMAL or an integer.
func (w *wireConn) bindDouble(p []byte) (v compiled.Param, rest []byte, ok bool) {
	if len(p) < 8 {
		return v, p, false
	}
	f := math.Float64frombits(binary.LittleEndian.Uint64(p))
	cs := &w.compiled
	from := len(cs.arena)
	cs.arena = strconv.AppendFloat(cs.arena, f, 'g', -1, 64)
	text := cs.arena[from:len(cs.arena):len(cs.arena)]
	switch {
	case len(text) > 18 || bytes.ContainsAny(text, "eIN"):
		return v, p, false
	case bytes.IndexByte(text, '.') >= 0:
		return compiled.Param{Kind: compiled.KindDecimal, B: text, Double: true}, p[8:], true
	}
	return compiled.Param{Kind: compiled.KindInt, N: uint64(int64(f)), Double: true}, p[8:], true
}

// bindTime reads a date with or without time of day into its text.
func (w *wireConn) bindTime(p []byte) (v compiled.Param, rest []byte, ok bool) {
	if len(p) == 0 || len(p) < 1+int(p[0]) || p[0] != 4 && p[0] != 7 {
		return v, p, false // fractions too: the protocol library reads them its own way
	}
	cs := &w.compiled
	from := len(cs.arena)
	cs.arena = fmt.Appendf(cs.arena, "%04d-%02d-%02d", binary.LittleEndian.Uint16(p[1:]), p[3], p[4])
	if p[0] == 7 {
		cs.arena = fmt.Appendf(cs.arena, " %02d:%02d:%02d", p[5], p[6], p[7])
	}
	return compiled.Param{Kind: compiled.KindTime, B: cs.arena[from:len(cs.arena):len(cs.arena)]}, p[1+p[0]:], true
}
