package main

import (
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"

	"emberdb/server/version"
)

func init() {
	verbs = append(verbs, newVersion)
}

// versionInfo is what ember version tells.
type versionInfo struct {
	Version string `json:"version"`
	Server  string `json:"server_version"` // as emberd of this build tells it to clients
	Commit  string `json:"commit,omitempty"`
	Go      string `json:"go"`
	System  string `json:"system"`
}

func newVersion() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "version",
		Short: "Print the version of this build",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			v := versionInfo{Version: version.Version, Server: version.ServerVersion(), Go: runtime.Version(), System: runtime.GOOS + "/" + runtime.GOARCH}
			if info, ok := debug.ReadBuildInfo(); ok {
				for _, s := range info.Settings {
					if s.Key == "vcs.revision" {
						v.Commit = s.Value
					}
				}
			}
			if asJSON {
				return writeJSON(cmd.OutOrStdout(), v)
			}
			commit := ""
			if v.Commit != "" {
				commit = ", commit " + v.Commit
			}
			_, err := fmt.Fprintf(cmd.OutOrStdout(), "ember %s (server %s%s, %s, %s)\n", v.Version, v.Server, commit, v.Go, v.System)
			return err
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}
