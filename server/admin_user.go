package server

import (
	"strings"

	"github.com/dolthub/go-mysql-server/sql"

	"emberdb/server/certs"
	"emberdb/sql/ast"
	"emberdb/sqllayer"
	"emberdb/sqllayer/sqlerr"
)

// accountStatement returns what runs a statement about accounts.
func accountStatement(tree ast.Statement) adminFunc {
	switch n := tree.(type) {
	case *ast.CreateUser:
		if n.Alter {
			return (*execution).alterUser
		}
		return (*execution).createUser
	case *ast.CreateRole:
		return (*execution).createRole
	case *ast.DropUser:
		return (*execution).dropAccounts
	case *ast.RenameUser:
		return (*execution).renameUser
	case *ast.Grant:
		return (*execution).grant
	case *ast.SetPassword:
		return (*execution).alterUser
	case *ast.SetRole:
		if n.To != nil {
			return (*execution).setDefaultRole
		}
		return (*execution).setRole
	case *ast.ShowGrants:
		return (*execution).showGrants
	case *ast.ShowCreate:
		if n.Kind == ast.ShowCreateUser {
			return (*execution).showCreateUser
		}
	}
	return nil
}

// setStatement returns what runs a SET that persists something, or that sets gtid_purged.
func setStatement(tree ast.Statement) adminFunc {
	n, ok := tree.(*ast.Set)
	if !ok {
		return nil
	}
	for _, item := range n.Items {
		v, ok := item.(*ast.SetVariable)
		switch {
		case !ok:
		case v.Scope == ast.PersistScope || v.Scope == ast.PersistOnlyScope:
			return on(n, (*execution).setPersist)
		case len(n.Items) == 1 && v.Scope == ast.GlobalScope && strings.EqualFold(v.Name.Name, "gtid_purged"):
			return on(v.Value, (*execution).setGTIDPurged)
		}
	}
	return nil
}

func quoteText(s string) string {
	return "'" + strings.NewReplacer(`\`, `\\`, `'`, `''`).Replace(s) + "'"
}

// alterRoutine is ALTER PROCEDURE and ALTER FUNCTION.
func (x *execution) alterRoutine(ctx *sql.Context, n *ast.AlterRoutine) error {
	s, ok := x.w.session.(*sqllayer.Session)
	if !ok {
		return x.unsupported()
	}
	x.h.s.accounts.db.UserActivePrivilegeSet(ctx) // the session's rights are there, to be looked at
	return s.AlterRoutine(ctx, n)
}

// alterInstance is ALTER INSTANCE RELOAD TLS.
func (x *execution) alterInstance(ctx *sql.Context, n *ast.AlterInstance) error {
	if err := x.h.s.mayUnrun(ctx, n); err != nil {
		return err
	}
	if n.Kind != ast.ReloadTLS {
		return x.unsupported()
	}
	cfg, err := certs.LoadTLS(x.h.s.cfg.Settings, x.h.s.dir)
	if err != nil || cfg == nil {
		return sqlerr.NewError(3888, "Failed to set up SSL because of the following SSL library error: %v", err)
	}
	x.h.s.tls.Store(cfg)
	return nil
}
