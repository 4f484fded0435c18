package main

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"emberdb/bench/oltp"
	"emberdb/bench/trial"
)

// trialFlags are the flags that benches of several servers share.
type trialFlags struct {
	commands trial.Commands
	timeout  time.Duration
	report   trial.Report
}

func (t *trialFlags) add(f *pflag.FlagSet) {
	f.StringArrayVar(&t.commands.DSN, "server", nil, "NAME=DSN of a server, user:password@unix(/path) or @tcp(host:port)/[database] (repeatable)")
	f.StringArrayVar(&t.commands.Start, "start", nil, "NAME=COMMAND of the shell that starts it; it may stay in the foreground or return (repeatable)")
	f.StringArrayVar(&t.commands.Stop, "stop", nil, "NAME=COMMAND that ends it in order; SIGTERM to a start command in the foreground when not given (repeatable)")
	f.StringArrayVar(&t.commands.Kill, "kill", nil, "NAME=COMMAND that kills it; SIGKILL to a start command in the foreground when not given (repeatable)")
	f.DurationVar(&t.timeout, "timeout", 10*time.Minute, "longest wait for a connection or an answer")
	f.StringVar(&t.report.Lines, "out", "", "file to append JSON lines to")
	f.StringVar(&t.report.Chart, "chart", "", "draw the chart to this path, as .png and .svg")
}

// servers gives the report its output and makes the servers.
func (t *trialFlags) servers(cmd *cobra.Command) ([]*trial.Server, error) {
	t.report.Out, t.commands.Log = cmd.OutOrStdout(), cmd.ErrOrStderr()
	return t.commands.Servers(t.timeout)
}

// loaded makes the servers, and says what they hold.
func (t *trialFlags) loaded(cmd *cobra.Command, l *loadFlags) ([]*trial.Server, trial.Load, error) {
	servers, err := t.servers(cmd)
	if err != nil {
		return nil, trial.Load{}, err
	}
	err = l.finish(cmd)
	return servers, l.load, err
}

// loadFlags are the flags that say what the servers hold.
type loadFlags struct {
	load     trial.Load
	protocol string
	quiet    bool
}

func (l *loadFlags) add(f *pflag.FlagSet) {
	f.IntVar(&l.load.Tables, "tables", 1, "oltp: number of tables")
	f.Int64Var(&l.load.TableSize, "table-size", 100000, "oltp: rows of each table")
	f.StringVar(&l.load.Distribution, "distribution", oltp.Special, "oltp: which rows, uniform or special")
	f.IntVar(&l.load.Warehouses, "warehouses", 10, "tpcc: warehouses (about 100 MB each)")
	f.BoolVar(&l.load.Small, "small", false, "tpcc: load 2 % of the rows of each warehouse, for smoke tests")
	f.StringVar(&l.protocol, "protocol", "prepared", "text or prepared")
	f.BoolVar(&l.quiet, "quiet", false, "show no progress of loading")
}

func (l *loadFlags) finish(cmd *cobra.Command) (err error) {
	l.load.Log = cmd.ErrOrStderr()
	if !l.quiet {
		l.load.Progress = cmd.ErrOrStderr()
	}
	l.load.Prepared, err = isPrepared(l.protocol)
	return err
}

const aboutServers = `

Servers are named with --server NAME=DSN. A server with --start NAME=COMMAND is started for its turn and ended after it, with
--stop NAME=COMMAND or by SIGTERM; --kill NAME=COMMAND or SIGKILL is its crash. Data is loaded where it is missing.`

func newCompare() *cobra.Command {
	var o trial.CompareOptions
	var t trialFlags
	var l loadFlags
	var seconds, warmup float64
	cmd := &cobra.Command{
		Use:   "compare",
		Short: "Run workloads on several servers in turn: medians, ratios, a chart",
		Long: `Run workloads on several servers in turn (A B C A B C). The first server is held against the others: the ratio is its median
throughput beside that of the better one of its peers. Servers with other durability or another pool size are refused unless
--unequal is given.` + aboutServers,
		Example: `  ember bench compare --server ember='root@unix(/tmp/ember.sock)/' --server mysql='root@unix(/tmp/mysql.sock)/' \
    --workload point_select,read_write,tpcc --threads 4,16,64 --rounds 3 --seconds 60 --warmup 10 --out compare.jsonl --chart compare`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) (err error) {
			if o.Servers, o.Load, err = t.loaded(cmd, &l); err != nil {
				return err
			}
			o.Report, o.Duration, o.Warmup = t.report, inSeconds(seconds), inSeconds(warmup)
			return trial.Compare(cmd.Context(), o)
		},
	}
	f := cmd.Flags()
	t.add(f)
	l.add(f)
	f.StringSliceVar(&o.Workloads, "workload", []string{"point_select", "read_only", "read_write", "write_only", "update_index", "update_non_index", "insert"},
		"workloads: "+strings.Join(trial.Workloads(), ", "))
	f.IntSliceVar(&o.Threads, "threads", []int{4, 16, 64}, "numbers of threads")
	f.IntVar(&o.Rounds, "rounds", 3, "turns of each server")
	f.Float64Var(&seconds, "seconds", 60, "measured time of each run")
	f.Float64Var(&warmup, "warmup", 10, "seconds to run before measuring")
	f.BoolVar(&o.Unequal, "unequal", false, "measure servers whose settings promise different things")
	return cmd
}

func newRestart() *cobra.Command {
	var o trial.RestartOptions
	var t trialFlags
	var l loadFlags
	var seconds, warmup, most, rate, held float64
	cmd := &cobra.Command{
		Use:   "restart",
		Short: "Restart servers under load: throughput from the start command on",
		Long: `Restart servers under load: load, run until throughput is steady, end the server (clean or kill), start it, and record throughput per
second from the start command on, the time to the first query, and to 50, 90 and 95 % of the steady throughput. The clients are the
same before and after; while the server is down they try to connect. To hold a warm start against a cold one, name the
same server twice with different start commands. --how idle ends the clients first, and measures how long the server takes to load its
pool when nobody disturbs it, and whether its LRU list is in the same order again.

--how attach-clean and attach-kill are the same with the start command of --attach, by which the next process takes the pool's memory
over. --how keep-connections and upgrade run the command of --keep and --upgrade, which keep the clients (ember restart): seconds count
from the command, and the longest pause is told. A server without such a command is restarted as it can be: clean, or kill for attach-kill.
With --seconds of up to 20 the chart shows each tenth of a second, from two seconds before the command on.

With --resume, what stands in the --out file is not measured again: a run of hours can be stopped, and the chart drawn again.` + aboutServers,
		Example: `  ember bench restart --workload tpcc --warehouses 40 --threads 8 --how clean,kill --between 'sync; echo 3 > /proc/sys/vm/drop_caches' \
    --server warm='root@unix(/tmp/s.sock)/' --start warm='emberd --datadir=data --socket=/tmp/s.sock' \
    --server cold='root@unix(/tmp/s.sock)/' --start cold='emberd --datadir=data --socket=/tmp/s.sock --innodb-buffer-pool-load-at-startup=OFF' \
    --out restart.jsonl --chart restart`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) (err error) {
			if o.Servers, o.Load, err = t.loaded(cmd, &l); err != nil {
				return err
			}
			o.Report = t.report
			o.Watch, o.Warmup, o.Most, o.ReadRate = inSeconds(seconds), inSeconds(warmup), inSeconds(most), rate*1e6
			o.Held = inSeconds(held)
			return trial.Restart(cmd.Context(), o)
		},
	}
	f := cmd.Flags()
	t.add(f)
	l.add(f)
	addWorkload(f, &o.Workload, &o.Threads)
	f.IntVar(&o.Rounds, "rounds", 1, "turns of each server")
	f.StringSliceVar(&o.How, "how", []string{trial.Clean}, "how it is restarted: some of "+strings.Join(trial.Hows, ", "))
	f.StringArrayVar(&t.commands.Attach, "attach", nil, "NAME=COMMAND of the shell that starts it with memory that outlives it, for --how attach-clean and attach-kill (repeatable)")
	f.StringArrayVar(&t.commands.Upgrade, "upgrade", nil, "NAME=COMMAND that makes it another program and keeps its clients, for --how upgrade (repeatable)")
	f.StringArrayVar(&t.commands.Keep, "keep", nil, "NAME=COMMAND that restarts it and keeps its clients, for --how keep-connections (repeatable)")
	f.StringVar(&o.Before, "before", "", "shell command to run before the clients begin, such as one that lifts the limits of a volume while the server warms up")
	addBetween(f, &o.Between)
	f.Float64Var(&rate, "read-rate", 0, "MB/s that the volume reads in sequence, to tell loads against")
	f.BoolVar(&o.Resume, "resume", false, "measure only what the --out file does not have")
	f.StringVar(&o.Title, "title", "", "title of the chart")
	f.Float64Var(&warmup, "warmup", 60, "seconds of load before the end, at least")
	f.Float64Var(&most, "most-warmup", 600, "seconds of load before the end, at most, when throughput goes on rising")
	f.Float64Var(&seconds, "seconds", 120, "seconds to watch from the start command on, at most")
	f.Float64Var(&held, "held", 0, "stop watching when 95 % of the steady throughput has been held for so many seconds; 0 watches to the end")
	return cmd
}

func addWorkload(f *pflag.FlagSet, workload *string, threads *int) {
	f.StringVar(workload, "workload", trial.TPCC, "workload of the clients: "+strings.Join(trial.Workloads(), ", "))
	f.IntVar(threads, "threads", 8, "clients, one connection each")
}

func addBetween(f *pflag.FlagSet, between *string) {
	f.StringVar(between, "between", "", "shell command to run between end and start, such as one that empties the page cache")
}

func newRecovery() *cobra.Command {
	var o trial.RecoveryOptions
	var t trialFlags
	var l loadFlags
	var sizes []string
	var seconds, most float64
	cmd := &cobra.Command{
		Use:   "recovery",
		Short: "Kill servers with so much redo to do: time to the first query, to the last page redone",
		Long: `Kill servers under load when so much redo has gathered behind their checkpoint, and measure what the start takes: to the first
query, and until every page is redone, which a server may do while it serves. The log's size is the server's setting; name a server
several times with different start commands to hold log sizes against throughput and recovery time.` + aboutServers,
		Example: `  ember bench recovery --redo 512M,1G --workload tpcc --warehouses 40 --between 'sync; echo 3 > /proc/sys/vm/drop_caches' \
    --server ember='root@unix(/tmp/s.sock)/' --start ember='emberd --datadir=data --socket=/tmp/s.sock --innodb-redo-log-capacity=4G'`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) (err error) {
			if o.Servers, o.Load, err = t.loaded(cmd, &l); err != nil {
				return err
			}
			if o.Redo, err = byteSizes("--redo", sizes); err != nil {
				return err
			}
			o.Report = t.report
			o.Watch, o.Most = inSeconds(seconds), inSeconds(most)
			return trial.Recovery(cmd.Context(), o)
		},
	}
	f := cmd.Flags()
	t.add(f)
	l.add(f)
	addWorkload(f, &o.Workload, &o.Threads)
	f.IntVar(&o.Rounds, "rounds", 1, "turns of each server")
	f.StringSliceVar(&sizes, "redo", []string{"512M"}, "bytes of redo behind the checkpoint at the kill; K, M and G are powers of 1024")
	addBetween(f, &o.Between)
	f.Float64Var(&most, "most", 900, "seconds of load to get there, at most")
	f.Float64Var(&seconds, "seconds", 30, "seconds to watch throughput from the start command on")
	return cmd
}

func newRollback() *cobra.Command {
	var o trial.RollbackOptions
	var t trialFlags
	var l loadFlags
	cmd := &cobra.Command{
		Use:   "rollback",
		Short: "Give up a transaction of many rows: who waits how long",
		Long: `Update every row of a table in one transaction and give it up, by ROLLBACK or by killing the server. Measured are the ROLLBACK, the
start after the kill, the time until other sessions can update the rows, the time until nothing is left to undo, and the
throughput of other sessions meanwhile. Afterwards every row is looked at.` + aboutServers,
		Example: `  ember bench rollback --rows 1000000,10000000 --way rollback,crash \
    --server ember='root@unix(/tmp/s.sock)/' --start ember='emberd --datadir=data --socket=/tmp/s.sock'`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) (err error) {
			if o.Servers, o.Load, err = t.loaded(cmd, &l); err != nil {
				return err
			}
			o.Report = t.report
			return trial.RollBack(cmd.Context(), o)
		},
	}
	f := cmd.Flags()
	t.add(f)
	l.add(f)
	f.Int64SliceVar(&o.Rows, "rows", []int64{1000000}, "rows of the transaction")
	f.StringSliceVar(&o.Ways, "way", []string{trial.Rollback, trial.Crash}, "how it is given up: rollback, crash, or both")
	f.IntVar(&o.Threads, "threads", 4, "other sessions, one row each at a time")
	f.IntVar(&o.Rounds, "rounds", 1, "turns of each server")
	addBetween(f, &o.Between)
	return cmd
}

// byteSizes reads sizes such as 512M.
func byteSizes(flag string, texts []string) (sizes []int64, err error) {
	for _, text := range texts {
		n, err := byteSize(text)
		if err != nil {
			return nil, fmt.Errorf("%s %q: want a number of bytes such as 4096, 64K, 512M or 2G", flag, text)
		}
		sizes = append(sizes, n)
	}
	return sizes, nil
}

func byteSize(text string) (int64, error) {
	digits, shift := text, 0
	if n := len(text); n > 0 {
		if i := strings.IndexByte("KMG", text[n-1]&^0x20); i >= 0 {
			digits, shift = text[:n-1], 10*(i+1)
		}
	}
	n, err := strconv.ParseInt(digits, 10, 32)
	if err == nil && n < 0 {
		err = strconv.ErrRange
	}
	return n << shift, err
}

func newBinlogStart() *cobra.Command {
	var o trial.BinlogStartOptions
	var t trialFlags
	var shapes []string
	cmd := &cobra.Command{
		Use:   "binlog-start",
		Short: "Start servers that have many binary log files",
		Long: `Give servers so many binary log files, end them, and measure the start to its first query. The binary logs the servers have are
removed first. One small file is always measured too. When a start command runs its server under strace, --trace tells how many of the
files the start opened and how many bytes it read from them.` + aboutServers,
		Example: `  ember bench binlog-start --files 80x100M,400x1M,10000x1K --how clean,kill --trace mysql=/tmp/trace \
    --server mysql='root@unix(/tmp/s.sock)/' \
    --start mysql='strace -ff -y -e trace=open,openat,read,readv,pread64 -o /tmp/trace mysqld --datadir=data --socket=/tmp/s.sock'`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) (err error) {
			if o.Servers, err = t.servers(cmd); err != nil {
				return err
			}
			for _, text := range shapes {
				shape, err := trial.ParseShape(text, byteSize)
				if err != nil {
					return err
				}
				o.Shapes = append(o.Shapes, shape)
			}
			o.Report = t.report
			return trial.BinlogStart(cmd.Context(), o)
		},
	}
	f := cmd.Flags()
	t.add(f)
	f.StringSliceVar(&shapes, "files", []string{"400x1M"}, "files and bytes of each; K, M and G are powers of 1024")
	f.StringSliceVar(&o.How, "how", []string{trial.Clean, trial.Kill}, "how the server ends: clean, kill, or both")
	f.StringArrayVar(&o.Trace, "trace", nil, "NAME=PREFIX of the files strace -ff -y -o PREFIX writes for a server (repeatable)")
	f.IntVar(&o.Rounds, "rounds", 1, "turns of each server")
	addBetween(f, &o.Between)
	return cmd
}

func newBinlogSync() *cobra.Command {
	var o trial.BinlogSyncOptions
	var t trialFlags
	var l loadFlags
	var seconds, warmup, slice float64
	cmd := &cobra.Command{
		Use:   "binlog-sync",
		Short: "What the binary log costs, by sync_binlog and number of threads",
		Long: `Run a workload without a binary log (sql_log_bin = 0) and with each value of sync_binlog, which is set while the server runs. They take
turns of a fraction of a second on the same connections, so that a machine that gets slower does so for all of them. The loss is told against the turns
without a binary log, and against those with sync_binlog = 0, of the means, with a 90 % interval.` + aboutServers,
		Example: `  ember bench binlog-sync --threads 4,100,150 --sync 0,1,100 --server mysql='root@unix(/tmp/s.sock)/' --out sync.jsonl --chart sync`,
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) (err error) {
			if o.Servers, o.Load, err = t.loaded(cmd, &l); err != nil {
				return err
			}
			o.Report, o.Duration, o.Warmup, o.Slice = t.report, inSeconds(seconds), inSeconds(warmup), inSeconds(slice)
			return trial.BinlogSync(cmd.Context(), o)
		},
	}
	f := cmd.Flags()
	t.add(f)
	l.add(f)
	f.StringVar(&o.Workload, "workload", "update_non_index", "workload: "+strings.Join(oltp.Workloads(), ", "))
	f.IntSliceVar(&o.Threads, "threads", []int{4, 100, 150}, "numbers of threads")
	f.IntSliceVar(&o.Sync, "sync", []int{0, 1, 100}, "values of sync_binlog")
	f.IntVar(&o.Rounds, "rounds", 3, "turns of each server")
	f.Float64Var(&seconds, "seconds", 30, "measured time of each value of sync_binlog, in each round")
	f.Float64Var(&slice, "slice", 0.25, "length of a turn, in seconds")
	f.Float64Var(&warmup, "warmup", 5, "seconds to run before measuring")
	return cmd
}

func newFollowers() *cobra.Command {
	var o trial.FollowersOptions
	var t trialFlags
	var l loadFlags
	var seconds, warmup float64
	cmd := &cobra.Command{
		Use:   "followers",
		Short: "What replicas cost their source, by their number",
		Long: `Run a workload while so many replicas read the binary log. They count the events and throw them away, so the source is measured and
no applier. Told are the writers' throughput, the server's processor time a transaction (over a unix socket), what all followers get
together, and how long after the last write they had everything.` + aboutServers,
		Example: `  ember bench followers --followers 0,1,10,100 --server ember='root@unix(/tmp/ember.sock)/' --server mysql='root@unix(/tmp/mysql.sock)/'`,
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) (err error) {
			if o.Servers, o.Load, err = t.loaded(cmd, &l); err != nil {
				return err
			}
			o.Report, o.Duration, o.Warmup = t.report, inSeconds(seconds), inSeconds(warmup)
			return trial.Followers(cmd.Context(), o)
		},
	}
	f := cmd.Flags()
	t.add(f)
	l.add(f)
	f.StringVar(&o.Workload, "workload", "write_only", "workload: "+strings.Join(oltp.Workloads(), ", "))
	f.IntVar(&o.Threads, "threads", 8, "clients that write, one connection each")
	f.IntSliceVar(&o.Followers, "followers", []int{0, 1, 10, 100}, "numbers of followers")
	f.IntVar(&o.Rounds, "rounds", 3, "turns of each server")
	f.Float64Var(&seconds, "seconds", 30, "measured time of each number of followers, in each round")
	f.Float64Var(&warmup, "warmup", 5, "seconds to run before measuring")
	return cmd
}
