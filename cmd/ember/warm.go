package main

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
)

func init() {
	verbs = append(verbs, newWarm)
}

// warmStatus is the warm state of a server.
type warmStatus struct {
	Dump    string  `json:"dump_status"`
	Load    string  `json:"load_status"`
	Dumping bool    `json:"dumping"`
	Loading bool    `json:"loading"`
	Done    int64   `json:"pages_done"`
	Total   int64   `json:"pages_total"`
	Percent float64 `json:"percent"`
}

// loadCounts is how a running load tells how far it is.
var loadCounts = regexp.MustCompile(`^Loaded (\d+)/(\d+) pages`)

func warmOf(v serverNumbers) warmStatus {
	s := warmStatus{Dump: v["innodb_buffer_pool_dump_status"], Load: v["innodb_buffer_pool_load_status"]}
	if m := loadCounts.FindStringSubmatch(s.Load); m != nil {
		s.Done, _ = strconv.ParseInt(m[1], 10, 64)
		s.Total, _ = strconv.ParseInt(m[2], 10, 64)
		s.Loading = true
	}
	s.Dumping = strings.HasPrefix(s.Dump, "Dumping buffer pool(s) to")
	s.Loading = s.Loading || strings.HasPrefix(s.Load, "Loading buffer pool(s) from")
	s.Percent, _ = strconv.ParseFloat(v["innodb_buffer_pool_load_percent"], 64)
	return s
}

func readWarm(ctx context.Context, db *sql.DB) (warmStatus, error) {
	v, err := pairs(ctx, db, "SHOW GLOBAL STATUS LIKE 'Innodb_buffer_pool%'")
	return warmOf(v), err
}

func newWarm() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "warm",
		Short: "Dump and load the list of pages that a restart brings back",
		Long: `Dump and load the LRU list of a running server: the pages that a restart brings back. The server writes the list from time to time and at
shutdown, and loads it at start; these verbs do it now.`,
	}
	cmd.AddCommand(
		warmVerb("status", "Show the last dump and how far a load is", "", false),
		warmVerb("dump", "Write the list now, and wait until it is written", "SET GLOBAL innodb_buffer_pool_dump_now = ON", true),
		warmVerb("load", "Load the list now, and wait until it is loaded", "SET GLOBAL innodb_buffer_pool_load_now = ON", true),
		warmVerb("abort", "Stop a running load", "SET GLOBAL innodb_buffer_pool_load_abort = ON", false))
	return cmd
}

// warmVerb makes a command that runs a statement and shows the warm state then.
func warmVerb(name, short, statement string, wait bool) *cobra.Command {
	var c client
	var asJSON, noWait, watch, quiet bool
	cmd := &cobra.Command{
		Use:   name,
		Short: short,
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			db, err := c.connect(cmd.Context())
			if err != nil {
				return err
			}
			defer db.Close()
			if statement != "" {
				if _, err := db.ExecContext(cmd.Context(), statement); err != nil {
					return err
				}
			}
			s, err := readWarm(cmd.Context(), db)
			if err == nil && (wait && !noWait || watch) {
				s, err = waitWarm(cmd.Context(), db, cmd.ErrOrStderr(), quiet)
			}
			if err != nil {
				return err
			}
			if asJSON {
				return writeJSON(cmd.OutOrStdout(), s)
			}
			_, err = fmt.Fprintf(cmd.OutOrStdout(), "load: %s\ndump: %s\n", s.Load, s.Dump)
			return err
		},
	}
	f := cmd.Flags()
	c.addFlags(f)
	f.BoolVar(&asJSON, "json", false, "print JSON")
	if statement == "" {
		f.BoolVar(&watch, "watch", false, "follow a running load to its end")
	}
	if wait {
		f.BoolVar(&noWait, "no-wait", false, "do not wait for the end")
	}
	if wait || statement == "" {
		f.BoolVar(&quiet, "quiet", false, "show no progress")
	}
	return cmd
}

// waitWarm follows a running load or dump to its end.
func waitWarm(ctx context.Context, db *sql.DB, out io.Writer, quiet bool) (warmStatus, error) {
	p := newProgress(out, quiet, "load", "pages")
	defer p.finish()
	tick := time.NewTicker(100 * time.Millisecond)
	defer tick.Stop()
	for {
		s, err := readWarm(ctx, db)
		if err != nil || !s.Loading && !s.Dumping {
			return s, err
		}
		if s.Loading {
			p.set(s.Done, s.Total, fmt.Sprintf("%.0f %%", s.Percent))
		}
		select {
		case <-ctx.Done():
			return s, errors.Join(ctx.Err(), errors.New("the server goes on with it"))
		case <-tick.C:
		}
	}
}
