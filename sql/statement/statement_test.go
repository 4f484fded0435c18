package statement

import (
	"testing"

	"github.com/stretchr/testify/require"

	"emberdb/sql/parse"
	"emberdb/sql/token"
)

// TestRead takes the statements of a text one by one.
func TestRead(t *testing.T) {
	rest := " SELECT 'a;b' ; /* c */ INSERT INTO t VALUES (?) ;; SELEC"
	o := parse.Options{Multi: true, Mode: token.Prepared}
	st, rest, err := Read(rest, o)
	require.NoError(t, err)
	require.Equal(t, []string{"SELECT 'a;b'", "select"}, []string{parse.Trim(st.Text), st.Command})
	st, rest, err = Read(rest, o)
	require.NoError(t, err)
	require.Equal(t, []any{"/* c */ INSERT INTO t VALUES (?)", "insert", 1}, []any{st.Text, st.Command, st.Params})
	require.Equal(t, "; SELEC", rest)
	st, rest, err = Read(rest, o)
	require.ErrorContains(t, err, "near '; SELEC' at line 1")
	require.Equal(t, []any{"other", "", nil}, []any{st.Command, rest, st.Tree})
	st, _, err = Read(" -- c", o)
	require.NoError(t, err)
	require.Equal(t, "empty_query", st.Command)
}

// TestBackup reads the statements that MySQL does not have.
func TestBackup(t *testing.T) {
	for text, printed := range map[string]string{
		"backup begin": "BACKUP BEGIN", "BACKUP begin 2": "BACKUP BEGIN 2", "BACKUP PAGES 'x' 12 '1:0:64,2:0:1'": "BACKUP PAGES 'x' 12 '1:0:64,2:0:1'", "BACKUP log 'x'": "BACKUP LOG 'x'",
		"backup pages 'x' 12 '1:0:64' 15": "BACKUP PAGES 'x' 12 '1:0:64' 15",
		"BACKUP FINISH 'x'":               "BACKUP FINISH 'x'", "BACKUP END 'x'": "BACKUP END 'x'",
	} {
		st, _, err := Read(text, parse.Options{})
		require.NoError(t, err, text)
		require.Equal(t, printed, st.Print(st.Tree), text)
		require.Zero(t, st.Set, text)
	}
	for text, near := range map[string]string{"BACKUP": "near ''", "BACKUP x": "near 'x'", "BACKUP PAGES 'x' 'y' 'z'": "near ''y' 'z''", "BACKUP BEGIN x": "near 'x'"} {
		_, _, err := Read(text, parse.Options{})
		require.ErrorContains(t, err, near, text)
	}
}
