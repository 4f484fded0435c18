package sqllayer

import (
	"strings"
	"time"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/mysql_db"
	"github.com/dolthub/go-mysql-server/sql/types"
	ast "github.com/dolthub/vitess/go/vt/sqlparser"

	"emberdb/engine/catalog"
	sqlast "emberdb/sql/ast"
	"emberdb/sqllayer/sqlerr"
	"emberdb/sqllayer/store"
	"emberdb/sqllayer/tabledef"
	"emberdb/sqllayer/trees"
)

// Stored functions. GMS knows none, so each is a procedure to it, whose name no client can write:
// package lower makes its body, functioncall.go runs it. What is stored is the text that was
// written.

// written is the text of the statement that runs.
func (s *Session) written(ctx *sql.Context) string {
	if s == nil {
		return ""
	}
	s.Mu.Lock()
	defer s.Mu.Unlock()
	if s.log.text != "" {
		return s.log.text
	}
	return ctx.Query()
}

// sameRoutine tells whether a text creates the procedure of that name.
func sameRoutine(text, name string) bool {
	r := ParseRoutine(text)
	return r != nil && r.Kind == "PROCEDURE" && strings.EqualFold(r.name, name)
}

// AlterRoutine is ALTER PROCEDURE and ALTER FUNCTION: other characteristics in the text that is
// stored.
func (s *Session) AlterRoutine(ctx *sql.Context, n *sqlast.AlterRoutine) error {
	kind, schema, name := "PROCEDURE", s.GetCurrentDatabase(), n.Name.Name.Name
	if n.Kind == sqlast.Function {
		kind = "FUNCTION"
	}
	if n.Name.Schema.Given() {
		schema = n.Name.Schema.Name
	}
	if schema == "" {
		return sqlerr.NewError(1046, "No database selected")
	}
	found, err := s.layer.Provider.Database(ctx, schema)
	d, ok := found.(*Database)
	if err != nil || !ok {
		return sqlerr.NewError(1049, "Unknown database '%s'", schema)
	}
	if !mayUseRoutine(ctx, d.name, name, kind == "PROCEDURE", sql.PrivilegeType_AlterRoutine) {
		return routineDenied("alter routine", s.EffectiveAccount(), d.name, name)
	}
	if err := s.mayTouchRoutine(ctx, d.name, name, kind == "PROCEDURE"); err != nil {
		return err
	}
	altered := func(text string) (string, error) {
		r := ParseRoutine(text)
		if r == nil || r.Kind != kind {
			return "", sqlerr.NewError(1305, "%s %s.%s does not exist", kind, d.name, name)
		}
		for _, c := range n.Characteristics {
			if err := s.findLibraries(ctx, d, c.Libraries); err != nil {
				return "", err
			}
		}
		language := r.Language
		if r.characterize(n.Characteristics); r.Language != language {
			return "", sqlerr.NewError(6004, "Altering the language of an existing routine is not possible.")
		}
		return r.head + "\n" + r.Tail(d), nil
	}
	if kind == "FUNCTION" {
		f, _, err := Find[StoredFunction](ctx, d, catalog.KindFunction, name)
		if err != nil {
			return err
		}
		if f.Text, err = altered(f.Text); err != nil {
			return err
		}
		f.Modified = time.Now()
		err = d.Put(ctx, catalog.KindFunction, f.Name, f)
		return s.ended(ctx, err)
	}
	p, _, err := Find[StoredProcedure](ctx, d, catalog.KindProcedure, name)
	if err != nil {
		return err
	}
	if p.CreateStatement, err = altered(p.CreateStatement); err != nil {
		return err
	}
	p.ModifiedAt = time.Now()
	err = d.Put(ctx, catalog.KindProcedure, p.Name, p)
	return s.ended(ctx, err)
}

// ended commits a definition that no plan of GMS's has changed.
func (s *Session) ended(ctx *sql.Context, err error) error {
	if err != nil {
		return err
	}
	return s.CommitTransaction(ctx, ctx.GetTransaction())
}

// Rights that come and go with a routine: who creates one may run, change and drop it, and nobody
// has rights on one that is gone.

// grantCreator gives the account that has created a routine the rights on it that it lacks.
func (d *Database) grantCreator(ctx *sql.Context, name string, procedure bool) error {
	s := SessionOf(ctx)
	if s == nil || !d.Layer.checksRights() || !s.flag("automatic_sp_privileges") ||
		mayUseRoutine(ctx, d.name, name, procedure, sql.PrivilegeType_Execute) && mayUseRoutine(ctx, d.name, name, procedure, sql.PrivilegeType_AlterRoutine) {
		return nil
	}
	who := s.EffectiveAccount()
	return d.Layer.changeRights(ctx, func(u *mysql_db.User) bool {
		if u.User != who.User || u.Host != who.Host {
			return false
		}
		u.PrivilegeSet.AddRoutine(d.name, strings.ToLower(name), procedure, sql.PrivilegeType_Execute, sql.PrivilegeType_AlterRoutine)
		return true
	})
}

// revokeRoutine takes everybody's rights on a routine.
func (d *Database) revokeRoutine(ctx *sql.Context, name string, procedure bool) error {
	s := SessionOf(ctx)
	if s == nil || !d.Layer.checksRights() || !s.flag("automatic_sp_privileges") {
		return nil
	}
	return d.Layer.changeRights(ctx, func(u *mysql_db.User) bool {
		own := u.PrivilegeSet.Database(d.name).Routine(strings.ToLower(name), procedure)
		if !own.HasPrivileges() {
			return false
		}
		u.PrivilegeSet.RemoveRoutine(d.name, strings.ToLower(name), procedure, own.ToSlice()...)
		return true
	})
}

// changeRights changes the accounts for which change says that it has, and keeps them.
func (l *Layer) changeRights(ctx *sql.Context, change func(u *mysql_db.User) bool) error {
	db := l.Engine.Analyzer.Catalog.MySQLDb
	ed := db.Editor()
	defer ed.Close()
	var changed []*mysql_db.User
	ed.VisitUsers(func(u *mysql_db.User) {
		next := *u
		next.PrivilegeSet = u.PrivilegeSet.Copy()
		if change(&next) {
			changed = append(changed, &next)
		}
	})
	if len(changed) == 0 {
		return nil
	}
	for _, u := range changed {
		ed.RemoveUser(mysql_db.UserPrimaryKey{Host: u.Host, User: u.User}) // PutUser only replaces an equal row
		ed.PutUser(u)
	}
	return db.Persist(ctx, ed)
}

// HasFunction tells whether a stored function exists.
func HasFunction(ctx *sql.Context, schema, name string) (bool, error) {
	d, err := routineDatabase(ctx, schema)
	if d == nil {
		return false, err
	}
	_, ok, err := Find[StoredFunction](ctx, d, catalog.KindFunction, name)
	return ok, err
}

// HasProcedure tells whether a procedure exists.
func HasProcedure(ctx *sql.Context, schema, name string) (bool, error) {
	d, err := routineDatabase(ctx, schema)
	if d == nil {
		return false, err
	}
	_, ok, err := d.GetStoredProcedure(ctx, name)
	return ok, err
}

// routineDatabase is a database that may have routines; nil: there is none of that name.
func routineDatabase(ctx *sql.Context, schema string) (*Database, error) {
	s := SessionOf(ctx)
	if s == nil {
		return nil, nil
	}
	found, err := s.layer.Provider.Database(ctx, schema)
	if sql.ErrDatabaseNotFound.Is(err) {
		return nil, nil
	}
	d, ok := OwnDatabase(found)
	if err != nil || !ok {
		return nil, err
	}
	return d, nil
}

// information_schema.ROUTINES and PARAMETERS, and SHOW CREATE FUNCTION.

// SeesRoutine tells whether the session may know of a routine.
func (s *Session) SeesRoutine(ctx *sql.Context, db, name string, procedure bool, definer string) bool {
	return PrivilegesOf(ctx).seesRoutine(db, name, procedure) || RoleOf(definer) == s.EffectiveAccount()
}

// TypeOf parses the type of a parameter.
func (d *Database) TypeOf(text string) (*sql.Column, error) {
	stmt, err := trees.TreeOf("CREATE TABLE t (c "+text+")", 0)
	if err != nil {
		return nil, err
	}
	n, ok := stmt.(*ast.DDL)
	if !ok || n.TableSpec == nil || len(n.TableSpec.Columns) != 1 {
		return nil, sql.ErrSyntaxError.New(text)
	}
	return d.declaredColumn("c", n.TableSpec.Columns[0].Type)
}

// declaredColumn is the column whose values a variable, a parameter or a result takes.
func (d *Database) declaredColumn(name string, declared ast.ColumnType) (*sql.Column, error) {
	of := &ast.ColumnDefinition{Name: ast.NewColIdent(name), Type: declared}
	if err := tabledef.ResolveColumns(&ast.TableSpec{Columns: []*ast.ColumnDefinition{of}}); err != nil {
		return nil, err
	}
	t, err := types.ColumnTypeToType(&of.Type)
	if err != nil {
		return nil, err
	}
	if t, err = d.textsOf(t); err != nil {
		return nil, err
	}
	c := &sql.Column{Name: name, Type: t, Nullable: true}
	if of.Type.Comment != nil {
		c.Comment = string(of.Type.Comment.Val)
	}
	return c, nil
}

func Seconds(t time.Time) time.Time { return t.UTC().Truncate(time.Second) }

// ShowCreateFunction is the row of SHOW CREATE FUNCTION.
func (s *Session) ShowCreateFunction(ctx *sql.Context, schema, name string) ([]any, error) {
	if schema == "" {
		if schema = s.GetCurrentDatabase(); schema == "" {
			return nil, sqlerr.NewError(1046, "No database selected")
		}
	}
	found, err := s.layer.Provider.Database(ctx, schema)
	d, ok := found.(*Database)
	if err != nil || !ok {
		return nil, sqlerr.NewError(1305, "FUNCTION %s does not exist", name)
	}
	f, ok, err := Find[StoredFunction](ctx, d, catalog.KindFunction, name)
	if err != nil {
		return nil, err
	}
	r := ParseRoutine(f.Text)
	if !ok || r == nil || !s.SeesRoutine(ctx, d.name, f.Name, false, f.Definer) {
		return nil, sqlerr.NewError(1305, "FUNCTION %s does not exist", name)
	}
	if err := s.WarnMissing(ctx, d, r); err != nil {
		return nil, err
	}
	if !MaySeeRoutine(ctx, f.Definer) {
		return []any{f.Name, f.SqlMode, nil, f.Client, f.Connection, f.Collation}, nil
	}
	user, host, _ := strings.Cut(f.Definer, "@")
	head := "CREATE DEFINER=" + tabledef.QuoteName(user) + "@" + tabledef.QuoteName(host) + " FUNCTION " + tabledef.QuoteName(f.Name)
	text := NameStyleUnder(ctx, f.SqlMode).In(head) + "(" + r.ParamText + ") RETURNS " + r.shownReturns(d) + "\n" + r.Tail(d)
	return []any{f.Name, f.SqlMode, text, f.Client, f.Connection, f.Collation}, nil
}

// ShownColumnType is the type of a declared column as MySQL shows it.
func ShownColumnType(c *sql.Column) string {
	if a := store.ColumnAttributes(c); a != (store.Attributes{}) {
		return a.Text(c.Type.String())
	}
	return tabledef.ShownType(c.Type)
}

// shownReturns is the type as SHOW CREATE FUNCTION has it: texts with their character set.
func (r *Routine) shownReturns(d *Database) string {
	c, err := d.TypeOf(r.Returns)
	if err != nil {
		return r.Returns
	}
	shown := ShownColumnType(c)
	if t, ok := c.Type.(sql.StringType); ok && t.Collation() != sql.Collation_binary {
		shown += " CHARSET " + t.Collation().CharacterSet().Name()
		if t.Collation() != d.Collation && t.Collation() != t.Collation().CharacterSet().DefaultCollation() {
			shown += " COLLATE " + t.Collation().Name()
		}
	}
	return shown
}

// Tail is the text behind the parameters and the result: the characteristics and the body.
func (r *Routine) Tail(d *Database) string {
	text := ""
	if r.Access != "CONTAINS SQL" {
		text += "    " + r.Access + "\n"
	}
	if r.Deterministic {
		text += "    DETERMINISTIC\n"
	}
	if r.Invoker {
		text += "    SQL SECURITY INVOKER\n"
	}
	if r.External() {
		text += "    LANGUAGE " + languageWord(r.Language) + "\n" + r.shownLibraries(d)
	}
	if r.Comment != "" {
		text += "    COMMENT " + tabledef.QuoteText(r.Comment) + "\n"
	}
	if r.External() {
		return text + "AS " + dollarQuoted(r.Body, r.Language)
	}
	return text + r.Body
}
