package main

import (
	"github.com/spf13/cobra"

	"emberdb/bench/trial"
)

func newBenchBackup() *cobra.Command {
	var o trial.BackupOptions
	var t trialFlags
	var l loadFlags
	var seconds, warmup, most, changed float64
	cmd := &cobra.Command{
		Use:   "backup",
		Short: "Back up servers under load and idle, restore the backups, clone the servers",
		Long: `Back up servers and make servers of their backups. Clients run until throughput is steady. Then the command of --backup is run under
their eyes, then once more without them. Told are the rate, beside that at which the volume of --device copies a file, and the transactions lost
meanwhile. --incremental is run when --changed percent of the data have changed.

A server named NAME/restored is made of the backup: its start command is what an operator runs when the machine is lost. Seconds count from
there to the first query, until all pages are there, and to 90 % of the throughput before. One named NAME/clone is made of the running
server; it is in sync when it has what the source had done by the first query.` + aboutServers,
		Example: `  ember bench backup --warehouses 10 --threads 8 --device /var/tmp --chart backup \
    --server e='root@unix(/tmp/e.sock)/' --start e='exec emberd --datadir=/tmp/e --socket=/tmp/e.sock' --data e=/tmp/e/spaces --kept e=/tmp/backups \
    --backup e='ember backup --socket=/tmp/e.sock --to=/tmp/backups --fresh --quiet' \
    --incremental e='ember backup --socket=/tmp/e.sock --to=/tmp/backups --incremental --quiet' \
    --server e/restored='root@unix(/tmp/r.sock)/' \
    --start e/restored='rm -rf /tmp/r; exec ember restore --from=/tmp/backups --datadir=/tmp/r --serve -- --socket=/tmp/r.sock --port=3307'`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) (err error) {
			if o.Servers, o.Load, err = t.loaded(cmd, &l); err != nil {
				return err
			}
			o.Report, o.Changed = t.report, changed/100
			o.Watch, o.Warmup, o.Most = inSeconds(seconds), inSeconds(warmup), inSeconds(most)
			return trial.Backup(cmd.Context(), o)
		},
	}
	f := cmd.Flags()
	t.add(f)
	l.add(f)
	addWorkload(f, &o.Workload, &o.Threads)
	f.StringArrayVar(&t.commands.Backup, "backup", nil, "NAME=COMMAND that takes a full backup (repeatable)")
	f.StringArrayVar(&t.commands.Incremental, "incremental", nil, "NAME=COMMAND that takes a backup of what has changed since (repeatable)")
	f.StringArrayVar(&t.commands.Data, "data", nil, "NAME=DIR of the files that are backed up, to tell the rate (repeatable)")
	f.StringArrayVar(&t.commands.Kept, "kept", nil, "NAME=DIR of the backups, to tell how much is stored (repeatable)")
	f.StringVar(&o.Device, "device", "", "directory of the volume to measure first, with 1 GiB")
	f.BoolVar(&o.DDL, "ddl", false, "make, alter and drop a table every second while a backup is taken under load")
	f.Float64Var(&changed, "changed", 5, "percent of the data that change before the incremental backup")
	f.StringVar(&o.Between, "between", "", "shell command to run before each backup, restore and clone, such as one that empties the page cache")
	f.IntVar(&o.Rounds, "rounds", 1, "turns of each server")
	f.Float64Var(&warmup, "warmup", 30, "seconds of load before the backup, at least")
	f.Float64Var(&most, "most-warmup", 300, "seconds of load before the backup, at most, when throughput goes on rising")
	f.Float64Var(&seconds, "seconds", 60, "seconds to watch a restored server from its command on")
	return cmd
}
