package main

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"

	"github.com/spf13/cobra"

	"emberdb/engine/warm"
	"emberdb/inspect"
	"emberdb/internal/vfs"
)

// The verbs of ember warm that work on files.

func newWarmExport() *cobra.Command {
	var name string
	cmd := &cobra.Command{
		Use:   "export DATADIR FILE",
		Short: "Copy the newest LRU list of a data directory, with the names of its tables, to a file",
		Long: `Copy the newest LRU list of a data directory to a file that another server can start warm with. The file carries the names of the tables, so it
can be read where they have other ids. The server may be running; "ember warm dump" before makes the list fresh.`,
		Args: cobra.ExactArgs(2),
		RunE: func(cmd *cobra.Command, args []string) error {
			return withPages(cmd, args[0], true, func(d *inspect.Dir) error {
				l, err := d.List(name)
				if err != nil {
					return err
				}
				if err := l.WriteFile(vfs.NewOS(nil), args[1]); err != nil {
					return err
				}
				_, err = fmt.Fprintf(cmd.OutOrStdout(), "%d pages of %d named tables, list of %s\n", len(l.IDs), len(l.Names), l.Created.Format("2006-01-02 15:04:05"))
				return err
			})
		},
	}
	cmd.Flags().StringVar(&name, "filename", "", "name of the list in the directory, if innodb_buffer_pool_filename was changed")
	return cmd
}

func newWarmImport() *cobra.Command {
	var name string
	cmd := &cobra.Command{
		Use:   "import FILE DATADIR",
		Short: "Make a list from elsewhere the newest LRU list of a data directory",
		Long: `Make an LRU list from elsewhere (ember warm export, or a list file) the newest list of a data directory: the next start loads it. A list that
another server wrote is mapped by the names of its tables; it is refused, with the reason, when it carries none or none of them is here. Where a
server is running, follow it by "ember warm load".`,
		Args: cobra.ExactArgs(2),
		RunE: func(cmd *cobra.Command, args []string) error {
			fsys := vfs.NewOS(nil)
			l, err := warm.ReadList(fsys, args[0])
			if err != nil {
				return err
			}
			return withPages(cmd, args[1], true, func(d *inspect.Dir) error {
				mapped, err := d.Fit(l)
				if err != nil {
					return err
				}
				own, _, err := warm.Newest(fsys, d.ListPath(name))
				if err == nil {
					mapped.Generation = own.Generation + 1
				} else if !errors.Is(err, fs.ErrNotExist) {
					fmt.Fprintf(cmd.ErrOrStderr(), "the list that was here is damaged: %v\n", err)
				}
				if err := mapped.Write(fsys, d.ListPath(name)); err != nil {
					return err
				}
				how := "written by this server"
				if mapped != l {
					how = fmt.Sprintf("mapped by the names of %d tables", len(mapped.Names))
				}
				_, err = fmt.Fprintf(cmd.OutOrStdout(), "%d of %d pages, %s\n", len(mapped.IDs), len(l.IDs), how)
				return err
			})
		},
	}
	cmd.Flags().StringVar(&name, "filename", "", "name of the list in the directory, if innodb_buffer_pool_filename was changed")
	return cmd
}

func newWarmDiff() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:     "diff LIST LIST",
		Short:   "Compare two LRU lists: pages in both, in one only, and the rank correlation",
		Long:    "Compare two LRU lists, list files or data directories: pages in both, in one only, per table, and the rank correlation of the common ones.",
		Example: "  ember warm diff data/ib_buffer_pool.1 data/ib_buffer_pool",
		Args:    cobra.ExactArgs(2),
		RunE: func(cmd *cobra.Command, args []string) error {
			paths := [2]string{}
			for i, a := range args {
				dir, err := isDir(a)
				if err != nil {
					return err
				}
				if paths[i] = a; dir {
					paths[i] = filepath.Join(a, warm.DefaultFilename)
				}
			}
			r, err := inspect.DiffLists(vfs.NewOS(nil), paths[0], paths[1])
			if err != nil {
				return err
			}
			return show(cmd, asJSON, r)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}
