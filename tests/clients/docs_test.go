package clients

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"emberdb/tests/emberd"
)

// The pages for newcomers and operators. Their blocks of the language sh are run, those of sql by
// the mysql client, page by page and in order, on a server as "Get started" makes it. Blocks of the
// language system need root and a package (tests/dist does the same there), text is other servers'
// or output, ini an option file.
var runPages = []string{"start", "configure", "restart", "backup", "replicate", "secure", "monitor", "troubleshoot"}

var docBlock = regexp.MustCompile("(?ms)^```([a-z]*)\n(.*?)^```$")

// docsEnd stops the server, whichever process it is by now, and waits until it is gone.
const docsEnd = `
[ ! -e ~/ember/ember.sock ] || mysqladmin shutdown
while [ -e ~/ember/ember.sock ]; do sleep 0.1; done
touch ~/done
`

// docLimit ends a page whose commands wait for something that does not come.
const docLimit = 10 * time.Minute

func TestDocsCommands(t *testing.T) {
	for _, page := range runPages {
		t.Run(page, func(t *testing.T) {
			src, err := os.ReadFile(filepath.Join(emberd.Root(), "docs", page+".md"))
			require.NoError(t, err)
			runDocs(t, docsScript(t, page, string(src)))
		})
	}
}

// docsScript makes a shell script of a page's blocks.
func docsScript(t *testing.T, page, src string) string {
	var b strings.Builder
	b.WriteString("set -euo pipefail\n")
	if page != "start" {
		b.WriteString("mkdir -p ~/ember\nemberd --datadir=$HOME/ember/data --port=3306 --socket=$HOME/ember/ember.sock 2> ~/ember/ember.log &\n" +
			"printf '[client]\\nuser=root\\nsocket=%s\\n' ~/ember/ember.sock > ~/.my.cnf\nchmod 600 ~/.my.cnf\nuntil mysqladmin --silent ping; do sleep 0.1; done\n")
	}
	blocks := docBlock.FindAllStringSubmatch(src, -1)
	require.NotEmpty(t, blocks)
	n := 0
	for _, m := range blocks {
		switch m[1] {
		case "sh":
			b.WriteString(m[2])
			n++
		case "sql":
			b.WriteString("mysql <<'SQL'\n" + m[2] + "SQL\n")
			n++
		case "system", "text", "ini":
		default:
			t.Errorf("a block of the language %q: want sh, sql, system, text or ini", m[1])
		}
	}
	require.Positive(t, n)
	return b.String()
}

// runDocs runs a script in a home directory of its own, with the programs of this build. What it
// started is ended.
func runDocs(t *testing.T, script string) {
	home, err := os.MkdirTemp("", "docs-") // short: sockets lie in it
	require.NoError(t, err)
	bin := filepath.Join(home, "bin")
	require.NoError(t, os.Mkdir(bin, 0o755))
	for _, name := range []string{"emberd", "ember"} {
		path, err := filepath.Abs(emberd.Build(t, name))
		require.NoError(t, err)
		require.NoError(t, os.Symlink(path, filepath.Join(bin, name)))
	}
	for _, port := range []string{"3306", "9090"} {
		script = strings.ReplaceAll(script, port, strconv.Itoa(emberd.FreePort(t)))
	}
	t.Cleanup(func() { os.RemoveAll(home) })
	file := filepath.Join(home, "script")
	require.NoError(t, os.WriteFile(file, []byte(script+docsEnd), 0o600))
	ctx, cancel := context.WithTimeout(context.Background(), docLimit)
	defer cancel()
	cmd := exec.CommandContext(ctx, "bash", file)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} // whatever it starts can be ended with it
	end := func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	cmd.Cancel = end
	cmd.Dir = home
	cmd.Env = append(os.Environ(), "HOME="+home, "PATH="+bin+":"+os.Getenv("PATH"), "MYSQL_PWD=")
	out, err := os.Create(filepath.Join(home, "out"))
	require.NoError(t, err)
	defer out.Close()
	cmd.Stdout, cmd.Stderr = out, out // a file: nobody waits for what a server left behind has open
	err = cmd.Run()
	if err != nil {
		said, _ := os.ReadFile(out.Name())
		log, _ := os.ReadFile(filepath.Join(home, "ember", "ember.log"))
		_ = end()
		t.Fatalf("%v\n%s\nscript:\n%s\nserver:\n%s", err, said, script, log)
	}
	require.FileExists(t, filepath.Join(home, "done"))
	if testing.Verbose() {
		said, _ := os.ReadFile(out.Name())
		t.Logf("%s", said)
	}
}
