package sqllayer

// Libraries: texts in another language that routines of that language share. No such language runs
// here, as in a MySQL without the component for it. Libraries are kept, listed and granted on.

import (
	"fmt"
	"strings"
	"time"

	"github.com/dolthub/go-mysql-server/sql"

	"emberdb/account"
	"emberdb/engine/catalog"
	sqlast "emberdb/sql/ast"
	"emberdb/sqllayer/expr/operand"
	"emberdb/sqllayer/programs"
	"emberdb/sqllayer/sqlerr"
	"emberdb/sqllayer/tabledef"
	"emberdb/sqllayer/trees"
)

// storedLibrary is a library in the catalog.
type storedLibrary struct {
	Name, Language, Text, Comment string
	Hex                           bool // the text is that of bytes, in hexadecimal digits
	Created, Modified             time.Time
	SqlMode, Creator              string
}

// create is the text of SHOW CREATE LIBRARY.
func (l storedLibrary) create() string {
	text := "CREATE LIBRARY " + tabledef.QuoteName(l.Name) + "\n"
	if l.Comment != "" {
		text += "    COMMENT " + tabledef.QuoteText(l.Comment) + "\n"
	}
	text += "    LANGUAGE " + l.Language + "\nAS "
	if l.Hex {
		return text + "0x" + l.Text
	}
	return text + dollarQuoted(l.Text, l.Language)
}

// dollarQuoted writes a source between two marks that are not in it.
func dollarQuoted(source, language string) string {
	mark := "$$"
	for n := 0; strings.Contains(source, mark); n++ {
		if mark = "$" + language + "$"; n > 0 {
			mark = fmt.Sprintf("$%d$", n)
		}
	}
	return mark + source + mark
}

// libraryDatabase is the database of a library by its name; nil if there is none.
func (s *Session) libraryDatabase(ctx *sql.Context, n sqlast.TableName) (d *Database, schema string, err error) {
	if schema = n.Schema.Name; schema == "" {
		if schema = s.GetCurrentDatabase(); schema == "" {
			return nil, "", sqlerr.NewError(1046, "No database selected")
		}
	}
	d, err = routineDatabase(ctx, schema)
	return d, schema, err
}

// mayUseLibrary tells whether the session has a right on a library.
func mayUseLibrary(ctx *sql.Context, db, name string, kind sql.PrivilegeType) bool {
	return mayUseRoutine(ctx, db, account.LibraryKey(name), false, kind)
}

// HasLibrary tells whether a library exists.
func HasLibrary(ctx *sql.Context, schema, name string) (bool, error) {
	d, err := routineDatabase(ctx, schema)
	if d == nil {
		return false, err
	}
	_, ok, err := Find[storedLibrary](ctx, d, catalog.KindLibrary, name)
	return ok, err
}

// CreateLibrary is CREATE LIBRARY.
func (s *Session) CreateLibrary(ctx *sql.Context, n *sqlast.Library) error {
	d, schema, err := s.libraryDatabase(ctx, n.Name)
	if err == nil && d == nil {
		err = sqlerr.NewError(1049, "Unknown database '%s'", schema)
	}
	if err != nil {
		return err
	}
	warnNoLanguage(ctx)
	now := time.Now()
	l := storedLibrary{Name: n.Name.Name.Name, Text: n.Source.Text, Hex: n.Source.Kind != sqlast.StringLiteral, Created: now, Modified: now,
		SqlMode: trees.UsualMode(operand.Mode(ctx).String()), Creator: programs.DefinerOf(ctx, "")}
	for _, c := range n.Characteristics {
		switch c.Kind {
		case sqlast.RoutineComment:
			l.Comment = c.Text.Text
		case sqlast.RoutineLanguage:
			l.Language = strings.ToUpper(c.Name.Name)
		}
	}
	if l.Hex {
		l.Text = fmt.Sprintf("%X", n.Source.Bytes())
	}
	if _, ok, err := Find[storedLibrary](ctx, d, catalog.KindLibrary, l.Name); err != nil || ok {
		exists := fmt.Sprintf("LIBRARY %s already exists", l.Name)
		switch {
		case err != nil:
			return err
		case n.IfNotExists:
			ctx.Session.Warn(&sql.Warning{Level: "Note", Code: 1304, Message: exists})
			return nil
		}
		return sqlerr.NewError(1304, "%s", exists)
	}
	if err := d.Put(ctx, catalog.KindLibrary, l.Name, l); err != nil {
		return err
	}
	return s.ended(ctx, d.grantCreator(ctx, account.LibraryKey(l.Name), false))
}

// changedLibrary finds a library that is to be altered or dropped. missing is the text of the
// error if there is none.
func (s *Session) changedLibrary(ctx *sql.Context, n sqlast.TableName) (d *Database, l storedLibrary, missing string, err error) {
	d, schema, err := s.libraryDatabase(ctx, n)
	if err != nil {
		return nil, l, "", err
	}
	if !mayUseLibrary(ctx, schema, n.Name.Name, sql.PrivilegeType_AlterRoutine) {
		return nil, l, "", routineDenied("alter routine", s.EffectiveAccount(), schema, n.Name.Name)
	}
	ok := false
	if d != nil {
		l, ok, err = Find[storedLibrary](ctx, d, catalog.KindLibrary, n.Name.Name)
	}
	if !ok {
		missing = fmt.Sprintf("LIBRARY %s.%s does not exist", schema, n.Name.Name)
	}
	return d, l, missing, err
}

// AlterLibrary is ALTER LIBRARY.
func (s *Session) AlterLibrary(ctx *sql.Context, n *sqlast.Library) error {
	d, l, missing, err := s.changedLibrary(ctx, n.Name)
	if err == nil && missing != "" {
		err = sqlerr.NewError(1305, "%s", missing)
	}
	if err != nil {
		return err
	}
	if comment := n.Characteristics[0].Text.Text; comment != "" {
		l.Comment = comment
	}
	l.Modified = time.Now()
	return s.ended(ctx, d.Put(ctx, catalog.KindLibrary, l.Name, l))
}

// DropLibrary is DROP LIBRARY.
func (s *Session) DropLibrary(ctx *sql.Context, n *sqlast.DropProgram) error {
	d, l, missing, err := s.changedLibrary(ctx, n.Name)
	switch {
	case err != nil:
		return err
	case missing != "" && n.IfExists:
		ctx.Session.Warn(&sql.Warning{Level: "Note", Code: 1305, Message: missing})
		return nil
	case missing != "":
		return sqlerr.NewError(1305, "%s", missing)
	}
	if err := d.remove(ctx, catalog.KindLibrary, l.Name, nil); err != nil {
		return err
	}
	return s.ended(ctx, d.revokeRoutine(ctx, account.LibraryKey(l.Name), false))
}

// seesLibrary tells whether the session may know of a library and read its text.
func (s *Session) seesLibrary(ctx *sql.Context, d *Database, l storedLibrary) bool {
	return PrivilegesOf(ctx).seesRoutine(d.name, account.LibraryKey(l.Name), false)
}

// ShowCreateLibrary is the row of SHOW CREATE LIBRARY.
func (s *Session) ShowCreateLibrary(ctx *sql.Context, n sqlast.TableName) ([]any, error) {
	d, _, err := s.libraryDatabase(ctx, n)
	if err != nil {
		return nil, err
	}
	if d != nil {
		l, ok, err := Find[storedLibrary](ctx, d, catalog.KindLibrary, n.Name.Name)
		if err != nil || ok && s.seesLibrary(ctx, d, l) {
			return []any{l.Name, l.SqlMode, l.create()}, err
		}
	}
	return nil, sqlerr.NewError(1305, "LIBRARY %s does not exist", n.Name.Name)
}

// LibraryColumns are those of information_schema.LIBRARIES.
const LibraryColumns = "LIBRARY_CATALOG s, LIBRARY_SCHEMA s, LIBRARY_NAME s, LIBRARY_DEFINITION x?, LANGUAGE s, CREATED z, LAST_ALTERED z, SQL_MODE s, LIBRARY_COMMENT x, CREATOR s"

// LibraryRows returns the rows of information_schema.LIBRARIES.
func LibraryRows(ctx *sql.Context) (rows []sql.Row, _ error) {
	s := SessionOf(ctx)
	if s == nil {
		return nil, nil
	}
	ctx = Listing(ctx)
	for _, found := range s.layer.Provider.AllDatabases(ctx) {
		d, ok := OwnDatabase(found)
		if !ok {
			continue
		}
		all, err := List[storedLibrary](ctx, d, catalog.KindLibrary)
		if err != nil {
			return nil, err
		}
		for _, l := range all {
			if s.seesLibrary(ctx, d, l) {
				rows = append(rows, sql.Row{"def", d.name, l.Name, l.Text, l.Language, Seconds(l.Created), Seconds(l.Modified), l.SqlMode, l.Comment, l.Creator})
			}
		}
	}
	return rows, nil
}
