package main

import (
	"encoding/json"
	"fmt"
	"time"

	"github.com/spf13/cobra"

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
	cmd.AddCommand(newTPCC(), newOLTP(), newCompare(), newRestart(), newRecovery(), newRollback(), newBinlogStart(), newBinlogSync())
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
	var protocol string
	var seconds, warmup, interval float64
	cmd := &cobra.Command{
		Use:   "run",
		Short: "Run the five transactions for a time",
		Long: `Run the five transactions for a time. One thread is one connection. Deadlocks and lock wait timeouts are
retried; when the server goes away the threads reconnect until the time is over, so that a restart can be measured.
Exit code 1 when a transaction failed for any other reason.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			var err error
			if o.Prepared, err = isPrepared(protocol); err != nil {
				return err
			}
			o.Duration, o.Warmup, o.ReportInterval = inSeconds(seconds), inSeconds(warmup), inSeconds(interval)
			o.Out, o.Log = cmd.OutOrStdout(), cmd.ErrOrStderr()
			sum, err := tpcc.Run(cmd.Context(), o)
			if err == nil && sum.Errors > 0 {
				return errVerdict
			}
			return err
		},
	}
	f := cmd.Flags()
	o.Target.AddFlags(f, tpccDatabase)
	f.IntVar(&o.Warehouses, "warehouses", 0, "use the first N warehouses only (0 = all)")
	f.IntVar(&o.Threads, "threads", 8, "terminals, one connection each")
	f.Float64Var(&seconds, "seconds", 60, "measured time")
	f.Float64Var(&warmup, "warmup", 0, "seconds to run before measuring")
	f.Float64Var(&interval, "report-interval", 1, "seconds between report lines (0 = summary only)")
	f.StringVar(&protocol, "protocol", "text", "text or prepared")
	f.BoolVar(&o.JSON, "json", false, "print JSON lines")
	f.StringVar(&o.LedgerPath, "ledger", "", "append every acknowledged change to this file; check proves it later")
	f.DurationVar(&o.ConnectWait, "connect-wait", 0, "how long to wait for the server to come up first")
	f.StringArrayVar(&o.Init, "init", nil, "statement for every new connection (repeatable)")
	f.Uint64Var(&o.Seed, "seed", 0, "seed of the random inputs (0 = a new one)")
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

func inSeconds(s float64) time.Duration { return time.Duration(s * float64(time.Second)) }
