package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"filippo.io/age"
	"github.com/spf13/cobra"

	"emberdb/backup"
	"emberdb/engine"
	"emberdb/internal/vfs"
)

// verifyBackup is one run of the verb.
type verifyBackup struct {
	set, identity string
	scratch       string // where the backup is restored; "": it is not
	report        string // file of the result
	json, quiet   bool

	errs io.Writer
}

// verifyResult is the verdict.
type verifyResult struct {
	Backup   string   `json:"backup"`
	Clean    bool     `json:"clean"`
	At       string   `json:"at"`
	Seconds  float64  `json:"seconds"`
	Sets     int64    `json:"sets"`
	Pieces   int64    `json:"pieces"`
	Pages    int64    `json:"pages"`
	Restored bool     `json:"restored"`
	Tables   int      `json:"tables,omitempty"` // of the restored directory
	Rows     int64    `json:"rows,omitempty"`
	Faults   []string `json:"faults"`
}

// verifyDir is the folder that a backup is restored to. Nothing else has that name.
const verifyDir = "ember-verify"

func newBackupVerify() *cobra.Command {
	var v verifyBackup
	cmd := &cobra.Command{
		Use:   "verify PLACE",
		Short: "Read a backup and check every piece and every page of it; with --restore, every tree and row",
		Long: `Read a backup, the newest one unless one is named, with those that it stands on, and check every piece, every page's checksum and address, and that nothing is missing.

With --restore, restore it as well, into the folder ` + verifyDir + ` of a directory, recover it, and check its trees, indexes and rows as "ember check" does. The folder is removed
before and afterwards, and stays if something is wrong. Exit code 1 when something is wrong.`,
		Example: `  ember backup verify /backup
  ember backup verify /backup --restore=/var/tmp --report=/var/lib/ember-backup/verified.json --quiet`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			v.errs = cmd.ErrOrStderr()
			var r *verifyResult
			err := withStore(cmd.Context(), args[0], func(store backup.Store) (err error) {
				r, err = v.run(cmd.Context(), store)
				return err
			})
			if err != nil {
				return err
			}
			return v.tell(cmd.OutOrStdout(), r)
		},
	}
	f := cmd.Flags()
	f.StringVar(&v.set, "backup", "", "which backup; the newest one unless one is named")
	f.StringVar(&v.identity, "identity", "", "file of age identities for an encrypted backup; else of "+backup.IdentityEnv)
	f.StringVar(&v.scratch, "restore", "", "restore the backup below this directory, and check trees and rows too")
	f.StringVar(&v.report, "report", "", "write the result to this file too, as JSON")
	f.BoolVar(&v.json, "json", false, "print JSON")
	f.BoolVar(&v.quiet, "quiet", false, "show no progress")
	return cmd
}

func (v *verifyBackup) run(ctx context.Context, store backup.Store) (*verifyResult, error) {
	began := time.Now()
	identities, err := backup.Identities(v.identity)
	if err != nil {
		return nil, err
	}
	set := v.set
	if set == "" {
		if set, err = backup.Newest(ctx, store); err != nil {
			return nil, err
		}
	}
	r := &verifyResult{Backup: set, At: began.UTC().Format(time.RFC3339), Faults: []string{}}
	if err := v.pieces(ctx, store, identities, r); err != nil {
		return nil, err
	}
	if v.scratch != "" && len(r.Faults) == 0 {
		if err := v.restored(ctx, store, r); err != nil {
			return nil, err
		}
	}
	r.Clean, r.Seconds = len(r.Faults) == 0, time.Since(began).Seconds()
	return r, nil
}

// pieces checks what is stored.
func (v *verifyBackup) pieces(ctx context.Context, store backup.Store, identities []age.Identity, r *verifyResult) error {
	chain, err := backup.OpenChain(ctx, store, r.Backup, identities)
	if err != nil {
		return err
	}
	p := newProgress(v.errs, v.quiet, "verify", "pieces")
	defer p.finish()
	found, err := backup.Verify(ctx, chain, func(done, total int64) { p.set(done, total, r.Backup) })
	if err == nil {
		r.Sets, r.Pieces, r.Pages, r.Faults = found.Sets, found.Pieces, found.Pages, append(r.Faults, found.Faults...)
	}
	return err
}

// restored restores the backup and checks the directory.
func (v *verifyBackup) restored(ctx context.Context, store backup.Store, r *verifyResult) error {
	dir := filepath.Join(v.scratch, verifyDir)
	if err := clearScratch(dir); err != nil {
		return err
	}
	p := newProgress(v.errs, v.quiet, "restore", "chunks")
	_, err := backup.Restore(ctx, store, backup.RestoreOptions{Set: r.Backup, Dir: dir, Identity: v.identity, Progress: func(done, total int64) { p.set(done, total, "pages") }})
	p.finish()
	if err != nil {
		return errors.Join(err, clearScratch(dir))
	}
	p = newProgress(v.errs, v.quiet, "check", "pages")
	check := checkOptions{poolMiB: 128}
	found, err := check.offline(ctx, dir, p, v.errs)
	p.finish()
	if err != nil {
		return fmt.Errorf("%s: %w", dir, err)
	}
	r.Restored, r.Tables, r.Rows = true, found.Tables, found.Rows
	for _, f := range found.Faults {
		r.Faults = append(r.Faults, f.String())
	}
	if len(r.Faults) > 0 {
		fmt.Fprintln(v.errs, "what was restored stays in", dir)
		return nil
	}
	return clearScratch(dir)
}

// clearScratch removes what a run has left, unless another one works on it.
func clearScratch(dir string) error {
	if _, err := os.Stat(dir); errors.Is(err, os.ErrNotExist) {
		return nil
	}
	lock, err := engine.LockDir(vfs.NewOS(nil), dir)
	if err != nil {
		return err
	}
	return errors.Join(os.RemoveAll(dir), lock.Close())
}

// tell prints the result and writes the report.
func (v *verifyBackup) tell(w io.Writer, r *verifyResult) error {
	if v.report != "" {
		if err := writeReport(v.report, r); err != nil {
			return err
		}
	}
	if err := v.print(w, r); err != nil {
		return err
	}
	if !r.Clean {
		return errVerdict
	}
	return nil
}

func (v *verifyBackup) print(w io.Writer, r *verifyResult) error {
	if v.json {
		return writeJSON(w, r)
	}
	for _, f := range r.Faults {
		fmt.Fprintln(w, "fault:", f)
	}
	text := fmt.Sprintf("backup %s: %d pages in %d pieces of %d sets", r.Backup, r.Pages, r.Pieces, r.Sets)
	if r.Restored {
		text += fmt.Sprintf(", restored: %d tables, %d rows", r.Tables, r.Rows)
	}
	_, err := fmt.Fprintf(w, "%s, %d faults\n", text, len(r.Faults))
	return err
}

// writeReport replaces the report whole: who reads it sees the old one or the new one.
func writeReport(path string, r *verifyResult) error {
	f, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+".*")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name())
	err = writeJSON(f, r)
	if err == nil {
		err = f.Chmod(0o644)
	}
	if err = errors.Join(err, f.Close()); err != nil {
		return err
	}
	return os.Rename(f.Name(), path)
}
