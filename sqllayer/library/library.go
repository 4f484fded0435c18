package library

import (
	"math"
	"time"
	"unicode/utf8"

	"github.com/cockroachdb/apd/v3"
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/expression/function"
	gms "github.com/dolthub/go-mysql-server/sql/types"

	"emberdb/sql/fn"
	"emberdb/sql/types"
	"emberdb/sqllayer/expr/operand"
	"emberdb/sqllayer/geometry"
)

// Functions that package fn has no kernel for are evaluated by go-mysql-server's library, or by what
// stands here in its place, a row at a time.

// Library implements fn.Library for a statement.
type Library struct {
	Context *sql.Context
	// Warnings are those of the rows of which a statement tells.
	Warnings []*sql.Warning
}

// quietSession notes that a function warns instead of warning.
type quietSession struct {
	sql.Session
	warnings []*sql.Warning
}

// Warn implements sql.Session.
func (s *quietSession) Warn(w *sql.Warning) { s.warnings = append(s.warnings, w) }

// Within implements operand.Wrapper.
func (s *quietSession) Within() sql.Session { return s.Session }

// routine is a function of the library over operands, which are the values of a row.
type routine struct {
	of      *Library
	ctx     *sql.Context
	session *quietSession
	call    sql.Expression
	kinds   []types.Type
}

func (l *Library) routine(name string, args []fn.Expr) (*routine, error) {
	f := &routine{of: l, session: &quietSession{Session: l.Context.Session}, kinds: make([]types.Type, len(args))}
	f.ctx = sql.NewContext(l.Context, sql.WithSession(f.session))
	slots := make([]sql.Expression, len(args))
	for i, a := range args {
		typ, err := TypeOf(a.Type())
		if err != nil {
			return nil, err
		}
		f.kinds[i] = a.Type()
		slots[i] = expression.NewGetField(i, typ, "", f.kinds[i].Nullable)
		if _, column := a.(*fn.Column); !column && f.kinds[i].Kind == types.Float { // its text is another than a column's
			slots[i] = &operand.Field{Like: operand.LikeOf(expression.NewLiteral(nil, typ)), At: i}
		}
		if c, constant := a.(*fn.Const); constant {
			v, err := Value(&f.kinds[i], c.V, 0)
			if err != nil {
				return nil, err
			}
			slots[i] = expression.NewLiteral(v, typ)
		}
	}
	known, ok := LibraryFunction(f.ctx, name)
	if !ok {
		return nil, fn.Refuse(fn.ByFunction, name)
	}
	var err error
	if f.call, err = known.NewInstance(f.ctx, slots); err != nil || f.call == nil {
		return nil, fn.Refuse(fn.ByFunction, name)
	}
	return f, nil
}

// Routine implements fn.Library.
func (l *Library) Routine(name string, args []fn.Expr, t types.Type) (fn.Kernel, error) {
	f, err := l.routine(name, args)
	if err != nil {
		return nil, err
	}
	return f.eval, nil
}

// Told implements fn.Library.
func (l *Library) Told(name string, args []fn.Expr) (fn.Kernel, types.Type, error) {
	f, err := l.routine(name, args)
	if err != nil {
		return nil, types.Type{}, err
	}
	t, err := toldType(f.ctx, f.call)
	return f.eval, t, err
}

// eval is a fn.Kernel.
func (f *routine) eval(c *fn.Context, n int, args []*types.Vec, t *types.Type, out *types.Vec) (err error) {
	row := make(sql.Row, len(args))
	for i := range n {
		for k, v := range args {
			if row[k], err = Value(&f.kinds[k], v, i); err != nil {
				return err
			}
		}
		f.session.warnings = f.session.warnings[:0]
		v, err := f.call.Eval(f.ctx, row)
		switch {
		case c.Tells:
			if f.of.Warnings = append(f.of.Warnings, f.session.warnings...); err != nil {
				return err
			}
		case err != nil || len(f.session.warnings) > 0:
			return fn.Refuse(fn.ByRow, "a value that a function warns of")
		}
		if err := fromLibrary(f.ctx, v, t, out, i); err != nil {
			return err
		}
	}
	return nil
}

// TypeOf is the library's type of an operand.
func TypeOf(t types.Type) (sql.Type, error) {
	switch t.Kind {
	case types.Null:
		return gms.Null, nil
	case types.Int:
		return gms.Int64, nil
	case types.Uint:
		if t.Wire == types.WireYear {
			return gms.Year, nil
		}
		return gms.Uint64, nil
	case types.Float:
		if t.Wire == types.WireFloat {
			return gms.Float32, nil
		}
		return gms.Float64, nil
	case types.Decimal:
		return gms.CreateDecimalType(t.Precision, t.Scale)
	case types.String:
		switch t.Wire {
		case types.WireJSON:
			return gms.JSON, nil
		case types.WireGeometry:
			return gms.GeometryType{}, nil
		}
		if t.Collation == types.Binary {
			return gms.LongBlob, nil
		}
		return gms.CreateLongText(sql.CollationID(t.Collation)), nil
	case types.Date:
		return gms.Date, nil
	case types.DateTime:
		return gms.CreateDatetimeType(gms.Datetime.Type(), int(t.Scale))
	case types.Time:
		return gms.Time, nil
	}
	return nil, fn.Refuse(fn.ByType, "an operand that the library does not know")
}

// Value is the library's value of an operand.
func Value(t *types.Type, v *types.Vec, i int) (any, error) {
	if v.Kind == types.Null || v.IsNull(i) {
		return nil, nil
	}
	switch v.Kind {
	case types.Int:
		return v.I[i], nil
	case types.Uint:
		if t.Wire == types.WireYear {
			return int16(v.I[i]), nil
		}
		return uint64(v.I[i]), nil
	case types.Float:
		if t.Wire == types.WireFloat {
			return float32(v.F[i]), nil
		}
		return v.F[i], nil
	case types.Decimal:
		w, ok := types.Rescale(v.Wide(i), v.Scale, int(t.Scale))
		if !ok {
			return nil, types.ErrRange
		}
		d, _, err := apd.NewFromString(string(types.AppendDecimal(nil, w, int(t.Scale))))
		return d, err
	case types.String:
		switch t.Wire {
		case types.WireJSON:
			return operand.NewDocument(append([]byte{}, v.S[i]...)), nil
		case types.WireGeometry:
			return geometry.FromStored(v.S[i])
		}
		if t.Collation == types.Binary {
			return append([]byte{}, v.S[i]...), nil
		}
		return string(v.S[i]), nil
	case types.Date, types.DateTime:
		return operand.TimeOf(types.Unpack(v.I[i])), nil
	case types.Time:
		return gms.Timespan(v.I[i]), nil
	}
	return nil, fn.Refuse(fn.ByType, "an operand that the library does not know")
}

// fromLibrary puts a value of the library into its place.
func fromLibrary(ctx *sql.Context, v any, t *types.Type, out *types.Vec, i int) (err error) {
	if v == nil {
		out.SetNull(i)
		return nil
	}
	if _, document := v.(sql.JSONWrapper); !document {
		if v, err = sql.UnwrapAny(ctx, v); err != nil {
			return err
		}
	}
	ok := false
	switch t.Kind {
	case types.Int:
		out.I[i], ok = libraryInteger(v, false)
	case types.Uint:
		out.I[i], ok = libraryInteger(v, true)
	case types.Float:
		out.F[i], ok = libraryFloat(v)
	case types.Decimal:
		ok = libraryDecimal(v, t, out, i)
	case types.String:
		switch s := v.(type) {
		case sql.JSONWrapper:
			if t.Document() {
				out.S[i], err = operand.AppendDocument(ctx, nil, s)
				return err
			}
		case gms.GeometryValue:
			out.S[i], ok = s.Serialize(), t.Wire == types.WireGeometry
		case string:
			out.S[i], ok = []byte(s), true
		case []byte:
			out.S[i], ok = append([]byte{}, s...), true
		}
		ok = ok && (t.Collation == types.Binary || utf8.Valid(out.S[i]))
	case types.Date, types.DateTime:
		var at time.Time
		if at, ok = v.(time.Time); ok {
			out.I[i] = operand.Packed(at)
			if t.Kind == types.Date {
				out.I[i] = types.DateOnly(out.I[i])
			}
			return nil
		}
	case types.Time:
		var span gms.Timespan
		if span, ok = v.(gms.Timespan); ok {
			out.I[i] = int64(span)
		}
	}
	if !ok {
		return fn.Refuse(fn.ByRow, "a value of another kind than its function has")
	}
	return nil
}

// libraryInteger is a value as an integer, if it is one.
func libraryInteger(v any, unsigned bool) (int64, bool) {
	switch n := v.(type) {
	case bool:
		if n {
			return 1, true
		}
		return 0, true
	case int8:
		return int64(n), !unsigned || n >= 0
	case int16:
		return int64(n), !unsigned || n >= 0
	case int32:
		return int64(n), !unsigned || n >= 0
	case int64:
		return n, !unsigned || n >= 0
	case int:
		return int64(n), !unsigned || n >= 0
	case uint8:
		return int64(n), true
	case uint16:
		return int64(n), true
	case uint32:
		return int64(n), true
	case uint64:
		return int64(n), unsigned || n <= math.MaxInt64
	case *apd.Decimal:
		whole, err := n.Int64()
		return whole, err == nil && (!unsigned || whole >= 0)
	}
	return 0, false
}

func libraryFloat(v any) (float64, bool) {
	switch f := v.(type) {
	case float64:
		return f, !math.IsInf(f, 0) && !math.IsNaN(f)
	case float32:
		return float64(f), true
	}
	n, ok := libraryInteger(v, false)
	return float64(n), ok
}

func libraryDecimal(v any, t *types.Type, out *types.Vec, i int) bool {
	var w types.Int128
	from, ok := 0, true
	if d, is := v.(*apd.Decimal); is {
		w, from, ok = types.ParseDecimal(d.Text('f'))
	} else if n, is := libraryInteger(v, false); is {
		w = types.FromInt64(n)
	} else {
		return false
	}
	if ok {
		w, ok = types.Rescale(w, from, int(t.Scale))
	}
	if !ok {
		return false
	}
	out.Widen()
	out.W[i] = w
	return true
}

var BuiltIn = function.NewRegistry()

// LibraryFunction finds a function that is no stored one, by its lower-case name.
func LibraryFunction(ctx *sql.Context, name string) (sql.Function, bool) {
	if f, ok := operand.Lookup(name); ok {
		return f, true
	}
	return BuiltIn.Function(ctx, "", name)
}
