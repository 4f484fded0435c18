package server

import (
	"slices"
	"sort"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/mysql_db"

	"emberdb/account"
	"emberdb/server/grants"
	"emberdb/server/virtual"
	"emberdb/sqllayer"
	"emberdb/sqllayer/infoschema"
	"emberdb/sqllayer/sqlerr"
)

// What clients write to the grant tables is a draft until FLUSH PRIVILEGES makes accounts of it, as
// in MySQL. The first change copies the rows of all grant tables into key-value rows of the engine,
// a key for each row. From then on the tables show the draft; a statement about accounts changes
// the accounts and their rows of the draft.
//
// Whoever changes the draft or the accounts locks DraftKey first, then the accounts: so a draft
// never misses a change of an account, and nobody waits for a row while holding the accounts.

// accountsNow are the accounts and granted roles that count.
func (s *Server) accountsNow() (rows []*grants.AccountRow, edges []mysql_db.RoleEdge) {
	rd := s.accounts.db.Reader()
	edges = grants.SortedEdges(sqllayer.RoleGraph(rd).Edges)
	rd.Close()
	return s.accounts.all(), edges
}

// grantRows are the rows that a statement sees.
func (s *Server) grantRows(ctx *sql.Context, t *grants.GrantTable) (out []sql.Row, err error) {
	var texts []grants.TextRow
	add := func(r grants.TextRow) { texts = append(texts, r) }
	drafted := false
	if session, ok := ctx.Session.(*sqllayer.Session); ok {
		err = session.ReadSystemRows(ctx, func(kv sqllayer.SystemRows) error {
			if drafted, err = grants.IsDrafted(kv); err != nil || !drafted {
				return err
			}
			return t.Drafted(kv, add)
		})
	}
	if err == nil && !drafted {
		rows, edges := s.accountsNow()
		t.Made(add, rows, edges)
	}
	for _, r := range texts {
		row, rowErr := t.RowOf(ctx, r)
		if rowErr != nil {
			return nil, rowErr
		}
		out = append(out, row)
	}
	return out, err
}

// changeDraft runs change on the draft, which is locked and made if there is none.
func (s *Server) changeDraft(ctx *sql.Context, within func(*sql.Context, func(sqllayer.SystemRows) error) error, change func(sqllayer.SystemRows) error) error {
	session, ok := ctx.Session.(*sqllayer.Session)
	if !ok {
		return sqlerr.NewError(3554, "Access to system table 'mysql.user' is rejected.")
	}
	for {
		drafted := false
		if err := session.ReadSystemRows(ctx, func(kv sqllayer.SystemRows) (err error) { drafted, err = grants.IsDrafted(kv); return err }); err != nil {
			return err
		}
		err := within(ctx, func(kv sqllayer.SystemRows) error {
			_, found, err := kv.Lock(grants.DraftKey)
			switch {
			case err != nil:
				return err
			case !found && drafted:
				return grants.ErrNoDraft
			case !found:
				if err := s.makeDraft(kv); err != nil {
					return err
				}
			}
			return change(kv)
		})
		if err != grants.ErrNoDraft {
			return err
		}
	}
}

// makeDraft copies the accounts. REQUIRES: DraftKey is locked.
func (s *Server) makeDraft(kv sqllayer.SystemRows) (err error) {
	rows, edges := s.accountsNow()
	for _, t := range s.grantTables {
		t.Made(func(r grants.TextRow) {
			if err == nil {
				err = t.Put(kv, r)
			}
		}, rows, edges)
	}
	if err != nil {
		return err
	}
	return kv.Put(grants.DraftKey, nil)
}

// changeGrantRow changes a row of the draft.
func (s *Server) changeGrantRow(t *grants.GrantTable) infoschema.RowChange {
	return func(ctx *sql.Context, old, changed sql.Row) (err error) {
		var before, after grants.TextRow
		if old != nil {
			if before, err = t.TextOf(ctx, old); err != nil {
				return err
			}
		}
		if changed != nil {
			if after, err = t.TextOf(ctx, changed); err != nil {
				return err
			}
		}
		session, _ := ctx.Session.(*sqllayer.Session)
		return s.changeDraft(ctx, session.ChangeSystemRows, func(kv sqllayer.SystemRows) error { return t.Change(ctx, kv, before, after) })
	}
}

// FLUSH PRIVILEGES: accounts made of the draft of the grant tables.

// holdDraft locks the draft; nil: the server has no engine to keep one.
func (s *Server) holdDraft(ctx *sql.Context) (*grants.HeldDraft, error) {
	l := s.layer()
	if l == nil {
		return nil, nil
	}
	h := &grants.HeldDraft{HeldRows: l.HoldSystemRows(ctx)}
	var err error
	if _, h.Drafted, err = h.Lock(grants.DraftKey); err != nil {
		h.Finish()
		return nil, err
	}
	return h, nil
}

// loadGrantTables makes what was written to the grant tables count. Rows that no account can be
// made of leave all as it was.
func (x *execution) loadGrantTables(ctx *sql.Context) error {
	e, err := x.editAccounts(ctx)
	if err != nil {
		return err
	}
	defer e.close()
	if !e.held.IsDraft() {
		return nil
	}
	l := grants.AccountLoad{Rows: map[account.Name]*grants.AccountRow{}}
	for _, t := range x.h.s.grantTables {
		if err := l.Table(t, e.held); err != nil {
			grants.Warn(ctx, 1105, "%s", err)
			return sqlerr.NewError(1728, "Cannot load from mysql.%s. The table is probably corrupted", t.Name())
		}
	}
	if !l.HasAdministrator() {
		grants.Warn(ctx, 1105, "No account in mysql.user could change accounts")
		return sqlerr.NewError(1728, "Cannot load from mysql.user. The table is probably corrupted")
	}
	for _, r := range e.all() {
		e.rows[r.Name()] = nil
	}
	for n, r := range l.Rows {
		e.rows[n] = r
	}
	e.edges = l.Edges
	drafted := e.held.Drafted
	e.held.Drafted = false // the accounts are what it says
	if err := e.save(ctx, "FLUSH PRIVILEGES"); err != nil {
		e.held.Drafted = drafted
		return err
	}
	for _, t := range x.h.s.grantTables {
		if err := t.Empty(e.held.SystemRows); err != nil {
			return err
		}
	}
	e.held.Changed = true
	return e.held.Delete(grants.DraftKey)
}

// The grant tables of the mysql schema, as MySQL 9.7 lays them out. Their rows are made of the
// accounts.

// fillGrantTables gives the tables their rows, and lets statements change them.
func (s *Server) fillGrantTables(d *virtual.Database) {
	add := func(name, given string, of func(r *grants.AccountRow, add func(...any))) *grants.GrantTable {
		t := &grants.GrantTable{VirtualTable: d.Tables[name], Columns: d.Tables[name].Schema(nil), Of: of, Primary: virtual.PrimaryKey(d.Tables[name])}
		for i, c := range t.Columns {
			if given == "" || slices.Contains(strings.Split(given, ", "), c.Name) {
				t.Given = append(t.Given, i)
			}
		}
		s.grantTables = append(s.grantTables, t)
		d.Fill(name, grants.ColumnList(d, name), func(ctx *sql.Context) ([]sql.Row, error) { return s.grantRows(ctx, t) })
		d.Editable[name] = s.changeGrantRow(t)
		return t
	}
	add("user", "", grants.UserRow)
	add("db", "", grants.DbRows)
	add("tables_priv", "Host, Db, User, Table_name, Table_priv, Column_priv", func(r *grants.AccountRow, add func(...any)) {
		for _, t := range r.Grants.AllTables() {
			add(r.User.Host, t.Database, r.User.User, t.Name, r.Grants.OnTable(t).Members(), r.Grants.ColumnsOf(t).Members())
		}
	})
	add("columns_priv", "Host, Db, User, Table_name, Column_name, Column_priv", func(r *grants.AccountRow, add func(...any)) {
		for _, c := range r.Grants.AllColumns() {
			add(r.User.Host, c.Database, r.User.User, c.Name, c.Column, r.Grants.OnColumn(c).Members())
		}
	})
	add("procs_priv", "Host, Db, User, Routine_name, Routine_type, Proc_priv", func(r *grants.AccountRow, add func(...any)) {
		for _, of := range r.Grants.AllRoutines() {
			p, _ := r.Grants.OnRoutine(of)
			add(r.User.Host, of.Database, r.User.User, of.Name, of.Kind.String(), p.Members())
		}
	})
	add("global_grants", "", func(r *grants.AccountRow, add func(...any)) {
		for _, name := range sortedKeys(r.Grants.Dynamic) {
			add(r.User.User, r.User.Host, name, grants.YesNo(r.Grants.Dynamic[name]))
		}
	})
	add("default_roles", "", func(r *grants.AccountRow, add func(...any)) {
		for _, role := range r.Policy.DefaultRoles {
			add(r.User.Host, r.User.User, role.Host, role.User)
		}
	})
	add("proxies_priv", "", func(r *grants.AccountRow, add func(...any)) {
		proxies := slices.Clone(r.Policy.Proxies)
		slices.SortFunc(proxies, func(a, b account.Proxy) int {
			return strings.Compare(a.On.Host+"\x00"+a.On.User, b.On.Host+"\x00"+b.On.User)
		})
		for _, p := range proxies {
			add(r.User.Host, r.User.User, p.On.Host, p.On.User, int64(virtual.B2i(p.Grant)), p.Grantor, p.At)
		}
	})
	add("password_history", "", func(r *grants.AccountRow, add func(...any)) {
		for _, u := range r.Policy.Used {
			add(r.User.Host, r.User.User, u.At, u.Hash)
		}
	})
	add("role_edges", "", nil).Edges = func(e mysql_db.RoleEdge, add func(...any)) {
		add(e.FromHost, e.FromUser, e.ToHost, e.ToUser, grants.YesNo(e.WithAdminOption))
	}
}

// all lists the accounts.
func (a *accounts) all() (rows []*grants.AccountRow) {
	rd := a.db.Reader()
	defer rd.Close()
	rd.VisitUsers(func(u *mysql_db.User) { rows = append(rows, grants.RowOf(u)) })
	sort.Slice(rows, func(i, j int) bool {
		x, y := rows[i].User, rows[j].User
		return x.Host < y.Host || x.Host == y.Host && x.User < y.User
	})
	return rows
}
