package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"emberdb/backup"
	"emberdb/internal/vfs"
	"emberdb/server/certs"
)

func init() {
	verbs = append(verbs, newRestore)
}

// restore is one run of the verb.
type restore struct {
	o      backup.RestoreOptions
	from   string
	logs   string
	rate   string
	latest bool
	to     struct{ time, gtids, before, position string }
	asJSON bool
	quiet  bool
	server []string // options of the server

	tables struct { // that are restored into a running server
		patterns []string
		into     string
		missing  bool
		scratch  string
		client   client
	}

	binlogs []*backup.LogFile // that lead to the goal

	out, errs io.Writer
}

func newRestore() *cobra.Command {
	r := &restore{}
	cmd := &cobra.Command{
		Use:   "restore --from PLACE --datadir DIR [--serve] [-- OPTION...]",
		Short: "Make a data directory of a backup, as it was then or at a later moment",
		Long: `Make a data directory of a backup. There is nothing to prepare: a server opens the directory by its usual recovery. The directory must be empty, or that of a
restore of the same backup that was interrupted, which is gone on with. The directory gets a server uuid of its own.

With a goal (--to-time, --to-gtid, --before-gtid, --to-position, --to-latest) the binary logs that follow the backup are applied up to there. They are those
that "ember backup log" keeps in PLACE, or those of --logs: another such place, or a folder of binary log files. Unless --backup names one, the newest backup that does not end behind the goal is taken.

With --serve a server is started on the directory at once, with the options behind --. It reads the pages that are asked for from the backup, the others in
the background, hottest first, and needs the backup until all are there; it may be stopped, or be killed, and started meanwhile like any other.

With --tables, tables with their indexes, triggers and foreign keys are restored into a server that runs, as they were in the backup or at the goal. They appear
all at once or not at all. Nothing that is there is replaced. The backup is opened below --scratch by a server of its own, which fetches the pages it needs.`,
		Example: `  ember restore --from=/backup --datadir=/var/lib/ember
  ember restore --from=/backup --datadir=/var/lib/ember --serve -- --port=3306
  ember restore --from=/backup --datadir=/var/lib/ember --to-time='2026-01-31 11:59:00'
  ember restore --from=/backup --tables=shop.orders,crm.* --socket=/run/ember/ember.sock --to-time='2026-01-31 11:59:00'
  ember restore --from=/backup --datadir=/var/lib/ember --logs=/mnt/old/binlog --before-gtid=3e11fa47-71ca-11e1-9e33-c80aa9429562:2417`,
		RunE: func(cmd *cobra.Command, args []string) error {
			r.out, r.errs, r.server = cmd.OutOrStdout(), cmd.ErrOrStderr(), args
			return r.run(cmd.Context())
		},
	}
	f := cmd.Flags()
	f.StringVar(&r.from, "from", "", "place of the backups: a directory, a FILE.tar, s3://BUCKET/PREFIX or sftp://USER@HOST/PATH")
	f.StringVar(&r.o.Set, "backup", "", "which backup of the place; the newest one unless one is named")
	f.StringVar(&r.o.Dir, "datadir", "", "data directory to be made")
	f.StringVar(&r.o.Identity, "identity", "", "file of age identities for an encrypted backup; else of "+backup.IdentityEnv)
	f.IntVar(&r.o.Parallel, "parallel", 4, "pieces of the backup that are read at a time")
	f.StringVar(&r.rate, "rate-limit", "0", "most bytes a second that are read from the backup in the background, as 200M; 0: no limit")
	f.BoolVar(&r.o.Serve, "serve", false, "start a server on the directory at once; its pages come from the backup")
	f.StringVar(&r.logs, "logs", "", "place of the binary logs that follow the backup; unless given, that of the backups")
	f.StringVar(&r.to.time, "to-time", "", "apply what was committed before this time")
	f.StringVar(&r.to.gtids, "to-gtid", "", "apply until these transactions are there")
	f.StringVar(&r.to.before, "before-gtid", "", "apply up to, and without, this transaction")
	f.StringVar(&r.to.position, "to-position", "", "apply up to this place, FILE:POSITION")
	f.BoolVar(&r.latest, "to-latest", false, "apply all there is")
	f.StringSliceVar(&r.tables.patterns, "tables", nil, "restore these tables into a running server: SCHEMA.TABLE or SCHEMA.*, which takes routines and events, too")
	f.StringVar(&r.tables.into, "into", "", "with --tables: schema that they get into; that of their own unless given")
	f.BoolVar(&r.tables.missing, "missing", false, "with --tables: leave out what the server has")
	f.StringVar(&r.tables.scratch, "scratch", "", "with --tables: directory below which the backup is opened; that for temporary files unless given")
	r.tables.client.addFlags(f)
	f.BoolVar(&r.asJSON, "json", false, "print JSON")
	f.BoolVar(&r.quiet, "quiet", false, "show no progress")
	return cmd
}

func (r *restore) run(ctx context.Context) error {
	into := len(r.tables.patterns) > 0
	switch {
	case r.from == "" || r.o.Dir == "" && !into:
		return errors.New("say what to restore and where: --from=PLACE --datadir=DIR, or --from=PLACE --tables=SCHEMA.TABLE")
	case into && (r.o.Dir != "" || r.o.Serve):
		return errors.New("--tables restores into a running server: --datadir and --serve do not go with it")
	case !into && (r.tables.into != "" || r.tables.missing || r.tables.scratch != ""):
		return errors.New("--into, --missing and --scratch go with --tables")
	}
	goal, given, err := backup.ParseGoal(r.to.time, r.to.gtids, r.to.before, r.to.position)
	if err != nil {
		return err
	}
	given = given || r.latest
	if given {
		r.o.Goal = &goal
	}
	if len(r.server) > 0 && !r.o.Serve && !given && !into {
		return fmt.Errorf("unknown argument %q; options of the server stand behind --serve --", r.server[0])
	}
	if r.o.Rate, err = byteSize(r.rate); err != nil {
		return fmt.Errorf("--rate-limit: %w", err)
	}
	if into {
		return r.intoServer(ctx)
	}
	began := time.Now()
	made, err := r.directory(ctx)
	if err != nil {
		return err
	}
	facts := map[string]any{"backup": summaryOf(made.Set), "datadir": r.o.Dir, "server_uuid": made.UUID, "resumed": made.Resumed, "complete": made.Complete}
	text := fmt.Sprintf("backup %s restored to %s", made.Set.ID, r.o.Dir)
	if given {
		state, err := r.apply(ctx, made.Set)
		if err != nil {
			return err
		}
		if state.Short {
			fmt.Fprintf(r.errs, "warning: the binary logs end before %s: what the server committed behind their end is missing\n", r.to.time)
		}
		facts["transactions"], facts["logs_end_before_goal"] = state.Transactions, state.Short
		text += fmt.Sprintf(", %d transactions applied", state.Transactions)
		if state.Transactions > 0 {
			facts["binlog_file"], facts["binlog_position"], facts["committed"] = state.File, state.Pos, state.At.Format(time.RFC3339Nano)
			text += fmt.Sprintf(" up to %s:%d of %s", state.File, state.Pos, state.At.Format(time.DateTime))
		}
	}
	facts["seconds"] = time.Since(began).Seconds()
	if r.asJSON {
		err = writeJSON(r.out, facts)
	} else {
		_, err = fmt.Fprintf(r.out, "%s in %.1f s\n", text, time.Since(began).Seconds())
	}
	if err != nil || !r.o.Serve {
		return err
	}
	return startServer(r.o.Dir, r.server)
}

// directory makes the data directory, unless only logs are left to be applied. The logs are looked
// for before anything is made.
func (r *restore) directory(ctx context.Context) (made *backup.Restored, err error) {
	set, err := backup.Applying(vfs.NewOS(nil), r.o.Dir)
	if err != nil {
		return nil, err
	}
	if r.o.Goal != nil {
		r.o.Chosen = func(m *backup.Manifest) error {
			if r.binlogs, err = r.openLogs(ctx, m); err != nil {
				return err
			}
			return r.o.Goal.Reachable(ctx, m, r.binlogs)
		}
	} else if set != "" {
		return nil, fmt.Errorf("the binary logs behind backup %s were not all applied to %s: say how far they are to be, as with --to-latest", set, r.o.Dir)
	}
	p := newProgress(r.errs, r.quiet || r.o.Serve, "restore", "chunks")
	defer p.finish()
	r.o.Progress = func(done, total int64) { p.set(done, total, "pages") }
	r.o.Beside = certs.GenerateKeys // else the first start would, while it serves from the backup
	err = withStore(ctx, r.from, func(store backup.Store) error {
		if set != "" {
			m, err := backup.ReadManifest(ctx, store, set)
			if err == nil {
				err = r.o.Chosen(m)
			}
			made = &backup.Restored{Set: m, Resumed: true, Complete: true}
			return err
		}
		made, err = backup.Restore(ctx, store, r.o)
		return err
	})
	return made, err
}

// openLogs lists the binary logs of the server of a backup.
func (r *restore) openLogs(ctx context.Context, set *backup.Manifest) ([]*backup.LogFile, error) {
	identities, err := backup.Identities(r.o.Identity)
	if err != nil {
		return nil, err
	}
	place, server := r.logs, ""
	if place == "" {
		place, server = r.from, set.UUID
	}
	return backup.OpenLogs(ctx, place, server, identities)
}

// apply applies the binary logs that follow the backup.
func (r *restore) apply(ctx context.Context, set *backup.Manifest) (backup.FeedState, error) {
	command, err := r.serverCommand()
	if err != nil {
		return backup.FeedState{}, err
	}
	p := newProgress(r.errs, r.quiet, "apply", "bytes")
	defer p.finish()
	return backup.Apply(ctx, backup.ApplyOptions{Dir: r.o.Dir, Set: set, Logs: r.binlogs, Goal: *r.o.Goal, Options: r.server, Progress: p.set, Command: command})
}

// serverCommand makes processes of the server's program, which end with this one.
func (r *restore) serverCommand() (func(args ...string) *exec.Cmd, error) {
	path, err := findServer()
	return func(args ...string) *exec.Cmd {
		cmd := exec.Command(path, args...)
		if !r.quiet {
			cmd.Stdout, cmd.Stderr = r.errs, r.errs
		}
		cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGTERM}
		return cmd
	}, err
}

// findServer finds the server's program: beside this one, or in the path.
func findServer() (string, error) {
	self, err := os.Executable()
	if err != nil {
		return "", err
	}
	path := filepath.Join(filepath.Dir(self), "emberd")
	if _, err := os.Stat(path); err != nil {
		if path, err = exec.LookPath("emberd"); err != nil {
			return "", fmt.Errorf("the server's program is not found: %w", err)
		}
	}
	return path, nil
}

// startServer becomes the server.
func startServer(dir string, args []string) error {
	path, err := findServer()
	if err != nil {
		return err
	}
	return syscall.Exec(path, append([]string{"emberd", "--datadir=" + dir}, args...), os.Environ())
}
