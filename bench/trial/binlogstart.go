package trial

import (
	"bufio"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
)

// BinlogShape is how many binary log files there are, and about how large each is.
type BinlogShape struct {
	Files int   `json:"files"`
	Bytes int64 `json:"bytes_each"`
}

func (b BinlogShape) String() string {
	switch {
	case b.Bytes >= 1<<20:
		return fmt.Sprintf("%d x %d MiB", b.Files, b.Bytes>>20)
	case b.Bytes >= 1<<10:
		return fmt.Sprintf("%d x %d KiB", b.Files, b.Bytes>>10)
	}
	return fmt.Sprintf("%d x %d bytes", b.Files, b.Bytes)
}

// BinlogStartOptions says what BinlogStart measures.
type BinlogStartOptions struct {
	Servers []*Server
	Shapes  []BinlogShape
	How     []string
	Rounds  int
	Between string
	Trace   []string // NAME=PREFIX of the files that strace -ff -y -o PREFIX writes for a server
	Report  Report
}

func (o *BinlogStartOptions) check() error {
	if o.Rounds < 1 {
		return fmt.Errorf("--rounds %d: at least 1", o.Rounds)
	}
	if len(o.Shapes) == 0 {
		return errors.New("--files: at least one")
	}
	for _, t := range o.Trace {
		name, prefix, ok := strings.Cut(t, "=")
		if !ok || prefix == "" {
			return fmt.Errorf("--trace %q: want NAME=PREFIX", t)
		}
		if o.prefix(name) == "" || !hasServer(o.Servers, name) {
			return fmt.Errorf("--trace %s: no --server has this name", name)
		}
	}
	if err := checkHows(o.How, Clean, Kill); err != nil {
		return err
	}
	return needStart(o.Servers)
}

func hasServer(servers []*Server, name string) bool {
	return len(only(servers, func(s **Server) bool { return (*s).Name == name })) > 0
}

// prefix is the --trace of a server, empty when it has none.
func (o *BinlogStartOptions) prefix(name string) string {
	for _, t := range o.Trace {
		if n, prefix, _ := strings.Cut(t, "="); n == name {
			return prefix
		}
	}
	return ""
}

// BinlogStartRun is the JSON line of one start.
type BinlogStartRun struct {
	line
	BinlogShape
	How    string  `json:"how"`
	Round  int     `json:"round"`
	First  float64 `json:"first_query_s"`
	Traced bool    `json:"traced"`
	Opened int     `json:"files_opened"` // binary log files, when traced; the index is none
	Read   int64   `json:"bytes_read"`   // from them
}

// BinlogStart gives each server so many binary log files and measures its start. The first shape is
// always a single small file, to compare with.
func BinlogStart(ctx context.Context, o BinlogStartOptions) error {
	if err := o.check(); err != nil {
		return err
	}
	o.Shapes = append([]BinlogShape{{Files: 1, Bytes: 1 << 10}}, o.Shapes...)
	var runs []BinlogStartRun
	return o.Report.conduct(ctx, "binlog-start", o.Servers, o.Rounds, course{
		turn: func(s *Server, round int) error {
			for _, shape := range o.Shapes {
				for _, how := range o.How {
					run, err := o.one(ctx, s, shape, how, round)
					if err != nil {
						return named(s, err)
					}
					runs = append(runs, run)
				}
			}
			return nil
		},
		finish: func() error { return o.finish(runs) },
	})
}

func (o *BinlogStartOptions) one(ctx context.Context, s *Server, shape BinlogShape, how string, round int) (run BinlogStartRun, err error) {
	base, err := writeBinlogs(ctx, s, shape)
	if err != nil {
		return run, err
	}
	prefix := o.prefix(s.Name)
	if prefix != "" { // what the life before has left
		if err := removeTraces(prefix); err != nil {
			return run, err
		}
	}
	run = BinlogStartRun{line: o.Report.head("run", s), BinlogShape: shape, How: how, Round: round, Traced: prefix != ""}
	_, st, err := s.again(ctx, how, o.Between)
	if err != nil {
		return run, err
	}
	run.First = st.First.Seconds()
	o.Report.say("round %d  %-16s %-18s %-5s first query %.3f s", round, s.Name, shape, how, run.First)
	if run.Traced {
		if run.Opened, run.Read, err = countTraces(prefix, base); err != nil {
			return run, err
		}
		o.Report.say(", %d binary log files opened, %d bytes read", run.Opened, run.Read)
	}
	o.Report.say("\n")
	return run, o.Report.write(run)
}

// writeBinlogs makes the server's binary logs anew and returns the path they have without their
// numbers.
func writeBinlogs(ctx context.Context, s *Server, shape BinlogShape) (base string, err error) {
	target := s.Target
	target.Database = ownDatabase
	if err := target.CreateDatabase(ctx); err != nil {
		return "", err
	}
	db, conn, err := s.session(ctx, ownDatabase)
	if err != nil {
		return "", err
	}
	defer db.Close()
	var named sql.NullString
	if err := conn.QueryRowContext(ctx, "SELECT @@log_bin_basename").Scan(&named); err != nil {
		return "", fmt.Errorf("it writes no binary log: %w", err)
	}
	if named.String == "" {
		return "", errors.New("it writes no binary log (log_bin)")
	}
	if _, err := conn.ExecContext(ctx, "RESET BINARY LOGS AND GTIDS"); err != nil {
		if _, err := conn.ExecContext(ctx, "RESET MASTER"); err != nil { // its name before MySQL 8.2, and MariaDB's
			return "", err
		}
	}
	if _, err := conn.ExecContext(ctx, "CREATE TABLE IF NOT EXISTS binlog_fill (body LONGBLOB NOT NULL) ENGINE=InnoDB"); err != nil {
		return "", err
	}
	for n := range shape.Files {
		if n > 0 {
			if _, err := conn.ExecContext(ctx, "FLUSH BINARY LOGS"); err != nil {
				return "", err
			}
		}
		if err := fillBinlog(ctx, conn, shape.Bytes); err != nil {
			return "", err
		}
	}
	return named.String, nil
}

// fillBinlog writes about so many bytes to the newest file, in rows that are gone afterwards.
func fillBinlog(ctx context.Context, conn *sql.Conn, bytes int64) error {
	const most = 1 << 20
	for left := bytes; left > 0; left -= most {
		if _, err := conn.ExecContext(ctx, fmt.Sprintf("INSERT INTO binlog_fill VALUES (REPEAT('x', %d))", min(left, most))); err != nil {
			return err
		}
	}
	_, err := conn.ExecContext(ctx, "TRUNCATE TABLE binlog_fill")
	return err
}

func removeTraces(prefix string) error {
	old, err := filepath.Glob(prefix + "*")
	if err != nil {
		return fmt.Errorf("--trace: %w", err)
	}
	for _, f := range old {
		if err := os.Remove(f); err != nil {
			return err
		}
	}
	return nil
}

// Lines of strace -y: descriptors carry their path in angle brackets.
var (
	traceOpen = regexp.MustCompile(`^\S*open(?:at)?\(.*\) = \d+<([^>]*)>`)
	traceRead = regexp.MustCompile(`^\S*read(?:v|64)?\(\d+<([^>]*)>.*\) = (\d+)`)
)

// countTraces counts, over all threads' files, the different binary log files opened and the bytes
// read from them.
func countTraces(prefix, base string) (opened int, read int64, err error) {
	files, err := filepath.Glob(prefix + "*")
	if err == nil && len(files) == 0 {
		err = fmt.Errorf("%s*: no such file; start the server under strace -ff -y -e trace=open,openat,read,readv,pread64 -o %s", prefix, prefix)
	}
	if err != nil {
		return 0, 0, fmt.Errorf("--trace: %w", err)
	}
	isBinlog := regexp.MustCompile(`(^|/)` + regexp.QuoteMeta(filepath.Base(base)) + `\.\d+$`)
	seen := map[string]bool{}
	for _, name := range files {
		f, err := os.Open(name)
		if err != nil {
			return 0, 0, err
		}
		lines := bufio.NewScanner(f)
		lines.Buffer(nil, 1<<20)
		for lines.Scan() {
			if m := traceOpen.FindSubmatch(lines.Bytes()); m != nil && isBinlog.Match(m[1]) {
				seen[string(m[1])] = true
			}
			if m := traceRead.FindSubmatch(lines.Bytes()); m != nil && isBinlog.Match(m[1]) {
				n, _ := strconv.ParseInt(string(m[2]), 10, 64) // digits, by the expression
				read += n
			}
		}
		err = errors.Join(lines.Err(), f.Close())
		if err != nil {
			return 0, 0, fmt.Errorf("--trace: %s: %w", name, err)
		}
	}
	return len(seen), read, nil
}

func (o *BinlogStartOptions) finish(runs []BinlogStartRun) error {
	o.Report.say("\n%-16s %-18s %-5s %12s %12s %12s\n", "server", "binary logs", "how", "first query", "opened", "bytes read")
	groups := []string{}
	for _, shape := range o.Shapes {
		groups = append(groups, shape.String())
	}
	var series []Series
	for _, s := range o.Servers {
		for _, how := range o.How {
			bars := Series{Name: s.Name + ", " + how}
			for _, shape := range o.Shapes {
				some := only(runs, func(r *BinlogStartRun) bool { return r.Server == s.Name && r.How == how && r.BinlogShape == shape })
				m := BinlogStartRun{line: o.Report.head("median", s), BinlogShape: shape, How: how, Traced: some[0].Traced}
				m.First = medianOf(some, func(r *BinlogStartRun) float64 { return r.First })
				m.Opened = int(medianOf(some, func(r *BinlogStartRun) float64 { return float64(r.Opened) }))
				m.Read = int64(medianOf(some, func(r *BinlogStartRun) float64 { return float64(r.Read) }))
				counts := fmt.Sprintf("%12s %12s", "-", "-")
				if m.Traced {
					counts = fmt.Sprintf("%12d %12d", m.Opened, m.Read)
				}
				o.Report.say("%-16s %-18s %-5s %10.3f s %s\n", s.Name, shape, how, m.First, counts)
				if err := o.Report.write(m); err != nil {
					return err
				}
				bars.Values = append(bars.Values, m.First)
			}
			series = append(series, bars)
		}
	}
	if o.Report.Chart == "" {
		return nil
	}
	return drawBars(o.Report.Chart, "Start with many binary logs", "", "seconds to the first query", groups, series)
}

// ParseShape reads a shape such as 80x100M; size reads its bytes.
func ParseShape(text string, size func(string) (int64, error)) (b BinlogShape, err error) {
	files, bytes, ok := strings.Cut(text, "x")
	if ok {
		b.Files, err = strconv.Atoi(files)
	}
	if ok && err == nil {
		b.Bytes, err = size(bytes)
	}
	if !ok || err != nil || b.Files < 1 || b.Bytes < 1 {
		return b, fmt.Errorf("--files %q: want FILESxBYTES such as 80x100M", text)
	}
	return b, nil
}
