package trial

import (
	"bytes"
	"context"
	"encoding/json"
	"image/png"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestServers(t *testing.T) {
	servers, err := Commands{
		DSN:   []string{"b=root@unix(/b)/", "a=u:p=q@tcp(h:1)/d?x=1"},
		Start: []string{"a=run --port=1"},
		Kill:  []string{"a=k", "b=l"},
	}.Servers(time.Minute)
	require.NoError(t, err)
	require.Len(t, servers, 2)
	require.Equal(t, "b", servers[0].Name)
	require.Equal(t, "u:p=q@tcp(h:1)/d?x=1", servers[1].Target.DSN)
	require.Equal(t, "run --port=1", servers[1].Start)
	require.Equal(t, "l", servers[0].Kill)
	require.ErrorContains(t, needStart(servers), "--start b=COMMAND")

	one := []string{"a=root@unix(/a)/"}
	for want, c := range map[string]Commands{
		"--server NAME=DSN: at least one":         {},
		`--server "a": want NAME=DSN`:             {DSN: []string{"a"}},
		`--server "=x": want NAME=DSN`:            {DSN: []string{"=x"}},
		"--server a: named twice":                 {DSN: append(one, one...)},
		"--server a: --dsn":                       {DSN: []string{"a=nonsense"}},
		`--start "a": want NAME=COMMAND`:          {DSN: one, Start: []string{"a"}},
		"--stop b: no --server has this name":     {DSN: one, Stop: []string{"b=x"}},
		"--kill a: given twice":                   {DSN: one, Kill: []string{"a=x", "a=y"}},
		`--start "a=": want NAME=COMMAND`:         {DSN: one, Start: []string{"a="}},
		`--server "root@unix(/a)/": want NAME=DS`: {DSN: []string{"root@unix(/a)/"}},
	} {
		_, err := c.Servers(time.Minute)
		require.ErrorContains(t, err, want)
	}
}

// TestCommands starts commands that are no servers: what they do wrong is told, and nothing of them
// is left.
func TestCommands(t *testing.T) {
	s := &Server{Name: "broken", Start: "echo first; echo cannot open the directory >&2; exit 3"}
	s.Target.DSN = "root@unix(" + filepath.Join(t.TempDir(), "s") + ")/"
	_, err := s.Up(context.Background())
	require.ErrorContains(t, err, "broken: start: exit status 3: first | cannot open the directory")

	ctx, cancel := context.WithTimeout(context.Background(), 50*time.Millisecond)
	defer cancel()
	s.Start = "exec sleep 1000"
	_, err = s.Up(ctx)
	require.ErrorIs(t, err, context.DeadlineExceeded)
	proc := s.proc
	require.False(t, proc.ended())
	require.NoError(t, s.Down(ctx))
	require.True(t, proc.ended())
	require.NoFileExists(t, proc.out.Name())

	s.proc, err = launch("exit 0")
	require.NoError(t, err)
	<-s.proc.done
	require.ErrorContains(t, s.Down(context.Background()), "--stop broken=COMMAND: needed")
	require.ErrorContains(t, s.Crash(context.Background()), "--kill broken=COMMAND: needed")
	s.Stop = "echo no such pid; exit 1"
	require.ErrorContains(t, s.Down(context.Background()), "broken: stop: exit status 1: no such pid")
	s.Stop = "true"
	require.NoError(t, s.Down(context.Background()))
}

func TestAlike(t *testing.T) {
	a, b := &Server{Name: "a"}, &Server{Name: "b"}
	set := func(changes ...string) map[string]string {
		v := map[string]string{"innodb_buffer_pool_size": "1", "innodb_flush_log_at_trx_commit": "1", "innodb_doublewrite": "ON", "log_bin": "ON", "sync_binlog": "1"}
		for i := 0; i < len(changes); i += 2 {
			v[changes[i]] = changes[i+1]
		}
		return v
	}
	for _, same := range [][]string{{}, {"innodb_doublewrite", "DETECT_AND_RECOVER"}, {"log_bin", "OFF", "sync_binlog", "0"}, {"log_bin", "1"}} {
		require.NoError(t, alike(a, b, set(), set(same...)), same)
	}
	for _, other := range [][]string{{"innodb_buffer_pool_size", "2"}, {"innodb_flush_log_at_trx_commit", "2"}, {"innodb_doublewrite", "OFF"}, {"sync_binlog", "0"}} {
		err := alike(a, b, set(), set(other...))
		require.ErrorContains(t, err, other[0])
		require.ErrorContains(t, err, "on b")
	}
}

func TestStandings(t *testing.T) {
	servers := []*Server{{Name: "us"}, {Name: "one"}, {Name: "two"}}
	o := &CompareOptions{Servers: servers, Workloads: []string{"insert"}, Threads: []int{4}, Rounds: 3}
	c := &comparison{o: o, runs: map[*Server]map[cell][]Outcome{}}
	for i, tps := range [][]float64{{90, 120, 130}, {100, 60, 80}, {50, 10, 40}} {
		c.runs[servers[i]] = map[cell][]Outcome{}
		for _, v := range tps {
			at := cell{"insert", 4}
			c.runs[servers[i]][at] = append(c.runs[servers[i]][at], Outcome{TPS: v})
		}
	}
	all := c.standings()
	require.Len(t, all, 3)
	for i, want := range []struct{ tps, ratio float64 }{{120, 1.5}, {80, 1}, {40, 0.5}} {
		require.InDelta(t, want.tps, all[i].TPS, 1e-9)
		require.InDelta(t, want.ratio, all[i].Ratio, 1e-9)
	}
	require.InDelta(t, 40.0/120, all[0].Spread, 1e-9)
}

func TestRestartFigures(t *testing.T) {
	// Nothing for 2.3 s, then 50 a second for 10 s, then 100: in bins of 100 ms.
	fine := make([]float64, 200)
	for i := range fine {
		switch {
		case i >= 123:
			fine[i] = 100
		case i >= 23:
			fine[i] = 50
		}
	}
	r := RestartRun{SteadyTPS: 100}
	r.fill(fine)
	require.Len(t, r.TPS, 20)
	require.InDelta(t, 2.4, *r.FirstTx, 1e-9)
	require.InDelta(t, (0.7*50+7*50)/10, r.First10, 1e-9)
	require.InDelta(t, 3, *r.Reached["50"], 1e-9)
	require.InDelta(t, 12, *r.Reached["90"], 1e-9, "a window of 5 s from there on is above 90 %%")
	require.InDelta(t, 13, *r.Reached["95"], 1)

	killed := RestartRun{SteadyTPS: 100, First: 2.35}
	killed.fill(append([]float64{70}, fine[1:]...)) // of the process that was killed
	require.InDelta(t, 2.4, *killed.FirstTx, 1e-9)
	require.InDelta(t, 50, killed.Second, 1e-9)

	never := RestartRun{SteadyTPS: 1000}
	never.fill(fine)
	require.Nil(t, never.Reached["50"])
	later := r
	later.First10, later.Reached = 1, map[string]*float64{"50": nil, "90": nil, "95": nil}
	m := medianRestart([]RestartRun{r, later, r})
	require.InDelta(t, 3, *m.Reached["50"], 1e-9)
	require.Nil(t, medianRestart([]RestartRun{r, later, later}).Reached["50"])
	require.Equal(t, r.TPS, m.TPS)
	shorter := r
	shorter.TPS = r.TPS[:15]
	require.Equal(t, r.TPS[:15], medianRestart([]RestartRun{r, shorter, r}).TPS)
	require.InDelta(t, 50, m.Second, 1e-9)
	r.Fine, shorter.Fine = []float64{1, 2, 3}, []float64{5, 7}
	require.Equal(t, []float64{1, 2}, medianRestart([]RestartRun{r, shorter, r}).Fine)

	o := RestartOptions{Held: 6 * time.Second}
	require.True(t, o.held(fine, 100))
	require.False(t, o.held(fine[:150], 100), "not for so long")
	require.True(t, o.held(fine[:100], 50))
	require.False(t, o.held(fine[:99], 50), "the first ten seconds are told")
	require.False(t, (&RestartOptions{}).held(fine, 50))

	empty := RestartRun{SteadyTPS: 1}
	empty.fill(make([]float64, 30))
	require.Nil(t, empty.FirstTx)
}

// A server without the means for a way is restarted as it can be, once.
func TestWays(t *testing.T) {
	all, peer := &Server{Name: "a", Attach: "x", Upgrade: "y", Keep: "z", Stop: "s"}, &Server{Name: "b"}
	require.Equal(t, Hows, all.ways(Hows))
	require.Equal(t, []string{Clean, Kill, Idle}, peer.ways(Hows))
	require.Equal(t, []string{Kill, Clean}, peer.ways([]string{AttachKill, Upgrade, Keep, AttachClean}))
	require.NoError(t, checkWays([]*Server{peer, all}, Hows))
	require.NoError(t, checkWays([]*Server{peer}, []string{Clean, Kill, Idle}))
	require.ErrorContains(t, checkWays([]*Server{peer}, []string{AttachKill}), "--attach NAME=COMMAND")
	require.ErrorContains(t, checkWays([]*Server{peer}, []string{Upgrade}), "--upgrade NAME=COMMAND")
	all.Stop = ""
	require.ErrorContains(t, checkWays([]*Server{peer, all}, []string{Keep}), "--stop a=COMMAND")
	require.NoError(t, checkWays([]*Server{peer, all}, []string{AttachKill}))
}

// What stands in the file of JSON lines is not measured again, and shows in the chart.
func TestRestartResumes(t *testing.T) {
	dir := t.TempDir()
	var out bytes.Buffer
	s := &Server{Name: "a", Start: "false"} // it cannot be started
	o := RestartOptions{Servers: []*Server{s}, Workload: TPCC, Threads: 3, Rounds: 2, How: []string{Clean, Idle}, Warmup: time.Second, Watch: time.Second, Resume: true,
		ReadRate: 100e6, Report: Report{Bench: "restart", Lines: filepath.Join(dir, "lines"), Chart: filepath.Join(dir, "chart"), Out: &out}}
	require.NoError(t, o.Report.open())
	for round := 1; round <= 2; round++ {
		for _, how := range o.How {
			r := RestartRun{line: o.Report.head("run", s), How: how, Round: round, Workload: TPCC, Threads: 3, SteadyTPS: 100, PoolBytes: 2e8}
			if how == Idle {
				r.IdleLoad = &IdleLoad{LoadTook: 2.5, Complete: round == 1, LoadedBytes: 2e8, Correlation: 0.5, Common: 10}
			} else {
				r.fill(slices.Repeat([]float64{95}, 60))
			}
			require.NoError(t, o.Report.write(r))
		}
	}
	require.NoError(t, Restart(context.Background(), o))
	require.Contains(t, out.String(), "load not complete after 2.5 s, 200 of 200 MB (80 % of the volume's sequential rate), rank correlation of 10 pages 0.5000")
	require.FileExists(t, o.Report.Chart+".png")

	o.Threads = 4
	require.ErrorContains(t, Restart(context.Background(), o), "exit status 1", "other runs stand in the file")
}

func TestRedoAge(t *testing.T) {
	age, err := redoAge(map[string]string{"innodb_checkpoint_age": "7"})
	require.NoError(t, err)
	require.EqualValues(t, 7, age)
	age, err = redoAge(map[string]string{"innodb_redo_log_current_lsn": "50", "innodb_redo_log_checkpoint_lsn": "20"})
	require.NoError(t, err)
	require.EqualValues(t, 30, age)
	_, err = redoAge(map[string]string{})
	require.Error(t, err)
}

func TestTraces(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600))
	}
	write("t.1", `openat(AT_FDCWD</data>, "./bin.000001", O_RDONLY|O_CLOEXEC) = 5</data/bin.000001>
read(5</data/bin.000001>, "\376bin"..., 4096) = 100
read(5</data/bin.000001>, "", 4096)     = 0
pread64(5</data/bin.000001>, "x"..., 10, 7) = 10
openat(AT_FDCWD</data>, "./bin.000002", O_RDONLY) = -1 ENOENT (No such file or directory)
openat(AT_FDCWD</data>, "./bin.index", O_RDONLY) = 6</data/bin.index>
read(6</data/bin.index>, "./bin.000001\n"..., 4096) = 13
read(7</data/other>, ""..., 4096) = 1
`)
	write("t.2", `openat(AT_FDCWD</data>, "bin.000001", O_RDWR) = 5</data/bin.000001>
open("/data/bin.000003", O_RDWR) = 5</data/bin.000003>
read(5</data/bin.000003>, "x"..., 8) = 8
`)
	opened, read, err := countTraces(filepath.Join(dir, "t"), "/somewhere/bin")
	require.NoError(t, err)
	require.Equal(t, 2, opened)
	require.EqualValues(t, 118, read)
	require.NoError(t, removeTraces(filepath.Join(dir, "t")))
	_, _, err = countTraces(filepath.Join(dir, "t"), "/somewhere/bin")
	require.ErrorContains(t, err, "no such file; start the server under strace")
}

func TestReportFiles(t *testing.T) {
	dir := t.TempDir()
	var out bytes.Buffer
	r := Report{Bench: "compare", Lines: filepath.Join(dir, "lines"), Chart: filepath.Join(dir, "chart"), Out: &out}
	s := &Server{Name: "a", Start: "x <y>"}
	for range 2 { // a second run appends
		require.NoError(t, r.open())
		require.NoError(t, r.server(s, map[string]string{"version": "1"}))
		var err error
		r.close(&err)
		require.NoError(t, err)
	}
	b, err := os.ReadFile(r.Lines)
	require.NoError(t, err)
	lines := strings.Split(strings.TrimSpace(string(b)), "\n")
	require.Len(t, lines, 2)
	var got struct {
		Bench, Kind, At, Server, Start string
		Settings                       map[string]string
		CPUs                           int
	}
	require.NoError(t, json.Unmarshal([]byte(lines[1]), &got))
	require.Equal(t, []string{"compare", "server", "a", "x <y>", "1"}, []string{got.Bench, got.Kind, got.Server, got.Start, got.Settings["version"]})
	_, err = time.Parse(time.RFC3339, got.At)
	require.NoError(t, err)
	require.Positive(t, got.CPUs)

	series := []Series{{Name: "with list", Values: []float64{0, 50, 100}}, {Name: "cold", Values: []float64{0, 1, 2}, Dash: 3}}
	for name, draw := range map[string]func() error{
		"lines": func() error { return drawLines(r.Chart, "t", "x", "y", -2, 0.1, series) },
		"bars":  func() error { return drawBars(r.Chart, "t", "x", "y", []string{"a", "b", "c"}, series) },
	} {
		require.NoError(t, draw(), name)
		f, err := os.Open(r.Chart + ".png")
		require.NoError(t, err)
		img, err := png.Decode(f)
		require.NoError(t, err, name)
		require.NoError(t, f.Close())
		require.Greater(t, img.Bounds().Dx(), img.Bounds().Dy())
		svg, err := os.ReadFile(r.Chart + ".svg")
		require.NoError(t, err)
		require.Contains(t, string(svg), "with list", name)
	}
	bad := Report{Lines: filepath.Join(dir, "missing", "lines")}
	require.Error(t, bad.open())
}

func TestParseShape(t *testing.T) {
	size := func(s string) (int64, error) { return int64(len(s)), nil }
	b, err := ParseShape("80x100M", size)
	require.NoError(t, err)
	require.Equal(t, BinlogShape{80, 4}, b)
	for _, bad := range []string{"", "80", "x1", "0x1", "3x", "-1x5"} {
		_, err := ParseShape(bad, size)
		require.ErrorContains(t, err, "want FILESxBYTES", bad)
	}
	require.Equal(t, "80 x 100 MiB", BinlogShape{80, 100 << 20}.String())
	require.Equal(t, "9 x 1 KiB", BinlogShape{9, 1 << 10}.String())
}

// The machine is twice as fast in the second round, and slow for one run of the third.
