package sqllayer

import (
	"errors"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/vitess/go/mysql"
	"github.com/stretchr/testify/require"
)

// Files are used where the operating system finds them, behind every link: none outside
// secure_file_priv, and the error tells nothing of what is there.
func TestSecurePath(t *testing.T) {
	top, err := filepath.EvalSymlinks(t.TempDir())
	require.NoError(t, err)
	_, before, _ := sql.SystemVariables.GetGlobal("secure_file_priv")
	set := func(dir string) {
		require.NoError(t, sql.SystemVariables.AssignValues(map[string]any{"secure_file_priv": dir}))
	}
	defer func() { set(before.(string)) }()
	for _, dir := range []string{"files/sub", "out"} {
		require.NoError(t, os.MkdirAll(filepath.Join(top, dir), 0o755))
	}
	for _, file := range []string{"files/a", "files/sub/b", "out/secret"} {
		require.NoError(t, os.WriteFile(filepath.Join(top, file), []byte("1\n"), 0o644))
	}
	for link, to := range map[string]string{"files/in": "a", "files/outlink": "../out/secret", "files/outdir": "../out", "files/subdir": "sub",
		"files/dangling": "../out/new", "files/loop": "loop", "out/back": "../files/a", "root": "files"} {
		require.NoError(t, os.Symlink(to, filepath.Join(top, link)))
	}
	require.NoError(t, syscall.Mkfifo(filepath.Join(top, "files/fifo"), 0o644))
	type answer struct {
		found string
		code  int
	}
	ask := func(name string, creates bool) answer {
		found, err := SecurePath(top+"/"+name, creates)
		var told *mysql.SQLError
		if errors.As(err, &told) {
			return answer{code: told.Num}
		}
		require.NoError(t, err)
		name, err = filepath.Rel(top, found)
		require.NoError(t, err)
		return answer{found: name}
	}
	for _, dir := range []string{"/files", "/files/", "/root"} {
		set(top + dir)
		for name, want := range map[string]answer{
			"files/a": {found: "files/a"}, "files/../files/a": {found: "files/a"}, "files/in": {found: "files/a"}, "files/subdir/b": {found: "files/sub/b"},
			"files/subdir/../a": {found: "files/a"}, "root/a": {found: "files/a"}, "out/back": {found: "files/a"}, "files/outlink": {code: 1290},
			"files/outdir/secret": {code: 1290}, "files/outdir/nosuch": {code: 1290}, "files/outdir/../out/secret": {code: 1290}, "files/../out/secret": {code: 1290},
			"out/nosuch": {code: 1290}, "files/nosuch": {code: 13}, "files/dangling": {code: 13}, "files/loop": {code: 13}, "files/nosuch/x": {code: 1290},
			"files/fifo": {code: 1085}, "files/sub": {code: 1085}, "files": {code: 1085}, "files/a\x00": {code: 1290},
		} {
			require.Equal(t, want, ask(name, false), "%q under %s", name, dir)
		}
		for name, want := range map[string]answer{
			"files/new": {found: "files/new"}, "files/subdir/new": {found: "files/sub/new"}, "files/outdir/new": {code: 1290}, "files/outdir/../out/new": {code: 1290},
			"files/dangling": {code: 1}, "files/loop": {code: 1}, "files/outlink": {code: 1290}, "files/a": {code: 1086}, "files": {code: 1086},
			"files/nosuch/new": {code: 1290}, "out/new": {code: 1290},
		} {
			require.Equal(t, want, ask(name, true), "%q is made under %s", name, dir)
		}
	}
	set("NULL")
	require.Equal(t, answer{code: 1290}, ask("files/a", false))
	set("")
	require.Equal(t, answer{found: "out/secret"}, ask("files/outlink", false))
	require.Equal(t, answer{found: "out/new"}, ask("files/outdir/new", true))
}
