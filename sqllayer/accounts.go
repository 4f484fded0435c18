package sqllayer

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/mysql_db"

	"emberdb/internal/base"
	"emberdb/sqllayer/expr"
)

// Accounts, roles and grants are one value that GMS writes whole, in the engine's namespace "mysql". GRANT returns when it is durable.
const (
	accountsSpace = "mysql"
	accountsKey   = "accounts"
)

// accounts implements mysql_db.MySQLDbPersistence.
type accounts struct{ layer *Layer }

var _ mysql_db.MySQLDbPersistence = accounts{}

// Persist implements mysql_db.MySQLDbPersistence.
func (a accounts) Persist(ctx *sql.Context, data []byte) error {
	if err := a.layer.eng.PutKV(context.WithoutCancel(ctx), nil, accountsSpace, accountsKey, data); err != nil {
		return Translate(err, "")
	}
	return nil
}

// loadAccounts gives GMS what was persisted; found is false in a new data directory.
func (l *Layer) loadAccounts(ctx *sql.Context) (found bool, err error) {
	data, err := l.eng.GetKV(ctx, nil, accountsSpace, accountsKey)
	if errors.Is(err, base.ErrNotFound) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	return true, l.Engine.Analyzer.Catalog.MySQLDb.LoadData(ctx, data)
}

func init() {
	expr.CurrentRole = func(ctx *sql.Context) string {
		s := sessionOf(ctx)
		if s == nil {
			return "NONE"
		}
		return s.layer.rolesOf(ctx)
	}
}

// rolesOf lists the roles of the session's account: all that are granted to it.
func (l *Layer) rolesOf(ctx *sql.Context) string {
	db := l.Engine.Analyzer.Catalog.MySQLDb
	rd := db.Reader()
	defer rd.Close()
	client := ctx.Session.Client()
	user := db.GetUser(rd, client.User, client.Address, false)
	if user == nil {
		return "NONE"
	}
	var roles []string
	for _, e := range rd.GetToUserRoleEdges(mysql_db.RoleEdgesToKey{ToHost: user.Host, ToUser: user.User}) {
		roles = append(roles, quoteName(e.FromUser)+"@"+quoteName(e.FromHost))
	}
	if len(roles) == 0 {
		return "NONE"
	}
	slices.Sort(roles)
	return strings.Join(roles, ",")
}
