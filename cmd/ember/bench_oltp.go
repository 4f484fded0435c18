package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"emberdb/bench"
	"emberdb/bench/oltp"
)

const oltpDatabase = "sbtest"

func newOLTP() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "oltp",
		Short: "Short statements on narrow tables, as sysbench's oltp scripts: prepare, run, cleanup",
		Long: `Short statements on narrow tables over the MySQL protocol. Tables, statements and mixes are those of sysbench's oltp_*.lua, so
that either tool can run on what the other one prepared.`,
		Example: `  ember bench oltp prepare --port 3306 --tables 4 --table-size 250000
  ember bench oltp run     --port 3306 --tables 4 --table-size 250000 --workload read_write --threads 16 --seconds 60
  ember bench oltp cleanup --port 3306 --tables 4`,
	}
	cmd.AddCommand(newOLTPPrepare(), newOLTPRun(), newOLTPCleanup())
	return cmd
}

// oltpShape defines the flags that say how large the tables are.
func oltpShape(f *pflag.FlagSet, tables *int, size *int64) {
	f.IntVar(tables, "tables", 1, "number of tables")
	f.Int64Var(size, "table-size", 10000, "rows of each table (about 230 bytes each)")
}

func newOLTPPrepare() *cobra.Command {
	var o oltp.PrepareOptions
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "prepare",
		Short: "Create and fill the tables",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			o.Progress = cmd.ErrOrStderr()
			p, err := oltp.Prepare(cmd.Context(), o)
			if err != nil {
				return err
			}
			if asJSON {
				return writeJSON(cmd.OutOrStdout(), p)
			}
			_, err = fmt.Fprintf(cmd.OutOrStdout(), "%d tables, %d rows prepared in %.1f s (%.0f rows/s)\n", p.Tables, p.Rows, p.Seconds, p.RowsPerSec)
			return err
		},
	}
	f := cmd.Flags()
	o.Target.AddFlags(f, oltpDatabase)
	oltpShape(f, &o.Tables, &o.TableSize)
	f.IntVar(&o.Threads, "threads", 4, "parallel loaders")
	f.BoolVar(&o.Force, "force", false, "drop the tables if they exist")
	f.BoolVar(&o.Quiet, "quiet", false, "show no progress")
	f.Uint64Var(&o.Seed, "seed", 1, "equal seeds make equal rows")
	f.BoolVar(&asJSON, "json", false, "print the result as a JSON line")
	return cmd
}

func newOLTPRun() *cobra.Command {
	var o oltp.RunOptions
	var r runFlags
	cmd := &cobra.Command{
		Use:   "run",
		Short: "Run a workload for a time",
		Long: `Run a workload for a time. One thread is one connection. Deadlocks and lock wait timeouts are counted as retries; when the server
goes away the threads connect again until the time is over. Exit code 1 when a transaction failed for any other reason.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := r.finish(cmd, &o.Run); err != nil {
				return err
			}
			sum, err := oltp.Run(cmd.Context(), o)
			return ran(sum.Errors, err)
		},
	}
	f := cmd.Flags()
	o.Target.AddFlags(f, oltpDatabase)
	oltpShape(f, &o.Tables, &o.TableSize)
	f.StringVar(&o.Workload, "workload", "read_write", strings.Join(oltp.Workloads(), ", "))
	f.IntVar(&o.RangeSize, "range-size", 100, "rows of a range")
	f.StringVar(&o.Distribution, "distribution", oltp.Special, "which rows: uniform, or special (sysbench's default: most choices on a hot hundredth)")
	r.add(f, &o.Run, "prepared")
	return cmd
}

func newOLTPCleanup() *cobra.Command {
	var target bench.Target
	var tables int
	cmd := &cobra.Command{
		Use:   "cleanup",
		Short: "Drop the tables",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if tables < 1 {
				return fmt.Errorf("--tables %d: at least 1", tables)
			}
			return oltp.Cleanup(cmd.Context(), target, tables)
		},
	}
	target.AddFlags(cmd.Flags(), oltpDatabase)
	cmd.Flags().IntVar(&tables, "tables", 1, "number of tables")
	return cmd
}

// isPrepared reads a --protocol.
func isPrepared(protocol string) (bool, error) {
	switch protocol {
	case "prepared", "text":
		return protocol == "prepared", nil
	}
	return false, fmt.Errorf("--protocol %q: want text or prepared", protocol)
}
