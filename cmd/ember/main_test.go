package main

import (
	"bytes"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/stretchr/testify/require"
)

// every calls f for all commands with the words that lead to them.
func every(cmd *cobra.Command, words []string, f func(*cobra.Command, []string)) {
	f(cmd, words)
	for _, sub := range cmd.Commands() {
		every(sub, append(words[:len(words):len(words)], sub.Name()), f)
	}
}

func run(args ...string) (string, error) {
	root := newRoot()
	var out bytes.Buffer
	root.SetOut(&out)
	root.SetErr(&out)
	root.SetArgs(args)
	err := root.Execute()
	return out.String(), err
}

// TestHelp asks every command for its help.
func TestHelp(t *testing.T) {
	every(newRoot(), nil, func(cmd *cobra.Command, words []string) {
		require.NotEmpty(t, cmd.Short, "%v", words)
		require.False(t, strings.HasSuffix(cmd.Short, "."), "%v: %s", words, cmd.Short)
		out, err := run(append(words, "--help")...)
		require.NoError(t, err, "%v", words)
		require.Contains(t, out, "Usage:", "%v", words)
	})
}

func TestWrongUse(t *testing.T) {
	for _, c := range []struct {
		args string
		want string
	}{
		{"nonsense", `unknown command "nonsense"`},
		{"bench tpcc run --speed 9", "unknown flag: --speed"},
		{"bench tpcc run --protocol morse", `--protocol "morse": want text or prepared`},
		{"bench tpcc load --warehouses 0", "--warehouses 0: at least 1"},
		{"bench tpcc check extra", `unknown command "extra"`},
		{"bench tpcc check --dsn x", "--dsn: invalid DSN"},
		{"inspect page /nonexistent 1:2", "/nonexistent"},
		{"inspect page / x:y", `page "x:y": want SPACE:PAGE`},
		{"inspect page / 7", `page "7": want SPACE:PAGE in a data directory`},
		{"inspect redo /nonexistent", "/nonexistent"},
		{"inspect catalog", "accepts between 1 and 2 arg(s)"},
		{"check a b", "accepts at most 1 arg(s)"},
		{"status --socket /nonexistent/s.sock", "server at /nonexistent/s.sock"},
		{"warm load --socket /nonexistent/s.sock", "server at /nonexistent/s.sock"},
		{"check --socket /nonexistent/s.sock", "server at /nonexistent/s.sock"},
		{"bench tpcc run --socket /nonexistent/s.sock", "/nonexistent/s.sock"},
	} {
		_, err := run(strings.Fields(c.args)...)
		require.ErrorContains(t, err, c.want, c.args)
	}
}
