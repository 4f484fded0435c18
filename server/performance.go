package server

import (
	"net"
	"time"

	"github.com/dolthub/go-mysql-server/sql"

	"emberdb/replication"
)

// performance_schema's tables about connections and about this server as a replica.

// fillConnections: who is connected.
func (s *Server) fillConnections(d *virtualDB) {
	d.fill("accounts", "USER, HOST, CURRENT_CONNECTIONS, TOTAL_CONNECTIONS",
		s.connectionRows(func(p peer) peer { return p }, func(p peer) sql.Row { return sql.Row{p.user, p.host} }))
	d.fill("users", "USER, CURRENT_CONNECTIONS, TOTAL_CONNECTIONS",
		s.connectionRows(func(p peer) peer { return peer{user: p.user} }, func(p peer) sql.Row { return sql.Row{p.user} }))
	d.fill("hosts", "HOST, CURRENT_CONNECTIONS, TOTAL_CONNECTIONS",
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

// fillReplication: the source that this server follows. It has one channel and applies alone what it receives.
func (s *Server) fillReplication(d *virtualDB) {
	table := func(name, columns string, row func(src *replication.Source, st *replication.Status, connecting, applying string) sql.Row) {
		d.fill(name, columns, func(*sql.Context) ([]sql.Row, error) {
			src, _, known, err := s.source()
			if err != nil || !known {
				return nil, err
			}
			st := s.replica.Status()
			connecting, applying := "OFF", "OFF"
			switch {
			case st.Connected:
				connecting, applying = "ON", "ON"
			case st.Running:
				connecting, applying = "CONNECTING", "ON"
			}
			return []sql.Row{row(&src, &st, connecting, applying)}, nil
		})
	}
	at := func(f replication.Fault) time.Time { return f.At.UTC() }
	table("replication_connection_configuration", "HOST, PORT, USER, AUTO_POSITION, SSL_ALLOWED, SSL_VERIFY_SERVER_CERTIFICATE, CONNECTION_RETRY_INTERVAL, "+
		"CONNECTION_RETRY_COUNT, HEARTBEAT_INTERVAL, GET_PUBLIC_KEY, COMPRESSION_ALGORITHM, SOURCE_CONNECTION_AUTO_FAILOVER, GTID_ONLY",
		func(src *replication.Source, _ *replication.Status, _, _ string) sql.Row {
			auto := "0"
			if src.Auto {
				auto = "1"
			}
			return sql.Row{src.Host, int64(src.Port), src.User, auto, "NO", "NO", int64(src.ConnectRetry.Seconds()), uint64(src.RetryCount), src.Heartbeat.Seconds(), "YES", "uncompressed", "0", "0"}
		})
	table("replication_connection_status", "SOURCE_UUID, SERVICE_STATE, LAST_ERROR_NUMBER, LAST_ERROR_MESSAGE, LAST_ERROR_TIMESTAMP",
		func(_ *replication.Source, st *replication.Status, connecting, _ string) sql.Row {
			return sql.Row{st.SourceUUID, connecting, int64(st.IO.Code), st.IO.Text, at(st.IO)}
		})
	table("replication_applier_configuration", "REQUIRE_ROW_FORMAT, REQUIRE_TABLE_PRIMARY_KEY_CHECK, ASSIGN_GTIDS_TO_ANONYMOUS_TRANSACTIONS_TYPE",
		func(*replication.Source, *replication.Status, string, string) sql.Row {
			return sql.Row{"NO", "STREAM", "OFF"}
		})
	table("replication_applier_status", "SERVICE_STATE", func(_ *replication.Source, _ *replication.Status, _, applying string) sql.Row {
		return sql.Row{applying}
	})
	table("replication_applier_status_by_worker", "SERVICE_STATE, LAST_ERROR_NUMBER, LAST_ERROR_MESSAGE, LAST_ERROR_TIMESTAMP",
		func(_ *replication.Source, st *replication.Status, _, applying string) sql.Row {
			return sql.Row{applying, int64(st.SQL.Code), st.SQL.Text, at(st.SQL)}
		})
}
