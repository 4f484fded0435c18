package sqllayer

// The rights that a trigger runs with: its definer's, who needs TRIGGER on the table, too. GMS
// plans triggers without asking for rights; those that run as programs plan their statements when
// they run.

import (
	"maps"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/transform"
	ast "github.com/dolthub/vitess/go/vt/sqlparser"

	sqlast "emberdb/sql/ast"
	"emberdb/sqllayer/expr/operand"
	"emberdb/sqllayer/library"
	"emberdb/sqllayer/sqlerr"
	"emberdb/sqllayer/trees"
)

// FiredTrigger is a trigger that a statement may fire.
type FiredTrigger struct {
	database *Database
	stored   StoredTrigger
	table    string
	definer  trees.Role
	checked  bool
	unread   error // why its text could not be read
}

// mayFire notes a trigger of a database, which GMS has that text of.
func (s *Session) mayFire(text string, d *Database, t StoredTrigger) {
	if s == nil {
		return
	}
	if s.firing == nil {
		s.firing = make(map[string]*FiredTrigger)
	}
	s.firing[text] = &FiredTrigger{database: d, stored: t}
}

// unreadTrigger notes why the text of a trigger that may fire could not be read.
func (s *Session) unreadTrigger(text string, err error) {
	if s == nil {
		return
	}
	if f := s.firing[text]; f != nil {
		f.unread = err
	}
}

// BeforeTriggers forgets the triggers of earlier statements that could not be read.
func (s *Session) BeforeTriggers() {
	if s == nil {
		return
	}
	maps.DeleteFunc(s.firing, func(_ string, f *FiredTrigger) bool { return f.unread != nil })
}

// UnreadTrigger is why a trigger of one of the tables below n could not be read: GMS passes by such
// triggers, and the statement would run without it.
func (s *Session) UnreadTrigger(n sql.Node) (err error) {
	if s == nil {
		return nil
	}
	for _, f := range s.firing {
		if f.unread == nil {
			continue
		}
		t, _ := parseTrigger(f.stored.CreateStatement)
		transform.Inspect(n, func(n sql.Node) bool {
			r, ok := n.(*plan.ResolvedTable)
			if ok && strings.EqualFold(r.Name(), t.Table) && r.Database() != nil && strings.EqualFold(r.Database().Name(), f.database.name) {
				err = f.unread
			}
			return err == nil
		})
	}
	return err
}

// firedText is the text of a trigger as GMS gets it: with its database, which GMS takes to be that
// of the session. GMS keeps what it has parsed by its text, so that is another one where it is to
// be a program.
func (s *Session) firedText(create, schema string) string {
	text := create + firedMark + schema + firedMark
	if s.runsPrograms() {
		text += firedMark
	}
	return text
}

const firedMark = "\x00"

// CutFired takes the database from the text of a trigger; schema is empty where there is none.
func CutFired(query string) (text, schema string) {
	if !strings.HasSuffix(query, firedMark) {
		return query, ""
	}
	query = strings.TrimRight(query, firedMark)
	at := strings.LastIndex(query, firedMark) // those before are dialect's
	return query[:at], query[at+len(firedMark):]
}

// inSchema makes the names of a trigger those of its database.
func inSchema(ctx *sql.Context, stmt ast.Statement, schema string) {
	create, ok := stmt.(*ast.DDL)
	if !ok || create.TriggerSpec == nil {
		return
	}
	db, ctes := ast.NewTableIdent(schema), make(map[string]bool)
	qualified := func(t ast.TableName) ast.TableName {
		if row := strings.ToLower(t.Name.String()); t.DbQualifier.IsEmpty() && !t.Name.IsEmpty() && !ctes[row] && row != "dual" {
			t.DbQualifier = db
		}
		return t
	}
	create.Table = qualified(create.Table)
	_ = ast.Walk(func(n ast.SQLNode) (bool, error) {
		switch n := n.(type) {
		case *ast.CommonTableExpr:
			if n.AliasedTableExpr != nil {
				ctes[strings.ToLower(n.As.String())] = true
			}
		case *ast.AliasedTableExpr:
			if t, ok := n.Expr.(ast.TableName); ok {
				n.Expr = qualified(t)
			}
		case *ast.Insert:
			n.Table = qualified(n.Table)
		case *ast.Call:
			if n.ProcName.Qualifier.IsEmpty() {
				n.ProcName.Qualifier = db
			}
		case *ast.FuncExpr:
			_, own := operand.Lookup(n.Name.Lowered())
			if _, known := library.BuiltIn.Function(ctx, "", n.Name.Lowered()); !own && !known && n.Qualifier.IsEmpty() {
				n.Qualifier = db
			}
		}
		return true, nil
	}, create.TriggerSpec.Body)
}

// Fired is the trigger of a plan.
func (s *Session) Fired(def sql.TriggerDefinition) *FiredTrigger {
	return s.firing[def.CreateStatement]
}

// Enter gives the session the trigger's sql_mode and its definer's rights for a statement. The
// rights that the statements need are looked at if plans do not ask for them.
func (f *FiredTrigger) Enter(ctx *sql.Context, s *Session, body bool) (leave func(), err error) {
	restore, err := s.inMode(ctx, f.stored.SqlMode)
	if err != nil {
		return nil, err
	}
	back, err := f.become(ctx, s, body)
	if err != nil {
		restore()
		return nil, err
	}
	return func() {
		back()
		restore()
	}, nil
}

// become gives the session the rights.
func (f *FiredTrigger) become(ctx *sql.Context, s *Session, body bool) (leave func(), err error) {
	if f.table == "" {
		t, _ := parseTrigger(f.stored.CreateStatement)
		f.table, f.definer = t.Table, RoleOf(f.stored.Completed(f.database, t.definer).Definer)
	}
	if leave, err = s.become(ctx, f.definer); err != nil || f.checked || !s.layer.checksRights() {
		return leave, err
	}
	if !MayOn(ctx, f.database.name, f.table, sql.PrivilegeType_Trigger) {
		err = sqlerr.NewError(1142, "TRIGGER command denied to user %s for table '%s'", f.definer.Quoted(), f.table)
	} else if body && !mayOneOf(ctx) {
		err = f.checkBody(ctx, s)
	}
	if err == nil && !mayUseAll(PrivilegesOf(ctx), f.database.name, f.table) {
		columns := rowColumnsOf(f.stored.CreateStatement)
		err = mayUseRow(ctx, f.definer, f.database.name, f.table, &columns)
	}
	if err != nil {
		leave()
		return nil, err
	}
	f.checked = true
	return leave, nil
}

// rowColumns are the columns of the row that a trigger reads, by OLD and NEW, and sets, by NEW.
type rowColumns struct{ read, set []string }

// rowColumnsOf finds those of a trigger's text.
func rowColumnsOf(text string) (c rowColumns) {
	create, ok := trees.StoredTree(text).(*sqlast.CreateTrigger)
	if !ok {
		return c // whose body is not run either
	}
	ofRow := func(name sqlast.Ident) bool {
		return strings.EqualFold(name.Name, "new") || strings.EqualFold(name.Name, "old")
	}
	sqlast.Inspect(create.Body, func(n sqlast.Node) bool {
		switch n := n.(type) {
		case *sqlast.Column:
			if ofRow(n.Table) && !n.Schema.Given() {
				c.read = append(c.read, n.Name.Name)
			}
		case *sqlast.SetVariable:
			if ofRow(n.Component) {
				c.set = append(c.set, n.Name.Name)
			}
		}
		return true
	})
	return c
}

// mayUseAll tells whether an account may read and set all columns of a table.
func mayUseAll(p Privileges, db, table string) bool {
	return p.OnTable(db, table, sql.PrivilegeType_Select) && p.OnTable(db, table, sql.PrivilegeType_Update)
}

// mayUseRow asks for the rights on them: SELECT and UPDATE.
func mayUseRow(ctx *sql.Context, definer trees.Role, db, table string, c *rowColumns) error {
	p := PrivilegesOf(ctx)
	if mayUseAll(p, db, table) {
		return nil
	}
	for _, of := range []struct {
		kind    sql.PrivilegeType
		columns []string
	}{{sql.PrivilegeType_Select, c.read}, {sql.PrivilegeType_Update, c.set}} {
		for _, column := range of.columns {
			if !p.OnColumn(db, table, column, of.kind) {
				return sqlerr.NewError(1143, "%s command denied to user %s for column '%s' in table '%s'", of.kind, definer.Quoted(), column, table)
			}
		}
	}
	return nil
}

// checkBody asks for the rights that the statements need.
func (f *FiredTrigger) checkBody(ctx *sql.Context, s *Session) error {
	mode := sql.NewSqlModeFromString(f.stored.SqlMode)
	stmt, _, err := (&Parser{asks: true}).ParseOneWithOptions(ctx, f.stored.CreateStatement, mode.ParserOptions())
	if err != nil {
		return err
	}
	create, ok := stmt.(*ast.DDL)
	if !ok || create.TriggerSpec == nil {
		return nil
	}
	before := s.GetCurrentDatabase()
	s.SetCurrentDatabase(f.database.name)
	defer s.SetCurrentDatabase(before)
	handler := s.layer.Engine.Analyzer.Catalog.AuthorizationHandler()
	return ast.Walk(func(n ast.SQLNode) (bool, error) {
		if a, ok := n.(ast.AuthNode); ok && a.GetAuthInformation().AuthType != "" {
			return true, handler.HandleAuth(ctx, nil, a.GetAuthInformation())
		}
		return true, nil
	}, create.TriggerSpec.Body)
}

// askNothing takes from the statements of a trigger what they need: that is asked for when they
// run.
func askNothing(body ast.Statement) error {
	return ast.Walk(func(n ast.SQLNode) (bool, error) {
		if a, ok := n.(ast.AuthNode); ok {
			a.SetAuthType(ast.AuthType_IGNORE)
			a.SetAuthTargetType(ast.AuthTargetType_Ignore)
		}
		return true, nil
	}, body)
}
