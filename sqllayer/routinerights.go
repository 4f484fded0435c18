package sqllayer

// Rights that come and go with a routine: who creates one may run, change and drop it, and nobody
// has rights on one that is gone.

import (
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/mysql_db"

	"emberdb/engine/catalog"
)

// grantCreator gives the account that has created a routine the rights on it that it lacks.
func (d *Database) grantCreator(ctx *sql.Context, name string, procedure bool) error {
	s := sessionOf(ctx)
	if s == nil || !d.layer.checksRights() || !s.flag("automatic_sp_privileges") ||
		mayUseRoutine(ctx, d.name, name, procedure, sql.PrivilegeType_Execute) && mayUseRoutine(ctx, d.name, name, procedure, sql.PrivilegeType_AlterRoutine) {
		return nil
	}
	who := s.account()
	return d.layer.changeRights(ctx, func(u *mysql_db.User) bool {
		if u.User != who.User || u.Host != who.Host {
			return false
		}
		u.PrivilegeSet.AddRoutine(d.name, strings.ToLower(name), procedure, sql.PrivilegeType_Execute, sql.PrivilegeType_AlterRoutine)
		return true
	})
}

// revokeRoutine takes everybody's rights on a routine.
func (d *Database) revokeRoutine(ctx *sql.Context, name string, procedure bool) error {
	s := sessionOf(ctx)
	if s == nil || !d.layer.checksRights() || !s.flag("automatic_sp_privileges") {
		return nil
	}
	return d.layer.changeRights(ctx, func(u *mysql_db.User) bool {
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
	_, ok, err := find[storedFunction](ctx, d, catalog.KindFunction, name)
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
	s := sessionOf(ctx)
	if s == nil {
		return nil, nil
	}
	found, err := s.layer.Provider.Database(ctx, schema)
	if sql.ErrDatabaseNotFound.Is(err) {
		return nil, nil
	}
	d, ok := ownDatabase(found)
	if err != nil || !ok {
		return nil, err
	}
	return d, nil
}
