package server

import (
	"errors"
	"path/filepath"

	"github.com/dolthub/go-mysql-server/sql"
	driversql "github.com/go-sql-driver/mysql"

	"emberdb/backup"
	"emberdb/server/clones"
	"emberdb/server/sysvar"
	"emberdb/server/version"
	"emberdb/server/virtual"
	"emberdb/sql/ast"
	"emberdb/sqllayer/sqlerr"
)

// CLONE LOCAL and CLONE INSTANCE: the rows, accounts, GTIDs and LRU list of a server of this kind,
// made a data directory.
//
// Without DATA DIRECTORY the clone replaces this server's own data. It is made in a folder beside
// that (backup.CloneDir); when it is complete the server is started again in the same process,
// which puts the clone in place. Until then the old data is whole. The server keeps its settings
// and its certificates, and gets a new uuid: nothing that was kept of its former data, such as a
// buffer pool in shared memory, is taken for the clone's.
//
// Source: MySQL 9.7's manual, "The Clone Plugin", and answers of MySQL 9.7.

// clone is CLONE.
func (x *execution) clone(ctx *sql.Context, n *ast.Clone) error {
	s := x.h.s
	if err := s.mayUnrun(ctx, n); err != nil {
		return err
	}
	eng := s.backend.Engine()
	if eng == nil {
		return unsupported("CLONE")(x, ctx)
	}
	own := n.Directory == nil
	source, destination, dir := clones.LocalInstance, clones.LocalInstance, filepath.Join(s.dir, backup.CloneDir)
	if n.From != nil {
		source = n.From.Host.Name + ":" + n.Port
		if err := clones.MayCloneFrom(source); err != nil {
			return err
		}
	}
	if own {
		if name := sysvar.GlobalText("log_bin_basename"); name != "" && filepath.Dir(name) != filepath.Clean(s.dir) {
			return sqlerr.NewError(3869, "Clone system configuration: log_bin: the binary log lies outside of the data directory; name a DATA DIRECTORY")
		}
	} else {
		if err := clones.MayCloneInto(n.Directory.Text, s.dir); err != nil {
			return err
		}
		dir = filepath.Clean(n.Directory.Text)
		destination = dir + "/"
	}
	if err := s.clones.Begin(x.w.id, source, destination); err != nil {
		return err
	}
	o := backup.CloneOptions{Dir: dir, Progress: s.clones.Progress, Parallel: 2, Rate: clones.CloneRate()}
	if own {
		o.Begun = func(b *backup.Begin) error {
			if b.UUID == eng.UUID() {
				return sqlerr.NewError(3862, "Clone Donor Error: 3871 : Clone cannot use loop back connection while cloning into current data directory..")
			}
			return nil
		}
	}
	s.log.Info("a clone begins", "connection", x.w.id, "user", x.w.user, "source", source, "destination", dir)
	made, err := x.makeClone(ctx, n, o)
	s.clones.End(made, err)
	if err != nil {
		s.log.Warn("a clone failed", "source", source, "destination", dir, "err", err)
		return err
	}
	s.log.Info("a clone is complete", "source", source, "destination", dir, "bytes", made.Bytes)
	if !own {
		return x.ok(ctx, 0)
	}
	if err := s.clones.Keep(s.dir); err != nil {
		s.log.Warn("what performance_schema tells of the clone is not kept", "err", err)
	}
	if err := x.ok(ctx, 0); err != nil {
		s.log.Warn("the client that asked for a clone is gone", "err", err)
	}
	s.again.Store(true)
	s.requestShutdown()
	return nil
}

// makeClone makes the directory.
func (x *execution) makeClone(ctx *sql.Context, n *ast.Clone, o backup.CloneOptions) (*backup.Cloned, error) {
	if n.From == nil {
		l, err := backup.OpenLocal(x.h.s.backend.Engine(), version.ServerVersion())
		if err != nil {
			return nil, err
		}
		return backup.CloneLocal(ctx, l, o)
	}
	db, err := clones.DialDonor(ctx, n)
	if err != nil {
		return nil, err
	}
	defer db.Close()
	made, err := backup.Clone(ctx, db, o)
	if refused := (*driversql.MySQLError)(nil); errors.As(err, &refused) {
		if refused.Number == 1064 {
			return nil, sqlerr.NewError(3862, "Clone Donor Error: %s:%s is not an Ember server; load a dump of it, or replicate from it", n.From.Host.Name, n.Port)
		}
		return nil, sqlerr.NewError(3862, "Clone Donor Error: %d : %s.", refused.Number, refused.Message)
	}
	return made, err
}

// fillClones: the tables of performance_schema.
func (s *Server) fillClones(d *virtual.Database) {
	d.Fill("clone_status", "ID, PID, STATE, BEGIN_TIME, END_TIME, SOURCE, DESTINATION, ERROR_NO, ERROR_MESSAGE, BINLOG_FILE, BINLOG_POSITION, GTID_EXECUTED",
		func(*sql.Context) ([]sql.Row, error) {
			s.clones.Mu.Lock()
			defer s.clones.Mu.Unlock()
			l := s.clones.Last
			if l == nil {
				return nil, nil
			}
			return []sql.Row{{int32(1), int32(l.PID), l.State, clones.At(l.Begin), clones.At(l.End), l.Source, l.Destination, int32(l.Code), l.Text, l.File, l.Position, l.Executed}}, nil
		})
	d.Fill("clone_progress", "ID, STAGE, STATE, BEGIN_TIME, END_TIME, THREADS, ESTIMATE, DATA, NETWORK, DATA_SPEED, NETWORK_SPEED",
		func(*sql.Context) (out []sql.Row, _ error) {
			s.clones.Mu.Lock()
			defer s.clones.Mu.Unlock()
			l := s.clones.Last
			if l == nil {
				return nil, nil
			}
			for i, g := range l.Stages {
				threads, network := int32(0), int64(0)
				if g.State != clones.CloneWaits {
					threads = 1
				}
				if l.Source != clones.LocalInstance {
					network = g.Done
				}
				out = append(out, sql.Row{int32(1), clones.CloneStages[i], g.State, clones.At(g.Begin), clones.At(g.End), threads, g.Total, g.Done, network, int32(0), int32(0)})
			}
			return out, nil
		})
}
