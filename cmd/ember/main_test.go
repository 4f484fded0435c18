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
		{"bench oltp run --workload tea", `--workload "tea": want one of point_select`},
		{"bench oltp run --protocol morse", `--protocol "morse": want text or prepared`},
		{"bench oltp run --threads 0", "--threads 0: at least 1"},
		{"bench oltp run --dsn u@tcp(h)/d?tls=true", "this client speaks without TLS"},
		{"bench oltp prepare --table-size 0", "--table-size 0: at least 1"},
		{"bench oltp cleanup --tables 0", "--tables 0: at least 1"},
		{"bench oltp cleanup --socket /nonexistent/s.sock", "/nonexistent/s.sock"},
		{"bench compare", "--server NAME=DSN: at least one"},
		{"bench compare --server a=root@unix(/a)/", "at least two to compare"},
		{"bench compare --server a=root@unix(/a)/ --server b=root@unix(/b)/ --workload tea", `--workload "tea": want some of`},
		{"bench compare --server a=root@unix(/a)/ --server b=root@unix(/b)/ --threads 0", "--threads 0: at least 1"},
		{"bench compare --server a=root@unix(/nonexistent/a)/ --server b=root@unix(/b)/", "a: dial unix /nonexistent/a"},
		{"bench restart --server a=root@unix(/a)/", "--start a=COMMAND: needed to restart it"},
		{"bench restart --server a=root@unix(/a)/ --start a=x --how rudely", `--how "rudely": want clean or kill`},
		{"bench recovery --server a=root@unix(/a)/ --redo 1T", `--redo "1T": want a number of bytes`},
		{"bench rollback --server a=root@unix(/a)/ --way off", `--way "off": want rollback or crash`},
		{"bench rollback --server a=root@unix(/a)/ --rows 0", "--rows 0: at least 1"},
		{"bench binlog-start --server a=root@unix(/a)/ --start a=x --files many", `--files "many": want FILESxBYTES`},
		{"bench binlog-start --server a=root@unix(/a)/ --start a=x --trace b=y", "--trace b: no --server has this name"},
		{"bench binlog-sync --server a=root@unix(/a)/ --sync -1", "--sync -1: at least 0"},
		{"bench followers --server a=root@unix(/a)/ --followers -1", "--followers -1: at least 0"},
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

func TestByteSize(t *testing.T) {
	for text, want := range map[string]int64{"0": 0, "4096": 4096, "64K": 64 << 10, "512m": 512 << 20, "8G": 8 << 30} {
		got, err := byteSize(text)
		require.NoError(t, err, text)
		require.Equal(t, want, got, text)
	}
	for _, bad := range []string{"", "K", "-1", "1.5G", "7T", "9999999999999999999"} {
		_, err := byteSize(bad)
		require.Error(t, err, bad)
	}
}
