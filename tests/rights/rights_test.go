package rights

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/go-mysql-org/go-mysql/client"
	"github.com/go-mysql-org/go-mysql/mysql"
	"github.com/stretchr/testify/require"

	"emberdb/tests/emberd"
)

var (
	peer    = flag.String("mysql", "", "socket of a MySQL 9.7 to run against; empty: a fresh emberd")
	rewrite = flag.Bool("rewrite", false, "record the answers as golden")
)

func TestMain(m *testing.M) {
	flag.Parse()
	code := m.Run()
	emberd.Cleanup()
	os.Exit(code)
}

var accounts = strings.Fields("wnone wcol wsel wins wupd wdel wlock wddl walter wview wexec wfile wproc wsuper wglob wrole wref wtrg")

// changes tells statements whose changes are rolled back.
var changes = regexp.MustCompile("^(INSERT|REPLACE|UPDATE|DELETE) ")

// ways are how a statement reaches the server.
var ways = []string{"text", "prepare", "prepared", "named", "routine"}

const golden = "testdata/answers.golden"

// TestRights runs each statement by each account in each way and holds the code of the answer
// against MySQL's.
func TestRights(t *testing.T) {
	s := &server{t: t, socket: *peer}
	if s.socket == "" {
		s.socket = emberd.Start(t, "--secure-file-priv="+t.TempDir()).Socket
	}
	s.root = s.connect("root")
	defer s.root.Close()
	for _, line := range lines(t, "testdata/setup.sql") {
		line = strings.TrimSpace(line)
		_, err := s.root.Execute(line)
		require.NoError(t, err, line)
	}
	var got []string
	allowed := map[string]bool{} // lines that may be refused here
	reason := false
	for _, line := range lines(t, "testdata/statements.sql") {
		if line[0] == '~' {
			reason = true
			continue
		}
		statement, undo, _ := strings.Cut(line, " => ")
		text := s.answers("text", statement, undo)
		got = append(got, statement)
		allowed[statement], reason = reason, false
		for _, way := range ways {
			if strings.HasPrefix(statement, "SET ") && way != "text" && way != "routine" {
				continue // MySQL prepares what it refuses, with an answer that is no error and no statement
			}
			answers := text
			if way != "text" {
				answers = s.answers(way, statement, undo)
			}
			if way == "text" || answers != text {
				got = append(got, "    "+way+" "+answers)
			}
		}
	}
	if *rewrite {
		require.NoError(t, os.WriteFile(golden, []byte(strings.Join(got, "\n")+"\n"), 0o644))
		return
	}
	compare(t, got, lines(t, golden), allowed)
}

// compare tells of each statement that is answered otherwise.
func compare(t *testing.T, got, want []string, allowed map[string]bool) {
	here, mysql := byStatement(got), byStatement(want)
	require.Len(t, here, len(mysql), "record the golden file again")
	for statement, answers := range mysql {
		if g, known := here[statement]; !known {
			t.Errorf("%s\nrecord the golden file again", statement)
		} else if g != answers && !allowed[statement] {
			t.Errorf("%s\nMySQL:%s\nhere: %s", statement, answers, g)
		}
	}
}

func byStatement(lines []string) map[string]string {
	m, statement := map[string]string{}, ""
	for _, l := range lines {
		if rest, ok := strings.CutPrefix(l, "    "); ok {
			m[statement] += "\n    " + rest
		} else {
			statement = l
			m[statement] = ""
		}
	}
	return m
}

func lines(t *testing.T, path string) (out []string) {
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	for l := range strings.Lines(string(text)) {
		if l = strings.TrimRight(l, "\n"); l != "" && l[0] != '#' {
			out = append(out, l)
		}
	}
	return out
}

// server is what is asked.
type server struct {
	t      *testing.T
	socket string
	root   *client.Conn
}

func (s *server) connect(user string) *client.Conn {
	c, err := client.Connect(s.socket, user, "", "", func(c *client.Conn) error {
		c.SetCapability(mysql.CLIENT_MULTI_RESULTS) // of procedures
		return nil
	})
	require.NoError(s.t, err)
	return c
}

// answers lists the accounts by the answers that they get.
func (s *server) answers(way, statement, undo string) string {
	if way == "routine" {
		_, _ = s.root.Execute("DROP PROCEDURE IF EXISTS wq.p")
		if _, err := s.root.Execute("CREATE PROCEDURE wq.p() SQL SECURITY INVOKER BEGIN " + statement + "; END"); err != nil {
			return "cannot stand in a routine"
		}
	}
	by := map[string][]string{}
	for _, a := range accounts {
		answer := s.run(way, a, statement)
		by[answer] = append(by[answer], a)
		if undo != "" && answer == "ok" && way != "prepare" {
			_, err := s.root.Execute(undo)
			require.NoError(s.t, err, undo)
		}
	}
	var out []string
	for answer, who := range by {
		if len(who) > len(accounts)/2 {
			who = []string{"others"}
		}
		out = append(out, answer+": "+strings.Join(who, " "))
	}
	slices.Sort(out)
	return strings.Join(out, "; ")
}

// run gives the answer in a session of its own, which has done nothing before.
func (s *server) run(way, account, statement string) string {
	c := s.connect(account)
	defer c.Close()
	if changes.MatchString(statement) {
		_, err := c.Execute("SET autocommit = 0") // leaving rolls back
		require.NoError(s.t, err)
	}
	var err error
	switch way {
	case "text":
		_, err = c.Execute(statement)
	case "prepare":
		_, err = c.Prepare(statement)
	case "prepared":
		var p *client.Stmt
		if p, err = c.Prepare(statement); err == nil {
			_, err = p.Execute()
		}
	case "named":
		if _, err = c.Execute("PREPARE w FROM '" + strings.NewReplacer(`\`, `\\`, "'", "''").Replace(statement) + "'"); err == nil {
			_, err = c.Execute("EXECUTE w")
		}
	case "routine":
		_, err = c.Execute("CALL wq.p()")
	}
	var e *mysql.MyError
	switch {
	case err == nil:
		return "ok"
	case errors.As(err, &e):
		return fmt.Sprint(e.Code)
	}
	return "lost"
}
