package main

import (
	"database/sql"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"emberdb/backup"
	"emberdb/engine"
	"emberdb/engine/warm"
	"emberdb/internal/vfs"
	"emberdb/replication"
	"emberdb/server"
	"emberdb/server/certs"
)

func init() {
	verbs = append(verbs, newClone)
}

// cloneReplica is how a clone follows its source.
type cloneReplica struct {
	host, user, password string
	port                 int
	none                 bool
}

func newClone() *cobra.Command {
	var (
		c             client
		o             backup.CloneOptions
		r             cloneReplica
		from, rate    string
		serve         bool
		asJSON, quiet bool
	)
	cmd := &cobra.Command{
		Use:   "clone --from HOST[:PORT] --datadir DIR [--serve [-- OPTION...]]",
		Short: "Make a data directory of a running server: a new replica of it",
		Long: `Make a data directory of a running server, whose clients go on, as a new replica of it: rows, accounts, GTIDs and LRU list are there, replication is set up and begins when a
server is started on the directory. The account needs BACKUP_ADMIN. The replica logs in with the same account, which needs REPLICATION SLAVE then, or with --replica-user.

The directory must be empty, or that of a clone that was interrupted, which begins again. --serve starts the server, with the options behind --.`,
		Example: `  ember clone --from=db1:3306 --user=clone --datadir=/var/lib/ember
  ember clone --from=db1 --user=clone --datadir=/var/lib/ember --serve -- --server-id=2 --gtid-mode=ON --enforce-gtid-consistency=ON`,
		RunE: func(cmd *cobra.Command, args []string) (err error) {
			if from == "" || o.Dir == "" {
				return errors.New("say what to clone and where: --from=HOST:PORT --datadir=DIR")
			}
			if len(args) > 0 && !serve {
				return fmt.Errorf("unknown argument %q; options of the server stand behind --serve --", args[0])
			}
			if o.Rate, err = byteSize(rate); err != nil {
				return fmt.Errorf("--rate-limit: %w", err)
			}
			if c.Host, c.Port, err = hostAndPort(from); err != nil {
				return err
			}
			c.Socket = "" // of the option files: the source is where --from says
			began := time.Now()
			if !r.none {
				o.SetUp = func(made *backup.Cloned) error {
					r.host, r.port = c.Host, c.Port
					if r.user == "" {
						r.user, r.password = c.User, c.Password
					}
					return r.setUp(cmd.ErrOrStderr(), o.Dir, made, serve)
				}
			}
			var made *backup.Cloned
			err = c.with(cmd.Context(), func(db *sql.DB) error {
				p := newProgress(cmd.ErrOrStderr(), quiet, "clone", "bytes")
				defer p.finish()
				o.Progress, o.Beside = p.set, certs.GenerateKeys // else the first start would make the keys
				made, err = backup.Clone(cmd.Context(), db, o)
				return err
			})
			if err != nil {
				return err
			}
			if asJSON {
				err = writeJSON(cmd.OutOrStdout(), map[string]any{"datadir": o.Dir, "server_uuid": made.UUID, "source_uuid": made.Source, "bytes": made.Bytes,
					"lsn": made.Point.LSN, "replica": !r.none && made.Point.Binlog != nil, "seconds": time.Since(began).Seconds()})
			} else {
				_, err = fmt.Fprintf(cmd.OutOrStdout(), "server %s cloned to %s: %s in %.1f s\n", made.Source, o.Dir, size(made.Bytes), time.Since(began).Seconds())
			}
			if err != nil || !serve {
				return err
			}
			return startServer(o.Dir, args)
		},
	}
	f := cmd.Flags()
	c.addFlags(f)
	for _, name := range []string{"dsn", "host", "port", "database"} {
		_ = f.MarkHidden(name) // --from is the one way
	}
	f.StringVar(&from, "from", "", "server to be cloned, HOST or HOST:PORT")
	f.StringVar(&o.Dir, "datadir", "", "data directory to be made")
	f.StringVar(&rate, "rate-limit", "0", "most bytes a second that are read from the server, as 200M; 0: no limit")
	f.IntVar(&o.Parallel, "parallel", backup.DefaultParallel, "connections that copy pages")
	f.StringVar(&r.user, "replica-user", "", "account the replica logs in with; the one of --user if empty")
	f.StringVar(&r.password, "replica-password", "", "its password")
	f.BoolVar(&r.none, "no-replica", false, "do not set up replication")
	f.BoolVar(&serve, "serve", false, "start the server, with the options behind --")
	f.BoolVar(&asJSON, "json", false, "print JSON")
	f.BoolVar(&quiet, "quiet", false, "show no progress")
	return cmd
}

func hostAndPort(text string) (host string, port int, err error) {
	host, digits, err := net.SplitHostPort(text)
	if err != nil {
		return text, 3306, nil
	}
	if port, err = strconv.Atoi(digits); err != nil || port < 1 || port > 65535 {
		return "", 0, fmt.Errorf("--from: %q is no port", digits)
	}
	return host, port, nil
}

// setUp opens the clone and notes whom its server follows. The pages that recovery changes are left
// to the server if it starts at once, and are written here otherwise.
func (r *cloneReplica) setUp(told io.Writer, dir string, made *backup.Cloned, starts bool) error {
	l := made.Point.Binlog
	if l == nil {
		_, err := fmt.Fprintln(told, "the source has no binary log: the clone does not follow it")
		return err
	}
	src := replication.Source{Host: r.host, Port: uint16(r.port), User: r.user, Password: r.password, Auto: l.Executed != "", ConnectRetry: time.Minute, RetryCount: 10,
		Heartbeat: 30 * time.Second}
	if src.Place = (replication.Place{Position: 4}); !src.Auto {
		src.Place = replication.Place{File: l.Name(l.File), Position: uint32(l.Offset)}
	}
	logger := slog.New(slog.DiscardHandler)
	fsys := vfs.NewOS(logger)
	e, err := engine.Open(engine.Options{FS: fsys, DataDir: dir, Logger: logger, RedoCapacity: redoSize(fsys, dir), FlushLogAtCommit: 1, Doublewrite: true,
		Warm: warm.Options{NoDumpAtShutdown: true, NoLoadAtStart: true}}) // the list is that of the source's pool
	if err != nil {
		return err
	}
	return errors.Join(server.FollowSource(e, src), e.Close(starts))
}
