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

	"emberdb/bench"
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
	State   string  `json:"state,omitempty"` // "warm", or how far and how long still
	Rate    int64   `json:"bytes_per_s"`     // of the load
	ETA     float64 `json:"eta_s"`
	List    struct {
		Pages int64   `json:"pages"`
		Bytes int64   `json:"bytes"`
		Age   float64 `json:"age_s"` // -1: there is none, or it was not looked at
		Took  float64 `json:"dump_ms"`
	} `json:"list"`
	Damage string `json:"damage,omitempty"`
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
	number := func(name string) float64 {
		f, _ := strconv.ParseFloat(v[name], 64)
		return f
	}
	s.Percent, s.ETA, s.Rate = number("innodb_buffer_pool_load_percent"), number("ember_warm_load_eta"), int64(number("ember_warm_load_rate"))
	s.State, s.Damage = v["ember_warm_state"], v["ember_warm_list_damage"]
	s.List.Pages, s.List.Bytes = int64(number("ember_warm_list_pages")), int64(number("ember_warm_list_bytes"))
	s.List.Age, s.List.Took = number("ember_warm_list_age"), number("ember_warm_dump_ms")
	return s
}

func readWarm(ctx context.Context, db *sql.DB) (warmStatus, error) {
	v, err := bench.Pairs(ctx, db, "SHOW GLOBAL STATUS WHERE Variable_name LIKE 'Innodb_buffer_pool%' OR Variable_name LIKE 'Ember_warm%'")
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
		warmVerb("abort", "Stop a running load", "SET GLOBAL innodb_buffer_pool_load_abort = ON", false),
		newWarmShow(), newWarmDiff(), newWarmExport(), newWarmImport())
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
			return c.with(cmd.Context(), func(db *sql.DB) error {
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
				return s.print(cmd.OutOrStdout())
			})
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

// loaded tells what became of the list that the server was to load at its start.
func (s *warmStatus) loaded() string {
	if strings.HasPrefix(s.Load, "Cannot open ") && strings.HasSuffix(s.Load, ": No such file or directory") {
		return "nothing was to be loaded at the start: no list had been written yet"
	}
	return s.Load
}

// print writes the state for people.
func (s *warmStatus) print(w io.Writer) error {
	load := s.loaded()
	if s.Loading && s.Total > 0 {
		load += fmt.Sprintf(", %s, %s/s", s.State, size(s.Rate))
	}
	_, err := fmt.Fprintf(w, "load: %s\ndump: %s\n", load, s.Dump)
	if s.List.Pages > 0 {
		_, err = fmt.Fprintf(w, "list: %d pages, %s, written %s ago\n", s.List.Pages, size(s.List.Bytes), time.Duration(s.List.Age)*time.Second)
	}
	if s.Damage != "" {
		_, err = fmt.Fprintf(w, "refused: %s\n", s.Damage)
	}
	return err
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
			p.set(s.Done, s.Total, s.State)
		}
		select {
		case <-ctx.Done():
			return s, errors.Join(ctx.Err(), errors.New("the server goes on with it"))
		case <-tick.C:
		}
	}
}
