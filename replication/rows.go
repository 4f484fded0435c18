package replication

import (
	"fmt"
	"slices"
	"strings"

	"github.com/go-mysql-org/go-mysql/mysql"
	"github.com/go-mysql-org/go-mysql/replication"
)

// maxStatement is about how many bytes of rows one INSERT carries.
const maxStatement = 1 << 20

// A table of the log: its columns here.
type table struct {
	name    string // qualified and quoted
	columns []column
	primary []int // columns of the primary key, in its order
}

// tableOf finds the columns of the table that a row event names. What is known is forgotten when a
// definition changes.
func (a *applier) tableOf(m *replication.TableMapEvent) (*table, error) {
	key := string(m.Schema) + "\x00" + string(m.Table)
	if t := a.tables[key]; t != nil {
		return t, nil
	}
	t := &table{name: quoteName(string(m.Schema)) + "." + quoteName(string(m.Table))}
	res, err := a.target.Execute("SHOW FULL COLUMNS FROM " + t.name)
	if err != nil {
		return nil, err
	}
	for i := range res.Values {
		var cell [7]string // Field, Type, Collation, Null, Key, Default, Extra
		for j := range cell {
			cell[j], _ = res.GetString(i, j) // NULL is the empty string
		}
		c := column{name: cell[0], kind: strings.ToLower(cell[1])}
		_, _ = fmt.Sscanf(c.kind, "binary(%d)", &c.padded)
		c.unsigned = strings.HasSuffix(c.kind, " unsigned") || strings.Contains(c.kind, " unsigned ")
		if at := strings.IndexAny(c.kind, "( "); at >= 0 {
			c.kind = c.kind[:at]
		}
		c.charset, _, _ = strings.Cut(cell[2], "_")
		extra := strings.ToLower(cell[6])
		c.generated, c.updated = strings.Contains(extra, "generated") && !strings.Contains(extra, "default_generated"), strings.Contains(extra, "on update")
		t.columns = append(t.columns, c)
	}
	if len(t.columns) != int(m.ColumnCount) {
		return nil, fmt.Errorf("table %s has %d columns here and %d at the source", t.name, len(t.columns), m.ColumnCount)
	}
	if res, err = a.target.Execute("SHOW INDEX FROM " + t.name); err != nil {
		return nil, err
	}
	for i := range res.Values {
		index, err := res.GetStringByName(i, "Key_name")
		if err != nil {
			return nil, err
		}
		name, err := res.GetStringByName(i, "Column_name")
		if err != nil {
			return nil, err
		}
		for j := range t.columns {
			if index == "PRIMARY" && strings.EqualFold(t.columns[j].name, name) {
				t.primary = append(t.primary, j)
			}
		}
	}
	a.tables[key] = t
	return t, nil
}

// leaveDocuments decodes a row event, and leaves JSON in MySQL's binary form: the library makes
// texts of decimals in documents, and gives dates a time.
func leaveDocuments(e *replication.RowsEvent, data []byte) error {
	at, err := e.DecodeHeader(data)
	if err != nil {
		return err
	}
	table, parts := e.Table, e.Type() == tellsParts
	var bits []partBits
	if parts {
		if data, bits, err = cutParts(e, data, at); err != nil {
			return err
		}
	}
	own := *table // the events before this one, which are being applied meanwhile, share the table's
	own.ColumnType = slices.Clone(table.ColumnType)
	for i, t := range own.ColumnType {
		if t == mysql.MYSQL_TYPE_JSON {
			own.ColumnType[i] = mysql.MYSQL_TYPE_BLOB // a length of as many bytes as its metadata tells, like JSON
		}
	}
	e.Table = &own
	defer func() { e.Table = table }()
	if err := e.DecodeData(at, data); err != nil || !parts {
		return err
	}
	return putParts(e, table.ColumnType, bits)
}

// tellsParts is the library's type of row events that tell parts of documents, the only ones for
// which it has no name.
const tellsParts = replication.EnumRowsEventTypeUnknown

// image is a row of an event: the values that are there.
type image struct {
	t        *table
	kinds    []byte // types of the columns at the source
	values   []any
	there    []bool
	unsigned map[int]bool
}

func (m *image) append(b []byte, i int) ([]byte, error) {
	c := &m.t.columns[i]
	if text, ok := m.values[i].([]byte); ok && c.kind == "json" && m.kinds[i] != mysql.MYSQL_TYPE_JSON { // MariaDB's JSON is a text
		return appendQuoted(b, text), nil
	}
	return c.appendLiteral(b, m.values[i], m.unsigned[i])
}

// unsignedColumns reads which columns are unsigned; a source that does not tell has the same as
// this server. MySQL's bit set has a bit for each YEAR, which the library's own reading of it leaves
// out.
func unsignedColumns(m *replication.TableMapEvent, t *table) map[int]bool {
	out, n := map[int]bool{}, 0
	if len(m.SignednessBitmap) == 0 {
		for i := range t.columns {
			out[i] = t.columns[i].unsigned
		}
		return out
	}
	for i, kind := range m.ColumnType {
		if kind != mysql.MYSQL_TYPE_YEAR && !m.IsNumericColumn(i) {
			continue
		}
		if n/8 < len(m.SignednessBitmap) {
			out[i] = m.SignednessBitmap[n/8]&(0x80>>(n%8)) != 0
		}
		n++
	}
	return out
}

// rows applies a row event.
func (a *applier) rows(e *replication.RowsEvent) error {
	t, err := a.tableOf(e.Table)
	if err != nil {
		return err
	}
	numbers := unsignedColumns(e.Table, t)
	images := make([]image, len(e.Rows))
	for i, values := range e.Rows {
		m := image{t: t, kinds: e.Table.ColumnType, values: values, there: make([]bool, len(t.columns)), unsigned: numbers}
		for j := range m.there {
			m.there[j] = !t.columns[j].generated
		}
		for _, j := range e.SkippedColumns[i] {
			m.there[j] = false
		}
		images[i] = m
	}
	switch e.Type() {
	case replication.EnumRowsEventTypeInsert:
		return a.insert(images)
	case replication.EnumRowsEventTypeUpdate, tellsParts:
		for i := 0; i+1 < len(images); i += 2 {
			if err := a.update(&images[i], &images[i+1]); err != nil {
				return err
			}
		}
		return nil
	case replication.EnumRowsEventTypeDelete:
		for i := range images {
			if err := a.delete(&images[i]); err != nil {
				return err
			}
		}
		return nil
	}
	return fmt.Errorf("row events of type %v cannot be applied", e.Type())
}

// insert writes rows, all with the same columns, in statements of a bounded size.
func (a *applier) insert(images []image) (err error) {
	for len(images) > 0 {
		m := &images[0]
		b, sep := append(append([]byte("INSERT INTO "), m.t.name...), " ("...), ""
		for i, c := range m.t.columns {
			if m.there[i] {
				b = append(append(b, sep...), quoteName(c.name)...)
				sep = ", "
			}
		}
		b = append(b, ") VALUES "...)
		n := 0
		for ; n < len(images) && (n == 0 || len(b) < maxStatement); n++ {
			m, sep = &images[n], "("
			if n > 0 {
				b = append(b, ", "...)
			}
			for i := range m.t.columns {
				if m.there[i] {
					b = append(b, sep...)
					if b, err = m.append(b, i); err != nil {
						return err
					}
					sep = ", "
				}
			}
			if sep == "(" {
				b = append(b, '(')
			}
			b = append(b, ')')
		}
		if _, err := a.target.Execute(string(b)); err != nil {
			if codeOf(err) != mysql.ER_DUP_ENTRY || !a.settings.Idempotent {
				return err
			}
			if _, err := a.target.Execute("REPLACE" + strings.TrimPrefix(string(b), "INSERT")); err != nil {
				return err
			}
		}
		images = images[n:]
	}
	return nil
}

func (a *applier) update(before, after *image) (err error) {
	t := after.t
	b, sep := append(append([]byte("UPDATE "), t.name...), " SET "...), ""
	for i, c := range t.columns {
		if !after.there[i] && !c.updated {
			continue
		}
		b = append(append(append(b, sep...), quoteName(c.name)...), " = "...)
		if sep = ", "; !after.there[i] {
			b = append(b, quoteName(c.name)...) // or it would get the present time
		} else if parts, ok := after.values[i].(documentParts); ok {
			b = parts.append(b, quoteName(c.name))
		} else if b, err = after.append(b, i); err != nil {
			return err
		}
	}
	if sep == "" {
		return nil // all that changed is computed here
	}
	if b, err = before.where(b); err != nil {
		return err
	}
	return a.one(t, b)
}

func (a *applier) delete(m *image) error {
	b, err := m.where(append(append([]byte("DELETE FROM "), m.t.name...), ' '))
	if err != nil {
		return err
	}
	return a.one(m.t, b)
}

// where finds the row: by its primary key, or by all that is known of it.
func (m *image) where(b []byte) (_ []byte, err error) {
	keyed := len(m.t.primary) > 0
	for _, i := range m.t.primary {
		keyed = keyed && m.there[i]
	}
	sep := " WHERE "
	if keyed {
		for _, i := range m.t.primary {
			b = append(append(append(b, sep...), quoteName(m.t.columns[i].name)...), " = "...)
			if b, err = m.append(b, i); err != nil {
				return nil, err
			}
			sep = " AND "
		}
		return append(b, " LIMIT 1"...), nil
	}
	for i := range m.t.columns {
		if !m.there[i] {
			continue
		}
		if b, err = m.same(append(b, sep...), i); err != nil {
			return nil, err
		}
		sep = " AND "
	}
	return append(b, " LIMIT 1"...), nil
}

// same is the condition that a column has the image's very value, and not another one that its
// collation, or the comparison of documents, takes for equal.
func (m *image) same(b []byte, i int) ([]byte, error) {
	value, err := m.append(nil, i)
	if err != nil {
		return nil, err
	}
	c := &m.t.columns[i]
	name := quoteName(c.name)
	switch {
	case c.kind == "json":
		return fmt.Appendf(b, "CAST(CAST(%s AS CHAR) AS BINARY) <=> CAST(CAST(CAST(%s AS JSON) AS CHAR) AS BINARY)", name, value), nil
	case c.charset != "" && c.kind != "enum" && c.kind != "set":
		b = fmt.Appendf(b, "CAST(%s AS BINARY) <=> CAST(%s AS BINARY) AND ", name, value)
	}
	return fmt.Appendf(b, "%s <=> %s", name, value), nil
}

// one runs a statement that must find one row.
func (a *applier) one(t *table, query []byte) error {
	res, err := a.target.Execute(string(query))
	if err != nil {
		return err
	}
	if res.AffectedRows != 1 && !a.settings.Idempotent {
		return mysql.NewError(mysql.ER_KEY_NOT_FOUND, "Can't find record in '"+t.name+"'")
	}
	return nil
}
