package main

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"emberdb/backup"
)

func init() {
	verbs = append(verbs, newBackup)
}

// backupSummary is what is told of a backup.
type backupSummary struct {
	ID        string  `json:"id"`
	Kind      string  `json:"kind"`
	Base      string  `json:"base,omitempty"`
	Server    string  `json:"server_uuid"`
	Began     string  `json:"began"`
	Seconds   float64 `json:"seconds"`
	Pages     int64   `json:"pages"`
	Bytes     int64   `json:"bytes"`
	Stored    int64   `json:"stored"`
	Encrypted bool    `json:"encrypted"`
	LSN       uint64  `json:"lsn"`
	File      string  `json:"binlog_file,omitempty"`
	Position  int64   `json:"binlog_position,omitempty"`
	GTID      string  `json:"gtid_executed,omitempty"`
}

func summaryOf(m *backup.Manifest) backupSummary {
	s := backupSummary{ID: m.ID, Kind: m.Kind, Base: m.Base, Server: m.UUID, Began: m.Began.Format(time.RFC3339), Seconds: m.Ended.Sub(m.Began).Seconds(),
		Pages: m.Pages, Bytes: m.Bytes, Stored: m.Stored, Encrypted: m.Encrypted != nil, LSN: uint64(m.Point.LSN)}
	if b := m.Point.Binlog; b != nil {
		s.File, s.Position, s.GTID = b.Name(b.File), b.Offset, b.Executed
	}
	return s
}

func (s *backupSummary) print(w io.Writer) error {
	_, err := fmt.Fprintf(w, "backup %s: %d pages, %s in %.1f s, %s stored, LSN %d\n", s.ID, s.Pages, size(s.Bytes), s.Seconds, size(s.Stored), s.LSN)
	if err == nil && s.File != "" {
		_, err = fmt.Fprintf(w, "binary log %s:%d, GTIDs %q\n", s.File, s.Position, s.GTID)
	}
	return err
}

func newBackup() *cobra.Command {
	var (
		c           client
		o           backup.TakeOptions
		to, rate    string
		compress    string
		recipients  []string
		identity    string
		asJSON      bool
		quiet       bool
		incremental string
	)
	cmd := &cobra.Command{
		Use:   "backup --to PLACE",
		Short: "Back up a running server: pages, the redo log they need, the LRU list, the place in the binary log",
		Long: `Back up a running server, whose clients go on and whose definitions may change. The account needs BACKUP_ADMIN. PLACE is a directory, which may hold many
backups, a file FILE.tar for one backup, or - for the same on standard output, s3://BUCKET/PREFIX or sftp://USER@HOST/PATH.

The backup is one state of the server, that at its end, with its place in the binary log and its GTID set. A backup that was interrupted is gone on with
by the same command. An incremental backup has the pages that changed since an earlier one.`,
		Example: `  ember backup --socket=/run/ember/ember.sock --to=/backup
  ember backup --to=/backup --incremental --rate-limit=200M
  ember backup --to=/backup --recipient=age1...
  ember backup --to=s3://backups/db1
  ember backup --to=- | ssh store 'cat > ember.tar'`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if to == "" {
				return errors.New("say where the backup goes: --to=DIR")
			}
			var err error
			if o.Rate, err = byteSize(rate); err != nil {
				return fmt.Errorf("--rate-limit: %w", err)
			}
			if o.Compress, err = backup.ParseCompression(compress); err != nil {
				return fmt.Errorf("--compress: %w", err)
			}
			if o.Recipients, err = backup.Recipients(recipients); err != nil {
				return err
			}
			if o.Identities, err = backup.Identities(identity); err != nil {
				return err
			}
			if cmd.Flags().Changed("incremental") {
				o.Incremental = true
				if incremental != "newest" {
					o.Base = incremental
				}
			}
			return withStore(cmd.Context(), to, func(store backup.Store) error {
				return c.with(cmd.Context(), func(db *sql.DB) error {
					p := newProgress(cmd.ErrOrStderr(), quiet, "backup", "bytes")
					o.Progress = p.set
					m, err := backup.Take(cmd.Context(), db, store, o)
					p.finish()
					if err != nil {
						return err
					}
					s, out := summaryOf(m), cmd.OutOrStdout()
					if to == "-" {
						out = cmd.ErrOrStderr()
					}
					if asJSON {
						return writeJSON(out, s)
					}
					return s.print(out)
				})
			})
		},
	}
	f := cmd.Flags()
	c.addFlags(f)
	f.StringVar(&to, "to", "", "where the backup goes: a directory, a FILE.tar, - for standard output, s3://BUCKET/PREFIX or sftp://USER@HOST/PATH")
	f.StringVar(&incremental, "incremental", "", "only the pages changed since a backup, the newest one unless one is named")
	f.Lookup("incremental").NoOptDefVal = "newest"
	f.StringVar(&rate, "rate-limit", "0", "most bytes a second that are read from the server, as 200M; 0: no limit")
	f.StringVar(&compress, "compress", "auto", "none, zstd or zstd:LEVEL; auto: fast, or by zstd while the place is slower than that")
	f.IntVar(&o.Parallel, "parallel", backup.DefaultParallel, "connections that copy pages")
	f.StringSliceVar(&recipients, "recipient", nil, "encrypt to this age recipient, or to those of a file; may be repeated")
	f.StringVar(&identity, "identity", "", "file of age identities, to go on with an encrypted backup; else of "+backup.IdentityEnv)
	f.BoolVar(&o.Fresh, "fresh", false, "do not go on with a backup that was interrupted")
	f.BoolVar(&asJSON, "json", false, "print JSON")
	f.BoolVar(&quiet, "quiet", false, "show no progress")
	cmd.AddCommand(newBackupList(), newBackupVerify(), newBackupPrune(), newBackupLog())
	return cmd
}

// withStore calls fn with a store that is closed behind it.
func withStore(ctx context.Context, place string, fn func(backup.Store) error) error {
	store, err := backup.OpenStore(ctx, place)
	if err != nil {
		return err
	}
	return errors.Join(fn(store), store.Close())
}

func newBackupList() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "list PLACE",
		Short: "List the backups of a place",
		Args:  cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return withStore(cmd.Context(), args[0], func(store backup.Store) error {
				complete, incomplete, err := backup.List(cmd.Context(), store)
				if err != nil {
					return err
				}
				all := make([]backupSummary, len(complete))
				for i, m := range complete {
					all[i] = summaryOf(m)
				}
				if asJSON {
					return writeJSON(cmd.OutOrStdout(), map[string]any{"backups": all, "incomplete": append([]string{}, incomplete...)})
				}
				return printBackups(cmd.OutOrStdout(), all, incomplete)
			})
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}

func printBackups(w io.Writer, all []backupSummary, incomplete []string) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "BACKUP\tBASE\tSECONDS\tPAGES\tSTORED\tBINARY LOG\tGTIDS")
	for _, s := range all {
		place := "-"
		if s.File != "" {
			place = fmt.Sprintf("%s:%d", s.File, s.Position)
		}
		fmt.Fprintf(t, "%s\t%s\t%.1f\t%d\t%s\t%s\t%s\n", s.ID, orDash(s.Base), s.Seconds, s.Pages, size(s.Stored), place, orDash(s.GTID))
	}
	for _, id := range incomplete {
		fmt.Fprintf(t, "%s\tinterrupted\t\t\t\t\t\n", id)
	}
	return t.Flush()
}

func orDash(s string) string {
	if s == "" {
		return "-"
	}
	return s
}

func newBackupPrune() *cobra.Command {
	var (
		keep   int
		within time.Duration
		dry    bool
		asJSON bool
	)
	cmd := &cobra.Command{
		Use:   "prune PLACE",
		Short: "Remove old backups of a place, and what was interrupted",
		Long: `Remove the backups of a place that are neither among the newest --keep nor younger than --keep-within. One that another backup stands on stays as long
as that does. The newest backup always stays.`,
		Example: "  ember backup prune /backup --keep=7 --keep-within=336h",
		Args:    cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if keep < 1 {
				return errors.New("--keep is at least 1")
			}
			return withStore(cmd.Context(), args[0], func(store backup.Store) error {
				gone, err := backup.Prune(cmd.Context(), store, backup.Keep(keep, within, time.Now()), dry)
				if asJSON {
					return errors.Join(err, writeJSON(cmd.OutOrStdout(), map[string]any{"removed": append([]string{}, gone...), "dry_run": dry}))
				}
				for _, id := range gone {
					fmt.Fprintln(cmd.OutOrStdout(), id)
				}
				return err
			})
		},
	}
	f := cmd.Flags()
	f.IntVar(&keep, "keep", 7, "how many of the newest stay")
	f.DurationVar(&within, "keep-within", 0, "how old a backup may get, as 336h; 0: only --keep counts")
	f.BoolVar(&dry, "dry-run", false, "only tell what would be removed")
	f.BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}
