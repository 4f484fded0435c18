package server

import (
	"strings"
	"time"

	"github.com/dolthub/go-mysql-server/sql"

	"emberdb/binlog"
	"emberdb/replication"
	"emberdb/sql/ast"
	"emberdb/sqllayer/sqlerr"
)

// replicaStatement returns what runs the statements.
func replicaStatement(tree ast.Statement) adminFunc {
	switch n := tree.(type) {
	case *ast.ChangeSource:
		return on(n, (*execution).changeSource)
	case *ast.ChangeFilter:
		return on(n, (*execution).changeFilter)
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

// channelName is the name that FOR CHANNEL gives; named is false without it.
func channelName(n *ast.Literal) (name string, named bool) {
	if n == nil {
		return "", false
	}
	return strings.ToLower(n.Text), true
}

// channelsOf are the channels that a statement is about: the named one, or all.
func (r *replicas) channelsOf(n *ast.Literal) ([]*replication.Channel, error) {
	name, named := channelName(n)
	if !named {
		return r.all(), nil
	}
	c := r.find(name)
	switch {
	case c != nil:
		return []*replication.Channel{c}, nil
	case name == "":
		return nil, nil
	}
	return nil, sqlerr.NewError(3074, "Replica channel '%s' does not exist.", n.Text)
}

func threadsOf(t ast.ReplicaThread) (all replication.Threads) {
	if t == 0 {
		return replication.Receiver | replication.Applier
	}
	if t&ast.ReceiverThread != 0 {
		all |= replication.Receiver
	}
	if t&ast.ApplierThread != 0 {
		all |= replication.Applier
	}
	return all
}

// startReplica is START REPLICA.
func (x *execution) startReplica(ctx *sql.Context, n *ast.StartReplica) error {
	if err := x.needDynamic(ctx, "REPLICATION_SLAVE_ADMIN"); err != nil {
		return err
	}
	r := x.h.s.replicas
	list, err := r.channelsOf(n.Channel)
	if err != nil {
		return err
	}
	threads := threadsOf(n.Threads)
	until, err := x.until(n, threads, len(list))
	if err != nil {
		return err
	}
	if len(list) == 0 {
		return errNotReplica
	}
	login, err := loginOf(n, threads)
	if err != nil {
		return err
	}
	for _, c := range list {
		if c.Source().Host == "" {
			return errNotReplica
		}
		if threads&^c.Running() == 0 {
			ctx.Session.Warn(&sql.Warning{Level: "Note", Code: 3083, Message: "Replication thread(s) for channel '" + c.Name() + "' are already running."})
			continue
		}
		if err := c.Start(threads, until, login); err != nil {
			return err
		}
		if threads&replication.Applier != 0 {
			x.h.s.useUpSkips(ctx)
		}
	}
	return nil
}

var errNotReplica = sqlerr.NewError(1200, "The server is not configured as replica; fix in config file or with CHANGE REPLICATION SOURCE TO")

// loginOf is the account that START REPLICA names.
func loginOf(n *ast.StartReplica, threads replication.Threads) (l replication.Login, err error) {
	if n.Auth != nil || n.Plugins != nil {
		return l, sqlerr.NewError(1235, "This version of Ember doesn't yet support 'START REPLICA with DEFAULT_AUTH or PLUGIN_DIR'")
	}
	if n.User == nil && n.Pass == nil {
		return l, nil
	}
	if threads&replication.Receiver == 0 {
		return l, sqlerr.NewError(1064, "You have an error in your SQL syntax: USER and PASSWORD are of the receiver")
	}
	if n.User != nil {
		l.User = n.User.Text
	}
	if n.Pass != nil {
		l.Password = n.Pass.Text
	}
	return l, nil
}

var errWrongUntil = sqlerr.NewError(1277, "Incorrect parameter or combination of parameters for START REPLICA UNTIL")

// until reads where the applier stops by itself.
func (x *execution) until(n *ast.StartReplica, threads replication.Threads, channels int) (*replication.Until, error) {
	if n.Until == nil {
		return nil, nil
	}
	if threads&replication.Applier == 0 {
		return nil, errWrongUntil
	}
	u := &replication.Until{}
	switch n.Until.Kind {
	case ast.UntilAfterGaps:
		u.Kind = replication.UntilGaps
	case ast.UntilBeforeGTIDs, ast.UntilAfterGTIDs:
		u.Kind = replication.UntilBefore
		if n.Until.Kind == ast.UntilAfterGTIDs {
			u.Kind = replication.UntilAfter
		}
		set, err := binlog.ParseSet(n.Until.Text.Text)
		if err != nil {
			return nil, errWrongUntil
		}
		u.GTIDs = set
	default:
		u.Kind = replication.UntilSource
		for _, item := range n.Until.Items {
			if item.Relay {
				u.Kind = replication.UntilRelay
			}
			if item.File != nil {
				u.File = item.File.Text
			} else {
				u.Position = number(item.Position)
			}
		}
		if channels > 1 {
			return nil, errWrongUntil
		}
	}
	return u, nil
}

// stopReplica is STOP REPLICA.
func (x *execution) stopReplica(ctx *sql.Context, n *ast.StartReplica) error {
	if err := x.needDynamic(ctx, "REPLICATION_SLAVE_ADMIN"); err != nil {
		return err
	}
	list, err := x.h.s.replicas.channelsOf(n.Channel)
	if err != nil {
		return err
	}
	threads := threadsOf(n.Threads)
	for _, c := range list {
		if c.Running()&threads == 0 {
			ctx.Session.Warn(&sql.Warning{Level: "Note", Code: 3084, Message: "Replication thread(s) for channel '" + c.Name() + "' are already stopped."})
			continue
		}
		c.Stop(threads)
	}
	return nil
}

// resetReplica does RESET REPLICA [ALL] [FOR CHANNEL].
func (s *Server) resetReplica(n *ast.ResetItem) error {
	list, err := s.replicas.channelsOf(n.Channel)
	if err != nil {
		return err
	}
	for _, c := range list {
		if c.Running() != 0 {
			return sqlerr.NewError(3081, "This operation cannot be performed with running replication threads; run STOP REPLICA FOR CHANNEL '%s' first", c.Name())
		}
		if n.All {
			if err := s.replicas.store(c.Name(), nil); err != nil {
				return err
			}
			if err := c.Remove(); err != nil {
				return err
			}
			s.replicas.remove(c.Name())
			continue
		}
		src := c.Source()
		src.Place, src.Epoch = replication.Place{Position: 4}, time.Now().UnixNano()
		if err := c.Change(src, false, func() error { return s.replicas.store(c.Name(), &src) }); err != nil {
			return err
		}
	}
	return nil
}

// changeFilter is CHANGE REPLICATION FILTER. Filters last until the server ends.
func (x *execution) changeFilter(ctx *sql.Context, n *ast.ChangeFilter) error {
	if err := x.needDynamic(ctx, "REPLICATION_SLAVE_ADMIN"); err != nil {
		return err
	}
	r := x.h.s.replicas
	list, err := r.channelsOf(n.Channel)
	if err != nil {
		return err
	}
	for _, c := range list {
		if c.Running()&replication.Applier != 0 {
			return sqlerr.NewError(3017, "This operation cannot be performed with a running replica sql thread; run STOP REPLICA SQL_THREAD FOR CHANNEL '%s' first", c.Name())
		}
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	names := []string{""}
	if list != nil {
		names = nil
	}
	for _, c := range list {
		names = append(names, c.Name())
	}
	for _, name := range names {
		f := r.filters[name]
		for i := range n.Filters {
			setFilter(&f, &n.Filters[i])
		}
		r.filters[name] = f
	}
	return nil
}

// setFilter takes the rules of one kind, in place of those there were.
func setFilter(f *replication.Filters, n *ast.ReplicationFilter) {
	var names []string
	for _, s := range n.Schemas {
		names = append(names, s.Name)
	}
	for _, t := range n.Tables {
		names = append(names, t.Schema.Name+"."+t.Name.Name)
	}
	for _, p := range n.Patterns {
		names = append(names, p.Text)
	}
	switch n.Kind {
	case ast.FilterDoDB:
		f.DoDB = names
	case ast.FilterIgnoreDB:
		f.IgnoreDB = names
	case ast.FilterDoTable:
		f.DoTable = names
	case ast.FilterIgnoreTable:
		f.IgnoreTable = names
	case ast.FilterWildDoTable:
		f.WildDoTable = names
	case ast.FilterWildIgnoreTable:
		f.WildIgnores = names
	case ast.FilterRewriteDB:
		f.Rewrite = nil
		for _, r := range n.Rewrites {
			f.Rewrite = append(f.Rewrite, [2]string{r.From.Name, r.To.Name})
		}
	}
}
