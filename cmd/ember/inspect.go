package main

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"emberdb/inspect"
	"emberdb/internal/base"
	"emberdb/internal/vfs"
)

func init() {
	verbs = append(verbs, newInspect)
}

func newInspect() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "inspect",
		Short: "Show what the files of a data directory hold",
		Long: `Show what the files of a data directory hold. Nothing is written, locked or recovered: a damaged directory, a copy and
the directory of a running server can all be looked at. The files are shown as they are: changes that only the redo log has are missing
unless --redo applies it in memory, changes that only the server's memory has are missing in any case, and rows of transactions that
never committed may be there.`,
	}
	cmd.AddCommand(newInspectPage(), newInspectRedo(), newInspectSpace(), newInspectCatalog(), newInspectWarm())
	return cmd
}

// withDir runs fn on a data directory.
func withDir(path string, fn func(*inspect.Dir) error) error {
	d, err := inspect.Open(vfs.NewOS(nil), path)
	if err != nil {
		return err
	}
	defer d.Close()
	return fn(d)
}

// withPages is withDir for inspectors of pages; with redo the log is applied in memory.
func withPages(cmd *cobra.Command, path string, redo bool, fn func(*inspect.Dir) error) error {
	return withDir(path, func(d *inspect.Dir) error {
		if redo {
			problems, err := d.UseRedo()
			if err != nil {
				return err
			}
			for _, p := range problems {
				fmt.Fprintf(cmd.ErrOrStderr(), "damaged, what follows in the log is left out: %s\n", p)
			}
		}
		return fn(d)
	})
}

// redoFlag defines --redo.
func redoFlag(f *pflag.FlagSet, redo *bool) {
	f.BoolVar(redo, "redo", false, "apply the redo log in memory, as recovery would (takes as much memory as the log behind the checkpoint is long)")
}

// isDir tells whether path is a folder.
func isDir(path string) (bool, error) {
	info, err := vfs.NewOS(nil).Stat(path)
	return info.Dir, err
}

// textWriter is a report.
type textWriter interface{ WriteText(io.Writer) error }

func show(cmd *cobra.Command, asJSON bool, r textWriter) error {
	if asJSON {
		return writeJSON(cmd.OutOrStdout(), r)
	}
	return r.WriteText(cmd.OutOrStdout())
}

// parsePage reads SPACE:PAGE, or PAGE alone.
func parsePage(s string) (id base.PageID, anySpace bool, err error) {
	left, right, both := strings.Cut(s, ":")
	if !both {
		left, right = "0", s
	}
	sp, err1 := strconv.ParseUint(left, 10, 32)
	no, err2 := strconv.ParseUint(right, 10, 32)
	if err1 != nil || err2 != nil {
		return id, false, fmt.Errorf("page %q: want SPACE:PAGE", s)
	}
	return base.PageID{Space: base.SpaceID(sp), No: base.PageNo(no)}, !both, nil
}

func newInspectPage() *cobra.Command {
	var o inspect.PageOptions
	var asJSON, redo bool
	cmd := &cobra.Command{
		Use:   "page DATADIR|FILE SPACE:PAGE",
		Short: "Show one page: header, checksum, body",
		Long: `Show one page: header, checksum, body. Of a data directory the page is named SPACE:PAGE; of a single tablespace file PAGE is enough.
Exit code 1 when the page is damaged.`,
		Example: "  ember inspect page data 1034:3 --records\n  ember inspect page 0000040a.ebs 3 --hex",
		Args:    cobra.ExactArgs(2),
		RunE: func(cmd *cobra.Command, args []string) error {
			id, anySpace, err := parsePage(args[1])
			if err != nil {
				return err
			}
			dir, err := isDir(args[0])
			if err != nil {
				return err
			}
			if dir && anySpace {
				return fmt.Errorf("page %q: want SPACE:PAGE in a data directory", args[1])
			}
			var r *inspect.PageReport
			if dir {
				err = withPages(cmd, args[0], redo, func(d *inspect.Dir) (err error) {
					r, err = d.Page(id, o)
					return err
				})
			} else {
				r, err = inspect.PageOfFile(vfs.NewOS(nil), args[0], id, anySpace, o)
			}
			if err != nil {
				return err
			}
			if err := show(cmd, asJSON, r); err != nil {
				return err
			}
			return verdict(r.Problem != nil)
		},
	}
	f := cmd.Flags()
	f.BoolVar(&o.Records, "records", false, "every record or entry of the page")
	f.BoolVar(&o.Hex, "hex", false, "the bytes")
	redoFlag(f, &redo)
	f.BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}

// verdict is the exit code of an inspector that has met damage and said so.
func verdict(damaged bool) error {
	if damaged {
		return errVerdict
	}
	return nil
}

func newInspectRedo() *cobra.Command {
	var o inspect.RedoOptions
	var from uint64
	var page string
	cmd := &cobra.Command{
		Use:   "redo DATADIR",
		Short: "Show the redo log: checkpoints, segments, groups and records",
		Long: `Show the redo log: checkpoints, segments, groups and records, from the checkpoint on. A group is what one mini-transaction
logged. Exit code 1 when part of the log is damaged.`,
		Example: "  ember inspect redo data --stats\n  ember inspect redo data --page 1034:3\n  ember inspect redo data --from 81920 --op btree-insert --limit 20",
		Args:    cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			o.From = base.LSN(from)
			if page != "" {
				id, anySpace, err := parsePage(page)
				if err != nil || anySpace {
					return fmt.Errorf("--page %q: want SPACE:PAGE", page)
				}
				o.Page = &id
			}
			return withDir(args[0], func(d *inspect.Dir) error {
				damaged, err := d.Redo(cmd.OutOrStdout(), o)
				if err != nil {
					return err
				}
				return verdict(damaged > 0)
			})
		},
	}
	f := cmd.Flags()
	f.Uint64Var(&from, "from", 0, "first LSN (0 = the checkpoint)")
	f.BoolVar(&o.All, "all", false, "begin with the oldest segment, before the checkpoint")
	f.StringVar(&page, "page", "", "records of this page only, SPACE:PAGE")
	f.StringVar(&o.Op, "op", "", "records of this operation only")
	f.IntVar(&o.Limit, "limit", 0, "at most so many records (0 = all)")
	f.BoolVar(&o.Stats, "stats", false, "records and bytes per operation instead of the records")
	f.BoolVar(&o.JSON, "json", false, "print JSON lines")
	return cmd
}

func newInspectSpace() *cobra.Command {
	var asJSON, extents, redo bool
	cmd := &cobra.Command{
		Use:     "space DATADIR SPACE|SCHEMA.TABLE",
		Short:   "Show a tablespace: header, map, trees and their shape",
		Long:    "Show a tablespace: header, map, trees and their shape. Every page in use is read. Exit code 1 when something is damaged.",
		Example: "  ember inspect space data shop.orders\n  ember inspect space data 1034 --map",
		Args:    cobra.ExactArgs(2),
		RunE: func(cmd *cobra.Command, args []string) error {
			return withPages(cmd, args[0], redo, func(d *inspect.Dir) error {
				s, err := d.SpaceOfName(args[1])
				if err != nil {
					return err
				}
				r, err := d.Space(s)
				if err != nil {
					return err
				}
				if asJSON {
					err = writeJSON(cmd.OutOrStdout(), r)
				} else {
					err = r.WriteText(cmd.OutOrStdout(), extents)
				}
				if err != nil {
					return err
				}
				return verdict(len(r.Problems) > 0)
			})
		},
	}
	f := cmd.Flags()
	f.BoolVar(&extents, "map", false, "the pages in use, 64 a line")
	redoFlag(f, &redo)
	f.BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}

func newInspectCatalog() *cobra.Command {
	var asJSON, redo bool
	cmd := &cobra.Command{
		Use:     "catalog DATADIR [SCHEMA[.TABLE]]",
		Short:   "Show the stored definitions",
		Long:    "Show the stored definitions: all, those of a schema, or one whole. Exit code 1 when some cannot be read.",
		Example: "  ember inspect catalog data\n  ember inspect catalog data shop.orders",
		Args:    cobra.RangeArgs(1, 2),
		RunE: func(cmd *cobra.Command, args []string) error {
			return withPages(cmd, args[0], redo, func(d *inspect.Dir) error {
				r, err := d.Catalog(strings.Join(args[1:], ""))
				if err != nil {
					return err
				}
				if err := show(cmd, asJSON, r); err != nil {
					return err
				}
				return verdict(len(r.Problems) > 0)
			})
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	redoFlag(cmd.Flags(), &redo)
	return cmd
}

func newInspectWarm() *cobra.Command {
	var asJSON bool
	var top int
	var name string
	cmd := &cobra.Command{
		Use:     "warm DATADIR|FILE",
		Short:   "Show the dumped LRU list: header, pages per table, hottest tables first",
		Long:    "Show the dumped LRU list, and of a data directory also the one before it: header, pages per table, hottest tables first. Exit code 1 when a list is damaged.",
		Example: "  ember inspect warm data --top 10",
		Args:    cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			dir, err := isDir(args[0])
			if err != nil {
				return err
			}
			var lists []*inspect.WarmReport
			if dir {
				err = withDir(args[0], func(d *inspect.Dir) (err error) {
					lists, err = d.Warm(name)
					return err
				})
			} else {
				lists = make([]*inspect.WarmReport, 1)
				lists[0], err = inspect.WarmFile(vfs.NewOS(nil), args[0], nil)
			}
			if err != nil {
				return err
			}
			return printLists(cmd.OutOrStdout(), lists, asJSON, top)
		},
	}
	f := cmd.Flags()
	f.IntVar(&top, "top", 20, "tables shown (0 = all)")
	f.StringVar(&name, "filename", "", "name of the list in the directory, if innodb_buffer_pool_filename was changed")
	f.BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}

func printLists(w io.Writer, lists []*inspect.WarmReport, asJSON bool, top int) error {
	if asJSON {
		if err := writeJSON(w, lists); err != nil {
			return err
		}
	}
	damaged := false
	for i, r := range lists {
		damaged = damaged || r.Problem != nil
		if asJSON {
			continue
		}
		if i > 0 {
			fmt.Fprintln(w)
		}
		if err := r.WriteText(w, top); err != nil {
			return err
		}
	}
	return verdict(damaged)
}
