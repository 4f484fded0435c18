package main

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"html"
	"io"
	"net"
	"os"
	"path/filepath"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"emberdb/engine/recovery"
	"emberdb/internal/handover"
	"emberdb/internal/vfs"
)

func init() {
	verbs = append(verbs, newRestarts)
}

func newRestarts() *cobra.Command {
	var c client
	var dir, program string
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "restart",
		Short: "Restart or upgrade a server whose clients stay connected",
		Long: `Restart a server whose clients stay connected. Another process of the server is started. When it is ready, the running
one waits until each session is between two transactions, and hands over the sockets, the sessions and the buffer pool's
memory (with ember_pool_memory). The next statement of each client is answered by the new process.

--binary starts another program, the server's new version. Without it, the program is started by the name that the running
server was started by, so that a package that was upgraded is taken. If the new program does not serve, the one that was
running goes on.

The server is found by its data directory, or asked for it. Only the user whom the server runs as, and root, may do this.
SIGUSR2 to the server does the same, and writes the result to its log.

A session with an open transaction has ember_restart_wait seconds to end it. A session that cannot move is told error
1053.`,
		Example: "  ember restart --datadir /var/lib/ember\n  ember restart --socket /run/mysqld/mysqld.sock --binary /opt/ember-new/emberd",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if program != "" {
				var err error
				if program, err = filepath.Abs(program); err != nil {
					return err
				}
			}
			if dir == "" {
				var err error
				if dir, err = askDirectory(cmd.Context(), &c); err != nil {
					return err
				}
			}
			text, err := handover.Ask(dir, program)
			if err != nil {
				return err
			}
			if asJSON {
				return writeJSON(cmd.OutOrStdout(), map[string]string{"result": text})
			}
			_, err = fmt.Fprintln(cmd.OutOrStdout(), text)
			return err
		},
	}
	c.addFlags(cmd.Flags())
	cmd.Flags().StringVar(&dir, "datadir", "", "data directory of the server; without it, the server is asked")
	cmd.Flags().StringVar(&program, "binary", "", "the program to start (default: the one that the server was started as)")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	cmd.AddCommand(newRestartReport())
	return cmd
}

// askDirectory asks a running server for its data directory.
func askDirectory(ctx context.Context, c *client) (dir string, err error) {
	db, err := c.connect(ctx)
	if err != nil {
		return "", err
	}
	defer db.Close()
	err = db.QueryRowContext(ctx, "SELECT @@datadir").Scan(&dir)
	return dir, err
}

func newRestartReport() *cobra.Command {
	var c client
	var asJSON bool
	var svg string
	var back int
	cmd := &cobra.Command{
		Use:   "report [DATADIR]",
		Short: "Show the phases of a start as bars over the time since the process began",
		Long: `Show the phases of a start as bars over the time since the process began: what had to be done before the server answered, and how long it took to be
warm. Below the bars stands what took longest, and what the same steps took in the starts before. Of a running server, or of the record in a
data directory.`,
		Example: "  ember restart report data --svg start.svg\n  ember restart report --port 3306 --back 1",
		Args:    cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) (err error) {
			var starts []recovery.Start
			if len(args) == 1 {
				starts, err = recovery.ReadStarts(vfs.NewOS(nil), args[0])
			} else if starts, err = askStarts(cmd.Context(), &c); errors.As(err, new(*net.OpError)) {
				err = fmt.Errorf("%w; of a server that is stopped, name the data directory: ember restart report DATADIR", err)
			}
			if err != nil {
				return err
			}
			if back < 0 || back >= len(starts) {
				return fmt.Errorf("--back %d: %d starts are recorded", back, len(starts))
			}
			n := len(starts) - 1 - back
			s := startReport{Start: starts[n], Summary: whySlow(starts[n], starts[:n])}
			if svg != "" {
				if err := os.WriteFile(svg, s.svg(), 0o644); err != nil {
					return err
				}
			}
			return show(cmd, asJSON, s)
		},
	}
	f := cmd.Flags()
	c.addFlags(f)
	f.BoolVar(&asJSON, "json", false, "print JSON")
	f.StringVar(&svg, "svg", "", "also draw the bars into this file")
	f.IntVar(&back, "back", 0, "how many starts before the last one")
	return cmd
}

// askStarts reads the recorded starts from a running server.
func askStarts(ctx context.Context, c *client) (out []recovery.Start, err error) {
	db, err := c.connect(ctx)
	if err != nil {
		return nil, err
	}
	defer db.Close()
	rows, err := db.QueryContext(ctx, `SELECT CAST(started AS CHAR), phase, began_ms, took_ms, state, note FROM information_schema.EMBER_RESTART_TIMELINE`)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	last := ""
	for rows.Next() {
		var started, state string
		var began, took float64
		var note sql.NullString
		var p recovery.Phase
		if err := rows.Scan(&started, &p.Name, &began, &took, &state, &note); err != nil {
			return nil, err
		}
		ms := func(f float64) time.Duration { return time.Duration(f * float64(time.Millisecond)) }
		p.Start, p.Took, p.Done, p.Note = ms(began), ms(took), state == "done", note.String
		if started != last {
			at, err := time.Parse("2006-01-02 15:04:05.999999", started)
			if err != nil {
				return nil, err
			}
			out, last = append(out, recovery.Start{Began: at}), started
		}
		out[len(out)-1].Phases = append(out[len(out)-1].Phases, p)
	}
	if len(out) == 0 {
		return nil, errors.Join(errors.New("no start is recorded"), rows.Err())
	}
	return out, rows.Err()
}

// startReport is a report of one start.
type startReport struct {
	recovery.Start
	Summary []string `json:"summary"` // why it took what it took
}

// end is the length of the time axis.
func (s startReport) end() (end time.Duration) {
	for _, p := range s.Phases {
		end = max(end, p.Start+p.Took)
	}
	return max(end, time.Millisecond)
}

// took is how long a phase took, in words: a moment has none.
func took(p recovery.Phase) string {
	switch {
	case !p.Done:
		return "unfinished"
	case p.Took == 0:
		return ""
	}
	return duration(p.Took)
}

// duration renders a duration with three digits or so.
func duration(d time.Duration) string {
	switch {
	case d >= 10*time.Second:
		return d.Round(100 * time.Millisecond).String()
	case d >= 10*time.Millisecond:
		return d.Round(time.Millisecond).String()
	}
	return d.Round(10 * time.Microsecond).String()
}

// WriteText prints a bar per phase.
func (s startReport) WriteText(w io.Writer) error {
	const width = 48
	end, longest := s.end(), 0
	for _, p := range s.Phases {
		longest = max(longest, utf8.RuneCountInString(p.Name))
	}
	fmt.Fprintf(w, "start of %s, axis %s\n", s.Began.Local().Format("2006-01-02 15:04:05"), duration(end))
	for _, p := range s.Phases {
		from := int(float64(width-1) * float64(p.Start) / float64(end))
		n := max(1, int(float64(width)*float64(p.Took)/float64(end)+0.5))
		mark := "█"
		if p.Took == 0 {
			mark = "│"
		}
		n = min(n, width-from)
		bar := strings.Repeat(" ", from) + strings.Repeat(mark, n) + strings.Repeat(" ", width-from-n)
		if _, err := fmt.Fprintf(w, "%-*s ▕%s▏ %9s %9s  %s\n", longest, p.Name, bar, duration(p.Start), took(p), p.Note); err != nil {
			return err
		}
	}
	for _, line := range s.Summary {
		if _, err := fmt.Fprintln(w, line); err != nil {
			return err
		}
	}
	return nil
}

// svg draws the bars.
func (s startReport) svg() []byte {
	const left, width, right, line = 130, 600, 420, 22
	end := s.end()
	x := func(d time.Duration) float64 { return left + width*float64(d)/float64(end) }
	height := line*(len(s.Phases)+2) + 10
	var b strings.Builder
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" font-family="sans-serif" font-size="12">`+"\n", left+width+right, height)
	fmt.Fprintf(&b, `<rect width="100%%" height="100%%" fill="white"/><text x="10" y="16" font-weight="bold">Start of %s</text>`+"\n", s.Began.UTC().Format("2006-01-02 15:04:05 MST"))
	for i := range 5 {
		at := end * time.Duration(i) / 4
		fmt.Fprintf(&b, `<line x1="%.1f" y1="%d" x2="%.1f" y2="%d" stroke="#ddd"/><text x="%.1f" y="%d" text-anchor="middle" fill="#666">%s</text>`+"\n",
			x(at), line+4, x(at), height-line, x(at), height-8, duration(at))
	}
	for i, p := range s.Phases {
		y := line * (i + 1)
		color := "#d9622b"
		if strings.HasPrefix(p.Name, "tier") || strings.HasPrefix(p.Name, "list") {
			color = "#e8a33d"
		}
		if p.Took == 0 {
			color = "#2b6cb0"
		}
		fmt.Fprintf(&b, `<text x="%d" y="%d" text-anchor="end">%s</text><rect x="%.1f" y="%d" width="%.1f" height="14" rx="2" fill="%s"/>`,
			left-8, y+15, html.EscapeString(p.Name), x(p.Start), y+4, max(2, x(p.Start+p.Took)-x(p.Start)), color)
		fmt.Fprintf(&b, `<text x="%.1f" y="%d" fill="#444">%s</text>`+"\n", x(p.Start+p.Took)+6, y+15,
			html.EscapeString(strings.TrimSpace(took(p)+" "+p.Note)))
	}
	b.WriteString("</svg>\n")
	return []byte(b.String())
}
