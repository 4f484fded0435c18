package server

// Dump threads: connections that send the binary log to replicas, by file and position or by GTIDs.
//
//	packet   0   semi-synchronous replicas: 0xef, 1 if an answer is wanted   event
//	begin    artificial rotate (file, position), format description, events; again a rotate before each further file
//	idle     heartbeats, if the replica has asked for them with @source_heartbeat_period
//	answer   of a semi-synchronous replica: 0xef, position u64, file name
//	hot set  for replicas that set @ember_hot_set = 1: what is hot here, as ignorable events (hotset_source.go)
//
// Events are sent as they stand in their file, for replicas count their bytes to know where they
// are. @source_binlog_checksum tells how the events before the first format description shall be;
// who does not set it cannot read checksums, and is refused where there are any. Only what is
// durable here is sent (binlog.Reader).

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"strings"
	"time"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/vitess/go/mysql"
	querypb "github.com/dolthub/vitess/go/vt/proto/query"

	"emberdb/binlog"
	"emberdb/server/commands"
	"emberdb/server/wire"
	"emberdb/sqllayer/sqlerr"
)

const (
	dumpNonBlock = 1 // end at the end of the log
	dumpBatch    = 64 << 10
	semiSyncMark = 0xef
)

// replicaInfo is what a replica said of itself with COM_REGISTER_REPLICA.
type replicaInfo struct {
	serverID uint32
	host     string
	port     uint16
	uuid     string
}

// registerReplica is COM_REGISTER_REPLICA.
func (w *wireConn) registerReplica(p []byte) error {
	if e := w.mayDump(); e != nil {
		return w.answerError(e)
	}
	c := wire.Cursor{Rest: p}
	r := &replicaInfo{serverID: c.Uint32()}
	r.host = string(c.Bytes(int(c.Uint8())))
	c.Bytes(int(c.Uint8())) // user
	c.Bytes(int(c.Uint8())) // password
	r.port = c.Uint16()
	if c.Bad {
		return w.answerError(sqlerr.NewError(1835, "Malformed communication packet."))
	}
	r.uuid = w.userText("replica_uuid", "slave_uuid")
	w.replica.Store(r)
	return w.answer(wire.OKPayload(w.conn.StatusFlags))
}

// mayDump checks REPLICATION SLAVE.
func (w *wireConn) mayDump() *mysql.SQLError {
	ctx := w.bareContext()
	if !w.srv.rights(ctx).Has(sql.PrivilegeType_ReplicationSlave) {
		return sqlerr.NewError(1227, "Access denied; you need (at least one of) the REPLICATION SLAVE privilege(s) for this operation")
	}
	return nil
}

// bareContext is a context for looking at the session.
func (w *wireConn) bareContext() *sql.Context {
	return sql.NewContext(context.Background(), sql.WithSession(w.session))
}

// userVariable is the first of the user variables that is set.
func (w *wireConn) userVariable(names ...string) any {
	for _, n := range names {
		if _, v, err := w.session.GetUserVariable(w.bareContext(), n); err == nil && v != nil {
			return v
		}
	}
	return nil
}

func (w *wireConn) userText(names ...string) string {
	switch v := w.userVariable(names...).(type) {
	case nil:
		return ""
	case []byte:
		return string(v)
	default:
		return fmt.Sprint(v)
	}
}

// dumpRequest is what COM_BINLOG_DUMP and COM_BINLOG_DUMP_GTID ask for.
type dumpRequest struct {
	file     string
	offset   int64
	flags    uint16
	serverID uint32
	byGTID   bool
	set      *binlog.Set // what the replica has
}

// parseDump reads the payload behind the command.
//
//	position   4 offset   2 flags   4 server id   file name
//	GTID       2 flags   4 server id   4 length, file name   8 offset   4 length, GTID set
func parseDump(cmd byte, p []byte) (r dumpRequest, err error) {
	c := wire.Cursor{Rest: p}
	if cmd == commands.ComBinlogDump {
		r.offset, r.flags, r.serverID = int64(c.Uint32()), c.Uint16(), c.Uint32()
		r.file = string(c.Rest)
	} else {
		r.byGTID = true
		r.flags, r.serverID = c.Uint16(), c.Uint32()
		r.file = string(c.Bytes(int(c.Uint32())))
		r.offset = int64(c.Uint32()) | int64(c.Uint32())<<32
		set := c.Bytes(int(c.Uint32()))
		if !c.Bad {
			r.set, err = binlog.ParseBinary(set)
		}
	}
	if c.Bad {
		return r, errors.New("malformed packet")
	}
	r.file = strings.TrimRight(r.file, "\x00")
	return r, err
}

// fatalDump is how a replica is told that it cannot go on.
func fatalDump(format string, args ...any) *mysql.SQLError {
	return sqlerr.NewError(1236, "%s", fmt.Sprintf(format, args...))
}

// dumper sends the log to one replica.
type dumper struct {
	w         *wireConn
	l         *binlog.Log
	r         *binlog.Reader
	ctx       context.Context
	seq       byte
	aware     bool // it can read checksums
	sums      bool // the events it gets at present have them
	semi      bool
	heartbeat time.Duration
	hot       *hotFeed // nil: the replica does not want to know
	nonBlock  bool
	file      string // whose events are being sent
	at        int64  // where the replica thinks it is, by the bytes it got
	out       []byte // whole packets
	event     []byte
}

// dump is COM_BINLOG_DUMP and COM_BINLOG_DUMP_GTID. It ends with an error packet, at the end of the
// log if that was asked for, or with the connection.
func (w *wireConn) dump(p []byte) error {
	if e := w.mayDump(); e != nil {
		return w.answerError(e)
	}
	l := w.srv.binlog()
	if l == nil {
		return w.answerError(fatalDump("Binary log is not open"))
	}
	req, err := parseDump(w.cmd, p)
	if err != nil {
		return w.answerError(sqlerr.NewError(1835, "Malformed communication packet."))
	}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	d := &dumper{w: w, l: l, ctx: ctx, seq: 1, nonBlock: req.flags&dumpNonBlock != 0}
	algorithm := w.userText("source_binlog_checksum", "master_binlog_checksum")
	d.aware, d.sums = algorithm != "", strings.EqualFold(algorithm, "CRC32")
	d.semi = w.userText("rpl_semi_sync_replica", "rpl_semi_sync_slave") == "1"
	fmt.Sscan(w.userText("source_heartbeat_period", "master_heartbeat_period"), (*int64)(&d.heartbeat))
	defer w.srv.dumps.enter(w, w.userText("replica_uuid", "slave_uuid"), cancel)()
	w.beginDump(req.byGTID, cancel)
	defer w.endDump()
	if d.semi {
		stop := w.srv.semiSync.join(w)
		defer stop()
		go d.readAcks(cancel)
		w.hangUp.Store(true) // the reader of answers may be in the middle of a packet
	}
	if !d.nonBlock && w.userText("ember_hot_set") == hotSetVersion {
		d.hot = w.srv.hot.source.join()
		defer d.hot.leave()
	}
	return d.finish(d.run(&req))
}

// States of a connection that sends the log, as MySQL calls them.
const (
	stateSending = "Sending binlog event to replica"
	stateSentAll = "Source has sent all binlog to replica; waiting for more updates"
)

func (w *wireConn) endDump() {
	w.endProgram()
	w.process.state.Store(nil)
}

func (w *wireConn) beginDump(byGTID bool, cancel context.CancelFunc) {
	p := w.process
	p.mu.Lock()
	p.command = "Binlog Dump"
	if byGTID {
		p.command = "Binlog Dump GTID"
	}
	w.compiled.pids++
	p.query, p.pid, p.since, p.cancel = "", 1<<63|w.compiled.pids, time.Now(), cancel
	p.mu.Unlock()
	p.setState(stateSending)
	w.srv.processes.running.Add(1)
}

// finish answers with the error that ended the dump, if the replica can still be told.
func (d *dumper) finish(err error) error {
	if d.r != nil {
		d.r.Close()
	}
	var told *mysql.SQLError
	switch {
	case errors.As(err, &told):
	case err == nil:
		d.packet([]byte{wire.EOF, 0, 0, 0, 0})
		return d.flush()
	case d.ctx.Err() != nil, errors.Is(err, io.EOF):
		return errHungUp // killed, replaced, or the server shuts down: an error would keep the replica from coming back
	case errors.Is(err, binlog.ErrReset):
		told = fatalDump("could not find next log; the binary logs were reset")
	default:
		d.w.srv.log.Error("dump thread failed", "connection", d.w.id, "error", err)
		told = fatalDump("%s", err)
	}
	d.packet(wire.ErrorPayload(told, true))
	return d.flush()
}

// run sends until something ends it.
func (d *dumper) run(req *dumpRequest) error {
	if err := d.open(req); err != nil {
		return err
	}
	for {
		if err := d.sendHot(); err != nil {
			return err
		}
		e, ok, err := d.r.TryNext()
		if err != nil {
			return err
		}
		if !ok {
			if at := d.r.Position(); d.l.Name(at.File) == d.file {
				d.passOver(at.Offset)
			}
			if err := d.flush(); err != nil || d.nonBlock {
				return err
			}
			d.w.process.setState(stateSentAll)
			if e, ok, err = d.wait(); err != nil {
				return err
			}
			d.w.process.setState(stateSending)
		}
		if !ok {
			d.sendHeartbeat()
			continue
		}
		if err := d.send(&e); err != nil {
			return err
		}
		if len(d.out) >= dumpBatch {
			if err := d.flush(); err != nil {
				return err
			}
		}
	}
}

// open finds where to begin and sends what stands before the first event.
func (d *dumper) open(req *dumpRequest) error {
	var at binlog.Position
	if req.byGTID {
		var err error
		at, err = d.l.FindStart(req.set)
		if errors.Is(err, binlog.ErrPurged) {
			missing := d.l.Purged()
			missing.Subtract(req.set)
			return fatalDump("Cannot replicate because the source purged required binary logs. Replicate the missing transactions from elsewhere, or provision a new replica from backup. Consider increasing the source's binary log expiration period. The GTID set sent by the replica is '%s', and the missing transactions are '%s'", req.set, missing)
		}
		if err != nil {
			return err
		}
		if mine := d.w.srv.replicationUUID(); !d.l.Executed().ContainsSet(req.set.Of(mine)) {
			return fatalDump("Replica has more GTIDs than the source has, using the source's SERVER_UUID. This may indicate that the end of the binary log was truncated or that the last binary log file was lost, e.g., after a power or disk failure when sync_binlog != 1. The source may or may not have rolled back transactions that were already replicated to the replica. Suggest to replicate any transactions that source has rolled back from replica to source, and/or commit empty transactions on source to account for transactions that have been committed on source but are not included in GTID_EXECUTED.")
		}
	} else {
		first, _ := d.l.Range()
		at = binlog.Position{File: first, Offset: max(req.offset, 4)}
		if req.file != "" {
			n, ok := d.l.ParseName(req.file)
			if !ok {
				return fatalDump("Could not find first log file name in binary log index file")
			}
			at.File = n
		}
	}
	r, err := d.l.NewReader(at)
	switch {
	case errors.Is(err, binlog.ErrUnknownFile):
		return fatalDump("Could not find first log file name in binary log index file")
	case err != nil:
		return fatalDump("Client requested source to start replication from impossible position; the first event '%s' at %d: %v", req.file, req.offset, err)
	}
	d.r = r
	if req.byGTID {
		r.Exclude(req.set)
	}
	d.rotate(d.l.Name(at.File), at.Offset)
	if at.Offset <= 4 {
		return nil // the format description is the first event
	}
	head, err := d.l.NewReader(binlog.Position{File: at.File})
	if err != nil {
		return err
	}
	defer head.Close()
	e, ok, err := head.TryNext()
	if err != nil || !ok {
		return errors.Join(err, errors.New("the file has no format description"))
	}
	e.Raw = e.StartsAnew(nil)
	return d.send(&e)
}

// wait waits for the next event; false when it is time for a heartbeat, or something else is hot.
func (d *dumper) wait() (binlog.Event, bool, error) {
	limit := d.heartbeat
	if limit <= 0 {
		limit = math.MaxInt64
	}
	ctx, cancel := context.WithTimeout(d.ctx, limit)
	defer cancel()
	if d.hot != nil {
		defer context.AfterFunc(d.hot.news, cancel)()
	}
	e, err := d.r.Next(ctx)
	if err != nil && d.ctx.Err() == nil && errors.Is(err, ctx.Err()) {
		return e, false, nil
	}
	return e, err == nil, err
}

// sendHot sends what is hot here, if that has changed.
func (d *dumper) sendHot() error {
	if d.hot == nil || !d.hot.changed() {
		return nil
	}
	for _, part := range d.hot.next() {
		d.artificial(binlog.AppendNote(nil, d.l.ServerID(), part))
		if len(d.out) >= dumpBatch {
			if err := d.flush(); err != nil {
				return err
			}
		}
	}
	return nil
}

// send sends an event of the log.
func (d *dumper) send(e *binlog.Event) error {
	if e.Type == binlog.EventFormatDescription {
		if e.File != d.file {
			d.rotate(e.File, 4)
		}
		if d.sums = e.TellsChecksums(); d.sums && !d.aware {
			return fatalDump("Replica can not handle replication events with the checksum that source is configured to log; the first event '%s' at %d", e.File, e.Pos)
		}
	}
	d.passOver(e.Pos)
	d.at = max(d.at, e.End()) // a format description may come for the second time
	ack := byte(0)
	if d.semi && d.w.srv.semiSync.on() && e.EndsTransaction() {
		ack = 1
	}
	d.begin(ack)
	d.event = append(d.event, e.Raw...)
	d.packet(d.event)
	if ack == 1 {
		d.seq = 1 // the replica's answer begins the count anew
	}
	return nil
}

// rotate tells which file comes.
func (d *dumper) rotate(file string, offset int64) {
	d.file, d.at = file, offset
	d.artificial(binlog.AppendArtificialRotate(nil, d.l.ServerID(), file, uint64(offset)))
}

func (d *dumper) sendHeartbeat() {
	at := d.r.Position()
	d.artificial(binlog.AppendHeartbeat(nil, d.l.ServerID(), d.l.Name(at.File), uint64(at.Offset)))
}

// passOver tells the replica of the transactions before pos that it has already: the position it
// answers with would be too small for ever.
func (d *dumper) passOver(pos int64) {
	if pos > d.at {
		d.at = pos
		d.artificial(binlog.AppendHeartbeat(nil, d.l.ServerID(), d.file, uint64(pos)))
	}
}

// artificial sends an event that stands in no file.
func (d *dumper) artificial(raw []byte) {
	d.begin(0)
	if d.sums {
		d.event = append(d.event, raw...)
	} else {
		d.event = binlog.AppendBare(d.event, raw)
	}
	d.packet(d.event)
}

// begin starts the packet of an event.
func (d *dumper) begin(ack byte) {
	d.event = append(d.event[:0], wire.OK)
	if d.semi {
		d.event = append(d.event, semiSyncMark, ack)
	}
}

// packet gathers a payload, in frames.
func (d *dumper) packet(p []byte) {
	d.out = wire.AppendFrames(d.out, d.seq, p)
	d.seq += byte(len(p)/wire.MaxFrame + 1)
}

func (d *dumper) flush() error {
	if len(d.out) == 0 {
		return nil
	}
	_, err := d.w.send(d.out)
	d.out = d.out[:0]
	if cap(d.out) > 16*dumpBatch {
		d.out = nil
	}
	if err != nil {
		return errHungUp
	}
	return nil
}

// readAcks reads the answers of a semi-synchronous replica to the end of the connection.
func (d *dumper) readAcks(cancel context.CancelFunc) {
	defer cancel()
	for {
		_, p, err := wire.ReadFrame(d.w.rd, 1<<10)
		if err != nil || len(p) < 9 || p[0] != semiSyncMark {
			return
		}
		d.w.received(wire.HeaderSize + len(p))
		if n, ok := d.l.ParseName(string(p[9:])); ok {
			d.w.srv.semiSync.ack(d.w, binlog.Position{File: n, Offset: int64(binary.LittleEndian.Uint64(p[1:]))})
		}
	}
}

// showReplicas is SHOW REPLICAS.
func showReplicas(serverID, source, uuid string) adminFunc {
	return func(x *execution, ctx *sql.Context) error {
		_, own, _ := sql.SystemVariables.GetGlobal("server_id")
		var rows [][]any
		for _, w := range x.h.s.connections() {
			if r := w.replica.Load(); r != nil {
				rows = append(rows, []any{r.serverID, r.host, r.port, own, r.uuid})
			}
		}
		return x.table(ctx, []column{{name: serverID, typ: querypb.Type_UINT32, width: 11}, {name: "Host", width: 255}, {name: "Port", typ: querypb.Type_UINT32, width: 8},
			{name: source, typ: querypb.Type_UINT32, width: 11}, {name: uuid, width: 36}}, rows)
	}
}
