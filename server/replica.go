package server

// This server as a replica: its channels, and what package replication asks of it. Statements:
// replica_statements.go, replica_options.go, replica_show.go.
//
// Whom a channel follows is a key-value row, and so is the mark of each worker, which its session
// stores as it commits (sqllayer/replica.go). Marks carry the epoch of the source they belong to:
// one write of the source's row makes those of before void.

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/go-mysql-org/go-mysql/client"
	"github.com/go-mysql-org/go-mysql/mysql"

	"emberdb/binlog"
	"emberdb/engine"
	"emberdb/internal/base"
	"emberdb/internal/vfs"
	"emberdb/replication"
	"emberdb/replication/relay"
	"emberdb/server/options"
	"emberdb/server/sysvar"
	"emberdb/server/version"
	"emberdb/sqllayer"
)

// Keys of the rows. The channel without a name has the first two.
const (
	sourceKey    = "source"
	sourcePrefix = "source/"
	markPrefix   = "place/"
)

// insideConn is one end of a connection within this process. It passes for a local one.
type insideConn struct{ net.Conn }

// insideAddress is the address of both ends.
const insideAddress = "inside"

func (insideConn) LocalAddr() net.Addr  { return &net.UnixAddr{Net: "unix", Name: insideAddress} }
func (insideConn) RemoteAddr() net.Addr { return &net.UnixAddr{Net: "unix", Name: insideAddress} }

// own tells whether the server has opened the connection itself.
func (w *wireConn) own() bool {
	_, inside := w.Conn.(insideConn)
	return inside
}

// target is a worker's session: a client of this server that needs no password.
type target struct {
	*client.Conn
	s       *Server
	session *sqllayer.Session
	key     string // of the worker's mark
}

// Place implements replication.Session.
func (t *target) Place(m replication.Mark) {
	b, _ := json.Marshal(m) // strings and numbers
	t.session.SetPlace(t.key, b)
}

// Settle implements replication.Session.
func (t *target) Settle() error { return t.session.SettlePlace(context.Background()) }

// Triggers implements replication.Session.
func (t *target) Triggers(fire bool) { t.session.FireTriggers(fire) }

// Follow implements replication.Target.
func (t *target) Follow(turn *replication.Turn) {
	if turn == nil {
		t.session.SetTurn(nil)
		return
	}
	t.session.SetTurn(turn)
}

// LogAhead implements replication.Session.
func (t *target) LogAhead(statement string) { t.session.LogAhead(statement) }

// Version implements replication.Target.
func (t *target) Version() uint64 { return t.session.Layer().StorageEngine().DictVersion() }

// Interrupt implements replication.Target.
func (t *target) Interrupt() { t.s.processes.interrupt(t.session.ID(), killedQuery) }

// replicas are the channels, by name.
type replicas struct {
	s        *Server
	mu       sync.Mutex
	channels map[string]*replication.Channel
	filters  map[string]replication.Filters
}

func newReplicas(s *Server) *replicas {
	return &replicas{s: s, channels: map[string]*replication.Channel{}, filters: map[string]replication.Filters{}}
}

// local is the server to one channel.
type local struct {
	*Server
	channel string
}

// Identity implements replication.Local.
func (l local) Identity() replication.Identity {
	id := replication.Identity{ID: uint32(sysvar.GlobalInt("server_id")), UUID: l.backend.UUID(), Host: sysvar.GlobalText("report_host"), Semi: sysvar.GlobalOn("rpl_semi_sync_replica_enabled"),
		Hot: sysvar.GlobalOn("ember_hot_set_load")}
	if id.Port = uint16(sysvar.GlobalInt("report_port")); id.Port == 0 {
		id.Port = uint16(sysvar.GlobalInt("port"))
	}
	return id
}

// GTIDs implements replication.Local.
func (l local) GTIDs() (string, *binlog.Set) {
	b := l.binlog()
	if b == nil {
		return "OFF", new(binlog.Set)
	}
	return strings.ToUpper(sysvar.GlobalText("gtid_mode")), b.Executed()
}

// Settings implements replication.Local.
func (l local) Settings() replication.Settings {
	r := l.replicas
	r.mu.Lock()
	filters := r.filters[l.channel]
	r.mu.Unlock()
	s := replication.Settings{Workers: max(1, int(sysvar.GlobalInt("replica_parallel_workers"))), Retries: int(sysvar.GlobalInt("replica_transaction_retries")),
		Idempotent: sysvar.GlobalText("replica_exec_mode") == "IDEMPOTENT", Timeout: time.Duration(sysvar.GlobalInt("replica_net_timeout")) * time.Second,
		Purge: sysvar.GlobalOn("relay_log_purge"), SameID: l.cfg.Settings.Bool("replicate_same_server_id"), Space: sysvar.GlobalInt("relay_log_space_limit"),
		Skip: int(sysvar.GlobalInt("sql_replica_skip_counter")), SkipErrors: map[uint16]bool{}, Filters: filters}
	for _, name := range strings.FieldsFunc(sysvar.GlobalText("replica_skip_errors"), func(r rune) bool { return r == ',' || r == ' ' }) {
		var code uint16
		if strings.EqualFold(name, "all") {
			s.SkipAll = true
		} else if _, err := fmt.Sscan(name, &code); err == nil {
			s.SkipErrors[code] = true
		}
	}
	return s
}

// Files implements replication.Local.
func (l local) Files() vfs.FS { return vfs.NewOS(l.log) }

// HotSet implements replication.Local.
func (l local) HotSet(part []byte) { l.hot.replica.take(l.channel, part) }

// dialInside connects the server with itself, as a user without a password. as says what the
// connection is for, before it logs in.
func (s *Server) dialInside(ctx context.Context, user, schema string, as func(w *wireConn), more ...client.Option) (*client.Conn, *wireConn, error) {
	here, there := net.Pipe()
	w := s.adopt(insideConn{there}, nil)
	as(w)
	go s.accept.deliver(w)
	dial := func(context.Context, string, string) (net.Conn, error) { return here, nil }
	c, err := client.ConnectWithDialer(ctx, "unix", insideAddress, user, "", schema, dial, more...)
	if err != nil {
		return nil, nil, errors.Join(err, here.Close())
	}
	return c, w, nil
}

// Open implements replication.Local.
func (l local) Open(ctx context.Context, channel string, worker int) (replication.Target, error) {
	s := l.Server
	c, w, err := s.dialInside(ctx, "root", "", func(w *wireConn) { w.inside, w.secure, w.role = true, true, roleWorker }, func(c *client.Conn) error {
		c.SetCapability(mysql.CLIENT_FOUND_ROWS)
		return nil
	})
	if err != nil {
		return nil, err
	}
	// The answer to a statement comes after the session is known.
	if _, err := c.Execute("SET SESSION innodb_lock_wait_timeout = @@GLOBAL.innodb_lock_wait_timeout"); err != nil {
		return nil, errors.Join(err, c.Close())
	}
	session, ok := w.session.(*sqllayer.Session)
	if !ok {
		return nil, errors.Join(errNoReplica, c.Close())
	}
	session.SetApplier()
	w.vars.maxAllowedPacket.Store(1 << 31) // twice what a source may send: bytes are written in hexadecimal
	return &target{c, s, session, markKey(channel, worker)}, nil
}

func markKey(channel string, worker int) string {
	return fmt.Sprintf("%s%x/%d", markPrefix, channel, worker)
}

// Applied implements replication.Local: the newest of the workers' marks.
func (l local) Applied(channel string, epoch int64) (m replication.Mark, found bool, err error) {
	e := l.backend.Engine()
	if e == nil {
		return m, false, errNoReplica
	}
	take := func(_ string, v []byte) error {
		var one replication.Mark
		if err := json.Unmarshal(v, &one); err != nil {
			return err
		}
		if one.Epoch == epoch && (!found || one.InRelay().Compare(m.InRelay()) > 0) {
			m, found = one, true
		}
		return nil
	}
	if epoch == 0 && channel == "" { // the single session of an earlier version
		v, err := e.GetKV(context.Background(), nil, sqllayer.ReplicaSpace, sqllayer.PlaceKey)
		if err == nil && v != nil {
			err = take("", v)
		}
		if err != nil && !errors.Is(err, base.ErrNotFound) {
			return m, false, err
		}
	}
	err = e.ListKV(context.Background(), nil, sqllayer.ReplicaSpace, fmt.Sprintf("%s%x/", markPrefix, channel), take)
	return m, found, err
}

var errNoReplica = errors.New("this server's tables cannot follow a source")

func sourceKeyOf(channel string) string {
	if channel == "" {
		return sourceKey
	}
	return sourcePrefix + channel
}

// FollowSource has the servers that will be started on the directory of e follow a source, as
// CHANGE REPLICATION SOURCE TO does.
func FollowSource(e *engine.Engine, src replication.Source) error {
	src.Epoch = time.Now().UnixNano()
	return writeReplicaRow(e, sourceKey, src)
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

// store writes whom a channel follows; nil: nobody.
func (r *replicas) store(channel string, src *replication.Source) error {
	e := r.s.backend.Engine()
	switch {
	case e == nil:
		return errNoReplica
	case src == nil:
		return writeReplicaRow(e, sourceKeyOf(channel), nil)
	}
	return writeReplicaRow(e, sourceKeyOf(channel), src)
}

// load makes the channels that were set up before.
func (r *replicas) load() error {
	e := r.s.backend.Engine()
	if e == nil {
		return nil
	}
	return e.ListKV(context.Background(), nil, sqllayer.ReplicaSpace, sourceKey, func(k string, v []byte) error {
		var src replication.Source
		if err := json.Unmarshal(v, &src); err != nil {
			return err
		}
		r.add(strings.TrimPrefix(strings.TrimPrefix(k, sourceKey), "/"), src)
		return nil
	})
}

// Add makes a channel known.
func (r *replicas) add(name string, src replication.Source) *replication.Channel {
	c := replication.NewChannel(name, src, local{r.s, name}, r.relayOptions(name), r.s.log)
	r.mu.Lock()
	defer r.mu.Unlock()
	r.channels[name] = c
	return c
}

func (r *replicas) remove(name string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.channels, name)
	r.s.hot.replica.forget(name)
}

// find returns a channel; nil: there is none of that name.
func (r *replicas) find(name string) *replication.Channel {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.channels[strings.ToLower(name)]
}

// wait waits for a channel to apply all up to a place; see sqllayer.Layer.
func (r *replicas) wait(ctx context.Context, channel, file string, position uint32) (transactions int64, running bool) {
	c := r.find(channel)
	if c == nil {
		return 0, false
	}
	return c.WaitApplied(ctx, file, position)
}

// all are the channels by name.
func (r *replicas) all() (list []*replication.Channel) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, c := range r.channels {
		list = append(list, c)
	}
	slices.SortFunc(list, func(a, b *replication.Channel) int { return strings.Compare(a.Name(), b.Name()) })
	return list
}

// relayOptions say where the relay log of a channel is.
func (r *replicas) relayOptions(channel string) relay.Options {
	dir, name := relayNames(r.s.cfg.Settings)
	if dir == "" {
		dir = r.s.dir
	} else if !filepath.IsAbs(dir) {
		dir = filepath.Join(r.s.dir, dir)
	}
	index := name
	if given := r.s.cfg.Settings.String("relay_log_index"); given != "" {
		index = strings.TrimSuffix(filepath.Base(given), ".index")
	}
	if channel != "" {
		suffix := "-" + fileSafe(channel)
		name, index = name+suffix, index+suffix
	}
	size := r.s.cfg.Settings.Int("max_relay_log_size")
	if size == 0 {
		size = r.s.cfg.Settings.Int("max_binlog_size")
	}
	return relay.Options{FS: vfs.NewOS(r.s.log), Dir: dir, Base: name, Index: index + ".index", ServerID: uint32(sysvar.GlobalInt("server_id")),
		ServerVersion: version.ServerVersion(), MaxSize: size, Log: r.s.log}
}

// relayNames are the folder and the base name of relay logs. A name's extension is dropped.
func relayNames(o *options.Settings) (dir, base string) {
	dir, base = filepath.Split(o.String("relay_log"))
	if base = strings.TrimSuffix(base, filepath.Ext(base)); base == "" {
		base = "relay-bin"
	}
	return dir, base
}

// useUpSkips makes sql_replica_skip_counter zero: an applier has taken it.
func (s *Server) useUpSkips(ctx *sql.Context) {
	if sysvar.GlobalInt("sql_replica_skip_counter") != 0 {
		if err := sql.SystemVariables.SetGlobal(ctx, "sql_replica_skip_counter", int64(0)); err != nil {
			s.log.Error("sql_replica_skip_counter stays", "error", err)
		}
	}
}

// fileSafe is a channel's name as a part of a file's: other letters than those of names are written
// as MySQL does.
func fileSafe(name string) string {
	var b strings.Builder
	for _, c := range name {
		if c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' {
			b.WriteRune(c)
		} else {
			fmt.Fprintf(&b, "@%04x", c)
		}
	}
	return b.String()
}

// start goes on when the server begins to serve.
func (r *replicas) start() {
	if err := r.load(); err != nil {
		r.s.log.Error("replication does not start", "error", err)
		return
	}
	if r.s.cfg.Settings.Bool("skip_replica_start") || r.s.forced > 0 {
		return
	}
	for _, c := range r.all() {
		if c.Source().Host == "" {
			continue
		}
		if err := c.Start(replication.Receiver|replication.Applier, nil, replication.Login{}); err != nil {
			r.s.log.Error("replication does not start", "channel", c.Name(), "error", err)
		}
	}
}

// stop ends all channels with the server.
func (r *replicas) stop() {
	for _, c := range r.all() {
		if err := c.Close(); err != nil {
			r.s.log.Error("a relay log does not end well", "channel", c.Name(), "error", err)
		}
	}
}

// answer tells whether some source is told what is safe here.
func (r *replicas) answer() bool {
	for _, c := range r.all() {
		if c.Status().Answers {
			return true
		}
	}
	return false
}
