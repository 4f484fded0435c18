package sqllayer

// Whose rights count. A stored program under SQL SECURITY DEFINER runs as its definer: the session
// has the definer's account and rights until the program ends. A view's body is planned with its
// definer's rights, and what is planned of it keeps them: GMS checks rights when it plans.
//
// GMS binds a view so: GetViewDefinition, the parser, SetPrivilegeSet with rights that it lends,
// the planner, SetPrivilegeSet with the rights before. The parser finds the view that is being
// opened, the loan becomes the rights of its definer.

import (
	"context"
	"slices"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/mysql_db"
	ast "github.com/dolthub/vitess/go/vt/sqlparser"

	"emberdb/account"
	"emberdb/engine/catalog"
	"emberdb/sqllayer/expr"
	"emberdb/sqllayer/sqlerr"
	"emberdb/sqllayer/tabledef"
	"emberdb/sqllayer/trees"
)

func init() {
	expr.CurrentUser = func(ctx *sql.Context) string {
		c := ctx.Client()
		if c.User == "" && c.Address == "" {
			return ""
		}
		return c.User + "@" + c.Address
	}
	expr.User = func(ctx *sql.Context) string {
		s := SessionOf(ctx)
		if s == nil || s.login.Host == "" {
			return expr.CurrentUser(ctx)
		}
		return s.login.User + "@" + s.login.Host
	}
}

// rights are those of an account in the session.
type rights struct {
	set     sql.PrivilegeSet
	counter uint64
	roles   *[]account.Name
	reach   *reach
}

// RoleOf reads an account as objects have their definers.
func RoleOf(definer string) trees.Role {
	at := strings.LastIndexByte(definer, '@')
	return trees.Role{User: definer[:max(at, 0)], Host: definer[at+1:]}
}

// noDefiner is the error of a definer who is gone.
func noDefiner(who trees.Role) error {
	return sqlerr.NewError(1449, "The user specified as a definer (%s) does not exist", who.Quoted())
}

// SetLogin tells who has logged in and from which host.
func (s *Session) SetLogin(r trees.Role) { s.login = r }

// EffectiveAccount is the one whose rights count.
func (s *Session) EffectiveAccount() trees.Role {
	if n := len(s.views); n > 0 {
		return s.views[n-1].account
	}
	c := s.Client()
	return trees.Role{User: c.User, Host: c.Address}
}

// Accessing is the session's account under the host that the client has come from.
func (s *Session) Accessing() trees.Role { return s.accessing() }

// accessing is the account as errors about tables name it: by the host that the client has come
// from.
func (s *Session) accessing() trees.Role {
	a := s.EffectiveAccount()
	if s.acting == 0 && len(s.views) == 0 && s.login.Host != "" {
		a.Host = s.login.Host
	}
	return a
}

// checksRights tells whether there are accounts: embedded layers have none.
func (l *Layer) checksRights() bool { return l.Engine.Analyzer.Catalog.MySQLDb.Enabled() }

// hasAccount tells whether an account exists.
func (l *Layer) hasAccount(r trees.Role) bool {
	rd := l.Engine.Analyzer.Catalog.MySQLDb.Reader()
	defer rd.Close()
	_, ok := rd.GetUser(mysql_db.UserPrimaryKey{User: r.User, Host: r.Host})
	return ok
}

// isSystemUser tells whether an account has SYSTEM_USER itself.
func (l *Layer) isSystemUser(r trees.Role) bool {
	rd := l.Engine.Analyzer.Catalog.MySQLDb.Reader()
	defer rd.Close()
	u, ok := rd.GetUser(mysql_db.UserPrimaryKey{User: r.User, Host: r.Host})
	return ok && u.PrivilegeSet.HasDynamic("system_user")
}

// become gives the session another account's rights until leave is called.
func (s *Session) become(ctx *sql.Context, who trees.Role) (leave func(), err error) {
	client := s.Client()
	if !s.layer.checksRights() || (trees.Role{User: client.User, Host: client.Address}) == who {
		return func() {}, nil
	}
	if !s.layer.hasAccount(who) {
		return nil, noDefiner(who)
	}
	before := rights{roles: s.roles.Load(), reach: s.reach}
	before.set, before.counter = s.GetPrivilegeSet()
	s.SetClient(sql.Client{User: who.User, Address: who.Host, Capabilities: client.Capabilities})
	s.take(s.acted[who])
	s.acting++
	s.layer.Engine.Analyzer.Catalog.MySQLDb.UserActivePrivilegeSet(ctx)
	return func() {
		if s.acted == nil {
			s.acted = make(map[trees.Role]rights)
		}
		set, counter := s.GetPrivilegeSet()
		s.acted[who] = rights{set: set, counter: counter, reach: s.reach}
		s.acting--
		s.SetClient(client)
		s.take(before)
	}, nil
}

func (s *Session) take(r rights) {
	s.roles.Store(r.roles)
	s.reach = r.reach
	s.BaseSession.SetPrivilegeSet(r.set, r.counter)
}

// runAs becomes the definer of a routine, who needs EXECUTE on it, too.
func (s *Session) runAs(ctx *sql.Context, definer trees.Role, db, name string, procedure bool) (leave func(), err error) {
	leave, err = s.become(ctx, definer)
	if err == nil && !mayUseRoutine(ctx, db, name, procedure, sql.PrivilegeType_Execute) {
		leave()
		err = routineDenied("execute", definer, db, name)
	}
	return leave, err
}

func routineDenied(command string, who trees.Role, db, name string) error {
	return sqlerr.NewError(1370, "%s command denied to user %s for routine '%s.%s'", command, who.Quoted(), db, name)
}

// mayUseRoutine tells whether the session has a right on a function or procedure.
func mayUseRoutine(ctx *sql.Context, db, name string, procedure bool, kind sql.PrivilegeType) bool {
	return PrivilegesOf(ctx).OnRoutine(db, name, procedure, kind)
}

// MaySeeRoutine tells whether the session may see the text of a routine.
func MaySeeRoutine(ctx *sql.Context, definer string) bool {
	return PrivilegesOf(ctx).readsRoutines() || RoleOf(definer) == SessionOf(ctx).EffectiveAccount()
}

// mayOneOf tells whether the session has SUPER or one of some dynamic privileges.
func mayOneOf(ctx *sql.Context, dynamic ...string) bool { return PrivilegesOf(ctx).admin(dynamic...) }

// mayName refuses a definer that the session may not give an object.
func (s *Session) mayName(ctx *sql.Context, definer string) error {
	if s == nil || !s.layer.checksRights() {
		return nil
	}
	who := RoleOf(definer)
	if long := (account.Name{User: who.User, Host: who.Host}).TooLong(); long != nil {
		return sqlerr.NewError(long.Code, "%s", long.Text)
	}
	if who != s.EffectiveAccount() && !mayOneOf(ctx, "set_any_definer", "set_user_id") {
		return sqlerr.NewError(1227, "Access denied; you need (at least one of) the SUPER or SET_ANY_DEFINER privilege(s) for this operation")
	}
	if who != s.EffectiveAccount() && s.layer.isSystemUser(who) && !PrivilegesOf(ctx).systemUser() {
		return sqlerr.NewError(1227, "Access denied; you need (at least one of) the SYSTEM_USER privilege(s) for this operation")
	}
	return nil
}

// mayDefine is mayName, and warns of a definer who does not exist.
func (s *Session) mayDefine(ctx *sql.Context, definer string) error {
	if err := s.mayName(ctx, definer); err != nil || s == nil || !s.layer.checksRights() {
		return err
	}
	if who := RoleOf(definer); !s.layer.hasAccount(who) {
		if !mayOneOf(ctx, "allow_nonexistent_definer", "set_user_id") {
			return sqlerr.NewError(1227, "Access denied; you need (at least one of) the SUPER or ALLOW_NONEXISTENT_DEFINER privilege(s) for this operation")
		}
		s.NoteAbsent(who)
	}
	return nil
}

// NoteAbsent tells of a definer who does not exist.
func (s *Session) NoteAbsent(who trees.Role) {
	if s != nil && s.layer.checksRights() && !s.layer.hasAccount(who) {
		s.Warn(&sql.Warning{Level: "Note", Code: 1449, Message: "The user specified as a definer (" + who.Quoted() + ") does not exist"})
	}
}

// mayCreateLogged refuses functions and triggers of those who may not write to the binary log what
// they like.
func (s *Session) mayCreateLogged(ctx *sql.Context) error {
	if s == nil || s.layer.Eng.Binlog() == nil || mayOneOf(ctx) || s.flag("log_bin_trust_function_creators") {
		return nil
	}
	return sqlerr.NewError(1419, "You do not have the SUPER privilege and binary logging is enabled (you *might* want to use the less safe log_bin_trust_function_creators variable)")
}

// openView is a view whose body is planned.
type openView struct {
	Schema, Name, text string
	account            trees.Role // whose rights count
	invoker            bool
	shown              bool // SHOW CREATE VIEW needs no rights on what the view reads

	database string // the session's before
	reach    *reach
}

// opens notes the view whose definition GMS has asked for.
func (s *Session) opens(d *Database, v StoredView) {
	t, _ := ParseView(v.CreateViewStatement)
	s.Asked = &openView{Schema: d.name, Name: v.Name, text: v.CreateViewStatement, invoker: t.invoker, account: RoleOf(v.Completed(d, t.Definer).Definer)}
}

// openedView notes that the planner opens the view that was asked for if this is its text.
// CURRENT_USER() in it is whoever's rights count.
func (s *Session) openedView(ctx *sql.Context, text string, stmt ast.Statement) error {
	v := s.Asked
	if v == nil || v.text != text {
		noteReplaced(ctx, stmt)
		return nil
	}
	s.Asked = nil
	at := tabledef.TableName{Schema: v.Schema, Name: v.Name}
	if at.Same(s.replaced) {
		return sqlerr.NewError(1146, "Table '%s.%s' doesn't exist", at.Schema, at.Name)
	}
	if slices.ContainsFunc(s.views, func(open *openView) bool { return at.Same(tabledef.TableName{Schema: open.Schema, Name: open.Name}) }) {
		return recursiveView(at)
	}
	if v.shown = s.shows(ctx); v.shown {
		v.invoker = true // what is shown are texts
	}
	if v.invoker {
		v.account = s.EffectiveAccount()
	} else if s.layer.checksRights() && !s.layer.hasAccount(v.account) {
		if who := s.EffectiveAccount(); !mayOneOf(ctx) {
			return sqlerr.NewError(1045, "Access denied for user %s (using password: NO)", who.Quoted())
		}
		return noDefiner(v.account)
	}
	if s.layer.checksRights() {
		nameCurrentUser(stmt, v.account)
	}
	if create, ok := stmt.(*ast.DDL); ok && !s.layer.Opts.Plain {
		create.SubStatementStr = ViewBody + v.Schema + "\x00" + v.Name
	}
	s.opening = v
	return nil
}

// noteReplaced notes the view that a CREATE OR REPLACE VIEW replaces, which must not be part of the
// new one.
func noteReplaced(ctx context.Context, stmt ast.Statement) {
	c, ok := ctx.(*sql.Context)
	if !ok || SessionOf(c) == nil {
		return
	}
	s := SessionOf(c)
	s.replaced = tabledef.TableName{}
	if ddl, ok := stmt.(*ast.DDL); ok && ddl.ViewSpec != nil && ddl.OrReplace {
		name := ddl.ViewSpec.ViewName
		s.replaced = tabledef.TableName{Schema: name.DbQualifier.String(), Name: name.Name.String()}
		if name.DbQualifier.IsEmpty() {
			s.replaced.Schema = c.GetCurrentDatabase()
		}
	}
}

// recursiveView is the error of views that read each other in a circle, which renames can make.
func recursiveView(at tabledef.TableName) error {
	return sqlerr.NewError(1462, "`%s`.`%s` contains view recursion", at.Schema, at.Name)
}

// nameCurrentUser writes an account in the place of CURRENT_USER().
func nameCurrentUser(stmt ast.Statement, who trees.Role) {
	ddl, ok := stmt.(*ast.DDL)
	if !ok || ddl.ViewSpec == nil {
		return
	}
	_ = ast.Walk(func(n ast.SQLNode) (bool, error) {
		f, ok := n.(*ast.FuncExpr)
		if ok && f.Name.Lowered() == "current_user" && f.Qualifier.IsEmpty() && len(f.Exprs) == 0 {
			f.Name = ast.NewColIdent(expr.KnownUser)
			f.Exprs = ast.SelectExprs{&ast.AliasedExpr{Expr: ast.NewStrVal([]byte(who.User + "@" + who.Host))}}
		}
		return true, nil
	}, ddl.ViewSpec.ViewExpr)
}

// lend makes rights those of the view that is being opened; false: none is.
func (s *Session) lend(set mysql_db.PrivilegeSet, counter uint64) bool {
	v := s.opening
	if v == nil {
		return false
	}
	s.opening = nil
	v.database, v.reach = s.GetCurrentDatabase(), s.reach
	s.views = append(s.views, v)
	s.SetCurrentDatabase(v.Schema)
	switch {
	case v.shown:
		set, s.reach = mysql_db.NewPrivilegeSetWithAllPrivileges(), nil
	case s.layer.checksRights():
		if before, _ := s.GetPrivilegeSet(); !v.invoker {
			own := s.layer.RightsOf(v.account)
			set, s.reach = own.set, own.reach
		} else if outer, ok := before.(mysql_db.PrivilegeSet); ok {
			set = outer.Copy()
		}
	}
	s.BaseSession.SetPrivilegeSet(set, counter)
	return true
}

// borrowRights gives the session all rights, for a plan that nobody runs; the function that it
// returns takes them back.
func (s *Session) borrowRights() func() {
	set, counter := s.GetPrivilegeSet()
	reach, views := s.reach, len(s.views)
	s.BaseSession.SetPrivilegeSet(mysql_db.NewPrivilegeSetWithAllPrivileges(), counter)
	s.reach = nil
	return func() {
		s.views, s.opening = s.views[:views], nil
		s.BaseSession.SetPrivilegeSet(set, counter)
		s.reach = reach
	}
}

// closeView ends the innermost view.
func (s *Session) closeView() {
	if n := len(s.views) - 1; n >= 0 {
		s.SetCurrentDatabase(s.views[n].database)
		s.reach = s.views[n].reach
		s.views = s.views[:n]
	}
}

// ViewError is what is told of rights that are missing in a view.
func (s *Session) ViewError(err error) error {
	if len(s.views) == 0 || err == nil {
		return err
	}
	if s.Explains {
		return ErrNotExplained
	}
	return InvalidView(s.views[0].Schema, s.views[0].Name)
}

// ErrNotExplained is told of rights that are missing in a view that EXPLAIN looks into.
var ErrNotExplained = sqlerr.NewError(1345, "EXPLAIN/SHOW can not be issued; lacking privileges for underlying table")

func InvalidView(schema, name string) error {
	return sqlerr.NewError(sqlerr.ErViewInvalid, invalidView, schema, name)
}

const invalidView = "View '%s.%s' references invalid table(s) or column(s) or function(s) or definer/invoker of view lack rights to use them"

// RightsOf are those of an account with its default roles.
func (l *Layer) RightsOf(who trees.Role) Privileges {
	rd := l.Engine.Analyzer.Catalog.MySQLDb.Reader()
	defer rd.Close()
	g := l.grants()
	u, ok := g.named(account.Name(who))
	if !ok {
		return Privileges{}
	}
	graph := g.graph()
	granted := graph.Granted(account.Name(who))
	roles := slices.DeleteFunc(append(DefaultRolesOf(u), graph.Mandatory...), func(r account.Name) bool { return !slices.Contains(granted, r) })
	set := g.effective(u, graph.Closure(roles))
	openToAll(set)
	return Privileges{set: set, reach: findReach(set, u)}
}

// GetViewDefinition implements sql.ViewDatabase.
func (d *Database) GetViewDefinition(ctx *sql.Context, name string) (sql.ViewDefinition, bool, error) {
	v, ok, err := Find[StoredView](ctx, d, catalog.KindView, name)
	if s := SessionOf(ctx); s != nil && ok && err == nil {
		s.opens(d, v)
	}
	return v.ViewDefinition, ok, err
}
