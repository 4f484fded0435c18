package sqllayer

import (
	"errors"
	"io"
	"slices"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"

	"emberdb/engine/catalog"
	"emberdb/engine/row"
	"emberdb/engine/table"
	"emberdb/sqllayer/sqlerr"
	"emberdb/sqllayer/tabledef"
)

// Stop words that a table names: innodb_ft_user_stopword_table of the session, or else
// innodb_ft_server_stopword_table. The list is taken when the first full-text index of a table is
// made, and kept in the table's definition.

// stopWordTables are the variables, the first that is set counts.
var stopWordTables = []string{"innodb_ft_user_stopword_table", "innodb_ft_server_stopword_table"}

// stopWordList is where a new list comes from: words, or a column of a table that has them.
type stopWordList struct {
	own    bool // it is not the server's
	words  *Table
	column int
}

// stopWordList finds the list for a table that gets its first full-text index. A list that is gone
// is the server's.
func (s *Session) stopWordList(ctx *sql.Context) (l stopWordList) {
	if !s.on("innodb_ft_enable_stopword") {
		return stopWordList{own: true}
	}
	for _, variable := range stopWordTables {
		if name := s.text(variable); name != "" {
			l.words, l.column = s.stopWordTable(ctx, name)
			l.own = l.words != nil
			return l
		}
	}
	return l
}

// keepStopWords keeps a list in the definition of a table.
func (d *definer) keepStopWords(ctx *sql.Context, def *catalog.Table, l stopWordList) (err error) {
	if !l.own {
		return nil
	}
	var words []string
	if l.words != nil {
		if words, err = d.readWords(ctx, l.words, l.column); err != nil {
			return err
		}
	}
	if def.Options == nil {
		def.Options = make(map[string]string)
	}
	def.Options[tabledef.StopWordsOption] = tabledef.StopWordsText(words)
	return nil
}

// readWords reads a column of a table of stop words.
func (d *definer) readWords(ctx *sql.Context, t *Table, column int) (words []string, err error) {
	rows, err := d.eng.Table(d.s.Patient(ctx), d.tx, t.Def.Def.Schema, t.Def.Def.Name)
	if err != nil {
		return nil, err
	}
	d.tx.StartStatement()
	scan := rows.NewScan(d.tx, table.ScanOptions{})
	defer scan.Close()
	for {
		vals, err := scan.Next(ctx)
		if errors.Is(err, io.EOF) {
			slices.Sort(words)
			return slices.Compact(words), nil
		}
		if err != nil {
			return nil, err
		}
		if v := vals[column]; !v.IsNull() && !strings.Contains(string(v.B), "\n") {
			words = append(words, strings.ToLower(string(v.B)))
		}
	}
}

// stopWordTable finds the table "schema/table" and its column of words; nil: it is no table of stop
// words.
func (s *Session) stopWordTable(ctx *sql.Context, name string) (*Table, int) {
	schema, of, ok := strings.Cut(name, "/")
	if !ok {
		return nil, 0
	}
	t := s.TableOf(ctx, schema, of)
	if t == nil || t.Temporary || t.Def.Database != schema || t.Def.Name != of {
		return nil, 0
	}
	at := t.Def.Find("value")
	if at < 0 || t.Def.Columns[at].Name != "value" || t.Def.Def.Columns[at].Type != row.TVarchar {
		return nil, 0
	}
	return t, at
}

// NamesStopWords tells the variables that name a table of stop words.
func NamesStopWords(variable string) bool {
	return slices.Contains(stopWordTables, strings.ToLower(variable))
}

// CheckStopWords refuses a value of SET that names no table of stop words.
func CheckStopWords(ctx *sql.Context, variable string, value any) error {
	s := SessionOf(ctx)
	name, ok := value.(string)
	if s == nil || !ok || name == "" {
		return nil
	}
	if t, _ := s.stopWordTable(ctx, name); t == nil {
		return sqlerr.NewError(1231, "Variable '%s' can't be set to the value of '%s'", strings.ToLower(variable), name)
	}
	return nil
}
