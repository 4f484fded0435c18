package sqllayer

// Stored functions in expressions. A call runs the function's statements as GMS's interpreter of
// procedures does, in the session's transaction and as part of the statement that calls: as what a
// trigger runs.

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/types"
	ast "github.com/dolthub/vitess/go/vt/sqlparser"

	"emberdb/engine/catalog"
	"emberdb/sqllayer/expr/operand"
	"emberdb/sqllayer/library"
	"emberdb/sqllayer/programs"
	"emberdb/sqllayer/sqlerr"
	"emberdb/sqllayer/store"
	"emberdb/sqllayer/tabledef"
	"emberdb/sqllayer/trees"
)

// StoredFunction is a function in the catalog.
type StoredFunction struct {
	Name, Text                    string
	Created, Modified             time.Time
	SqlMode, Definer              string
	Client, Connection, Collation string // character set and collations at its creation
}

// saveFunction stores the function that GMS has parsed as a procedure.
func (d *Database) saveFunction(ctx *sql.Context, p sql.StoredProcedureDetails, name string, lenient bool) error {
	s := SessionOf(ctx)
	text := s.written(ctx)
	r := ParseRoutine(text)
	if r == nil {
		return sqlerr.NewError(1235, "This version of Ember doesn't yet support '%s'", "CREATE FUNCTION here")
	}
	if err := s.mayCreateExternal(ctx, d, r); err != nil {
		return err
	}
	if _, ok, err := Find[StoredFunction](ctx, d, catalog.KindFunction, name); err != nil || ok {
		switch {
		case err != nil:
			return err
		case lenient:
			ctx.Session.Warn(&sql.Warning{Level: "Note", Code: 1304, Message: fmt.Sprintf("FUNCTION %s already exists", name)})
			return nil
		}
		return sqlerr.NewError(1304, "FUNCTION %s already exists", name)
	}
	if !r.returning && !r.External() {
		return sqlerr.NewError(1320, "No RETURN found in FUNCTION %s.%s", d.name, r.name)
	}
	if s.layer.Eng.Binlog() != nil && !r.Deterministic && (r.Access == "CONTAINS SQL" || r.Access == "MODIFIES SQL DATA") && !s.flag("log_bin_trust_function_creators") {
		return sqlerr.NewError(1418, "This function has none of DETERMINISTIC, NO SQL, or READS SQL DATA in its declaration and binary logging is enabled "+
			"(you *might* want to use the less safe log_bin_trust_function_creators variable)")
	}
	if _, err := d.function(ctx, StoredFunction{Name: r.name, Text: text, SqlMode: trees.UsualMode(p.SqlMode)}); err != nil {
		return err
	}
	o, err := newOrigin(ctx, r.Definer)
	if err != nil {
		return err
	}
	if err := s.mayCreateLogged(ctx); err != nil {
		return err
	}
	if err := d.Put(ctx, catalog.KindFunction, r.name, StoredFunction{Name: r.name, Text: text, Created: p.CreatedAt, Modified: p.ModifiedAt, SqlMode: trees.UsualMode(p.SqlMode),
		Definer: o.Definer, Client: o.Client, Connection: o.Connection, Collation: d.Collation.Name()}); err != nil {
		return err
	}
	return d.grantCreator(ctx, r.name, false)
}

// dropFunction removes one.
func (d *Database) dropFunction(ctx *sql.Context, name string, lenient bool) error {
	missing := fmt.Sprintf("FUNCTION %s.%s does not exist", d.name, name)
	_, ok, err := Find[StoredFunction](ctx, d, catalog.KindFunction, name)
	switch {
	case err != nil:
		return err
	case ok:
		if err := d.remove(ctx, catalog.KindFunction, name, nil); err != nil {
			return err
		}
		return d.revokeRoutine(ctx, name, false)
	case lenient:
		ctx.Session.Warn(&sql.Warning{Level: "Note", Code: 1305, Message: missing})
		return nil
	}
	return sqlerr.NewError(1305, "%s", missing)
}

// IsFunction tells whether a function without a qualifier is no stored one.
func IsFunction(ctx *sql.Context, name string) bool {
	_, ok := library.LibraryFunction(ctx, strings.ToLower(name))
	return ok
}

// Function implements sql.FunctionProvider.
func (Functions) Function(ctx *sql.Context, schema, name string) (sql.Function, bool) {
	if f, ok := operand.Lookup(strings.ToLower(name)); ok {
		return f, true
	}
	qualified := schema != ""
	if !qualified {
		if _, ok := library.BuiltIn.Function(ctx, "", name); ok {
			return nil, false
		}
		if schema = ctx.GetCurrentDatabase(); schema == "" {
			return nil, false
		}
	}
	s := SessionOf(ctx)
	if s == nil {
		return nil, false
	}
	found, err := s.layer.Provider.Database(ctx, schema)
	d, ok := found.(*Database)
	if err != nil || !ok {
		return missingFunction(s, schema, name), qualified
	}
	_, ok, err = d.object(ctx, catalog.KindFunction, name)
	if err != nil {
		return nil, false
	}
	if !ok {
		return missingFunction(s, schema, name), qualified
	}
	return sql.FunctionN{Name: name, Fn: func(ctx *sql.Context, args ...sql.Expression) (sql.Expression, error) {
		if !mayUseRoutine(ctx, d.name, name, false, sql.PrivilegeType_Execute) {
			return nil, s.ViewError(routineDenied("execute", s.EffectiveAccount(), d.name, name))
		}
		p, err := s.readyFunction(ctx, d, name)
		if err != nil {
			return nil, err
		}
		defer s.Done(p, false)
		if len(args) != len(p.Params) {
			return nil, sqlerr.NewError(1318, "Incorrect number of arguments for FUNCTION %s.%s; expected %d, got %d", d.name, p.name, len(p.Params), len(args))
		}
		return &functionCall{f: p.callable, args: args, caller: s.EffectiveAccount()}, nil
	}}, true
}

// missingFunction is a function that is not there: who may not run it is told so, as of one that
// is. Names without a database may be functions that GMS's catalog knows.
func missingFunction(s *Session, schema, name string) sql.Function {
	return sql.FunctionN{Name: name, Fn: func(ctx *sql.Context, _ ...sql.Expression) (sql.Expression, error) {
		if !mayUseRoutine(ctx, schema, name, false, sql.PrivilegeType_Execute) {
			return nil, s.ViewError(routineDenied("execute", s.EffectiveAccount(), schema, name))
		}
		return nil, sqlerr.NewError(1305, "FUNCTION %s.%s does not exist", schema, name)
	}}
}

// textsOf gives a type of texts without a character set of its own the database's.
func (d *Database) textsOf(t sql.Type) (sql.Type, error) {
	s, ok := t.(sql.StringType)
	if !ok || s.Collation() != sql.Collation_Default && s.Collation() != sql.Collation_Unspecified {
		return t, nil
	}
	return types.CreateString(s.Type(), s.MaxCharacterLength(), d.Collation)
}

// readyFunction finds a function that is ready to run.
func (s *Session) readyFunction(ctx *sql.Context, d *Database, name string) (*keptProgram, error) {
	p, err := s.readyProgram(ctx, d, catalog.KindFunction, name, func(ctx *sql.Context, d *Database, data []byte) (*callable, string, error) {
		var stored StoredFunction
		if err := json.Unmarshal(data, &stored); err != nil {
			return nil, "", err
		}
		c, err := d.function(ctx, stored)
		return c, stored.Text, err
	})
	if p == nil && err == nil {
		err = sqlerr.NewError(1305, "FUNCTION %s.%s does not exist", d.name, name)
	}
	return p, err
}

// function parses a stored function.
func (d *Database) function(ctx *sql.Context, stored StoredFunction) (*callable, error) {
	r := ParseRoutine(stored.Text)
	if r == nil {
		return nil, fmt.Errorf("function %s.%s cannot be read", d.name, stored.Name)
	}
	ddl, err := d.readText(ctx, stored.Text, stored.SqlMode)
	if err != nil {
		return nil, err
	}
	if ddl.ProcedureSpec == nil {
		return nil, fmt.Errorf("function %s.%s cannot be read", d.name, stored.Name)
	}
	var body *ast.BeginEndBlock
	whole, ok := ddl.ProcedureSpec.Body.(*program)
	if ok {
		body, _ = whole.Statement.(*ast.BeginEndBlock)
	}
	if body == nil || len(body.Statements) <= len(r.Params) {
		return nil, fmt.Errorf("function %s.%s cannot be read", d.name, stored.Name)
	}
	f := &callable{db: d, name: stored.Name, body: whole, mode: stored.SqlMode, invoker: r.Invoker, definer: RoleOf(stored.Definer)}
	for i := range len(r.Params) + 1 {
		declared, ok := body.Statements[i].(*ast.Declare)
		if !ok || declared.Variables == nil {
			return nil, fmt.Errorf("function %s.%s cannot be read", d.name, stored.Name)
		}
		name := ""
		if i < len(r.Params) {
			name = declared.Variables.Names[0].String()
		}
		c, err := d.declaredColumn(name, declared.Variables.VarType)
		if err != nil {
			return nil, err
		}
		if i == len(r.Params) {
			c.Name = r.name
			f.returns = c
		} else {
			f.Params = append(f.Params, c)
		}
	}
	return f, nil
}

// functionCall is a call of a stored function. What runs is the function as it is by then.
type functionCall struct {
	f      *callable
	args   []sql.Expression
	caller trees.Role // in a view another one than the session's account
}

var (
	_ sql.Expression                 = (*functionCall)(nil)
	_ sql.NonDeterministicExpression = (*functionCall)(nil)
	_ sql.CollationCoercible         = (*functionCall)(nil)
)

// Resolved implements sql.Expression.
func (c *functionCall) Resolved() bool {
	return !slices.ContainsFunc(c.args, func(e sql.Expression) bool { return !e.Resolved() })
}

// String implements sql.Expression.
func (c *functionCall) String() string {
	args := make([]string, len(c.args))
	for i, a := range c.args {
		args[i] = a.String()
	}
	return c.f.name + "(" + strings.Join(args, ",") + ")"
}

// Type implements sql.Expression.
func (c *functionCall) Type(*sql.Context) sql.Type { return c.f.returns.Type }

// IsNullable implements sql.Expression.
func (c *functionCall) IsNullable(*sql.Context) bool { return true }

// Children implements sql.Expression.
func (c *functionCall) Children() []sql.Expression { return c.args }

// WithChildren implements sql.Expression.
func (c *functionCall) WithChildren(_ *sql.Context, children ...sql.Expression) (sql.Expression, error) {
	if len(children) != len(c.args) {
		return nil, sql.ErrInvalidChildrenNumber.New(c, len(children), len(c.args))
	}
	return &functionCall{f: c.f, args: children, caller: c.caller}, nil
}

// IsNonDeterministic implements sql.NonDeterministicExpression: GMS is not to call it before the
// statement runs.
func (c *functionCall) IsNonDeterministic() bool { return true }

// CollationCoercibility implements sql.CollationCoercible.
func (c *functionCall) CollationCoercibility(ctx *sql.Context) (sql.CollationID, byte) {
	collation, _ := c.f.returns.Type.CollationCoercibility(ctx)
	return collation, 4
}

// Eval implements sql.Expression.
func (c *functionCall) Eval(ctx *sql.Context, r sql.Row) (any, error) {
	s := SessionOf(ctx)
	store := newKeeper(ctx)
	args := make(map[string]any, len(c.args))
	for i, a := range c.args {
		before := ctx.Session.WarningCount()
		v, err := a.Eval(ctx, r)
		if err == nil {
			err = store.Warned(ctx, before)
		}
		if err != nil {
			return nil, err
		}
		if args[c.f.Params[i].Name], err = store.Kept(ctx, c.f.Params[i], v); err != nil {
			return nil, err
		}
	}
	if s.runsFunction(tabledef.TableName{Schema: c.f.db.name, Name: strings.ToLower(c.f.name)}) {
		return nil, sqlerr.NewError(1424, "Recursive stored functions and triggers are not allowed.")
	}
	p, err := s.readyFunction(ctx, c.f.db, c.f.name)
	if err != nil {
		return nil, err
	}
	large := false
	defer func() { s.Done(p, large) }()
	leave, err := c.enter(ctx, s)
	if err != nil {
		return nil, err
	}
	defer leave()
	v, large, err := p.evaluate(ctx, s, args)
	return v, err
}

// enter gives the session the rights that the function runs with. Whether it may write while the
// server is read-only depends on who runs the statement around it.
func (c *functionCall) enter(ctx *sql.Context, s *Session) (leave func(), err error) {
	before := s.frozen
	if before == nil {
		s.frozen = s.layer.CheckWrite(ctx)
	}
	var back func()
	if c.f.invoker {
		back, err = s.become(ctx, c.caller)
	} else {
		back, err = s.runAs(ctx, c.f.definer, c.f.db.name, c.f.name, false)
	}
	if err != nil {
		s.frozen = before
		return nil, err
	}
	return func() {
		back()
		s.frozen = before
	}, nil
}

// newKeeper is a storer for the parameters and variables of programs.
func newKeeper(ctx *sql.Context) store.Storer {
	s := store.NewStorer(ctx, false)
	s.Row = 1
	return s
}

// runsFunction tells whether a function is running.
func (s *Session) runsFunction(name tabledef.TableName) bool {
	s.Mu.Lock()
	defer s.Mu.Unlock()
	for a := s.Program; a != nil; a = a.outer {
		if a.name == name && a.result != nil {
			return true
		}
	}
	return false
}

// evaluate runs the function's statements; large: it has held large values.
func (f *callable) evaluate(ctx *sql.Context, s *Session, args map[string]any) (v any, large bool, err error) {
	restore, err := s.inMode(ctx, f.mode)
	if err != nil {
		return nil, false, err
	}
	defer restore()
	s.EnterTrigger(tabledef.TableName{})
	defer s.LeaveTrigger()
	end := s.OwnWarnings()
	defer func() { end(true) }()
	a := s.newActivation(ctx, f.db, f.name, s.layer.Engine)
	defer a.end()
	a.args, a.result = args, &functionValue{}
	if err := a.run(f.body); err != nil {
		s.Mu.Lock()
		s.Stmt.Failed = true // so has the statement that calls: what the function has changed is undone
		s.Mu.Unlock()
		return nil, true, err
	}
	if !a.result.set {
		return nil, a.large, sqlerr.NewError(1321, "FUNCTION %s ended without RETURN", f.name)
	}
	return a.result.variable.Value, a.large, nil
}

// functionValue is what RETURN has given.
type functionValue struct {
	variable *programs.Variable // that RETURN sets
	set      bool
}
