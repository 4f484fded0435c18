// Package resultset describes the columns of a result to the client and writes its values, as MySQL
// does.
//
// A row's way: [NewWriter] decides once per result how each column is written; [Writer.Row] writes
// a row as the text protocol shows it; for the binary protocol these texts then become binary
// values.
//
// The types of go-mysql-server know how to write themselves, except for what MySQL does otherwise:
//
//	FLOAT, DOUBLE   six significant digits, or the shortest text that reads back; no plus sign
//	TIME            no fraction where there is none; the same for DATETIME of an expression
//	expressions     integers are BIGINT and strings VARCHAR, whatever go-mysql-server computed
//
// Invariant: the type that a value is written as and the type that describes its column are one
// decision (wireType).
package resultset

import (
	"slices"
	"strconv"
	"strings"
	"time"

	gms "github.com/dolthub/go-mysql-server/server"
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/types"
	"github.com/dolthub/vitess/go/sqltypes"
	querypb "github.com/dolthub/vitess/go/vt/proto/query"

	"emberdb/engine/row"
	"emberdb/sql/ast"
	"emberdb/sql/charset"
	"emberdb/sqllayer/expr/operand"
	"emberdb/sqllayer/lower"
	"emberdb/sqllayer/programs"
	"emberdb/sqllayer/store"
)

// notFixed is the number of decimals that says that a float has no fixed number of them.
const notFixed = 31

// Fields describes a result set's columns to the client.
func Fields(ctx *sql.Context, schema sql.Schema, origins []programs.ResultColumn) []*querypb.Field {
	results := ctx.GetCharacterSetResults()
	fields := make([]*querypb.Field, len(schema))
	for i, col := range schema {
		fields[i] = fieldOf(ctx, col, &origins[i], results)
	}
	if set := charset.Find(results.Name()); set != nil && !set.IsUTF8() {
		for _, f := range fields {
			for _, name := range []*string{&f.Name, &f.OrgName, &f.Table, &f.OrgTable, &f.Database} {
				encoded, _ := set.Encode(nil, []byte(*name))
				*name = string(encoded)
			}
		}
	}
	return fields
}

// Named gives columns the names that a statement asks for: those of SHOW TABLES LIKE and SHOW
// DATABASES LIKE have the pattern in them, and a column of a table has the name as it is written in
// the select list.
func Named(fields []*querypb.Field, tree ast.Statement) []*querypb.Field {
	switch n := tree.(type) {
	case *ast.Show:
		if n.Like != nil && (n.Kind == ast.ShowTables || n.Kind == ast.ShowDatabases) && len(fields) > 0 {
			fields[0].Name += " (" + n.Like.Bytes() + ")"
		}
	case *ast.Query:
		if s, ok := n.Body.(*ast.Select); ok && len(s.Items) == len(fields) {
			for i, item := range s.Items {
				c, ok := item.X.(*ast.Column)
				if ok && item.Alias.Name == "" && fields[i].OrgTable != "" && strings.EqualFold(c.Name.Name, fields[i].Name) && !ofView(fields[i]) {
					fields[i].Name = c.Name.Name
				}
			}
		}
	}
	return fields
}

// Bound gives texts and bytes the widths that binding the statement told, if it was bound before it
// was left to the library: a column is described in the same way whether or not a row of it warns.
func Bound(fields, bound []*querypb.Field) {
	if len(fields) != len(bound) {
		return
	}
	for i, f := range fields {
		if b := bound[i]; isVarString(f.Type) && isVarString(b.Type) && f.Charset == b.Charset {
			f.ColumnLength, f.Decimals = b.ColumnLength, b.Decimals
		}
	}
}

// isVarString tells the types that the protocol has one name for.
func isVarString(t querypb.Type) bool {
	return t == querypb.Type_VARCHAR || t == querypb.Type_VARBINARY
}

// ofView tells columns of the tables of information_schema that are views in MySQL: they have the
// views' names for them.
func ofView(f *querypb.Field) bool {
	return strings.EqualFold(f.Database, sql.InformationSchemaDatabaseName) &&
		(!strings.HasPrefix(f.OrgTable, "INNODB_") || slices.Contains(innodbViews, f.OrgTable))
}

var innodbViews = []string{"INNODB_DATAFILES", "INNODB_FIELDS", "INNODB_FOREIGN_COLS", "INNODB_TABLESPACES_BRIEF"}

func fieldOf(ctx *sql.Context, col *sql.Column, o *programs.ResultColumn, results sql.CharacterSetID) *querypb.Field {
	charset := uint32(sql.Collation_Default)
	if t, ok := col.Type.(sql.TypeWithCollation); ok {
		charset = uint32(t.Collation())
	}
	switch {
	case types.IsBinaryType(col.Type) || !types.IsText(col.Type) && !types.IsEnum(col.Type) && !types.IsSet(col.Type):
		charset = uint32(sql.Collation_binary)
	case results != sql.CharacterSet_Unspecified:
		charset = uint32(results.DefaultCollation())
	}
	flags := columnFlags(col, o)
	if charset == uint32(sql.Collation_binary) && (o.OrgTable == "" || !isNumber(col.Type)) {
		flags |= querypb.MySqlFlag_BINARY_FLAG
	}
	database := col.DatabaseSource
	if database == "" && o.Base != nil {
		database = o.Base.DatabaseSource // of a column that is shown by another name
	}
	f := &querypb.Field{Name: col.Name, OrgName: o.OrgName, Table: o.Table, OrgTable: o.OrgTable,
		Database: database, Type: wireType(col.Type, o), Charset: charset,
		ColumnLength: col.Type.MaxTextResponseByteLength(ctx), Flags: uint32(flags)}
	if f.Name == lower.Nameless {
		f.Name = ""
	}
	if d, ok := col.Type.(sql.DecimalType); ok && types.IsDecimal(col.Type) {
		f.Decimals = uint32(d.Scale())
	} else if d, ok := col.Type.(sql.DatetimeType); ok && types.IsTime(col.Type) && !types.IsDateType(col.Type) {
		f.Decimals = uint32(d.Precision())
	} else if types.IsFloat(col.Type) {
		f.Decimals = notFixed
	} else if n, ok := col.Type.(sql.NumberType); ok && o.OrgTable != "" && n.DisplayWidth() > 0 {
		f.ColumnLength = uint32(n.DisplayWidth()) // of TINYINT(1), by which clients know a BOOLEAN
	}
	if o.Seconds > 0 {
		describeSeconds(f, uint32(o.Seconds-1))
	}
	if o.Stored != nil {
		describeStored(f, o.Stored)
	}
	return f
}

// isNumber tells the types whose columns are not binary in a table, but are as expressions.
func isNumber(t sql.Type) bool { return types.IsNumber(t) || types.IsYear(t) || types.IsBit(t) }

// describeSeconds tells the digits of a time.
func describeSeconds(f *querypb.Field, digits uint32) {
	f.Decimals, f.ColumnLength = digits, 10
	if f.Type == sqltypes.Datetime {
		f.ColumnLength = uint32(len(time.DateTime))
	}
	if digits > 0 {
		f.ColumnLength += 1 + digits
	}
}

// describeStored adds what only the table's column knows.
func describeStored(f *querypb.Field, c *row.Column) {
	switch c.Type {
	case row.TTime:
		f.Decimals = uint32(c.Precision)
	case row.TFloat32, row.TFloat64:
		if c.Precision > 0 {
			f.Decimals, f.ColumnLength = uint32(c.Scale), uint32(c.Precision)
		}
	}
	if c.Unsigned {
		f.Flags |= uint32(querypb.MySqlFlag_UNSIGNED_FLAG)
	}
	if c.Zerofill > 0 {
		f.Flags |= uint32(querypb.MySqlFlag_ZEROFILL_FLAG)
		f.ColumnLength = uint32(c.Zerofill)
	}
}

func columnFlags(col *sql.Column, o *programs.ResultColumn) (flags querypb.MySqlFlag) {
	base := o.Base
	if base == nil {
		base = &sql.Column{Nullable: col.Nullable}
	}
	if !base.Nullable && !o.Nullable {
		flags |= querypb.MySqlFlag_NOT_NULL_FLAG
	}
	if base.AutoIncrement {
		flags |= querypb.MySqlFlag_AUTO_INCREMENT_FLAG
	}
	if base.PrimaryKey {
		flags |= querypb.MySqlFlag_PRI_KEY_FLAG
	}
	switch {
	case types.IsYear(col.Type):
		flags |= querypb.MySqlFlag_UNSIGNED_FLAG
		if o.Base != nil {
			flags |= querypb.MySqlFlag_ZEROFILL_FLAG
		}
	case types.IsUnsigned(col.Type), types.IsBit(col.Type):
		flags |= querypb.MySqlFlag_UNSIGNED_FLAG
	case types.IsEnum(col.Type):
		flags |= querypb.MySqlFlag_ENUM_FLAG
	case types.IsSet(col.Type):
		flags |= querypb.MySqlFlag_SET_FLAG
	}
	return flags
}

// wireType is the type a column is sent as.
func wireType(t sql.Type, o *programs.ResultColumn) querypb.Type {
	typ := t.Type()
	if !o.Computed && !o.Shown {
		return typ
	}
	switch {
	case types.IsBit(t), o.Shown && !types.IsText(t):
	case types.IsInteger(t) || types.IsBoolean(t):
		if types.IsUnsigned(t) {
			return sqltypes.Uint64
		}
		return sqltypes.Int64
	case typ == sqltypes.Text || typ == sqltypes.Char:
		return sqltypes.VarChar
	case typ == sqltypes.Blob || typ == sqltypes.Binary:
		return sqltypes.VarBinary
	}
	return typ
}

// Writer turns rows into wire values.
type Writer struct {
	schema sql.Schema
	Fields []*querypb.Field
	own    []bool        // columns this package writes itself
	exact  []bool        // dates with times whose digits are known
	stored []*row.Column // columns of tables whose numbers are not written like those of their type; nil for others
	any    bool
	binary bool // of the binary protocol
}

// NewWriter returns the writer of a result whose columns come from origins.
func NewWriter(schema sql.Schema, fields []*querypb.Field, origins []programs.ResultColumn, binary bool) *Writer {
	w := &Writer{schema: schema, Fields: fields, own: make([]bool, len(schema)), exact: make([]bool, len(schema)),
		stored: make([]*row.Column, len(schema)), binary: binary}
	for i, c := range schema {
		if s := origins[i].Stored; s != nil && (s.Zerofill > 0 || s.Precision > 0 && types.IsFloat(c.Type)) {
			w.stored[i], w.any = s, true
		}
		w.own[i] = types.IsFloat(c.Type) || types.IsTimestampType(c.Type) || types.IsTimespan(c.Type) ||
			fields[i].Type != c.Type.Type() ||
			types.IsDatetimeType(c.Type) && fields[i].OrgTable == "" && fields[i].Decimals == 6
		w.exact[i] = origins[i].Seconds > 0 && types.IsDatetimeType(c.Type)
		w.any = w.any || w.exact[i] || w.own[i] || store.OwnForms(c.Type) || types.IsYear(c.Type) && fields[i].OrgTable != ""
	}
	return w
}

// Row writes a row. The values live in buf if there is one.
func (w *Writer) Row(ctx *sql.Context, row sql.Row, buf *sql.ByteBuffer) ([]sqltypes.Value, error) {
	out, err := w.texts(ctx, row, buf)
	if err != nil || !w.binary {
		return out, err
	}
	return binaryRow(w.Fields, row, out)
}

// texts writes a row as the text protocol shows it.
func (w *Writer) texts(ctx *sql.Context, row sql.Row, buf *sql.ByteBuffer) ([]sqltypes.Value, error) {
	if !w.any && !ownMoments(row) {
		out, err := gms.RowToSQL(ctx, w.schema, row, nil, buf)
		if err == nil || !sql.ErrCharSetFailedToEncode.Is(err) {
			return out, err
		}
	}
	out := make([]sqltypes.Value, len(w.schema))
	for i, c := range w.schema {
		if row[i] == nil {
			continue
		}
		if s := w.stored[i]; s != nil {
			text, err := storedText(ctx, s, c.Type, row[i])
			if err != nil {
				return nil, err
			}
			out[i] = sqltypes.MakeTrusted(w.Fields[i].Type, text)
			continue
		}
		if at, ok := row[i].(time.Time); ok && w.exact[i] {
			out[i] = sqltypes.MakeTrusted(w.Fields[i].Type, []byte(operand.ShownMoment(at, false, int(w.Fields[i].Decimals))))
			continue
		}
		if at, ok := row[i].(time.Time); ok && at.Year() > 0 && types.IsTimestampType(c.Type) {
			out[i] = sqltypes.MakeTrusted(w.Fields[i].Type, momentText(at, w.Fields[i].Decimals))
			continue
		}
		if year, ok := row[i].(int16); ok && year == 0 && types.IsYear(c.Type) && w.Fields[i].OrgTable != "" {
			out[i] = sqltypes.MakeTrusted(w.Fields[i].Type, []byte(store.YearZero))
			continue
		}
		if at, ok := row[i].(time.Time); ok && w.shortMoment(i, at) {
			out[i] = sqltypes.MakeTrusted(w.Fields[i].Type, []byte(operand.ShownMoment(at, false, 0)))
			continue
		}
		if at, ok := row[i].(time.Time); ok && store.OwnMoment(at) {
			out[i] = sqltypes.MakeTrusted(w.Fields[i].Type, []byte(store.MomentText(c.Type, at)))
			continue
		}
		if text, ok := ownText(row[i], w.Fields[i].Decimals); ok && w.own[i] && !types.IsDateType(c.Type) {
			out[i] = sqltypes.MakeTrusted(w.Fields[i].Type, text)
			continue
		}
		var dest []byte
		if buf != nil {
			dest = buf.Get()
		}
		v, err := store.WireValue(ctx, c.Type, dest, row[i])
		if err != nil {
			return nil, err
		}
		if buf != nil {
			buf.Grow(v.Len())
		}
		if w.own[i] && !v.IsNull() {
			v = sqltypes.MakeTrusted(w.Fields[i].Type, v.ToBytes())
		}
		out[i] = v
	}
	return out, nil
}

// shortMoment tells a date with its time that is written without a fraction: where an expression made
// it, the library may not know its digits.
func (w *Writer) shortMoment(i int, at time.Time) bool {
	usual := at.Year() > 0 && !operand.Unreal(at)
	return w.own[i] && at.Nanosecond() == 0 && !types.IsDateType(w.schema[i].Type) && (usual || w.Fields[i].OrgTable == "")
}

// ownMoments tells whether a row has a date that the library does not write as MySQL does.
func ownMoments(row sql.Row) bool {
	for _, v := range row {
		if at, ok := v.(time.Time); ok && store.OwnMoment(at) {
			return true
		}
	}
	return false
}

// storedText writes a number as its column shows it.
func storedText(ctx *sql.Context, c *row.Column, t sql.Type, v any) (text []byte, err error) {
	switch v := v.(type) {
	case float64:
		text = store.AppendColumnFloat(nil, v, c)
	case float32:
		text = store.AppendColumnFloat(nil, float64(v), c)
	default:
		out, err := t.SQL(ctx, nil, v)
		if err != nil {
			return nil, err
		}
		text = out.ToBytes()
	}
	return store.ZeroFill(text, 0, c), nil
}

// ownText writes the values that MySQL writes differently.
func ownText(v any, decimals uint32) ([]byte, bool) {
	switch v := v.(type) {
	case float64:
		return operand.AppendFloat(nil, v, 64), true
	case float32:
		return operand.AppendFloat(nil, float64(v), 32), true
	case types.Timespan:
		return appendTime(nil, int64(v), decimals), true
	}
	return nil, false
}

// momentText writes what a TIMESTAMP's clock shows, which can lie outside the type's bounds.
func momentText(t time.Time, decimals uint32) []byte {
	const digits = "2006-01-02 15:04:05.000000"
	if decimals == 0 {
		return t.AppendFormat(nil, time.DateTime)
	}
	return t.AppendFormat(nil, digits[:len(time.DateTime)+1+int(decimals)])
}

// appendTime writes a TIME of microseconds. Without a number of digits a fraction has six.
func appendTime(to []byte, micros int64, digits uint32) []byte {
	if micros < 0 {
		to = append(to, '-')
		micros = -micros
	}
	seconds := micros / 1e6
	two := func(n int64) {
		if n < 10 {
			to = append(to, '0')
		}
		to = strconv.AppendInt(to, n, 10)
	}
	two(seconds / 3600)
	to = append(to, ':')
	two(seconds / 60 % 60)
	to = append(to, ':')
	two(seconds % 60)
	fraction := micros % 1e6
	if digits == 0 && fraction != 0 {
		digits = 6
	}
	if digits > 0 {
		to = append(to, '.')
	}
	for unit := int64(1e5); digits > 0; digits-- {
		to = append(to, byte('0'+fraction/unit%10))
		unit /= 10
	}
	return to
}
