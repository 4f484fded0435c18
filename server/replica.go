package server

// This server as a replica: CHANGE REPLICATION SOURCE TO, START, STOP and RESET REPLICA, SHOW REPLICA STATUS. What a replica does: package replication.
// Whom to follow is a key-value row, and so is the place in the source's log, which sessions store as they commit (sqllayer/replica.go).

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"strconv"
	"strings"
	"time"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/go-mysql-org/go-mysql/client"
	"github.com/go-mysql-org/go-mysql/mysql"

	"emberdb/engine"
	"emberdb/internal/base"
	"emberdb/replication"
	"emberdb/sql/ast"
	"emberdb/sqllayer"
)

const sourceKey = "source"

// insideConn is one end of a connection within this process. It passes for a local one.
type insideConn struct{ net.Conn }

func (insideConn) LocalAddr() net.Addr  { return &net.UnixAddr{Net: "unix", Name: "inside"} }
func (insideConn) RemoteAddr() net.Addr { return &net.UnixAddr{Net: "unix", Name: "inside"} }

// target is the replica's session: a client of this server that needs no password.
type target struct {
	*client.Conn
	session *sqllayer.Session
}

func (s *Server) openTarget(ctx context.Context) (replication.Target, error) {
	here, there := net.Pipe()
	w := s.adopt(insideConn{there})
	w.inside, w.secure = true, true
	dial := func(context.Context, string, string) (net.Conn, error) { return here, nil }
	go s.accept.deliver(w)
	c, err := client.ConnectWithDialer(ctx, "unix", "inside", "root", "", "", dial, func(c *client.Conn) error {
		c.SetCapability(mysql.CLIENT_FOUND_ROWS)
		return nil
	})
	if err != nil {
		return nil, errors.Join(err, here.Close())
	}
	// The answer to a statement comes after the session is known.
	if _, err := c.Execute("SET SESSION innodb_lock_wait_timeout = @@GLOBAL.innodb_lock_wait_timeout"); err != nil {
		return nil, errors.Join(err, c.Close())
	}
	session, ok := w.session.(*sqllayer.Session)
	if !ok {
		return nil, errors.Join(errors.New("this server's tables cannot follow a source"), c.Close())
	}
	session.SetApplier()
	w.vars.maxAllowedPacket.Store(1 << 31) // twice what a source may send: bytes are written in hexadecimal
	return &target{c, session}, nil
}

// Place implements replication.Target.
func (t *target) Place(p replication.Place) {
	b, _ := json.Marshal(p) // a struct of a string and a number
	t.session.SetPlace(b)
}

// Settle implements replication.Target.
func (t *target) Settle() error { return t.session.SettlePlace(context.Background()) }

// Triggers implements replication.Target.
func (t *target) Triggers(fire bool) { t.session.FireTriggers(fire) }

// readRow reads a row of the replica's into v; false: it is not there.
func (s *Server) readRow(key string, v any) (bool, error) {
	e := s.backend.Engine()
	if e == nil {
		return false, nil
	}
	b, err := e.GetKV(context.Background(), nil, sqllayer.ReplicaSpace, key)
	if errors.Is(err, base.ErrNotFound) || err == nil && b == nil {
		return false, nil
	}
	if err == nil {
		err = json.Unmarshal(b, v)
	}
	return err == nil, err
}

// writeRow writes one; nil removes it.
func (s *Server) writeRow(key string, v any) error {
	e := s.backend.Engine()
	if e == nil {
		return errors.New("this server's tables cannot follow a source")
	}
	return writeReplicaRow(e, key, v)
}

// FollowSource has the servers that will be started on the directory of e follow a source, as CHANGE REPLICATION SOURCE TO does.
func FollowSource(e *engine.Engine, src replication.Source) error {
	if err := writeReplicaRow(e, sourceKey, src); err != nil {
		return err
	}
	return writeReplicaRow(e, sqllayer.PlaceKey, src.Place)
}

func writeReplicaRow(e *engine.Engine, key string, v any) error {
	if v == nil {
		return e.DeleteKV(context.Background(), nil, sqllayer.ReplicaSpace, key)
	}
	b, err := json.Marshal(v)
	if err != nil {
		return err
	}
	return e.PutKV(context.Background(), nil, sqllayer.ReplicaSpace, key, b)
}

// source reads whom to follow, and the place behind what has been applied.
func (s *Server) source() (src replication.Source, at replication.Place, known bool, err error) {
	if known, err = s.readRow(sourceKey, &src); err != nil || !known {
		return src, at, known, err
	}
	placed, err := s.readRow(sqllayer.PlaceKey, &at)
	if !placed {
		at = src.Place
	}
	return src, at, true, err
}

// startReplica goes on as a replica when the server begins to serve.
func (s *Server) startReplica() {
	if s.cfg.Settings.Bool("skip_replica_start") || s.forced > 0 {
		return
	}
	src, at, known, err := s.source()
	if err != nil {
		s.log.Error("replication does not start", "error", err)
	} else if known {
		s.replica.Start(src, at)
	}
}

// replicaStatement returns what runs the statements.
func replicaStatement(tree ast.Statement) adminFunc {
	switch n := tree.(type) {
	case *ast.ChangeSource:
		return on(n, (*execution).changeSource)
	case *ast.ChangeFilter:
		return unsupported("CHANGE REPLICATION FILTER")
	case *ast.StartReplica:
		if n.Stop {
			return on(n, (*execution).stopReplica)
		}
		return on(n, (*execution).startReplica)
	case *ast.GroupReplication:
		return refuse(3092, "The server is not configured properly to be an active member of the group. Please see more details on error log.")
	}
	return nil
}

// otherChannel is the error of a channel that is not the one without a name, which is the only one there is.
func otherChannel(channel *ast.Literal) error {
	if channel == nil || channel.Text == "" {
		return nil
	}
	return sqllayer.NewError(3074, "Replica channel '%s' does not exist.", channel.Text)
}

var errReplicaRuns = sqllayer.NewError(3021, "This operation cannot be performed with a running replica io thread; run STOP REPLICA IO_THREAD FOR CHANNEL '' first.")

// changeSource is CHANGE REPLICATION SOURCE TO.
func (x *execution) changeSource(ctx *sql.Context, n *ast.ChangeSource) error {
	if err := x.needDynamic(ctx, "REPLICATION_SLAVE_ADMIN"); err != nil {
		return err
	}
	if n.Channel != nil && n.Channel.Text != "" {
		return sqllayer.NewError(1235, "This version of Ember doesn't yet support 'FOR CHANNEL'")
	}
	s := x.h.s
	if s.replica.Status().Running {
		return errReplicaRuns
	}
	src, at, known, err := s.source()
	if err != nil {
		return err
	}
	if !known {
		src = replication.Source{Port: 3306, ConnectRetry: time.Minute, RetryCount: 10, Heartbeat: 30 * time.Second}
	}
	c := sourceChange{src: src, at: at}
	for i := range n.Options {
		if err := c.set(&n.Options[i]); err != nil {
			return err
		}
	}
	if c.src.Auto && c.placed {
		return sqllayer.NewError(1776, "Parameters SOURCE_LOG_FILE, SOURCE_LOG_POS, RELAY_LOG_FILE and RELAY_LOG_POS cannot be set when SOURCE_AUTO_POSITION is active.")
	}
	if c.moved && !c.placed {
		c.at = replication.Place{Position: 4}
	}
	c.src.Place = c.at
	if err := s.writeRow(sourceKey, c.src); err != nil {
		return err
	}
	return s.writeRow(sqllayer.PlaceKey, c.at)
}

// sourceChange is what the options of a CHANGE REPLICATION SOURCE TO make of a source.
type sourceChange struct {
	src           replication.Source
	at            replication.Place
	moved, placed bool // another server; a place was named
}

func (c *sourceChange) set(o *ast.SourceOption) (err error) {
	value := o.Word
	if o.Text != nil {
		value = o.Text.Text
	} else if o.Number != nil {
		value = o.Number.Text
	}
	option := strings.TrimPrefix(o.Name, "SOURCE_")
	number := func(bits int) (n uint64) {
		n, err = strconv.ParseUint(value, 10, bits)
		return n
	}
	seconds := func() time.Duration {
		var f float64
		f, err = strconv.ParseFloat(value, 64)
		return time.Duration(f * float64(time.Second))
	}
	switch option {
	case "HOST":
		c.src.Host, c.moved = value, true
	case "PORT":
		c.src.Port, c.moved = uint16(number(16)), true
	case "USER":
		c.src.User = value
	case "PASSWORD":
		c.src.Password = value
	case "LOG_FILE":
		c.at.File, c.placed = value, true
	case "LOG_POS":
		c.at.Position, c.placed = uint32(number(32)), true
	case "AUTO_POSITION":
		c.src.Auto = number(1) == 1
	case "CONNECT_RETRY":
		c.src.ConnectRetry = seconds()
	case "RETRY_COUNT":
		c.src.RetryCount = int(number(31))
	case "HEARTBEAT_PERIOD":
		c.src.Heartbeat = seconds()
	case "GET_SOURCE_PUBLIC_KEY": // always asked for
	case "SSL", "DELAY", "REQUIRE_ROW_FORMAT":
		if value != "0" {
			return sqllayer.NewError(1235, "This version of Ember doesn't yet support 'SOURCE_%s'", option)
		}
	default:
		return sqllayer.NewError(1235, "This version of Ember doesn't yet support 'SOURCE_%s'", option)
	}
	if err != nil {
		return sqllayer.NewError(1210, "Incorrect arguments to CHANGE REPLICATION SOURCE TO")
	}
	return nil
}

// plainReplica checks START and STOP REPLICA, which take no options here.
func (x *execution) plainReplica(ctx *sql.Context, n *ast.StartReplica) error {
	if err := x.needDynamic(ctx, "REPLICATION_SLAVE_ADMIN"); err != nil {
		return err
	}
	if n.Threads != 0 || n.Until != nil || n.User != nil || n.Pass != nil || n.Auth != nil || n.Plugins != nil {
		return sqllayer.NewError(1235, "This version of Ember doesn't yet support '%s with options'", x.stmt.Words(2))
	}
	return otherChannel(n.Channel)
}

// startReplica is START REPLICA.
func (x *execution) startReplica(ctx *sql.Context, n *ast.StartReplica) error {
	if err := x.plainReplica(ctx, n); err != nil {
		return err
	}
	s := x.h.s
	src, at, known, err := s.source()
	if err != nil {
		return err
	}
	if !known || src.Host == "" {
		return sqllayer.NewError(1200, "The server is not configured as replica; fix in config file or with CHANGE REPLICATION SOURCE TO")
	}
	s.replica.Start(src, at)
	return nil
}

// stopReplica is STOP REPLICA.
func (x *execution) stopReplica(ctx *sql.Context, n *ast.StartReplica) error {
	if err := x.plainReplica(ctx, n); err != nil {
		return err
	}
	x.h.s.replica.Stop()
	return nil
}

// resetReplica does RESET REPLICA [ALL].
func (s *Server) resetReplica(all bool) error {
	if s.replica.Status().Running {
		return errReplicaRuns
	}
	src, _, known, err := s.source()
	if err != nil || !known {
		return err
	}
	if all {
		if err := s.writeRow(sourceKey, nil); err != nil {
			return err
		}
		return s.writeRow(sqllayer.PlaceKey, nil)
	}
	src.Place = replication.Place{Position: 4}
	if err := s.writeRow(sourceKey, src); err != nil {
		return err
	}
	return s.writeRow(sqllayer.PlaceKey, src.Place)
}

// showReplicaStatus is SHOW REPLICA STATUS.
func (x *execution) showReplicaStatus(ctx *sql.Context) error {
	if _, err := x.replicationClient(ctx); err != nil {
		return err
	}
	s := x.h.s
	src, at, known, err := s.source()
	if err != nil {
		return err
	}
	st := s.replica.Status()
	if !st.Running && st.Applied == (replication.Place{}) {
		st.Applied, st.Read = at, at
	}
	var cols []column
	var row []any
	for _, f := range s.replicaFields(&src, &st) {
		cols, row = append(cols, column{name: f.name}), append(row, f.value)
	}
	if !known {
		return x.table(ctx, cols, nil)
	}
	return x.table(ctx, cols, [][]any{row})
}

type replicaField struct {
	name  string
	value any
}

// replicaFields are the columns in MySQL's order.
func (s *Server) replicaFields(src *replication.Source, st *replication.Status) []replicaField {
	state, io, apply := "", "No", "No"
	switch {
	case st.Connected:
		state, io, apply = "Waiting for source to send event", "Yes", "Yes"
	case st.Running:
		state, io, apply = "Connecting to source", "Connecting", "Yes"
	}
	var behind any
	if st.Running && st.Behind >= 0 {
		behind = st.Behind
	}
	stamp := func(f replication.Fault) string {
		if f.At.IsZero() {
			return ""
		}
		return f.At.Format("060102 15:04:05")
	}
	executed, auto := "", 0
	if l := s.binlog(); l != nil {
		executed = l.Executed().Shown()
	}
	if src.Auto {
		auto = 1
	}
	last := st.SQL
	none := func(names ...string) (out []replicaField) {
		for _, n := range names {
			out = append(out, replicaField{n, ""})
		}
		return out
	}
	f := []replicaField{{"Replica_IO_State", state}, {"Source_Host", src.Host}, {"Source_User", src.User}, {"Source_Port", src.Port},
		{"Connect_Retry", int(src.ConnectRetry.Seconds())}, {"Source_Log_File", st.Read.File}, {"Read_Source_Log_Pos", st.Read.Position},
		{"Relay_Log_File", ""}, {"Relay_Log_Pos", 0}, {"Relay_Source_Log_File", st.Applied.File}, {"Replica_IO_Running", io}, {"Replica_SQL_Running", apply}}
	f = append(f, none("Replicate_Do_DB", "Replicate_Ignore_DB", "Replicate_Do_Table", "Replicate_Ignore_Table", "Replicate_Wild_Do_Table", "Replicate_Wild_Ignore_Table")...)
	f = append(f, replicaField{"Last_Errno", last.Code}, replicaField{"Last_Error", last.Text}, replicaField{"Skip_Counter", 0},
		replicaField{"Exec_Source_Log_Pos", st.Applied.Position}, replicaField{"Relay_Log_Space", 0}, replicaField{"Until_Condition", "None"},
		replicaField{"Until_Log_File", ""}, replicaField{"Until_Log_Pos", 0}, replicaField{"Source_SSL_Allowed", "No"})
	f = append(f, none("Source_SSL_CA_File", "Source_SSL_CA_Path", "Source_SSL_Cert", "Source_SSL_Cipher", "Source_SSL_Key")...)
	f = append(f, replicaField{"Seconds_Behind_Source", behind}, replicaField{"Source_SSL_Verify_Server_Cert", "No"},
		replicaField{"Last_IO_Errno", st.IO.Code}, replicaField{"Last_IO_Error", st.IO.Text}, replicaField{"Last_SQL_Errno", st.SQL.Code},
		replicaField{"Last_SQL_Error", st.SQL.Text}, replicaField{"Replicate_Ignore_Server_Ids", ""}, replicaField{"Source_Server_Id", st.SourceID},
		replicaField{"Source_UUID", st.SourceUUID}, replicaField{"Source_Info_File", "mysql.slave_master_info"}, replicaField{"SQL_Delay", 0},
		replicaField{"SQL_Remaining_Delay", nil}, replicaField{"Replica_SQL_Running_State", ""}, replicaField{"Source_Retry_Count", src.RetryCount},
		replicaField{"Source_Bind", ""}, replicaField{"Last_IO_Error_Timestamp", stamp(st.IO)}, replicaField{"Last_SQL_Error_Timestamp", stamp(st.SQL)})
	f = append(f, none("Source_SSL_Crl", "Source_SSL_Crlpath")...)
	f = append(f, replicaField{"Retrieved_Gtid_Set", ""}, replicaField{"Executed_Gtid_Set", executed}, replicaField{"Auto_Position", fmt.Sprint(auto)})
	f = append(f, none("Replicate_Rewrite_DB", "Channel_Name", "Source_TLS_Version", "Source_public_key_path")...)
	return append(f, replicaField{"Get_Source_public_key", "1"}, replicaField{"Network_Namespace", ""})
}
