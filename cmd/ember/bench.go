package main

import (
	"encoding/json"
	"fmt"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"emberdb/bench"
	"emberdb/bench/tpcc"
)

func init() {
	verbs = append(verbs, newBench)
}

func newBench() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "bench",
		Short: "Drive a workload against any MySQL-compatible server",
	}
	cmd.AddCommand(newTPCC(), newOLTP(), newCompare(), newRestart(), newRecovery(), newRollback(), newBinlogStart(), newBinlogSync(), newFollowers(), newBenchBackup())
	return cmd
}

func newTPCC() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "tpcc",
		Short: "The order-entry workload of TPC-C: load, run, check",
		Long: `The order-entry workload of TPC-C over the MySQL protocol: nine tables, five transactions, twelve
consistency conditions. No key and think times; results compare with each other only.`,
		Example: `  ember bench tpcc load  --port 3306 --warehouses 10
  ember bench tpcc run   --port 3306 --threads 8 --seconds 60 --protocol prepared
  ember bench tpcc check --port 3306`,
	}
	cmd.AddCommand(newTPCCLoad(), newTPCCRun(), newTPCCCheck())
	return cmd
}

const tpccDatabase = "tpcc"

func newTPCCLoad() *cobra.Command {
	var o tpcc.LoadOptions
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "load",
		Short: "Create and fill the nine tables",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			o.Progress = cmd.ErrOrStderr()
			res, err := tpcc.Load(cmd.Context(), o)
			if err != nil {
				return err
			}
			if asJSON {
				return json.NewEncoder(cmd.OutOrStdout()).Encode(res)
			}
			_, err = fmt.Fprintf(cmd.OutOrStdout(), "%d warehouses, %d rows loaded in %.1f s (%.0f rows/s)\n",
				res.Warehouses, res.Rows, res.Seconds, res.RowsPerSec)
			return err
		},
	}
	f := cmd.Flags()
	o.Target.AddFlags(f, tpccDatabase)
	f.IntVar(&o.Warehouses, "warehouses", 1, "number of warehouses (about 100 MB each)")
	f.IntVar(&o.Threads, "threads", 4, "parallel loaders")
	f.BoolVar(&o.Force, "force", false, "drop the tables if they exist")
	f.BoolVar(&o.ForeignKeys, "foreign-keys", false, "add the foreign keys after the rows")
	f.BoolVar(&o.Small, "small", false, "load 2 % of the rows of each warehouse, for smoke tests")
	f.BoolVar(&o.Quiet, "quiet", false, "show no progress")
	f.Uint64Var(&o.Seed, "seed", 1, "equal seeds load equal rows")
	f.BoolVar(&asJSON, "json", false, "print the result as a JSON line")
	return cmd
}

func newTPCCRun() *cobra.Command {
	var o tpcc.RunOptions
	var r runFlags
	cmd := &cobra.Command{
		Use:   "run",
		Short: "Run the five transactions for a time",
		Long: `Run the five transactions for a time. One thread is one connection. Deadlocks and lock wait timeouts are
retried; when the server goes away the threads reconnect until the time is over, so that a restart can be measured.
Exit code 1 when a transaction failed for any other reason.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := r.finish(cmd, &o.Run); err != nil {
				return err
			}
			sum, err := tpcc.Run(cmd.Context(), o)
			return ran(sum.Errors, err)
		},
	}
	f := cmd.Flags()
	o.Target.AddFlags(f, tpccDatabase)
	f.IntVar(&o.Warehouses, "warehouses", 0, "use the first N warehouses only (0 = all)")
	r.add(f, &o.Run, "text")
	f.StringVar(&o.LedgerPath, "ledger", "", "append every acknowledged change to this file; check proves it later")
	f.DurationVar(&o.ConnectWait, "connect-wait", 0, "how long to wait for the server to come up first")
	return cmd
}

func newTPCCCheck() *cobra.Command {
	var o tpcc.CheckOptions
	cmd := &cobra.Command{
		Use:   "check",
		Short: "Check the consistency conditions 1-12, and a ledger",
		Long: `Check the consistency conditions 1-12 within one snapshot; with --ledger also that no transaction
acknowledged to a run with that ledger is lost. Exit code 1 when a condition fails.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			o.Out = cmd.OutOrStdout()
			rep, err := tpcc.Check(cmd.Context(), o)
			if err == nil && !rep.Passed {
				return errVerdict
			}
			return err
		},
	}
	f := cmd.Flags()
	o.Target.AddFlags(f, tpccDatabase)
	f.StringVar(&o.LedgerPath, "ledger", "", "ledger written by run")
	f.BoolVar(&o.JSON, "json", false, "print the report as a JSON line")
	return cmd
}

// runFlags are the flags of running a workload.
type runFlags struct {
	seconds, warmup, interval float64
	protocol                  string
}

func (r *runFlags) add(f *pflag.FlagSet, o *bench.Run, protocol string) {
	f.IntVar(&o.Threads, "threads", 8, "threads, one connection each")
	f.Float64Var(&r.seconds, "seconds", 60, "measured time")
	f.Float64Var(&r.warmup, "warmup", 0, "seconds to run before measuring")
	f.Float64Var(&r.interval, "report-interval", 1, "seconds between report lines (0 = summary only)")
	f.StringVar(&r.protocol, "protocol", protocol, "text or prepared")
	f.BoolVar(&o.JSON, "json", false, "print JSON lines")
	f.StringArrayVar(&o.Init, "init", nil, "statement for every new connection (repeatable)")
	f.Uint64Var(&o.Seed, "seed", 0, "seed of the random inputs (0 = a new one)")
}

func (r *runFlags) finish(cmd *cobra.Command, o *bench.Run) (err error) {
	o.Duration, o.Warmup, o.ReportInterval = inSeconds(r.seconds), inSeconds(r.warmup), inSeconds(r.interval)
	o.Out, o.Log = cmd.OutOrStdout(), cmd.ErrOrStderr()
	o.Prepared, err = isPrepared(r.protocol)
	return err
}

// ran is the verdict on a run in which so many transactions failed.
func ran(failed int64, err error) error {
	if err == nil && failed > 0 {
		return errVerdict
	}
	return err
}

func inSeconds(s float64) time.Duration { return time.Duration(s * float64(time.Second)) }
