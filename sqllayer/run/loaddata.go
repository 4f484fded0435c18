package run

import (
	"context"
	"io"
	"os"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/types"
	"github.com/dolthub/vitess/go/mysql"

	"emberdb/sql/ast"
	"emberdb/sqllayer"
	"emberdb/sqllayer/expr/texts"
	"emberdb/sqllayer/store"
)

// loadData reads the rows of LOAD DATA. GMS's own reader divides the file into lines before it
// knows what is enclosed, holds a line of any length, and never ends if nothing ends a line.
type loadData struct {
	n       *plan.LoadData
	file    io.ReadCloser
	in      lineReader
	skip    int64
	columns []int // by fields: the place in the table; -1: a user variable
	wanted  int   // how many fields a line is to have
	most    int   // more than that are too many
	storer  store.Storer
	longer  bool // the line has more fields than there are columns
	plain   bool // as GMS has it
}

// openLoad opens the file of a LOAD DATA. The right to read it, and secure_file_priv, have been
// looked at.
func openLoad(ctx *sql.Context, n *plan.LoadData) (*loadData, error) {
	l := &loadData{n: n, skip: n.IgnoreNum, storer: store.NewStorer(ctx, n.IsIgnore), plain: sqllayer.SessionOf(ctx).Layer().Opts.Plain}
	var err error
	if n.Local {
		if _, v, ok := sql.SystemVariables.GetGlobal("local_infile"); !ok || v == int8(0) {
			return nil, mysql.NewSQLError(3948, "42000", "Loading local data is disabled; this must be enabled on both the client and server sides")
		}
		l.file, err = ctx.LoadInfile(n.File)
	} else if l.file, err = os.Open(n.File); err != nil {
		err = sql.ErrLoadDataCannotOpen.New(err.Error())
	}
	if err != nil {
		return nil, err
	}
	l.columns = placesOfFields(ctx, n)
	in, most := stoppable{ctx, l.file}, texts.MaxAllowedPacket(ctx)
	if tree, ok := sqllayer.SessionOf(ctx).RunningTree(ctx).(*ast.Load); ok && tree.XML {
		l.in = newXMLReader(in, rowTag(tree), l.names(), most)
	} else {
		l.in = newLoadReader(in, loadFormat{fields: n.FieldsTerminatedBy, enclosed: n.FieldsEnclosedBy, escaped: n.FieldsEscapedBy,
			starting: n.LinesStartingBy, lines: n.LinesTerminatedBy}, most)
	}
	for i, place := range l.columns {
		if n.UserVars[i] != nil || place >= 0 && (n.SetExprs == nil || n.SetExprs[place] == nil) {
			l.wanted++
		}
	}
	if l.most = l.wanted; n.SetExprs != nil {
		l.most = len(l.columns) // a column that is set may be one of the fields too
	}
	return l, nil
}

// lineReader reads the lines of a file, or what stands for lines in it.
type lineReader interface {
	next() ([]loadField, error)
	skipLine() (more bool, err error)
}

// rowTag is the element that ROWS IDENTIFIED BY names.
func rowTag(n *ast.Load) string {
	if n.RowTag == nil {
		return "<row>"
	}
	return n.RowTag.Bytes()
}

// names are those of the columns and user variables that the fields are for.
func (l *loadData) names() []string {
	names := make([]string, 0, len(l.columns))
	for i, place := range l.columns {
		if set, ok := l.n.UserVars[i].(*expression.SetField); ok {
			if v, ok := set.LeftChild.(*expression.UserVar); ok {
				names = append(names, v.Name)
				continue
			}
		}
		if place >= 0 {
			names = append(names, l.n.DestSch[place].Name)
		}
	}
	return names
}

// stoppable is a file whose reading ends with the statement, in the middle of a line too.
type stoppable struct {
	ctx  context.Context
	file io.Reader
}

// Read implements io.Reader.
func (s stoppable) Read(b []byte) (int, error) {
	if err := s.ctx.Err(); err != nil {
		return 0, err
	}
	return s.file.Read(b)
}

// placesOfFields tells which column of the table each field of a line is for.
func placesOfFields(ctx *sql.Context, n *plan.LoadData) []int {
	schema := n.Schema(ctx)
	names := n.ColNames
	if len(names) == 0 {
		for _, c := range schema {
			names = append(names, c.Name)
		}
	}
	places := make([]int, len(n.UserVars))
	next := 0
	for i := range places {
		if places[i] = -1; n.UserVars[i] == nil && next < len(names) {
			places[i] = schema.IndexOf(names[next], schema[0].Source)
			next++
		}
	}
	return places
}

// Next implements sql.RowIter.
func (l *loadData) Next(ctx *sql.Context) (sql.Row, error) {
	fields, err := l.fields(ctx)
	if err != nil {
		return nil, err
	}
	return l.row(ctx, fields)
}

// fields reads the next line that counts.
func (l *loadData) fields(ctx *sql.Context) ([]loadField, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if l.longer { // told of when the row is in
		if err := l.storer.Complain(ctx, erTooManyFields, "Row %d was truncated; it contained more data than there were input columns", l.storer.Row); err != nil {
			return nil, err
		}
	}
	for ; l.skip > 0; l.skip-- {
		if more, err := l.in.skipLine(); err != nil || !more {
			return nil, orEOF(err)
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
	}
	fields, err := l.in.next()
	l.storer.Row++
	l.longer = len(fields) > l.most && !l.plain
	return fields, err
}

const (
	erTooFewFields  = 1261
	erTooManyFields = 1262
)

func orEOF(err error) error {
	if err == nil {
		return io.EOF
	}
	return err
}

// row makes a row of the columns that the statement names, in its order. Expressions of SET read
// the fields; defaults read the row.
func (l *loadData) row(ctx *sql.Context, fields []loadField) (sql.Row, error) {
	for i := len(fields); i < l.wanted && !l.plain; i++ {
		if err := l.storer.Complain(ctx, erTooFewFields, "Row %d doesn't contain data for all columns", l.storer.Row); err != nil {
			return nil, err
		}
	}
	given, row := make(sql.Row, len(l.n.DestSch)), make(sql.Row, len(l.n.DestSch))
	var places []int // of what stands in row
	var missing []bool
	for i, place := range l.columns {
		var value any
		if i < len(fields) && !fields[i].null {
			value = string(fields[i].text)
		}
		if set, ok := l.n.UserVars[i].(*expression.SetField); ok {
			if err := setFromField(ctx, set, value); err != nil {
				return nil, err
			}
		} else if len(places) < len(row) {
			given[len(places)] = value
			places, missing = append(places, place), append(missing, i >= len(fields))
		}
	}
	var later []int
	for at, place := range places {
		if place < 0 {
			continue
		}
		if l.n.SetExprs != nil && l.n.SetExprs[place] != nil {
			v, err := l.n.SetExprs[place].Eval(ctx, given)
			if err != nil {
				return nil, err
			}
			row[at] = v
			continue
		}
		c := l.n.DestSch[place]
		switch _, isText := c.Type.(sql.StringType); {
		case missing[at] && !c.Nullable && !c.AutoIncrement:
			row[at] = c.Type.Zero()
		case missing[at]:
			later = append(later, at)
		case given[at] == "" && !isText && l.plain:
			row[at] = nil
		default:
			row[at] = given[at]
		}
	}
	for _, literal := range []bool{true, false} { // a default that is computed may read the others
		for _, at := range later {
			d := l.n.DestSch[places[at]].Default
			if d == nil || d.IsLiteral() != literal {
				continue
			}
			v, err := d.Eval(ctx, row)
			if err != nil {
				return nil, err
			}
			row[at] = v
		}
	}
	return row, nil
}

func setFromField(ctx *sql.Context, set *expression.SetField, value any) error {
	v, ok := set.LeftChild.(*expression.UserVar)
	if !ok {
		return nil
	}
	if value == nil {
		return ctx.SetUserVariable(ctx, v.Name, nil, types.Null)
	}
	return ctx.SetUserVariable(ctx, v.Name, value, types.ApproximateTypeFromValue(value))
}

// Close implements sql.RowIter.
func (l *loadData) Close(*sql.Context) error { return l.file.Close() }
