package differential

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/go-mysql-org/go-mysql/client"
	"github.com/go-mysql-org/go-mysql/mysql"
)

// answer runs a statement and describes what the client got.
func answer(c *client.Conn, s *statement) []string {
	if s.params != nil {
		return describe(prepared(c, s.sql, s.params))(s, true)
	}
	if strings.HasPrefix(strings.ToLower(s.sql), "call") {
		return callAll(c, s)
	}
	out := describe(c.Execute(s.sql))(s, false)
	if !s.reads() {
		return out
	}
	second := describe(prepared(c, s.sql, nil))(s, true)
	if slices.Equal(out, second) {
		return out
	}
	for _, line := range second {
		out = append(out, "binary "+line)
	}
	return out
}

// callAll runs a procedure, which may give several results.
func callAll(c *client.Conn, s *statement) (out []string) {
	_, err := c.ExecuteMultiple(s.sql, func(r *mysql.Result, err error) { out = append(out, describe(r, err)(s, false)...) })
	if err != nil {
		out = append(out, describeError(err))
	}
	return out
}

func prepared(c *client.Conn, query string, params []any) (*mysql.Result, error) {
	stmt, err := c.Prepare(query)
	if err != nil {
		return nil, err
	}
	defer stmt.Close()
	return stmt.Execute(params...)
}

// Describe tells of the result of a statement in the lines of a golden. Without an order, rows are
// sorted.
func Describe(sql string, r *mysql.Result, err error, binary, ordered bool) []string {
	return describe(r, err)(&statement{sql: sql, sorted: !ordered}, binary)
}

// describe returns a function so that it can take both results of a call.
func describe(r *mysql.Result, err error) func(*statement, bool) []string {
	return func(s *statement, binary bool) []string {
		if err != nil {
			return []string{describeError(err)}
		}
		if !r.HasResultset() {
			line := fmt.Sprintf("ok affected=%d", r.AffectedRows)
			if r.InsertId != 0 {
				line += fmt.Sprintf(" insertid=%d", r.InsertId)
			}
			return append([]string{line}, warnings(r)...)
		}
		var columns []string
		for _, f := range r.Fields {
			if shows := strings.HasPrefix(strings.ToLower(s.sql), "show"); shows {
				columns = append(columns, escape(string(f.Name)))
			} else {
				columns = append(columns, column(f))
			}
		}
		rows, err := describeRows(r, s, binary)
		if err != nil {
			return []string{"broken result: " + err.Error()}
		}
		out := append([]string{"columns: " + strings.Join(columns, " | ")}, rows...)
		return append(out, warnings(r)...)
	}
}

func describeError(err error) string {
	var e *mysql.MyError
	if !errors.As(err, &e) {
		return "broken: " + err.Error()
	}
	if e.Code == mysql.ER_PARSE_ERROR { // the text quotes what the parser has not read yet, which no other parser equals
		return fmt.Sprintf("error %d %s", e.Code, e.State)
	}
	return escape(fmt.Sprintf("error %d %s %s", e.Code, e.State, e.Message))
}

func warnings(r *mysql.Result) []string {
	if r.Warnings == 0 {
		return nil
	}
	return []string{fmt.Sprintf("warnings %d", r.Warnings)}
}

var typeNames = map[uint8]string{mysql.MYSQL_TYPE_DECIMAL: "OLDDECIMAL", mysql.MYSQL_TYPE_TINY: "TINY", mysql.MYSQL_TYPE_SHORT: "SHORT",
	mysql.MYSQL_TYPE_LONG: "LONG", mysql.MYSQL_TYPE_FLOAT: "FLOAT", mysql.MYSQL_TYPE_DOUBLE: "DOUBLE", mysql.MYSQL_TYPE_NULL: "NULL",
	mysql.MYSQL_TYPE_TIMESTAMP: "TIMESTAMP", mysql.MYSQL_TYPE_LONGLONG: "LONGLONG", mysql.MYSQL_TYPE_INT24: "INT24",
	mysql.MYSQL_TYPE_DATE: "DATE", mysql.MYSQL_TYPE_TIME: "TIME", mysql.MYSQL_TYPE_DATETIME: "DATETIME", mysql.MYSQL_TYPE_YEAR: "YEAR",
	mysql.MYSQL_TYPE_VARCHAR: "VARCHAR", mysql.MYSQL_TYPE_BIT: "BIT", mysql.MYSQL_TYPE_JSON: "JSON", mysql.MYSQL_TYPE_NEWDECIMAL: "DECIMAL",
	mysql.MYSQL_TYPE_ENUM: "ENUM", mysql.MYSQL_TYPE_SET: "SET", mysql.MYSQL_TYPE_TINY_BLOB: "TINY_BLOB",
	mysql.MYSQL_TYPE_MEDIUM_BLOB: "MEDIUM_BLOB", mysql.MYSQL_TYPE_LONG_BLOB: "LONG_BLOB", mysql.MYSQL_TYPE_BLOB: "BLOB",
	mysql.MYSQL_TYPE_VAR_STRING: "VAR_STRING", mysql.MYSQL_TYPE_STRING: "STRING", mysql.MYSQL_TYPE_GEOMETRY: "GEOMETRY"}

// flagNames are the flags that clients act on. NOT_NULL is shown for columns of tables only.
var flagNames = []struct {
	flag uint16
	name string
}{{mysql.UNSIGNED_FLAG, "unsigned"}, {mysql.ZEROFILL_FLAG, "zerofill"}, {mysql.ENUM_FLAG, "enum"}, {mysql.SET_FLAG, "set"},
	{mysql.PRI_KEY_FLAG, "primary"}, {mysql.AUTO_INCREMENT_FLAG, "auto_increment"}}

const binaryCharset = 63

// DatabasePrefix begins the names of the scripts' databases.
const DatabasePrefix = "diff_"

// column describes a column: name, type, flags, decimals where they mean something, whether text is
// binary. Of columns that are not of a script's own table, one text type is as good as another.
func column(f *mysql.Field) string {
	name := typeNames[f.Type]
	own := strings.HasPrefix(string(f.Schema), DatabasePrefix)
	switch f.Type {
	case mysql.MYSQL_TYPE_NEWDECIMAL, mysql.MYSQL_TYPE_FLOAT, mysql.MYSQL_TYPE_DOUBLE, mysql.MYSQL_TYPE_TIME, mysql.MYSQL_TYPE_DATETIME,
		mysql.MYSQL_TYPE_TIMESTAMP:
		if f.Decimal != 0 {
			name += fmt.Sprintf("(%d)", f.Decimal)
		}
	case mysql.MYSQL_TYPE_VAR_STRING, mysql.MYSQL_TYPE_STRING, mysql.MYSQL_TYPE_VARCHAR, mysql.MYSQL_TYPE_BLOB, mysql.MYSQL_TYPE_TINY_BLOB,
		mysql.MYSQL_TYPE_MEDIUM_BLOB, mysql.MYSQL_TYPE_LONG_BLOB:
		if !own {
			name = "TEXT"
		}
		if f.Charset == binaryCharset {
			name += " binary"
		}
	}
	for _, fl := range flagNames {
		if f.Flag&fl.flag != 0 && (own || fl.flag == mysql.UNSIGNED_FLAG) {
			name += " " + fl.name
		}
	}
	if own && len(f.OrgTable) > 0 && f.Flag&mysql.NOT_NULL_FLAG != 0 {
		name += " notnull"
	}
	return escape(string(f.Name)) + " " + name
}

// describeRows prints the rows as the text protocol shows them.
func describeRows(r *mysql.Result, s *statement, binary bool) ([]string, error) {
	var out []string
	for _, data := range r.RowDatas {
		var cells []string
		var err error
		if binary {
			cells, err = binaryCells(data, r.Fields)
		} else {
			cells, err = textCells(data, r.Fields)
		}
		if err != nil {
			return nil, err
		}
		for i, f := range r.Fields {
			if slices.Contains(s.mask, strings.ToLower(string(f.Name))) {
				cells[i] = "*"
			}
		}
		out = append(out, "row: "+strings.Join(cells, " | "))
	}
	if s.sorted {
		slices.Sort(out)
	}
	return out, nil
}

func textCells(data mysql.RowData, fields []*mysql.Field) ([]string, error) {
	cells := make([]string, len(fields))
	for i := range fields {
		v, null, n, err := mysql.LengthEncodedString(data)
		if err != nil {
			return nil, err
		}
		data = data[n:]
		cells[i] = "NULL"
		if !null {
			cells[i] = cell(v)
		}
	}
	return cells, nil
}

func binaryCells(data mysql.RowData, fields []*mysql.Field) ([]string, error) {
	values, err := data.ParseBinary(fields, nil)
	if err != nil {
		return nil, err
	}
	cells := make([]string, len(fields))
	for i, v := range values {
		switch v.Type {
		case mysql.FieldValueTypeNull:
			cells[i] = "NULL"
		case mysql.FieldValueTypeFloat:
			cells[i] = float(v.AsFloat64(), fields[i])
		case mysql.FieldValueTypeString:
			cells[i] = cell(fraction(v.AsString(), fields[i]))
		default:
			cells[i] = v.String()
			if width := int(fields[i].ColumnLength); fields[i].Flag&mysql.ZEROFILL_FLAG != 0 && len(cells[i]) < width {
				cells[i] = strings.Repeat("0", width-len(cells[i])) + cells[i]
			}
			if fields[i].Type == mysql.MYSQL_TYPE_YEAR && len(cells[i]) < 4 {
				cells[i] = strings.Repeat("0", 4-len(cells[i])) + cells[i]
			}
		}
	}
	return cells, nil
}

// notFixed is the number of decimals that says that a float has no fixed number of them.
const notFixed = 31

// float prints a float as MySQL's text protocol does: the shortest decimal, with an exponent for
// very large and small ones.
func float(v float64, f *mysql.Field) string {
	bits := 64
	if f.Type == mysql.MYSQL_TYPE_FLOAT {
		bits = 32
	}
	if f.Decimal < notFixed {
		return strconv.FormatFloat(v, 'f', int(f.Decimal), bits)
	}
	digits := -1
	if bits == 32 {
		digits = 6
	}
	text := strconv.FormatFloat(v, 'e', digits-1*b2i(digits > 0), bits)
	mantissa, exponent, _ := strings.Cut(text, "e")
	exp, _ := strconv.Atoi(exponent)
	if strings.Contains(mantissa, ".") {
		mantissa = strings.TrimRight(strings.TrimRight(mantissa, "0"), ".")
	}
	if digits := len(strings.Trim(mantissa, "-")) - strings.Count(mantissa, "."); exp < -15 || exp > 14 && digits <= exp+1 {
		return fmt.Sprintf("%se%d", mantissa, exp)
	}
	short, _ := strconv.ParseFloat(text, 64)
	return strconv.FormatFloat(short, 'f', -1, 64)
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}

// fraction gives a time of the binary protocol the digits its column has.
func fraction(v []byte, f *mysql.Field) []byte {
	switch f.Type {
	case mysql.MYSQL_TYPE_TIME, mysql.MYSQL_TYPE_DATETIME, mysql.MYSQL_TYPE_TIMESTAMP:
	default:
		return v
	}
	whole, frac, _ := strings.Cut(string(v), ".")
	if f.Decimal == 0 || f.Decimal > 6 {
		if strings.Trim(frac, "0") == "" {
			return []byte(whole)
		}
		return v
	}
	return []byte(whole + "." + (frac + "000000")[:f.Decimal])
}

// cell prints a value on one line.
func cell(v []byte) string {
	if string(v) == "NULL" {
		return `"NULL"`
	}
	if !utf8.Valid(v) || strings.ContainsFunc(string(v), func(r rune) bool { return r != '\n' && r != '\t' && !unicode.IsPrint(r) }) {
		return fmt.Sprintf("x'%x'", v)
	}
	return escape(string(v))
}

func escape(s string) string {
	return strings.NewReplacer("\\", `\\`, "\n", `\n`, "\t", `\t`).Replace(s)
}
