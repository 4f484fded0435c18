package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"emberdb/backup"
	"emberdb/backup/transfer"
)

// tablesDir is the folder below --scratch that the backup is opened in. Nothing else has that name.
const tablesDir = "ember-restore"

// intoServer restores tables into a running server.
func (r *restore) intoServer(ctx context.Context) (err error) {
	began := time.Now()
	cfg, err := r.tables.client.Config(true)
	if err != nil {
		return err
	}
	to, err := transfer.Open(cfg)
	if err != nil {
		return err
	}
	defer to.Close()
	if err := to.PingContext(ctx); err != nil {
		return fmt.Errorf("server at %s: %w", cfg.Addr, err)
	}
	clear, err := r.scratch()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, clear()) }()
	made, source, err := r.openBackup(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, source.Stop()) }()
	from, err := transfer.Open(source.Config)
	if err != nil {
		return err
	}
	defer from.Close()
	p := newProgress(r.errs, r.quiet, "restore", "rows")
	done, err := transfer.Run(ctx, from, to, transfer.Options{Patterns: r.tables.patterns, Into: r.tables.into, Missing: r.tables.missing, Parallel: r.o.Parallel, Progress: p.set})
	p.finish()
	if err != nil {
		return err
	}
	return r.tellTables(made, done, time.Since(began).Seconds())
}

// scratch makes place for the backup, and tells how it is removed.
func (r *restore) scratch() (clear func() error, err error) {
	if r.tables.scratch == "" {
		r.o.Dir, err = os.MkdirTemp("", tablesDir+"-")
		return func() error { return os.RemoveAll(r.o.Dir) }, err
	}
	r.o.Dir = filepath.Join(r.tables.scratch, tablesDir)
	return func() error { return clearScratch(r.o.Dir) }, clearScratch(r.o.Dir)
}

// onDemand is a rate at which practically nothing comes in the background: pages are fetched when
// a statement reads them.
const onDemand = 1

// openBackup starts a server on the backup, brought to the goal if there is one.
func (r *restore) openBackup(ctx context.Context) (*backup.Restored, *backup.Private, error) {
	command, err := r.serverCommand()
	if err != nil {
		return nil, nil, err
	}
	r.o.Serve = true
	if r.o.Rate == 0 {
		r.o.Rate = onDemand
	}
	made, err := r.directory(ctx)
	if err != nil {
		return nil, nil, err
	}
	if r.o.Goal != nil {
		state, err := r.apply(ctx, made.Set)
		if err != nil {
			return nil, nil, err
		}
		if state.Short {
			fmt.Fprintf(r.errs, "warning: the binary logs end before %s\n", r.to.time)
		}
	}
	source, err := backup.StartPrivate(ctx, r.o.Dir, made.Set, command, r.server...)
	return made, source, err
}

// tellTables prints what was restored.
func (r *restore) tellTables(made *backup.Restored, done *transfer.Result, seconds float64) error {
	if r.asJSON {
		return writeJSON(r.out, map[string]any{"backup": summaryOf(made.Set), "tables": done.Tables, "programs": done.Programs, "skipped": done.Skipped,
			"rows": done.Rows, "seconds": seconds})
	}
	text := fmt.Sprintf("backup %s: %d tables, %d rows", made.Set.ID, len(done.Tables), done.Rows)
	if n := len(done.Programs); n > 0 {
		text += fmt.Sprintf(", %d views, routines and events", n)
	}
	if len(done.Skipped) > 0 {
		text += "; left out: " + strings.Join(done.Skipped, ", ")
	}
	_, err := fmt.Fprintf(r.out, "%s; %.1f s\n", text, seconds)
	return err
}
