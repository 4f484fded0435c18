package accounts

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"regexp"
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

// TestAccounts runs every script and holds each answer against MySQL's.
func TestAccounts(t *testing.T) {
	scripts, err := filepath.Glob("testdata/*.script")
	require.NoError(t, err)
	require.NotEmpty(t, scripts)
	socket := *peer
	if socket == "" {
		socket = emberd.Start(t).Socket
	}
	for _, path := range scripts {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".script"), func(t *testing.T) {
			r := &runner{socket: socket, sessions: map[string]*client.Conn{}}
			defer r.closeAll()
			r.script(t, path)
		})
	}
}

// script runs a script and compares its answers with its golden file, or records them.
func (r *runner) script(t *testing.T, path string) {
	steps := read(t, path)
	for i := range steps {
		steps[i].answer = r.run(steps[i].line)
	}
	golden := strings.TrimSuffix(path, ".script") + ".golden"
	if *rewrite {
		require.NoError(t, os.WriteFile(golden, []byte(print(steps)), 0o644))
		return
	}
	compare(t, golden, steps)
}

// step is a line of a script and its answer.
type step struct {
	line, answer string
	refused      bool // here, and allowed by MySQL
}

func read(t *testing.T, path string) (steps []step) {
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	var words, block []string
	refused := false
	add := func(line string) {
		steps = append(steps, step{line: line, refused: refused})
		refused = false
	}
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSpace(line)
		list, each := strings.CutPrefix(line, "each ")
		switch {
		case line == "" || line[0] == '#':
		case line[0] == '~':
			refused = true
		case each:
			words = strings.Fields(strings.TrimSuffix(list, "{"))
		case line == "}":
			for _, w := range words {
				for _, b := range block {
					add(strings.ReplaceAll(b, "{u}", w))
				}
			}
			words, block = nil, nil
		case words != nil:
			block = append(block, line)
		default:
			add(line)
		}
	}
	return steps
}

func print(steps []step) string {
	var b strings.Builder
	for _, s := range steps {
		fmt.Fprintf(&b, "%s\n    %s\n", s.line, strings.ReplaceAll(s.answer, "\n", "\n    "))
	}
	return b.String()
}

// compare holds the answers against those of the golden file, in which every line of an answer is
// indented.
func compare(t *testing.T, golden string, steps []step) {
	text, err := os.ReadFile(golden)
	require.NoError(t, err)
	var want []step
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSuffix(line, "\n")
		if rest, ok := strings.CutPrefix(line, "    "); ok {
			last := &want[len(want)-1]
			last.answer = strings.TrimPrefix(last.answer+"\n"+rest, "\n")
		} else {
			want = append(want, step{line: line})
		}
	}
	require.Len(t, steps, len(want), "record the golden file again")
	for i, s := range steps {
		require.Equal(t, want[i].line, s.line, "record the golden file again")
		switch {
		case s.refused:
			if !strings.HasPrefix(s.answer, "error ") {
				t.Errorf("%s\nmust be refused, and is answered %s", s.line, s.answer)
			}
		case s.answer != want[i].answer:
			t.Errorf("%s\nMySQL: %s\nhere:  %s", s.line, want[i].answer, s.answer)
		}
	}
}

// runner keeps a script's sessions.
type runner struct {
	socket   string
	sessions map[string]*client.Conn
}

func (r *runner) closeAll() {
	for _, c := range r.sessions {
		c.Close()
	}
}

func (r *runner) run(line string) string {
	if rest, ok := strings.CutPrefix(line, "connect "); ok {
		w := append(strings.Fields(rest), "")
		return r.connect(w[0], w[1], w[2])
	}
	if rest, ok := strings.CutPrefix(line, "change "); ok {
		w := append(strings.Fields(rest), "")
		return r.change(w[0], w[1], w[2])
	}
	if name, ok := strings.CutPrefix(line, "close "); ok {
		r.close(name)
		return "closed"
	}
	name, statement, _ := strings.Cut(line, "> ")
	if r.sessions[name] == nil {
		if answer := r.connect(name, name, ""); answer != "connected" {
			return answer
		}
	}
	return r.execute(r.sessions[name], statement)
}

func (r *runner) close(name string) {
	c := r.sessions[name]
	if c == nil {
		return
	}
	delete(r.sessions, name)
	id := c.GetConnectionID()
	c.Close()
	for r.sessions["root"] != nil { // the server counts it until it has noticed
		left, err := r.sessions["root"].Execute(fmt.Sprintf("SELECT 1 FROM information_schema.processlist WHERE id = %d", id))
		if err != nil || left.RowNumber() == 0 {
			return
		}
	}
}

func (r *runner) connect(name, user, password string) string {
	r.close(name)
	c, err := client.ConnectWithDialer(context.Background(), "unix", r.socket, user, password, "", dialExpired, func(c *client.Conn) error {
		c.SetCapability(mysql.CLIENT_MULTI_RESULTS) // of procedures
		return nil
	})
	if err != nil {
		return answerOf(err)
	}
	r.sessions[name] = c
	return "connected"
}

// dialExpired makes the library's client one that can set a new password when its own has expired.
func dialExpired(ctx context.Context, network, address string) (net.Conn, error) {
	var d net.Dialer
	c, err := d.DialContext(ctx, network, address)
	return &expiredConn{Conn: c}, err
}

type expiredConn struct {
	net.Conn
	loggedIn bool
}

// Write sets the capability in the first packet, the login, whose capabilities follow its header.
func (c *expiredConn) Write(p []byte) (int, error) {
	if !c.loggedIn {
		c.loggedIn = true
		const at = 4 + 22/8
		p = append([]byte(nil), p...)
		p[at] |= 1 << (22 % 8) // CLIENT_CAN_HANDLE_EXPIRED_PASSWORDS
	}
	return c.Conn.Write(p)
}

func (r *runner) execute(c *client.Conn, statement string) string {
	if strings.HasPrefix(strings.ToLower(statement), "call ") { // which may have several results
		var answers []string
		_, err := c.ExecuteMultiple(statement, func(result *mysql.Result, err error) {
			if err != nil {
				answers = append(answers, answerOf(err))
			} else {
				answers = append(answers, rowsOf(result))
			}
		})
		if err != nil {
			answers = []string{answerOf(err)}
		}
		return strings.Join(answers, "\n")
	}
	result, err := c.Execute(statement)
	if err != nil {
		return answerOf(err)
	}
	answer := rowsOf(result)
	if result.Warnings > 0 {
		if w, err := c.Execute("SHOW WARNINGS"); err == nil {
			answer += "\nwarnings:\n" + rowsOf(w)
		}
	}
	return answer
}

func rowsOf(r *mysql.Result) string {
	if !r.HasResultset() {
		return "ok"
	}
	var lines []string
	var names []string
	for _, f := range r.Fields {
		names = append(names, string(f.Name))
	}
	lines = append(lines, strings.Join(names, " | "))
	for i := range r.RowNumber() {
		var values []string
		for j := range r.ColumnNumber() {
			v := "NULL"
			if null, _ := r.IsNull(i, j); !null {
				v, _ = r.GetString(i, j)
			}
			values = append(values, varying(v, names[j]))
		}
		lines = append(lines, strings.Join(values, " | "))
	}
	return strings.Join(lines, "\n")
}

func answerOf(err error) string {
	var e *mysql.MyError
	if errors.As(err, &e) {
		return fmt.Sprintf("error %d %s %s", e.Code, e.State, strings.Replace(e.Message, "version of Ember", "version of MySQL", 1))
	}
	return "lost: " + err.Error()
}

var (
	quoted = regexp.MustCompile(`(?s)AS '\$A\$(?:\\.|[^'\\])*'`)
	hashes = regexp.MustCompile(`(?s)\$A\$00[5A]\$.{20}[./0-9A-Za-z]{43}|\$A\$00[5A]\$(?:\\.|[^'"])*|0x24412430[0-9A-F]+`)
	times  = regexp.MustCompile(`\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(?:\.\d+)?`)
)

// varying replaces what is different each time.
func varying(v, column string) string {
	if column == "generated password" {
		return fmt.Sprintf("<password of %d characters>", len(v))
	}
	return times.ReplaceAllString(hashes.ReplaceAllString(quoted.ReplaceAllString(v, "AS '<hash>'"), "<hash>"), "<time>")
}

// TestSurvives: what an account has is there after a kill -9 and after a shutdown.
func TestSurvives(t *testing.T) {
	if *peer != "" {
		t.Skip("is about this server")
	}
	s := emberd.Start(t)
	r := &runner{socket: s.Socket, sessions: map[string]*client.Conn{}}
	defer r.closeAll()
	for _, statement := range []string{
		"CREATE DATABASE d", "CREATE TABLE d.T (a INT, B INT)", "CREATE PROCEDURE d.p() SELECT 1", "CREATE ROLE r, `second role`",
		"CREATE USER u@localhost IDENTIFIED BY 'one' DEFAULT ROLE r REQUIRE SSL WITH MAX_QUERIES_PER_HOUR 1000 PASSWORD EXPIRE INTERVAL 9 DAY " +
			"PASSWORD HISTORY 3 PASSWORD REQUIRE CURRENT OPTIONAL FAILED_LOGIN_ATTEMPTS 3 PASSWORD_LOCK_TIME 2 ATTRIBUTE '{\"k\": [1, null]}'",
		"ALTER USER u@localhost IDENTIFIED BY 'two' RETAIN CURRENT PASSWORD REQUIRE NONE",
		"GRANT SELECT (a), INSERT (B), REFERENCES (a) ON d.T TO u@localhost", "GRANT FILE, RELOAD ON *.* TO u@localhost WITH GRANT OPTION",
		"GRANT BACKUP_ADMIN ON *.* TO u@localhost WITH GRANT OPTION", "GRANT SYSTEM_USER ON *.* TO u@localhost", "GRANT CREATE ON `app\\_%`.* TO u@localhost",
		"GRANT `second role` TO u@localhost WITH ADMIN OPTION", "GRANT PROXY ON r TO u@localhost WITH GRANT OPTION", "GRANT EXECUTE ON PROCEDURE d.p TO u@localhost",
		"SET GLOBAL partial_revokes = ON", "REVOKE FILE ON mysql.* FROM u@localhost", "GRANT SELECT, DELETE ON *.* TO u@localhost", "REVOKE DELETE ON mysql.* FROM u@localhost",
	} {
		if answer := r.run("root> " + statement); strings.HasPrefix(answer, "error") && !strings.Contains(statement, "REVOKE FILE") {
			t.Fatalf("%s: %s", statement, answer)
		}
	}
	look := func() string {
		var b strings.Builder
		for _, table := range []string{"user", "db", "tables_priv", "columns_priv", "procs_priv", "global_grants", "proxies_priv", "role_edges", "default_roles", "password_history"} {
			fmt.Fprintln(&b, r.run("root> SELECT * FROM mysql."+table))
		}
		return b.String() + r.run("root> SHOW GRANTS FOR u@localhost") + r.run("root> SHOW CREATE USER u@localhost")
	}
	before := look()
	require.NotContains(t, before, "error")
	for _, end := range []func(){s.Kill, func() { require.NoError(t, s.Stop()) }} {
		r.closeAll()
		r.sessions = map[string]*client.Conn{}
		end()
		require.NoError(t, s.Launch())
		require.Equal(t, before, look())
		for _, password := range []string{"one", "two"} {
			require.Equal(t, "connected", r.run("connect u u "+password))
		}
		require.Contains(t, r.run("u> SELECT CURRENT_ROLE()"), "`r`@`%`")
		require.Contains(t, r.run("root> ALTER USER u@localhost IDENTIFIED BY 'one'"), "password history")
	}
}
