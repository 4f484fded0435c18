package server

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/dolthub/go-mysql-server/sql"
	querypb "github.com/dolthub/vitess/go/vt/proto/query"

	"emberdb/internal/base"
	"emberdb/replication"
	"emberdb/replication/relay"
	"emberdb/sql/ast"
	"emberdb/sqllayer/sqlerr"
)

// showReplicaStatus is SHOW REPLICA STATUS [FOR CHANNEL].
func (x *execution) showReplicaStatus(ctx *sql.Context, n *ast.Show) error {
	if _, err := x.replicationClient(ctx); err != nil {
		return err
	}
	r := x.h.s.replicas
	list, err := r.channelsOf(n.Channel)
	if err != nil {
		return err
	}
	var cols []column
	for _, f := range x.h.s.replicaFields(replication.NewChannel("", replication.Source{}, nil, relay.Options{}, x.h.s.log)) {
		cols = append(cols, column{name: f.name})
	}
	var rows [][]any
	for _, c := range list {
		if _, err := c.Open(); err != nil {
			return err
		}
		var row []any
		for _, f := range x.h.s.replicaFields(c) {
			row = append(row, f.value)
		}
		rows = append(rows, row)
	}
	return x.table(ctx, cols, rows)
}

type replicaField struct {
	name  string
	value any
}

func capitalYes(on bool) string {
	if on {
		return "Yes"
	}
	return "No"
}

func bit(on bool) string {
	if on {
		return "1"
	}
	return "0"
}

func stampOf(f replication.Fault) string {
	if f.At.IsZero() {
		return ""
	}
	return f.At.Format("060102 15:04:05")
}

// receiverState is Replica_IO_Running.
func receiverState(st *replication.Status) string {
	switch {
	case st.Receiving && st.Connected:
		return "Yes"
	case st.Receiving:
		return "Connecting"
	}
	return "No"
}

// applierState is Replica_SQL_Running_State.
func applierState(st *replication.Status) any {
	if st.Applying {
		return st.ApplierState
	}
	return ""
}

// replicaFields are the columns of SHOW REPLICA STATUS in MySQL's order.
func (s *Server) replicaFields(c *replication.Channel) []replicaField {
	src, st := c.Source(), c.Status()
	var behind, delayed any
	if st.Applying && st.Behind >= 0 {
		behind = st.Behind
	}
	if st.Applying && st.Delayed > 0 {
		delayed = int64(st.Delayed / time.Second)
	}
	s.replicas.mu.Lock()
	filters := s.replicas.filters[c.Name()]
	s.replicas.mu.Unlock()
	executed, received := "", ""
	if l := s.binlog(); l != nil {
		executed = l.Executed().Shown()
	}
	if st.Relay.Received != nil {
		received = st.Relay.Received.Shown()
	}
	read := st.Relay.Read
	f := []replicaField{{"Replica_IO_State", st.ReceiverState}, {"Source_Host", src.Host}, {"Source_User", src.User}, {"Source_Port", src.Port},
		{"Connect_Retry", int(src.ConnectRetry.Seconds())}, {"Source_Log_File", read.File}, {"Read_Source_Log_Pos", read.Position},
		{"Relay_Log_File", st.RelayName}, {"Relay_Log_Pos", max(4, st.Applied.Offset)}, {"Relay_Source_Log_File", st.Applied.File},
		{"Replica_IO_Running", receiverState(&st)}, {"Replica_SQL_Running", capitalYes(st.Applying)},
		{"Replicate_Do_DB", strings.Join(filters.DoDB, ",")}, {"Replicate_Ignore_DB", strings.Join(filters.IgnoreDB, ",")},
		{"Replicate_Do_Table", strings.Join(filters.DoTable, ",")}, {"Replicate_Ignore_Table", strings.Join(filters.IgnoreTable, ",")},
		{"Replicate_Wild_Do_Table", strings.Join(filters.WildDoTable, ",")}, {"Replicate_Wild_Ignore_Table", strings.Join(filters.WildIgnores, ",")},
		{"Last_Errno", st.SQL.Code}, {"Last_Error", st.SQL.Text}, {"Skip_Counter", st.Skip},
		{"Exec_Source_Log_Pos", st.Applied.Place.Position}, {"Relay_Log_Space", st.Relay.Space}}
	f = append(f, untilFields(st.Until)...)
	f = append(f, replicaField{"Source_SSL_Allowed", capitalYes(src.TLS.On)}, replicaField{"Source_SSL_CA_File", src.TLS.CA}, replicaField{"Source_SSL_CA_Path", src.TLS.CAPath},
		replicaField{"Source_SSL_Cert", src.TLS.Cert}, replicaField{"Source_SSL_Cipher", src.TLS.Cipher}, replicaField{"Source_SSL_Key", src.TLS.Key},
		replicaField{"Seconds_Behind_Source", behind}, replicaField{"Source_SSL_Verify_Server_Cert", capitalYes(src.TLS.Verify)},
		replicaField{"Last_IO_Errno", st.IO.Code}, replicaField{"Last_IO_Error", st.IO.Text}, replicaField{"Last_SQL_Errno", st.SQL.Code},
		replicaField{"Last_SQL_Error", st.SQL.Text}, replicaField{"Replicate_Ignore_Server_Ids", idList(src.IgnoreIDs)}, replicaField{"Source_Server_Id", st.SourceID},
		replicaField{"Source_UUID", st.SourceUUID}, replicaField{"Source_Info_File", "mysql.slave_master_info"}, replicaField{"SQL_Delay", int64(src.Delay / time.Second)},
		replicaField{"SQL_Remaining_Delay", delayed}, replicaField{"Replica_SQL_Running_State", applierState(&st)}, replicaField{"Source_Retry_Count", src.RetryCount},
		replicaField{"Source_Bind", src.Bind}, replicaField{"Last_IO_Error_Timestamp", stampOf(st.IO)}, replicaField{"Last_SQL_Error_Timestamp", stampOf(st.SQL)},
		replicaField{"Source_SSL_Crl", src.TLS.CRL}, replicaField{"Source_SSL_Crlpath", src.TLS.CRLPath},
		replicaField{"Retrieved_Gtid_Set", received}, replicaField{"Executed_Gtid_Set", executed}, replicaField{"Auto_Position", bit(src.Auto)},
		replicaField{"Replicate_Rewrite_DB", rewrites(filters.Rewrite)}, replicaField{"Channel_Name", c.Name()}, replicaField{"Source_TLS_Version", src.TLS.Versions},
		replicaField{"Source_public_key_path", src.PublicKey}, replicaField{"Get_Source_public_key", bit(src.AskPublicKey)}, replicaField{"Network_Namespace", ""})
	return f
}

func untilFields(u *replication.Until) []replicaField {
	file, pos := "", uint64(0)
	if u != nil {
		file, pos = u.File, u.Position
	}
	return []replicaField{{"Until_Condition", u.String()}, {"Until_Log_File", file}, {"Until_Log_Pos", pos}}
}

func idList(ids []uint32) string {
	var all []string
	for _, id := range ids {
		all = append(all, strconv.FormatUint(uint64(id), 10))
	}
	return strings.Join(all, ", ")
}

func rewrites(pairs [][2]string) string {
	var all []string
	for _, p := range pairs {
		all = append(all, "("+p[0]+","+p[1]+")")
	}
	return strings.Join(all, ",")
}

// showRelaylogEvents is SHOW RELAYLOG EVENTS.
func (x *execution) showRelaylogEvents(ctx *sql.Context, n *ast.Show) error {
	if err := x.need(ctx, "REPLICATION SLAVE", sql.PrivilegeType_ReplicationSlave); err != nil {
		return err
	}
	list, err := x.h.s.replicas.channelsOf(n.Channel)
	if err != nil {
		return err
	}
	if len(list) > 1 {
		return sqlerr.NewError(3079, "Multiple channels exist on the replica. Please provide channel name as an argument.")
	}
	var rows [][]any
	for _, c := range list {
		l, err := c.Open()
		if err != nil {
			return err
		}
		if rows, err = relayRows(l, shownBy(n)); err != nil {
			return err
		}
	}
	return x.table(ctx, []column{{name: "Log_name"}, {"Pos", querypb.Type_INT64}, {name: "Event_type"}, {"Server_id", querypb.Type_INT64},
		{"End_log_pos", querypb.Type_INT64}, {name: "Info"}}, rows)
}

// relayRows lists the events of one file of a relay log.
func relayRows(l *relay.Log, want shownEvents) (rows [][]any, err error) {
	failed := func(why string) error {
		return sqlerr.NewError(1220, "Error when executing command SHOW RELAYLOG EVENTS: %s", why)
	}
	st := l.State()
	file := st.First
	if want.named {
		n, err := strconv.ParseUint(relay.Extension(want.in), 10, 32)
		if file = uint32(n); err != nil || l.Name(file) != want.in || file < st.First || file > st.End.Relay {
			return nil, failed("Could not find target log")
		}
	}
	if file == 0 {
		return nil, nil
	}
	if want.from > math.MaxInt64 {
		return nil, failed("Wrong offset or I/O error")
	}
	r := l.NewReader(file)
	defer r.Close()
	for uint64(len(rows)) < want.count {
		e, ok, _, err := r.TryNext()
		if damage := (*base.CorruptError)(nil); errors.As(err, &damage) {
			return nil, failed(fmt.Sprintf("Error reading Log_event at position %d", damage.Offset))
		} else if err != nil {
			return nil, err
		}
		if !ok || r.File() != file {
			break
		}
		switch {
		case uint64(e.Pos) < want.from:
		case want.skip > 0:
			want.skip--
		default:
			rows = append(rows, []any{l.Name(file), e.Pos, e.Type, e.ServerID, e.LogPos, e.Info()})
		}
	}
	return rows, nil
}
