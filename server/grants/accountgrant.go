package grants

import (
	"github.com/dolthub/vitess/go/mysql"

	"emberdb/account"
	"emberdb/sqllayer/sqlerr"
)

func ResolveAll(me Caller, list []account.Who) {
	for i := range list {
		list[i] = account.Who{Name: me.Resolve(list[i])}
	}
}

var ErrIllegalGrant = sqlerr.NewError(1144, "Illegal GRANT/REVOKE command; please consult the manual to see which privileges can be used")

func (r *AccountRow) ChangeDynamics(s *account.Grant) {
	for _, d := range account.Dynamics {
		if s.Revoke {
			delete(r.Grants.Dynamic, d)
		} else {
			r.Grants.Dynamic[d] = r.Grants.Dynamic[d] || s.WithGrant
		}
	}
}

// ChangeStatic gives or takes a privilege at the level of the statement.
func (r *AccountRow) ChangeStatic(s *account.Grant, p account.Privilege) {
	g, on := r.Grants, s.On
	is := p.Static & (account.GlobalLevel | account.GrantOption)
	table := account.Table{Database: on.Database, Name: on.Name}
	switch {
	case on.Level == account.OnGlobal && s.Revoke:
		g.Global &^= is
	case on.Level == account.OnGlobal:
		g.Global |= is
		r.Policy.Lift("", is)
	case on.Level == account.OnDatabase && s.Revoke:
		r.revokeDatabase(on.Database, is)
	case on.Level == account.OnDatabase:
		g.AddDatabase(on.Database, is&^r.Policy.Lift(on.Database, is))
	case on.Level != account.OnTable && s.Revoke:
		g.RemoveRoutine(RoutineOf(on), is)
	case on.Level != account.OnTable:
		g.AddRoutine(RoutineOf(on), is)
	case len(p.Columns) == 0 && s.Revoke:
		g.RemoveTable(table, is)
	case len(p.Columns) == 0:
		g.AddTable(table, is)
	}
	for _, c := range p.Columns {
		column := account.Column{Table: table, Column: c}
		if s.Revoke {
			g.RemoveColumn(column, is)
		} else {
			g.AddColumn(column, is)
		}
	}
}

// revokeDatabase takes privileges on a database; under partial_revokes, also those that hold
// everywhere.
func (r *AccountRow) revokeDatabase(db string, is account.Privileges) {
	r.Grants.RemoveDatabase(db, is)
	if is &= r.Grants.Global; is != 0 && PartialRevokes() {
		r.Policy.Restrict(db, is)
	}
}

func PartialRevokes() bool { return GlobalNumber("partial_revokes") != 0 }

// GrantedOnTable tells whether each named column has its privilege, and the table all of those
// named for it, itself or by its columns.
func (r *AccountRow) GrantedOnTable(s *account.Grant, t account.Table) bool {
	for _, p := range s.Privileges {
		for _, c := range p.Columns {
			if !r.Grants.OnColumn(account.Column{Table: t, Column: c}).Has(p.Static) {
				return false
			}
		}
	}
	want := Wanted(s)
	return r.Grants.HasTable(t) && (r.Grants.OnTable(t) | r.Grants.ColumnsOf(t)).Has(want)
}

// Wanted are the privileges that a statement names for a whole object; none of ALL and USAGE.
func Wanted(s *account.Grant) (want account.Privileges) {
	for _, p := range s.Privileges {
		if len(p.Columns) == 0 {
			want |= p.Static & (account.GlobalLevel | account.GrantOption)
		}
	}
	return want
}

func ErrNoGrant(n account.Name) *mysql.SQLError {
	return sqlerr.NewError(1141, "There is no such grant defined for user '%s' on host '%s'", n.User, n.Host)
}
