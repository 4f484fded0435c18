package server

import (
	"strings"
	"time"

	"github.com/dolthub/go-mysql-server/sql"
	querypb "github.com/dolthub/vitess/go/vt/proto/query"

	"emberdb/replication"
	"emberdb/replication/relay"
	"emberdb/server/sources"
	"emberdb/server/sysvar"
	"emberdb/sql/ast"
	"emberdb/sqllayer/sqlerr"
)

// showReplicaStatus is SHOW REPLICA STATUS [FOR CHANNEL].
func (x *execution) showReplicaStatus(ctx *sql.Context, n *ast.Show) error {
	r := x.h.s.replicas
	list, err := r.channelsOf(n.Channel)
	if err != nil {
		return err
	}
	var cols []column
	for _, f := range x.h.s.replicaFields(replication.NewChannel("", replication.Source{}, nil, relay.Options{}, x.h.s.log)) {
		cols = append(cols, replicaColumn(f.Name))
	}
	var rows [][]any
	for _, c := range list {
		if _, err := c.Open(); err != nil {
			return err
		}
		var row []any
		for _, f := range x.h.s.replicaFields(c) {
			row = append(row, f.Value)
		}
		rows = append(rows, row)
	}
	return x.table(ctx, cols, rows)
}

// replicaColumn is a column of SHOW REPLICA STATUS.
func replicaColumn(name string) column {
	switch name {
	case "Read_Source_Log_Pos", "Relay_Log_Pos", "Exec_Source_Log_Pos", "Relay_Log_Space", "Until_Log_Pos", "Seconds_Behind_Source", "Source_Retry_Count":
		return column{name: name, typ: querypb.Type_UINT64, width: 11}
	case "Source_Port", "Connect_Retry", "Last_Errno", "Skip_Counter", "Last_IO_Errno", "Last_SQL_Errno", "Source_Server_Id", "SQL_Delay", "SQL_Remaining_Delay",
		"Auto_Position", "Get_Source_public_key":
		return column{name: name, typ: querypb.Type_UINT32, width: 11}
	}
	return column{name: name}
}

// replicaFields are the columns of SHOW REPLICA STATUS in MySQL's order.
func (s *Server) replicaFields(c *replication.Channel) []sources.ReplicaField {
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
	f := []sources.ReplicaField{{Name: "Replica_IO_State", Value: st.ReceiverState}, {Name: "Source_Host", Value: src.Host}, {Name: "Source_User", Value: src.User}, {Name: "Source_Port", Value: src.Port},
		{Name: "Connect_Retry", Value: int(src.ConnectRetry.Seconds())}, {Name: "Source_Log_File", Value: read.File}, {Name: "Read_Source_Log_Pos", Value: read.Position},
		{Name: "Relay_Log_File", Value: st.RelayName}, {Name: "Relay_Log_Pos", Value: max(4, st.Applied.Offset)}, {Name: "Relay_Source_Log_File", Value: st.Applied.File},
		{Name: "Replica_IO_Running", Value: sources.ReceiverState(&st)}, {Name: "Replica_SQL_Running", Value: sources.CapitalYes(st.Applying)},
		{Name: "Replicate_Do_DB", Value: strings.Join(filters.DoDB, ",")}, {Name: "Replicate_Ignore_DB", Value: strings.Join(filters.IgnoreDB, ",")},
		{Name: "Replicate_Do_Table", Value: strings.Join(filters.DoTable, ",")}, {Name: "Replicate_Ignore_Table", Value: strings.Join(filters.IgnoreTable, ",")},
		{Name: "Replicate_Wild_Do_Table", Value: strings.Join(filters.WildDoTable, ",")}, {Name: "Replicate_Wild_Ignore_Table", Value: strings.Join(filters.WildIgnores, ",")},
		{Name: "Last_Errno", Value: st.SQL.Code}, {Name: "Last_Error", Value: st.SQL.Text}, {Name: "Skip_Counter", Value: st.Skip},
		{Name: "Exec_Source_Log_Pos", Value: st.Applied.Place.Position}, {Name: "Relay_Log_Space", Value: st.Relay.Space}}
	f = append(f, sources.UntilFields(st.Until)...)
	f = append(f, sources.ReplicaField{Name: "Source_SSL_Allowed", Value: sources.CapitalYes(src.TLS.On)}, sources.ReplicaField{Name: "Source_SSL_CA_File", Value: src.TLS.CA}, sources.ReplicaField{Name: "Source_SSL_CA_Path", Value: src.TLS.CAPath},
		sources.ReplicaField{Name: "Source_SSL_Cert", Value: src.TLS.Cert}, sources.ReplicaField{Name: "Source_SSL_Cipher", Value: src.TLS.Cipher}, sources.ReplicaField{Name: "Source_SSL_Key", Value: src.TLS.Key},
		sources.ReplicaField{Name: "Seconds_Behind_Source", Value: behind}, sources.ReplicaField{Name: "Source_SSL_Verify_Server_Cert", Value: sources.CapitalYes(src.TLS.Verify)},
		sources.ReplicaField{Name: "Last_IO_Errno", Value: st.IO.Code}, sources.ReplicaField{Name: "Last_IO_Error", Value: st.IO.Text}, sources.ReplicaField{Name: "Last_SQL_Errno", Value: st.SQL.Code},
		sources.ReplicaField{Name: "Last_SQL_Error", Value: st.SQL.Text}, sources.ReplicaField{Name: "Replicate_Ignore_Server_Ids", Value: sources.IdList(src.IgnoreIDs)}, sources.ReplicaField{Name: "Source_Server_Id", Value: st.SourceID},
		sources.ReplicaField{Name: "Source_UUID", Value: st.SourceUUID}, sources.ReplicaField{Name: "Source_Info_File", Value: "mysql.slave_master_info"}, sources.ReplicaField{Name: "SQL_Delay", Value: int64(src.Delay / time.Second)},
		sources.ReplicaField{Name: "SQL_Remaining_Delay", Value: delayed}, sources.ReplicaField{Name: "Replica_SQL_Running_State", Value: sources.ApplierState(&st)}, sources.ReplicaField{Name: "Source_Retry_Count", Value: src.RetryCount},
		sources.ReplicaField{Name: "Source_Bind", Value: src.Bind}, sources.ReplicaField{Name: "Last_IO_Error_Timestamp", Value: sources.StampOf(st.IO)}, sources.ReplicaField{Name: "Last_SQL_Error_Timestamp", Value: sources.StampOf(st.SQL)},
		sources.ReplicaField{Name: "Source_SSL_Crl", Value: src.TLS.CRL}, sources.ReplicaField{Name: "Source_SSL_Crlpath", Value: src.TLS.CRLPath},
		sources.ReplicaField{Name: "Retrieved_Gtid_Set", Value: received}, sources.ReplicaField{Name: "Executed_Gtid_Set", Value: executed}, sources.ReplicaField{Name: "Auto_Position", Value: sources.Bit(src.Auto)},
		sources.ReplicaField{Name: "Replicate_Rewrite_DB", Value: sources.Rewrites(filters.Rewrite)}, sources.ReplicaField{Name: "Channel_Name", Value: c.Name()}, sources.ReplicaField{Name: "Source_TLS_Version", Value: src.TLS.Versions},
		sources.ReplicaField{Name: "Source_public_key_path", Value: src.PublicKey}, sources.ReplicaField{Name: "Get_Source_public_key", Value: sources.Bit(src.AskPublicKey)}, sources.ReplicaField{Name: "Network_Namespace", Value: ""})
	return f
}

// showRelaylogEvents is SHOW RELAYLOG EVENTS.
func (x *execution) showRelaylogEvents(ctx *sql.Context, n *ast.Show) error {
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
		if rows, err = sources.RelayRows(l, shownBy(n)); err != nil {
			return err
		}
	}
	return x.table(ctx, eventColumns(), rows)
}

// changeSource is CHANGE REPLICATION SOURCE TO.
func (x *execution) changeSource(ctx *sql.Context, n *ast.ChangeSource) error {
	if err := x.needDynamic(ctx, "REPLICATION_SLAVE_ADMIN"); err != nil {
		return err
	}
	r := x.h.s.replicas
	name, _ := channelName(n.Channel)
	if len(name) > 64 {
		return sqlerr.NewError(3075, "Could not create channel name %s: it is too long", name)
	}
	ch := r.find(name)
	c := sources.SourceChange{Src: replication.Source{Port: 3306, ConnectRetry: time.Minute, RetryCount: 10, ZstdLevel: 3,
		Heartbeat: time.Duration(sysvar.GlobalInt("replica_net_timeout")) * time.Second / 2}}
	running, known := replication.Threads(0), ch != nil
	if known {
		running = ch.Running()
		c.Src, c.Src.Place = ch.Source(), ch.Applied().Place
	}
	for i := range n.Options {
		if err := c.Set(&n.Options[i]); err != nil {
			return err
		}
	}
	if err := c.Check(name, running); err != nil {
		return err
	}
	if c.Moved && !c.Placed {
		c.Src.Place = replication.Place{Position: 4}
	}
	keep := running&replication.Applier != 0 || known && !c.Moved && !c.Placed && !c.Auto
	if !keep {
		c.Src.Epoch = time.Now().UnixNano()
	}
	if !known {
		ch = r.add(name, replication.Source{})
	}
	if err := ch.Change(c.Src, keep, func() error { return r.store(name, &c.Src) }); err != nil {
		return err
	}
	if c.Secret {
		ctx.Session.Warn(&sql.Warning{Level: "Note", Code: 1759, Message: "Sending passwords in plain text without SSL/TLS is extremely insecure."})
		ctx.Session.Warn(&sql.Warning{Level: "Note", Code: 1760, Message: "Storing MySQL user name or password information in the connection metadata repository is not secure and is therefore not recommended. Please consider using the USER and PASSWORD connection options for START REPLICA; see the 'START REPLICA Syntax' in the MySQL Manual for more information."})
	}
	return nil
}
