package server

// Parameters of COM_STMT_EXECUTE. The payload behind the command is
//
//	statement id u32 | flags u8 | iterations u32 | bits of NULL parameters | not 0 if types follow
//	| type u8, flags u8 of each | values
//
// The values are read here, for programs and for the library alike: the library gets an execution
// without values and finds them in its BindVars. All lengths are those of the packet: nothing is
// allocated for what is not there. Errors come in two groups, as in MySQL: what cannot be read is
// told before any value that has been read is refused.

import (
	"encoding/binary"
	"fmt"
	"math"
	"strconv"
	"unicode/utf8"

	"github.com/dolthub/vitess/go/mysql"
	"github.com/dolthub/vitess/go/sqltypes"
	querypb "github.com/dolthub/vitess/go/vt/proto/query"
	"github.com/dolthub/vitess/go/vt/sqlparser"

	"emberdb/compiled"
	"emberdb/server/wire"
	"emberdb/sql/charset"
	"emberdb/sql/statement"
	"emberdb/sqllayer"
	"emberdb/sqllayer/expr"
	"emberdb/sqllayer/sqlerr"
)

// executeHead is the length of what stands before the parameters.
const executeHead = 9

// Codes of types that parameters are sent as.
const (
	typeDecimal    = 0
	typeTiny       = 1
	typeShort      = 2
	typeLong       = 3
	typeFloat      = 4
	typeDouble     = 5
	typeNull       = 6
	typeTimestamp  = 7
	typeLongLong   = 8
	typeDate       = 10
	typeTime       = 11
	typeDatetime   = 12
	typeVarchar    = 15
	typeVector     = 242
	typeBool       = 244
	typeJSON       = 245
	typeNewDecimal = 246
	typeTinyBlob   = 249
	typeMediumBlob = 250
	typeLongBlob   = 251
	typeBlob       = 252
	typeVarString  = 253
	typeString     = 254

	flagUnsigned = 0x80
)

// paramKind tells how a value is read.
type paramKind uint8

const (
	paramRefused paramKind = iota // a type that no parameter may have
	paramNull
	paramInteger
	paramFloat
	paramDecimal
	paramText
	paramBytes
	paramDate
	paramMoment
	paramSpan
	paramUnread // a type whose values cannot be read
)

// paramKinds are the types MySQL takes. The others are refused.
var paramKinds = [256]paramKind{
	typeNull: paramNull, typeTiny: paramInteger, typeShort: paramInteger, typeLong: paramInteger, typeLongLong: paramInteger, typeFloat: paramFloat, typeDouble: paramFloat,
	typeDecimal: paramDecimal, typeNewDecimal: paramDecimal, typeDate: paramDate, typeDatetime: paramMoment, typeTimestamp: paramMoment, typeTime: paramSpan,
	typeVarchar: paramText, typeVarString: paramText, typeString: paramText, typeJSON: paramText,
	typeTinyBlob: paramBytes, typeMediumBlob: paramBytes, typeLongBlob: paramBytes, typeBlob: paramBytes, typeVector: paramBytes, typeBool: paramUnread,
}

// integerSize are the lengths of integers.
var integerSize = [256]int{typeTiny: 1, typeShort: 2, typeLong: 4, typeLongLong: 8}

// takesLongData tells the types whose values COM_STMT_SEND_LONG_DATA sends.
func takesLongData(typ byte) bool { return typ >= typeTinyBlob && typ <= typeString }

// What ParamsType holds: the type and the flags that the client sent last. 0: it sent none.
const typesSent = 1 << 16

func sentType(typ, flags byte) int32 { return typesSent | int32(flags)<<8 | int32(typ) }

var (
	errMalformed    = sqlerr.NewError(1835, "Malformed communication packet.")
	errExecuteTypes = sqlerr.NewError(1210, "Incorrect arguments to mysqld_stmt_execute")
)

// bind reads the parameters of an execution into w.compiled.params. p is the payload behind the
// head. Their bytes are p's, the arena's, or long data.
func (w *wireConn) bind(data *mysql.PrepareData, p []byte) *mysql.SQLError {
	cs, n := &w.compiled, int(data.ParamsCount)
	cs.params, cs.arena = cs.params[:0], cs.arena[:0]
	if n == 0 {
		return nil
	}
	c := wire.Cursor{Rest: p}
	nulls, bound := c.Bytes((n+7)/8), c.Uint8()
	if bound != 0 {
		for i := range n {
			typ, flags := c.Uint8(), c.Uint8()
			data.ParamsType[i] = sentType(typ, flags)
		}
	}
	if c.Bad {
		return errMalformed
	}
	var refused *mysql.SQLError
	set := w.clientCharset()
	for i := range n {
		sent, null := data.ParamsType[i], nulls[i/8]&(1<<(i%8)) != 0
		switch {
		case sent == 0 && !null:
			return errExecuteTypes
		case sent == 0: // a client sends no types with nothing but NULLs
			sent = sentType(typeNull, 0)
		}
		typ, unsigned := byte(sent), sent>>8&flagUnsigned != 0
		v, err := cs.readParam(&c, typ, unsigned, null, longData(data, i))
		if c.Bad {
			return errMalformed
		}
		if sent>>8&^(flagUnsigned|typesSent>>8) != 0 {
			err = errExecuteTypes
		}
		if refused == nil {
			refused = err
		}
		switch {
		case v.Kind != compiled.KindString:
		case set != nil:
			v.B = statement.AppendUTF8(nil, set, v.B)
		case !utf8.Valid(v.B) && w.writesBytes():
			v.Kind = compiled.KindBytes
		}
		cs.params = append(cs.params, v)
	}
	return refused
}

// clientCharset is the character set in which the client writes; nil: UTF-8, or bytes.
func (w *wireConn) clientCharset() *charset.Set {
	if s, ok := w.session.(*sqllayer.Session); ok && s.ClientCharset() != nil {
		return charset.Find(s.ClientCharset().Name())
	}
	return nil
}

// writesBytes reports whether the client's strings are bytes.
func (w *wireConn) writesBytes() bool {
	s, ok := w.session.(*sqllayer.Session)
	return ok && s.BytesAreStrings()
}

// longData is what COM_STMT_SEND_LONG_DATA has sent for a parameter; nil: it was not used.
func longData(data *mysql.PrepareData, param int) *querypb.BindVariable {
	if len(data.BindVars) == 0 {
		return nil
	}
	return data.BindVars["v"+strconv.Itoa(param+1)]
}

// readParam reads one parameter. It sets c.bad where the packet is malformed; the error is about a
// value that could be read.
func (cs *compiledConn) readParam(c *wire.Cursor, typ byte, unsigned, null bool, long *querypb.BindVariable) (v compiled.Param, err *mysql.SQLError) {
	kind := paramKinds[typ]
	switch {
	case long != nil:
		if c.Bad = !takesLongData(typ); kind == paramBytes {
			return compiled.Param{Kind: compiled.KindBytes, B: long.Value}, nil
		}
		return compiled.Param{Kind: compiled.KindString, B: long.Value}, nil
	case null && (kind == paramRefused || kind == paramUnread):
		return v, errExecuteTypes
	case null:
		return v, nil
	}
	switch kind {
	case paramInteger:
		return integerParam(c.Bytes(integerSize[typ]), unsigned), nil
	case paramFloat:
		return floatParam(c, typ), nil
	case paramDecimal:
		return cs.decimalParam(c.Bytes(c.LenEnc())), nil
	case paramText:
		return compiled.Param{Kind: compiled.KindString, B: c.Bytes(c.LenEnc())}, nil
	case paramBytes:
		return compiled.Param{Kind: compiled.KindBytes, B: c.Bytes(c.LenEnc())}, nil
	case paramDate, paramMoment:
		return cs.momentParam(c, kind)
	case paramSpan:
		return cs.spanParam(c)
	case paramUnread:
		c.Bad = true
		return v, nil
	}
	c.Rest = c.Rest[min(max(c.LenEnc(), 0), len(c.Rest)):]
	return v, errExecuteTypes
}

// integerParam reads an integer of one to eight bytes.
func integerParam(b []byte, unsigned bool) compiled.Param {
	if b == nil {
		return compiled.Param{}
	}
	var whole [8]byte
	copy(whole[:], b)
	n := binary.LittleEndian.Uint64(whole[:])
	if unsigned {
		return compiled.Param{Kind: compiled.KindUint, N: n}
	}
	shift := 64 - 8*len(b)
	return compiled.Param{Kind: compiled.KindInt, N: uint64(int64(n<<shift) >> shift)}
}

// floatParam reads a FLOAT or DOUBLE.
func floatParam(c *wire.Cursor, typ byte) compiled.Param {
	f := 0.0
	if typ == typeFloat {
		f = float64(math.Float32frombits(c.Uint32()))
	} else if b := c.Bytes(8); b != nil {
		f = math.Float64frombits(binary.LittleEndian.Uint64(b))
	}
	return compiled.Param{Kind: compiled.KindFloat, N: math.Float64bits(f)}
}

// libraryParam is a parameter as bindExprs takes it: the library only carries it.
func libraryParam(p *compiled.Param) *querypb.BindVariable {
	switch p.Kind {
	case compiled.KindInt:
		return &querypb.BindVariable{Type: sqltypes.Int64, Value: strconv.AppendInt(nil, int64(p.N), 10)}
	case compiled.KindUint:
		return &querypb.BindVariable{Type: sqltypes.Uint64, Value: strconv.AppendUint(nil, p.N, 10)}
	case compiled.KindFloat:
		return &querypb.BindVariable{Type: sqltypes.Float64, Value: strconv.AppendFloat(nil, math.Float64frombits(p.N), 'e', -1, 64)}
	case compiled.KindDecimal:
		return &querypb.BindVariable{Type: sqltypes.Decimal, Value: p.B}
	case compiled.KindTime:
		return &querypb.BindVariable{Type: sqltypes.Datetime, Value: p.B}
	case compiled.KindString:
		return &querypb.BindVariable{Type: sqltypes.VarChar, Value: p.B}
	case compiled.KindBytes:
		return &querypb.BindVariable{Type: sqltypes.VarBinary, Value: p.B}
	}
	return &querypb.BindVariable{Type: sqltypes.Null}
}

// bindExprs are the expressions of the parameters.
func bindExprs(binds map[string]*querypb.BindVariable) map[string]sqlparser.Expr {
	if len(binds) == 0 {
		return nil
	}
	out := make(map[string]sqlparser.Expr, len(binds))
	for name, b := range binds {
		out[name] = bindExpr(b)
	}
	return out
}

func bindExpr(b *querypb.BindVariable) sqlparser.Expr {
	switch b.Type {
	case sqltypes.Int64:
		return sqlparser.NewIntVal(b.Value)
	case sqltypes.Uint64:
		return expr.Value(expr.AsUnsigned, b.Value)
	case sqltypes.Float64:
		return expr.Value(expr.AsDouble, b.Value)
	case sqltypes.Decimal:
		return expr.Value(expr.AsDecimal, b.Value)
	case sqltypes.Datetime:
		return sqllayer.TimeLiteral(b.Value)
	case sqltypes.VarChar:
		return sqlparser.NewStrVal(b.Value)
	case sqltypes.VarBinary:
		return expr.Value(expr.AsBytes, b.Value)
	}
	return &sqlparser.NullVal{}
}

// takeExecute reads an execution that has no program, n bytes of payload in its first frame, and
// gives the library its parameters.
func (w *wireConn) takeExecute(data *mysql.PrepareData, n int) (bool, error) {
	p, err := w.wholePayload(n)
	if err != nil {
		return true, err
	}
	if e := w.bind(data, p[1+executeHead:]); e != nil {
		clear(data.BindVars)
		w.remember(e, false)
		return true, w.answerError(e)
	}
	for i := range w.compiled.params {
		data.BindVars["v"+strconv.Itoa(i+1)] = libraryParam(&w.compiled.params[i])
	}
	q := append(p[:1+4:1+4], p[5]&1, 1, 0, 0, 0) // as if for a cursor or not, and one iteration
	w.in = wire.Frame(0, append(q, make([]byte, (int(data.ParamsCount)+7)/8+1)...))
	return true, nil
}

// wholePayload reads a command of any number of frames; n is the length of the first. The library
// is to be given one.
func (w *wireConn) wholePayload(n int) ([]byte, error) {
	var p []byte
	for {
		_, part, err := wire.ReadFrame(w.rd, n)
		if err != nil {
			w.lost(err)
			return nil, errHungUp
		}
		w.received(wire.HeaderSize + n)
		if p = append(p, part...); !w.more {
			w.advance(stateReading, stateBusy)
			return p, nil
		}
		h, err := w.rd.Peek(wire.HeaderSize)
		if err != nil {
			w.lost(err)
			return nil, errHungUp
		}
		w.advance(stateReading, stateReading)
		n = wire.FrameLen(h)
		if w.total += n; int64(w.total) > w.vars.maxAllowedPacket.Load() {
			return nil, w.refuseOversized(h[3], n)
		}
		w.more = n == wire.MaxFrame
		w.shift.by++
	}
}

// maxUsualDecimal is the longest text of a DECIMAL that programs take.
const maxUsualDecimal = 60

// usual tells whether the parameters are such as programs take for the same values that the library
// makes of them.
func (cs *compiledConn) usual(data *mysql.PrepareData) bool {
	for _, v := range data.BindVars {
		if v != nil {
			return false // COM_STMT_SEND_LONG_DATA
		}
	}
	for i := range cs.params {
		switch p := &cs.params[i]; p.Kind {
		case compiled.KindUint:
			if p.N <= math.MaxInt64 {
				p.Kind = compiled.KindInt
			}
		case compiled.KindFloat:
			if !cs.exactFloat(p) {
				return false
			}
		case compiled.KindDecimal:
			if len(p.B) > maxUsualDecimal || p.B[0] == '-' {
				return false
			}
		case compiled.KindString:
			if !cs.wide && !isASCII(p.B) {
				return false
			}
		}
	}
	return true
}

// exactFloat makes the number that its text is of a floating-point number, as the SQL layer
// compares it: a DECIMAL or an integer.
func (cs *compiledConn) exactFloat(p *compiled.Param) bool {
	f := math.Float64frombits(p.N)
	if f == 0 && math.Signbit(f) {
		return false
	}
	from := len(cs.arena)
	cs.arena = strconv.AppendFloat(cs.arena, f, 'g', -1, 64)
	text := cs.arena[from:len(cs.arena):len(cs.arena)]
	point := false
	for _, ch := range text {
		if ch == 'e' || ch == 'I' || ch == 'N' {
			return false
		}
		point = point || ch == '.'
	}
	switch {
	case len(text) > 18:
		return false
	case point:
		*p = compiled.Param{Kind: compiled.KindDecimal, B: text, Double: true}
	default:
		*p = compiled.Param{Kind: compiled.KindInt, N: uint64(int64(f)), Double: true}
	}
	return true
}

// outOfRange is the error of a date or time whose parts say nothing.
func outOfRange(what string) *mysql.SQLError {
	return mysql.NewSQLError(1690, "22003", "%s", fmt.Sprintf("%s value is out of range in 'set_parameter_value'", what))
}
