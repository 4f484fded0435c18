package server

import (
	"net"

	"github.com/dolthub/go-mysql-server/sql"

	"emberdb/server/virtual"
)

// performance_schema's tables about connections. Those about channels: replica_tables.go.

// fillConnections: who is connected.
func (s *Server) fillConnections(d *virtual.Database) {
	d.Fill("accounts", "USER, HOST, CURRENT_CONNECTIONS, TOTAL_CONNECTIONS",
		s.connectionRows(func(p peer) peer { return p }, func(p peer) sql.Row { return sql.Row{p.user, p.host} }))
	d.Fill("users", "USER, CURRENT_CONNECTIONS, TOTAL_CONNECTIONS",
		s.connectionRows(func(p peer) peer { return peer{user: p.user} }, func(p peer) sql.Row { return sql.Row{p.user} }))
	d.Fill("hosts", "HOST, CURRENT_CONNECTIONS, TOTAL_CONNECTIONS",
		s.connectionRows(func(p peer) peer { return peer{host: p.host} }, func(p peer) sql.Row { return sql.Row{p.host} }))
}

// peer is who connects from where.
type peer struct{ user, host string }

// peerOf takes the port off a host.
func peerOf(user, host string) peer {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	return peer{user, host}
}

// connectionRows counts connections by what part leaves of a client; shown makes columns of it.
func (s *Server) connectionRows(part func(peer) peer, shown func(peer) sql.Row) func(*sql.Context) ([]sql.Row, error) {
	return func(*sql.Context) (out []sql.Row, _ error) {
		now, total := s.processes.peers()
		nowBy, totalBy := map[peer]int64{}, map[peer]int64{}
		for p, n := range total {
			nowBy[part(p)] += now[p]
			totalBy[part(p)] += n
		}
		for p, n := range totalBy {
			out = append(out, append(shown(p), nowBy[p], n))
		}
		return out, nil
	}
}
