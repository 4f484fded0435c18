package wireparam

import (
	"encoding/binary"
	"fmt"
	"math"
	"strconv"

	"github.com/dolthub/vitess/go/mysql"
	"github.com/dolthub/vitess/go/sqltypes"
	querypb "github.com/dolthub/vitess/go/vt/proto/query"
	"github.com/dolthub/vitess/go/vt/sqlparser"

	"emberdb/compiled"
	"emberdb/server/wire"
	"emberdb/sqllayer"
	"emberdb/sqllayer/expr/operand"
	"emberdb/sqllayer/sqlerr"
)

// ExecuteHead is the length of what stands before the parameters.
const ExecuteHead = 9

// Codes of types that parameters are sent as.
const (
	typeDecimal    = 0
	TypeTiny       = 1
	typeShort      = 2
	typeLong       = 3
	typeFloat      = 4
	typeDouble     = 5
	TypeNull       = 6
	TypeTimestamp  = 7
	typeLongLong   = 8
	TypeDate       = 10
	TypeTime       = 11
	TypeDatetime   = 12
	typeVarchar    = 15
	typeVector     = 242
	typeBool       = 244
	typeJSON       = 245
	TypeNewDecimal = 246
	typeTinyBlob   = 249
	typeMediumBlob = 250
	typeLongBlob   = 251
	typeBlob       = 252
	TypeVarString  = 253
	typeString     = 254

	FlagUnsigned = 0x80
)

// ParamKind tells how a value is read.
type ParamKind uint8

const (
	ParamRefused ParamKind = iota // a type that no parameter may have
	paramNull
	ParamInteger
	ParamFloat
	ParamDecimal
	ParamText
	ParamBytes
	ParamDate
	ParamMoment
	ParamSpan
	ParamUnread // a type whose values cannot be read
)

// ParamKinds are the types MySQL takes. The others are refused.
var ParamKinds = [256]ParamKind{
	TypeNull: paramNull, TypeTiny: ParamInteger, typeShort: ParamInteger, typeLong: ParamInteger, typeLongLong: ParamInteger, typeFloat: ParamFloat, typeDouble: ParamFloat,
	typeDecimal: ParamDecimal, TypeNewDecimal: ParamDecimal, TypeDate: ParamDate, TypeDatetime: ParamMoment, TypeTimestamp: ParamMoment, TypeTime: ParamSpan,
	typeVarchar: ParamText, TypeVarString: ParamText, typeString: ParamText, typeJSON: ParamText,
	typeTinyBlob: ParamBytes, typeMediumBlob: ParamBytes, typeLongBlob: ParamBytes, typeBlob: ParamBytes, typeVector: ParamBytes, typeBool: ParamUnread,
}

// IntegerSize are the lengths of integers.
var IntegerSize = [256]int{TypeTiny: 1, typeShort: 2, typeLong: 4, typeLongLong: 8}

// TakesLongData tells the types whose values COM_STMT_SEND_LONG_DATA sends.
func TakesLongData(typ byte) bool { return typ >= typeTinyBlob && typ <= typeString }

// What ParamsType holds: the type and the flags that the client sent last. 0: it sent none.
const TypesSent = 1 << 16

func SentType(typ, flags byte) int32 { return TypesSent | int32(flags)<<8 | int32(typ) }

var (
	ErrMalformed    = sqlerr.NewError(1835, "Malformed communication packet.")
	ErrExecuteTypes = sqlerr.NewError(1210, "Incorrect arguments to mysqld_stmt_execute")
	ErrExecuteFew   = sqlerr.NewError(1210, "Incorrect arguments to COM_STMT_EXECUTE")
)

// LongData is what COM_STMT_SEND_LONG_DATA has sent for a parameter; nil: it was not used.
func LongData(data *mysql.PrepareData, param int) *querypb.BindVariable {
	if len(data.BindVars) == 0 {
		return nil
	}
	return data.BindVars["v"+strconv.Itoa(param+1)]
}

// IntegerParam reads an integer of one to eight bytes.
func IntegerParam(b []byte, unsigned bool) compiled.Param {
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

// FloatParam reads a FLOAT or DOUBLE.
func FloatParam(c *wire.Cursor, typ byte) compiled.Param {
	f := 0.0
	if typ == typeFloat {
		f = float64(math.Float32frombits(c.Uint32()))
	} else if b := c.Bytes(8); b != nil {
		f = math.Float64frombits(binary.LittleEndian.Uint64(b))
	}
	return compiled.Param{Kind: compiled.KindFloat, N: math.Float64bits(f)}
}

// LibraryParam is a parameter as BindExprs takes it: the library only carries it.
func LibraryParam(p *compiled.Param) *querypb.BindVariable {
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

// BindExprs are the expressions of the parameters.
func BindExprs(binds map[string]*querypb.BindVariable) map[string]sqlparser.Expr {
	if len(binds) == 0 {
		return nil
	}
	out := make(map[string]sqlparser.Expr, len(binds))
	for name, b := range binds {
		out[name] = BindExpr(b)
	}
	return out
}

func BindExpr(b *querypb.BindVariable) sqlparser.Expr {
	switch b.Type {
	case sqltypes.Int64:
		return sqlparser.NewIntVal(b.Value)
	case sqltypes.Uint64:
		return operand.Value(operand.AsUnsigned, b.Value)
	case sqltypes.Float64:
		return operand.Value(operand.AsDouble, b.Value)
	case sqltypes.Decimal:
		return operand.Value(operand.AsDecimal, b.Value)
	case sqltypes.Datetime:
		return sqllayer.TimeLiteral(b.Value)
	case sqltypes.VarChar:
		return operand.TextValue(string(b.Value))
	case sqltypes.VarBinary:
		return operand.BytesValue(b.Value)
	}
	return &sqlparser.NullVal{}
}

// MaxUsualDecimal is the longest text of a DECIMAL that programs take.
const MaxUsualDecimal = 60

// OutOfRange is the error of a date or time whose parts say nothing.
func OutOfRange(what string) *mysql.SQLError {
	return mysql.NewSQLError(1690, "22003", "%s", fmt.Sprintf("%s value is out of range in 'set_parameter_value'", what))
}
