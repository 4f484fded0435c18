package sqllayer

// What of a session moves to another process: everything that its next statement may see, where no
// transaction is open. What cannot move is named by Stays.

import (
	"bytes"
	"context"
	"fmt"
	"strconv"
	"time"

	"github.com/cockroachdb/apd/v3"
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/types"
	querypb "github.com/dolthub/vitess/go/vt/proto/query"

	"emberdb/account"
	"emberdb/sqllayer/expr"
	"emberdb/sqllayer/geometry"
)

// Moved is a session on its way.
type Moved struct {
	Database      string
	Variables     map[string]MovedValue // those that differ from the global ones
	UserVariables map[string]MovedVariable
	Roles         *[]account.Name // nil: nobody has asked for them yet
	Warnings      []sql.Warning
	RowCount      int64
	FoundRows     int64
	LastInsertID  int64
}

// MovedValue is a value: its kind, and its text.
type MovedValue struct {
	Kind string
	Text []byte
}

func (m MovedValue) is(o MovedValue) bool { return m.Kind == o.Kind && bytes.Equal(m.Text, o.Text) }

// MovedVariable is a user variable.
type MovedVariable struct {
	MovedValue
	Type MovedType
}

// MovedType is a type as far as user variables have one.
type MovedType struct {
	Base      int32
	Length    int64
	Collation uint16
	Precision int
	Scale     int
}

// Stays says what keeps the session from moving, "" if nothing does. It is for the session's own
// goroutine, between statements.
func (s *Session) Stays() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case s.inTransaction():
		return "a transaction is open"
	case s.branch.state != noBranch:
		return "an XA transaction is attached"
	case s.once != once{}:
		return "the next transaction's characteristics are set"
	case s.locked != nil:
		return "LOCK TABLES is in force"
	case len(s.handlers.byName) > 0:
		return "it has opened tables by HANDLER"
	case len(s.temps.byName) > 0:
		return "it has temporary tables"
	case s.log.next.state != gtidAutomatic || s.log.next.holds:
		return "gtid_next is set"
	case s.layer.locks.Holds(s.ID()):
		return "it holds a lock of GET_LOCK"
	}
	return ""
}

// MovedGlobals are the global values that sessions begin with.
func MovedGlobals() map[string]MovedValue {
	ctx, globals := sql.NewEmptyContext(), map[string]MovedValue{}
	for name, v := range sql.SystemVariables.GetAllGlobalVariables() {
		if at, _, ok := sql.SystemVariables.GetGlobal(name); ok && !at.IsGlobalOnly() && !at.IsReadOnly() {
			if m, err := moveValue(ctx, v); err == nil {
				globals[name] = m
			}
		}
	}
	return globals
}

// Move returns the session for another process; globals are MovedGlobals.
func (s *Session) Move(globals map[string]MovedValue) (*Moved, error) {
	ctx := sql.NewContext(context.Background(), sql.WithSession(s.BaseSession))
	last := s.GetLastQueryInfo()
	m := &Moved{Database: s.GetCurrentDatabase(), Variables: map[string]MovedValue{}, UserVariables: map[string]MovedVariable{}, Roles: s.roles.Load(),
		RowCount: last.RowCount.Load(), FoundRows: last.FoundRows.Load(), LastInsertID: last.LastInsertId.Load()}
	for name, v := range s.GetAllSessionVariables() {
		at, _, ok := sql.SystemVariables.GetGlobal(name)
		if !ok || at.IsReadOnly() || at.IsGlobalOnly() {
			continue
		}
		value, err := moveValue(ctx, v)
		if err != nil {
			return nil, fmt.Errorf("variable %s: %w", name, err)
		}
		if old, ok := globals[name]; !ok || !old.is(value) {
			m.Variables[name] = value
		}
	}
	for name := range s.userNames {
		t, v, err := s.GetUserVariable(ctx, name)
		if err != nil {
			return nil, err
		}
		one := MovedVariable{Type: moveType(t)}
		if one.MovedValue, err = moveValue(ctx, v); err == nil {
			err = one.Type.check(t)
		}
		if err != nil {
			return nil, fmt.Errorf("user variable %s: %w", name, err)
		}
		m.UserVariables[name] = one
	}
	for _, w := range s.Warnings() {
		m.Warnings = append(m.Warnings, *w)
	}
	return m, nil
}

// Arrive makes a new session what m was in another process, whose global values were globals.
func (s *Session) Arrive(m *Moved, globals map[string]MovedValue) error {
	defer s.variables.Add(1)
	ctx := sql.NewContext(context.Background(), sql.WithSession(s.BaseSession)) // not a client's SET: nobody is asked
	now := MovedGlobals()
	for name, v := range globals {
		if own, ok := now[name]; ok && !own.is(v) {
			if err := s.arriveVariable(ctx, name, v); err != nil {
				return err
			}
		}
	}
	for name, v := range m.Variables {
		if err := s.arriveVariable(ctx, name, v); err != nil {
			return err
		}
	}
	for name, v := range m.UserVariables {
		value, err := v.value()
		if err != nil {
			return fmt.Errorf("user variable %s: %w", name, err)
		}
		t, err := v.Type.sqlType()
		if err != nil {
			return fmt.Errorf("user variable %s: %w", name, err)
		}
		if err := s.SetUserVariable(ctx, name, value, t); err != nil {
			return err
		}
	}
	s.SetCurrentDatabase(m.Database)
	if m.Roles != nil {
		s.roles.Store(m.Roles)
	}
	for i := range m.Warnings {
		s.BaseSession.Warn(&m.Warnings[i])
	}
	last := s.GetLastQueryInfo()
	last.RowCount.Store(m.RowCount)
	last.FoundRows.Store(m.FoundRows)
	last.LastInsertId.Store(m.LastInsertID)
	return nil
}

// arriveVariable sets a session variable. One that this program does not know is passed over.
func (s *Session) arriveVariable(ctx *sql.Context, name string, v MovedValue) error {
	at, _, ok := sql.SystemVariables.GetGlobal(name)
	if !ok || at.IsReadOnly() || at.IsGlobalOnly() {
		return nil
	}
	value, err := v.value()
	if err == nil {
		err = s.BaseSession.SetSessionVariable(ctx, name, value)
	}
	if err != nil {
		return fmt.Errorf("variable %s: %w", name, err)
	}
	return nil
}

// Kinds of values.
const (
	kindNull    = "null"
	kindBool    = "bool"
	kindInt     = "int"
	kindUint    = "uint"
	kindFloat   = "float"
	kindText    = "text"
	kindBytes   = "bytes"
	kindDecimal = "decimal"
	kindMoment  = "moment"
	kindSpan    = "span"
	kindJSON    = "json"     // MySQL's text form, as in a column
	kindShape   = "geometry" // SRID and WKB, as in a column
)

// moveValue tells a value by its kind, with its size in bits where it has one.
func moveValue(ctx *sql.Context, v any) (MovedValue, error) {
	v, err := sql.UnwrapAny(ctx, v)
	if err != nil {
		return MovedValue{}, err
	}
	signed := func(n int64, bits string) (MovedValue, error) {
		return MovedValue{kindInt + bits, strconv.AppendInt(nil, n, 10)}, nil
	}
	unsigned := func(n uint64, bits string) (MovedValue, error) {
		return MovedValue{kindUint + bits, strconv.AppendUint(nil, n, 10)}, nil
	}
	switch v := v.(type) {
	case nil:
		return MovedValue{Kind: kindNull}, nil
	case bool:
		return MovedValue{kindBool, strconv.AppendBool(nil, v)}, nil
	case int:
		return signed(int64(v), "")
	case int8:
		return signed(int64(v), "8")
	case int16:
		return signed(int64(v), "16")
	case int32:
		return signed(int64(v), "32")
	case int64:
		return signed(v, "64")
	case uint8:
		return unsigned(uint64(v), "8")
	case uint16:
		return unsigned(uint64(v), "16")
	case uint32:
		return unsigned(uint64(v), "32")
	case uint64:
		return unsigned(v, "64")
	case float32:
		return MovedValue{kindFloat + "32", strconv.AppendFloat(nil, float64(v), 'g', -1, 32)}, nil
	case float64:
		return MovedValue{kindFloat + "64", strconv.AppendFloat(nil, v, 'g', -1, 64)}, nil
	case string:
		return MovedValue{kindText, []byte(v)}, nil
	case []byte:
		return MovedValue{kindBytes, v}, nil
	case *apd.Decimal:
		return MovedValue{kindDecimal, []byte(v.Text('f'))}, nil
	case time.Time:
		text, err := v.UTC().MarshalText()
		return MovedValue{kindMoment, text}, err
	case types.Timespan:
		return MovedValue{kindSpan, strconv.AppendInt(nil, int64(v), 10)}, nil
	case types.JSONBytes: // as it is stored: a decimal keeps its digits
		text, err := v.GetBytes(ctx)
		return MovedValue{kindJSON, text}, err
	case sql.JSONWrapper:
		text, err := types.JsonToMySqlBytes(ctx, v)
		return MovedValue{kindJSON, text}, err
	case types.GeometryValue:
		return MovedValue{kindShape, v.Serialize()}, nil
	}
	return MovedValue{}, fmt.Errorf("a value of type %T does not move", v)
}

// value is what moveValue was given.
func (m MovedValue) value() (any, error) {
	text := string(m.Text)
	switch m.Kind {
	case kindNull:
		return nil, nil
	case kindBool:
		return strconv.ParseBool(text)
	case kindText:
		return text, nil
	case kindBytes:
		return append([]byte{}, m.Text...), nil
	case kindDecimal:
		d, _, err := apd.NewFromString(text)
		return d, err
	case kindMoment:
		var t time.Time
		err := t.UnmarshalText(m.Text)
		return t, err
	case kindSpan:
		n, err := strconv.ParseInt(text, 10, 64)
		return types.Timespan(n), err
	case kindJSON:
		return expr.NewDocument(m.Text), nil
	case kindShape:
		return geometry.FromStored(m.Text)
	case kindFloat + "32":
		f, err := strconv.ParseFloat(text, 32)
		return float32(f), err
	case kindFloat + "64":
		return strconv.ParseFloat(text, 64)
	}
	return m.integer(text)
}

func (m MovedValue) integer(text string) (any, error) {
	n, err := strconv.ParseInt(text, 10, 64)
	u, uerr := strconv.ParseUint(text, 10, 64)
	switch m.Kind {
	case kindInt:
		return int(n), err
	case kindInt + "8":
		return int8(n), err
	case kindInt + "16":
		return int16(n), err
	case kindInt + "32":
		return int32(n), err
	case kindInt + "64":
		return n, err
	case kindUint + "8":
		return uint8(u), uerr
	case kindUint + "16":
		return uint16(u), uerr
	case kindUint + "32":
		return uint32(u), uerr
	case kindUint + "64":
		return u, uerr
	}
	return nil, fmt.Errorf("kind %.20q is not known", m.Kind)
}

func moveType(t sql.Type) MovedType {
	if t == nil {
		t = types.Null
	}
	m := MovedType{Base: int32(t.Type())}
	switch t := t.(type) {
	case sql.StringType:
		m.Length, m.Collation = t.Length(), uint16(t.Collation())
	case sql.DecimalType:
		m.Precision, m.Scale = int(t.Precision()), int(t.Scale())
	case sql.DatetimeType:
		m.Precision = t.Precision()
	case types.BitType:
		m.Length = int64(t.NumberOfBits())
	}
	return m
}

// sqlType is the type that moveType was given.
func (m MovedType) sqlType() (sql.Type, error) {
	base := querypb.Type(m.Base)
	switch base {
	case querypb.Type_NULL_TYPE:
		return types.Null, nil
	case querypb.Type_DECIMAL:
		if m.Precision < 0 || m.Precision > types.DecimalTypeMaxPrecision || m.Scale < 0 || m.Scale > m.Precision {
			return nil, fmt.Errorf("a decimal of %d,%d digits", m.Precision, m.Scale)
		}
		return types.CreateDecimalType(uint8(m.Precision), uint8(m.Scale))
	case querypb.Type_DATE, querypb.Type_DATETIME, querypb.Type_TIMESTAMP:
		return types.CreateDatetimeType(base, m.Precision)
	case querypb.Type_TIME:
		return types.Time, nil
	case querypb.Type_YEAR:
		return types.Year, nil
	case querypb.Type_CHAR, querypb.Type_VARCHAR, querypb.Type_TEXT, querypb.Type_BINARY, querypb.Type_VARBINARY, querypb.Type_BLOB:
		return types.CreateString(base, m.Length, sql.CollationID(m.Collation))
	case querypb.Type_BIT:
		if m.Length < types.BitTypeMinBits || m.Length > types.BitTypeMaxBits {
			return nil, fmt.Errorf("a bit field of %d bits", m.Length)
		}
		return types.CreateBitType(uint8(m.Length))
	case querypb.Type_JSON:
		return types.JSON, nil
	case querypb.Type_GEOMETRY:
		return types.GeometryType{}, nil
	}
	return types.CreateNumberType(base)
}

// check tells whether another process gets the same type.
func (m MovedType) check(t sql.Type) error {
	again, err := m.sqlType()
	if err == nil && moveType(again) != m {
		err = fmt.Errorf("a value of type %v does not move", t)
	}
	return err
}
