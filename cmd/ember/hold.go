package main

import (
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"emberdb/internal/keep"
)

func init() {
	verbs = append(verbs, newHold)
}

// newHold is the verb that emberd starts with ember_pool_memory=hold, and by which people see and
// end what is held.
func newHold() *cobra.Command {
	var dir string
	var serve, end, asJSON bool
	cmd := &cobra.Command{
		Use:   "hold --datadir=DIR [--end]",
		Short: "Show or end what holds a server's memory while the server is not running",
		Long: `With ember_pool_memory=hold the server starts a process, "ember hold", that holds the buffer pool's memory and the listening
sockets by their descriptors. When the server ends, by whatever cause, the next one takes them over.

Without --end this command tells what is held for a data directory. --end frees it: the holder ends, and the memory with it
unless a server is running. Only the user whom the server runs as may do that.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			switch {
			case dir == "":
				return errors.New("--datadir is required")
			case serve:
				return keep.Serve(os.NewFile(3, "socket"), dir)
			case end:
				return keep.EndHolder(dir)
			}
			names, ok, err := keep.HolderNames(dir)
			if err != nil {
				return err
			}
			if asJSON {
				return writeJSON(cmd.OutOrStdout(), map[string]any{"holder": ok, "held": append([]string{}, names...)})
			}
			if !ok {
				fmt.Fprintln(cmd.OutOrStdout(), "nothing is held")
				return nil
			}
			fmt.Fprintf(cmd.OutOrStdout(), "held: %s\n", strings.Join(names, ", "))
			return nil
		},
	}
	cmd.Flags().StringVar(&dir, "datadir", "", "data directory of the server")
	cmd.Flags().BoolVar(&end, "end", false, "end the holder")
	cmd.Flags().BoolVar(&serve, "serve", false, "hold: descriptor 3 is the socket to serve")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	_ = cmd.Flags().MarkHidden("serve")
	return cmd
}
