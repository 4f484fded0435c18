package sqllayer

import (
	"context"
	"errors"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/mysql_db"

	"emberdb/internal/base"
	"emberdb/sqllayer/sqlerr"
)

// Accounts, roles and grants are one value that GMS writes whole, in the engine's namespace
// "mysql". GRANT returns when it is durable.
const (
	accountsSpace = "mysql"
	accountsKey   = "accounts"
)

// accounts implements mysql_db.MySQLDbPersistence.
type accounts struct{ layer *Layer }

var _ mysql_db.MySQLDbPersistence = accounts{}

// Persist implements mysql_db.MySQLDbPersistence.
func (a accounts) Persist(ctx *sql.Context, data []byte) error {
	if err := a.layer.Eng.PutKV(context.WithoutCancel(ctx), nil, accountsSpace, accountsKey, data); err != nil {
		return sqlerr.Translate(err, "")
	}
	return nil
}

// loadAccounts gives GMS what was persisted; found is false in a new data directory.
func (l *Layer) loadAccounts(ctx *sql.Context) (found bool, err error) {
	data, err := l.Eng.GetKV(ctx, nil, accountsSpace, accountsKey)
	if errors.Is(err, base.ErrNotFound) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	return true, l.Engine.Analyzer.Catalog.MySQLDb.LoadData(ctx, data)
}
