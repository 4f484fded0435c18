package server

import (
	"strings"

	"github.com/dolthub/go-mysql-server/sql/mysql_db"
	"github.com/pingcap/tidb/pkg/parser/ast"
	"github.com/pingcap/tidb/pkg/parser/auth"
	"github.com/pingcap/tidb/pkg/parser/format"

	"emberdb/sqllayer"
)

// logAccounts gives the binary log CREATE USER and ALTER USER as they must be repeated elsewhere: no password but its hash, no USER() but its name.
func (x *execution) logAccounts(users []*mysql_db.User) error {
	s, ok := x.w.session.(*sqllayer.Session)
	if !ok || len(users) == 0 {
		return nil
	}
	nodes, err := parseFully(x.query)
	if err != nil || len(nodes) != 1 {
		return syntaxError(x.query, err)
	}
	var specs []*ast.UserSpec
	switch n := nodes[0].(type) {
	case *ast.CreateUserStmt:
		specs = n.Specs
	case *ast.AlterUserStmt:
		if n.CurrentAuth != nil {
			n.Specs, n.CurrentAuth = []*ast.UserSpec{{User: &auth.UserIdentity{CurrentUser: true}, AuthOpt: n.CurrentAuth}}, nil
		}
		specs = n.Specs
	}
	for _, spec := range specs {
		if spec.User.CurrentUser {
			spec.User = &auth.UserIdentity{Username: x.w.account.user, Hostname: x.w.account.host}
		}
		for _, u := range users {
			if u.User == spec.User.Username && u.Host == spec.User.Hostname && spec.AuthOpt != nil {
				spec.AuthOpt = &ast.AuthOption{ByHashString: true, HashString: u.AuthString, AuthPlugin: u.Plugin}
			}
		}
	}
	return logNode(s, nodes[0])
}

// logNode gives the binary log a statement as it has been changed.
func logNode(s *sqllayer.Session, n ast.Node) error {
	var b strings.Builder
	if err := n.Restore(format.NewRestoreCtx(format.DefaultRestoreFlags|format.RestoreStringEscapeBackslash, &b)); err != nil {
		return err
	}
	s.SetStatement(b.String())
	return nil
}
