package sqllayer

import (
	"context"

	sqle "github.com/dolthub/go-mysql-server"
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/analyzer"
	"github.com/dolthub/vitess/go/mysql"
)

// Options of a Layer.
type Options struct {
	// DefaultCollation of databases created without one; utf8mb4_0900_ai_ci if zero.
	DefaultCollation sql.CollationID
	// VersionPostfix is appended to version() by GMS.
	VersionPostfix string
	// ReadOnly refuses every statement that writes.
	ReadOnly bool
}

// Layer is GMS wired to one engine.
type Layer struct {
	Engine   *sqle.Engine
	Provider *Provider

	eng  Engine
	opts Options
}

// New wires GMS to eng.
func New(eng Engine, o Options) (*Layer, error) {
	if o.DefaultCollation == sql.Collation_Unspecified {
		o.DefaultCollation = sql.Collation_utf8mb4_0900_ai_ci
	}
	l := &Layer{eng: eng, opts: o}
	l.Provider = &Provider{layer: l}
	a := analyzer.NewBuilder(l.Provider).Build()
	l.Engine = sqle.New(a, &sqle.Config{VersionPostfix: o.VersionPostfix, IsReadOnly: o.ReadOnly})
	return l, nil
}

// NewSession makes the session of a connection. It is a server.SessionBuilder.
func (l *Layer) NewSession(_ context.Context, conn *mysql.Conn, addr string) (sql.Session, error) {
	client := sql.Client{Capabilities: conn.Capabilities}
	if user, ok := conn.UserData.(sql.MysqlConnectionUser); ok {
		client.User, client.Address = user.User, user.Host
	}
	return newSession(l, sql.NewBaseSessionWithClientServer(addr, client, conn.ConnectionID)), nil
}
