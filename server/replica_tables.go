package server

import (
	"math"
	"time"

	"github.com/dolthub/go-mysql-server/sql"

	"emberdb/binlog"
	"emberdb/replication"
	"emberdb/server/sources"
	"emberdb/server/virtual"
	"emberdb/sql/ast"
	"emberdb/sql/parse"
)

// What performance_schema tells of channels, and what filters ask of a statement.

// Tables implements replication.Local. A statement that cannot be read names no tables.
func (l local) Tables(text, database string) (tables []replication.TableName, db string) {
	r, err := parse.Parse(text, parse.Options{})
	if err != nil {
		return nil, database
	}
	switch n := r.Statement.(type) {
	case *ast.CreateDatabase:
		return nil, n.Name.Name
	case *ast.DropDatabase:
		return nil, n.Name.Name
	case *ast.AlterDatabase:
		if n.Name.Name != "" {
			return nil, n.Name.Name
		}
		return nil, database
	}
	ast.Inspect(r.Statement, func(n ast.Node) bool {
		if t, ok := n.(*ast.TableName); ok {
			schema := t.Schema.Name
			if schema == "" {
				schema = database
			}
			tables = append(tables, replication.TableName{Database: schema, Table: t.Name.Name})
		}
		return true
	})
	return tables, database
}

// channelTable fills a table with a row for each channel.
func (s *Server) channelTable(d *virtual.Database, name, columns string, row func(c *replication.Channel, src *replication.Source, st *replication.Status) []sql.Row) {
	d.Fill(name, columns, func(*sql.Context) (out []sql.Row, _ error) {
		for _, c := range s.replicas.all() {
			src, st := c.Source(), c.Status()
			out = append(out, row(c, &src, &st)...)
		}
		return out, nil
	})
}

func onOff(b bool) string {
	if b {
		return "ON"
	}
	return "OFF"
}

// fillReplication: the sources that this server follows.
func (s *Server) fillReplication(d *virtual.Database) {
	s.fillConnectionTables(d)
	s.fillApplierTables(d)
	s.fillCompression(d)
	d.Fill("replication_applier_filters", "CHANNEL_NAME, FILTER_NAME, FILTER_RULE, CONFIGURED_BY", func(*sql.Context) (out []sql.Row, _ error) {
		for _, c := range s.replicas.all() {
			for _, f := range s.replicaFields(c) {
				if name, ok := filterNames[f.Name]; ok && f.Value != "" {
					out = append(out, sql.Row{c.Name(), name, f.Value, "CHANGE_REPLICATION_FILTER"})
				}
			}
		}
		return out, nil
	})
}

var filterNames = map[string]string{"Replicate_Do_DB": "REPLICATE_DO_DB", "Replicate_Ignore_DB": "REPLICATE_IGNORE_DB", "Replicate_Do_Table": "REPLICATE_DO_TABLE",
	"Replicate_Ignore_Table": "REPLICATE_IGNORE_TABLE", "Replicate_Wild_Do_Table": "REPLICATE_WILD_DO_TABLE",
	"Replicate_Wild_Ignore_Table": "REPLICATE_WILD_IGNORE_TABLE", "Replicate_Rewrite_DB": "REPLICATE_REWRITE_DB"}

func (s *Server) fillConnectionTables(d *virtual.Database) {
	s.channelTable(d, "replication_connection_configuration", "CHANNEL_NAME, HOST, PORT, USER, NETWORK_INTERFACE, AUTO_POSITION, SSL_ALLOWED, SSL_CA_FILE, SSL_CA_PATH, "+
		"SSL_CERTIFICATE, SSL_CIPHER, SSL_KEY, SSL_VERIFY_SERVER_CERTIFICATE, SSL_CRL_FILE, SSL_CRL_PATH, CONNECTION_RETRY_INTERVAL, CONNECTION_RETRY_COUNT, "+
		"HEARTBEAT_INTERVAL, TLS_VERSION, PUBLIC_KEY_PATH, GET_PUBLIC_KEY, COMPRESSION_ALGORITHM, ZSTD_COMPRESSION_LEVEL, SOURCE_CONNECTION_AUTO_FAILOVER, GTID_ONLY",
		func(c *replication.Channel, src *replication.Source, _ *replication.Status) []sql.Row {
			t, compression := &src.TLS, src.Compression
			if compression == "" {
				compression = "uncompressed"
			}
			return []sql.Row{{c.Name(), src.Host, int64(src.Port), src.User, src.Bind, sources.Bit(src.Auto), yes(t.On), t.CA, t.CAPath,
				t.Cert, t.Cipher, t.Key, yes(t.Verify), t.CRL, t.CRLPath, int64(src.ConnectRetry.Seconds()), uint64(src.RetryCount),
				src.Heartbeat.Seconds(), t.Versions, src.PublicKey, yes(src.AskPublicKey), compression, int64(max(src.ZstdLevel, 1)), "0", sources.Bit(src.GTIDOnly)}}
		})
	s.channelTable(d, "replication_connection_status", "CHANNEL_NAME, SOURCE_UUID, SERVICE_STATE, COUNT_RECEIVED_HEARTBEATS, LAST_HEARTBEAT_TIMESTAMP, RECEIVED_TRANSACTION_SET, "+
		"LAST_ERROR_NUMBER, LAST_ERROR_MESSAGE, LAST_ERROR_TIMESTAMP",
		func(c *replication.Channel, _ *replication.Source, st *replication.Status) []sql.Row {
			state, received := "OFF", ""
			switch sources.ReceiverState(st) {
			case "Yes":
				state = "ON"
			case "Connecting":
				state = "CONNECTING"
			}
			if st.Relay.Received != nil {
				received = st.Relay.Received.Shown()
			}
			return []sql.Row{{c.Name(), st.SourceUUID, state, uint64(st.Heartbeats), st.Heartbeat.UTC(), received, int64(st.IO.Code), st.IO.Text, st.IO.At.UTC()}}
		})
}

func (s *Server) fillApplierTables(d *virtual.Database) {
	s.channelTable(d, "replication_applier_configuration", "CHANNEL_NAME, DESIRED_DELAY, REQUIRE_ROW_FORMAT, REQUIRE_TABLE_PRIMARY_KEY_CHECK, "+
		"ASSIGN_GTIDS_TO_ANONYMOUS_TRANSACTIONS_TYPE, ASSIGN_GTIDS_TO_ANONYMOUS_TRANSACTIONS_VALUE",
		func(c *replication.Channel, src *replication.Source, _ *replication.Status) []sql.Row {
			check, kind, value := src.KeyCheck, "OFF", any(nil)
			if check == "" {
				check = "STREAM"
			}
			switch src.Anonymous {
			case "":
			case "LOCAL":
				kind, value = "LOCAL", s.backend.UUID()
			default:
				kind, value = "UUID", src.Anonymous
			}
			return []sql.Row{{c.Name(), int64(src.Delay.Seconds()), yes(src.RowFormat), check, kind, value}}
		})
	s.channelTable(d, "replication_applier_status", "CHANNEL_NAME, SERVICE_STATE, REMAINING_DELAY, COUNT_TRANSACTIONS_RETRIES",
		func(c *replication.Channel, _ *replication.Source, st *replication.Status) []sql.Row {
			var delay any
			if st.Applying && st.Delayed > 0 {
				delay = uint64(st.Delayed.Seconds())
			}
			return []sql.Row{{c.Name(), onOff(st.Applying), delay, uint64(st.Retries)}}
		})
	s.channelTable(d, "replication_applier_status_by_coordinator", "CHANNEL_NAME, SERVICE_STATE, LAST_ERROR_NUMBER, LAST_ERROR_MESSAGE, LAST_ERROR_TIMESTAMP",
		func(c *replication.Channel, _ *replication.Source, st *replication.Status) []sql.Row {
			if len(st.Workers) < 2 {
				return nil
			}
			return []sql.Row{{c.Name(), onOff(st.Applying), int64(st.SQL.Code), st.SQL.Text, st.SQL.At.UTC()}}
		})
	s.channelTable(d, "replication_applier_status_by_worker", "CHANNEL_NAME, WORKER_ID, SERVICE_STATE, LAST_ERROR_NUMBER, LAST_ERROR_MESSAGE, LAST_ERROR_TIMESTAMP, "+
		"LAST_APPLIED_TRANSACTION, LAST_APPLIED_TRANSACTION_START_APPLY_TIMESTAMP, LAST_APPLIED_TRANSACTION_END_APPLY_TIMESTAMP, APPLYING_TRANSACTION, "+
		"APPLYING_TRANSACTION_START_APPLY_TIMESTAMP, LAST_APPLIED_TRANSACTION_RETRIES_COUNT",
		func(c *replication.Channel, _ *replication.Source, st *replication.Status) (rows []sql.Row) {
			workers := st.Workers
			if len(workers) == 0 {
				workers = make([]replication.WorkerStatus, 1)
			}
			for i, w := range workers {
				if len(workers) > 1 {
					i++
				}
				rows = append(rows, sql.Row{c.Name(), uint64(i), onOff(st.Applying), int64(w.Fault.Code), w.Fault.Text, w.Fault.At.UTC(),
					w.Last.Name, w.Last.Begun.UTC(), w.Last.Ended.UTC(), w.Now.Name, w.Now.Begun.UTC(), uint64(w.Retries)})
			}
			return rows
		})
}

// fillCompression: what compression made of the transactions in the binary log.
func (s *Server) fillCompression(d *virtual.Database) {
	d.Fill("binary_log_transaction_compression_stats", "LOG_TYPE, COMPRESSION_TYPE, TRANSACTION_COUNTER, COMPRESSED_BYTES_COUNTER, UNCOMPRESSED_BYTES_COUNTER, "+
		"COMPRESSION_PERCENTAGE, FIRST_TRANSACTION_ID, FIRST_TRANSACTION_COMPRESSED_BYTES, FIRST_TRANSACTION_UNCOMPRESSED_BYTES, FIRST_TRANSACTION_TIMESTAMP, "+
		"LAST_TRANSACTION_ID, LAST_TRANSACTION_COMPRESSED_BYTES, LAST_TRANSACTION_UNCOMPRESSED_BYTES, LAST_TRANSACTION_TIMESTAMP", func(*sql.Context) (out []sql.Row, _ error) {
		l := s.binlog()
		if l == nil {
			return nil, nil
		}
		one := func(c *binlog.Compressed) []any {
			name := "ANONYMOUS"
			if c.GTID != (binlog.GTID{}) {
				name = c.GTID.String()
			}
			return []any{name, uint64(c.Compressed), uint64(c.Original), time.UnixMicro(int64(c.Time)).UTC()}
		}
		zstd, none := l.Compressions()
		for _, x := range []struct {
			kind string
			c    *binlog.Compression
		}{{"ZSTD", &zstd}, {"NONE", &none}} {
			if x.c.Transactions == 0 {
				continue
			}
			saved := math.Round(100 * (1 - float64(x.c.Compressed)/float64(x.c.Original)))
			row := sql.Row{"BINARY", x.kind, uint64(x.c.Transactions), uint64(x.c.Compressed), uint64(x.c.Original), int16(saved)}
			out = append(out, append(append(row, one(&x.c.First)...), one(&x.c.Last)...))
		}
		return out, nil
	})
}
