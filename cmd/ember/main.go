// Command ember is the tool beside the server: benchmarks, checks and inspection. One file per
// verb.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"github.com/spf13/cobra"
)

// verbs are the constructors of the sub-commands, in the order help shows them. Each file adds its
// own.
var verbs []func() *cobra.Command

// errVerdict ends the process with exit code 1 without a further message: the command has printed
// its verdict.
var errVerdict = errors.New("the check failed")

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	err := newRoot().ExecuteContext(ctx)
	switch {
	case err == nil:
		return
	case !errors.Is(err, errVerdict):
		fmt.Fprintln(os.Stderr, "ember:", err)
	}
	stop()
	os.Exit(1)
}

func newRoot() *cobra.Command {
	var l logins
	root := &cobra.Command{
		Use:           "ember",
		Short:         "Tools for Ember, the MySQL-compatible server whose restarts do not hurt",
		SilenceUsage:  true,
		SilenceErrors: true,
		PersistentPreRunE: func(cmd *cobra.Command, _ []string) error {
			return l.apply(cmd.Flags(), cmd.ErrOrStderr())
		},
	}
	l.addFlags(root.PersistentFlags())
	for _, verb := range verbs {
		root.AddCommand(verb())
	}
	return root
}
