package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"emberdb/backup"
	"emberdb/engine"
	"emberdb/engine/warm"
	"emberdb/inspect"
	"emberdb/internal/base"
	"emberdb/internal/vfs"
	_ "emberdb/sqllayer" // the weights of the collations, without which no index of text can be checked
)

func init() {
	verbs = append(verbs, newCheck)
}

// checkOptions are the flags of ember check.
type checkOptions struct {
	client
	poolMiB     int
	json, quiet bool
}

// checkResult is the verdict.
type checkResult struct {
	Target  string       `json:"target"`
	Clean   bool         `json:"clean"`
	Tables  int          `json:"tables"`
	Rows    int64        `json:"rows,omitempty"`
	Pages   int64        `json:"pages,omitempty"`
	Seconds float64      `json:"seconds"`
	Faults  []checkFault `json:"faults"`
	Notes   []string     `json:"notes,omitempty"`
}

// checkFault is something wrong, and where as far as it is known.
type checkFault struct {
	Table  string `json:"table,omitempty"`
	File   string `json:"file,omitempty"`
	Page   string `json:"page,omitempty"`
	Offset int64  `json:"offset"`
	Detail string `json:"detail"`
}

func (f checkFault) String() string {
	s := f.Detail
	if f.File != "" {
		s = fmt.Sprintf("file %s, page %s, offset %d: %s", f.File, f.Page, f.Offset, s)
	}
	if f.Table != "" {
		s = f.Table + ": " + s
	}
	return s
}

func newCheck() *cobra.Command {
	var o checkOptions
	cmd := &cobra.Command{
		Use:   "check [DATADIR]",
		Short: "Verify every page, tree, index and map of a data directory or a running server",
		Long: `Verify a data directory, or the tables of a running server: checksum and identity of every page, order and shape of
every tree, secondary indexes against rows both ways, long values, undo, the maps of used pages, files against definitions.

With DATADIR no server may be running on it. The directory is opened like a server opens it, so what a crash left is recovered first.
Without DATADIR the server at --host and --port, or --socket, checks its tables (CHECK TABLE), one after the other; --database checks those of one database.

Exit code 1 when something is wrong; each fault names table, file, page and offset.`,
		Example: `  ember check /var/lib/ember
  ember check --port 3306 --user root --json`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			start := time.Now()
			var r checkResult
			var err error
			p := newProgress(cmd.ErrOrStderr(), o.quiet, "check", "pages")
			if len(args) == 1 {
				r, err = o.offline(cmd.Context(), args[0], p, cmd.ErrOrStderr())
			} else {
				p.unit = "KiB"
				r, err = o.online(cmd.Context(), p)
			}
			p.finish()
			if err != nil {
				return err
			}
			r.Seconds = time.Since(start).Seconds()
			r.Clean = len(r.Faults) == 0
			if err := r.print(cmd.OutOrStdout(), o.json); err != nil {
				return err
			}
			if !r.Clean {
				return errVerdict
			}
			return nil
		},
	}
	f := cmd.Flags()
	o.client.addFlags(f)
	f.IntVar(&o.poolMiB, "pool-mib", 128, "buffer pool for the check of a directory, MiB")
	f.BoolVar(&o.json, "json", false, "print the result as a JSON line")
	f.BoolVar(&o.quiet, "quiet", false, "show no progress")
	return cmd
}

func (r *checkResult) print(w io.Writer, asJSON bool) error {
	if asJSON {
		if r.Faults == nil {
			r.Faults = []checkFault{}
		}
		return writeJSON(w, r)
	}
	for _, n := range r.Notes {
		fmt.Fprintln(w, n)
	}
	for _, f := range r.Faults {
		fmt.Fprintf(w, "fault: %s\n", f)
	}
	verdict := "clean"
	switch n := len(r.Faults); {
	case n == 1:
		verdict = "1 fault"
	case n > 1:
		verdict = fmt.Sprintf("%d faults", n)
	}
	amount := fmt.Sprintf("%d tables", r.Tables)
	if r.Pages > 0 { // a server does not tell
		amount += fmt.Sprintf(", %d rows, %d pages", r.Rows, r.Pages)
	}
	_, err := fmt.Fprintf(w, "%s: %s in %.1f s: %s\n", r.Target, amount, r.Seconds, verdict)
	return err
}

// offline opens the directory and checks it.
func (o *checkOptions) offline(ctx context.Context, dir string, p *progress, stderr io.Writer) (r checkResult, err error) {
	r.Target = dir
	logger := slog.New(slog.NewTextHandler(stderr, &slog.HandlerOptions{Level: slog.LevelWarn}))
	fsys, _, err := backup.Serve(ctx, vfs.NewOS(logger), dir, false, logger) // pages that are still in a backup are fetched
	if err != nil {
		return r, err
	}
	if _, err := engine.Identity(fsys, dir); err != nil {
		return r, err
	}
	e, err := engine.Open(engine.Options{FS: fsys, DataDir: dir, Logger: logger, PoolBytes: int64(max(o.poolMiB, 8)) << 20,
		RedoCapacity: redoSize(fsys, dir), FlushLogAtCommit: 1, Doublewrite: true,
		Warm: warm.Options{NoDumpAtShutdown: true, NoLoadAtStart: true}}) // the list describes a server's pool, not this one
	if errors.Is(err, base.ErrCorrupt) {
		return o.unopened(ctx, dir, fsys, err, p)
	}
	if errors.Is(err, base.ErrInUse) {
		return r, fmt.Errorf("%w; to check the running server, give --port or --socket instead of the directory", err)
	}
	if err != nil {
		return r, err
	}
	rep, err := e.Check(ctx, func(c engine.CheckProgress) { p.set(c.Done, c.Total, c.Name) })
	if closeErr := e.Close(false); err == nil {
		err = closeErr
	}
	r.Tables, r.Rows, r.Pages = rep.Tables, rep.Rows, rep.Pages
	for _, fault := range rep.Faults {
		var f *engine.Fault
		if errors.As(fault, &f) {
			r.Faults = append(r.Faults, checkFault{f.Table, f.File, f.Page.String(), f.Offset, f.Detail})
		}
	}
	return r, err
}

// unopened says what can be said of a directory that the engine refuses to open: why, and which
// pages are damaged.
func (o *checkOptions) unopened(ctx context.Context, dir string, fsys vfs.FS, cause error, p *progress) (checkResult, error) {
	r := checkResult{Target: dir, Faults: []checkFault{{Detail: cause.Error()}},
		Notes: []string{"the directory cannot be opened; its pages are read one by one, nothing is changed"}}
	d, err := inspect.Open(fsys, dir)
	if err != nil {
		return r, err
	}
	defer d.Close()
	err = d.Verify(ctx, func(f inspect.Problem) {
		r.Faults = append(r.Faults, checkFault{File: f.File, Page: f.Page, Offset: f.Offset, Detail: f.Detail})
	}, p.set)
	return r, err
}

// redoSize is the capacity the log has: what the segments take. So a check changes nothing about
// it.
func redoSize(fsys vfs.FS, dir string) (bytes int64) {
	names, err := fsys.List(filepath.Join(dir, "redo"))
	if err != nil {
		return 0
	}
	for _, n := range names {
		if info, err := fsys.Stat(filepath.Join(dir, "redo", n)); err == nil && filepath.Ext(n) == ".redo" {
			bytes += info.Size
		}
	}
	return bytes
}
