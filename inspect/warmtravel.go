package inspect

import (
	"cmp"
	"encoding/hex"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"

	"emberdb/engine/warm"
	"emberdb/internal/base"
	"emberdb/internal/vfs"
)

// LRU lists on their way from one data directory to another, and two lists compared.

// TableNames names the tables of the directory by tablespace.
func (d *Dir) TableNames() map[base.SpaceID]warm.TableName {
	out := map[base.SpaceID]warm.TableName{}
	for s, def := range d.dictionary().tables {
		out[s] = warm.TableName{Schema: def.Schema, Name: def.Name}
	}
	return out
}

// ListPath is where the directory's list stands; an empty name is the default one.
func (d *Dir) ListPath(name string) string {
	return filepath.Join(d.path, cmp.Or(name, warm.DefaultFilename))
}

// List returns the directory's newest list that verifies, with the names of all its tables.
func (d *Dir) List(name string) (*warm.List, error) {
	l, _, err := warm.Newest(d.fs, d.ListPath(name))
	if err != nil {
		return nil, err
	}
	listed := map[base.SpaceID]bool{}
	for _, id := range l.IDs {
		listed[base.PageIDFrom(id).Space] = true
	}
	if l.Names == nil {
		l.Names = map[base.SpaceID]warm.TableName{}
	}
	for s, n := range d.TableNames() {
		if listed[s] {
			l.Names[s] = n
		}
	}
	return l, nil
}

// Fit makes a list one of this directory: as it is if it was written here, else by the names of the
// tables. warm.ErrForeignList tells why it cannot be.
func (d *Dir) Fit(l *warm.List) (*warm.List, error) {
	var uuid [16]byte
	if _, err := hex.Decode(uuid[:], []byte(strings.ReplaceAll(d.UUID, "-", ""))); err != nil {
		return nil, fmt.Errorf("%s: the identity of the directory cannot be read: %w", d.path, base.ErrCorrupt)
	}
	return l.MapTo(uuid, d.TableNames())
}

// WarmDiff compares two lists.
type WarmDiff struct {
	A           string          `json:"a"`
	B           string          `json:"b"`
	PagesA      int             `json:"pages_a"`
	PagesB      int             `json:"pages_b"`
	Common      int             `json:"common"`
	Correlation float64         `json:"rank_correlation"` // Spearman's, of the common pages
	Spaces      []WarmDiffSpace `json:"spaces"`           // most changed first
}

// WarmDiffSpace is a tablespace's part of it.
type WarmDiffSpace struct {
	Space  base.SpaceID `json:"space"`
	Name   string       `json:"name,omitempty"`
	Common int          `json:"common"`
	OnlyA  int          `json:"only_a"`
	OnlyB  int          `json:"only_b"`
}

// DiffLists compares the newest lists at two paths.
func DiffLists(fsys vfs.FS, a, b string) (*WarmDiff, error) {
	la, _, err := warm.Newest(fsys, a)
	if err != nil {
		return nil, err
	}
	lb, _, err := warm.Newest(fsys, b)
	if err != nil {
		return nil, err
	}
	r := &WarmDiff{A: a, B: b, PagesA: len(la.IDs), PagesB: len(lb.IDs)}
	r.Correlation, r.Common = warm.Correlation(la, lb)
	bySpace := map[base.SpaceID]*WarmDiffSpace{}
	at := func(id uint64) *WarmDiffSpace {
		s := base.PageIDFrom(id).Space
		if bySpace[s] == nil {
			bySpace[s] = &WarmDiffSpace{Space: s, Name: spaceName(s, la, lb)}
		}
		return bySpace[s]
	}
	inA := make(map[uint64]bool, len(la.IDs))
	for _, id := range la.IDs {
		inA[id] = true
		at(id).OnlyA++
	}
	for _, id := range lb.IDs {
		if c := at(id); inA[id] {
			c.Common++
			c.OnlyA--
		} else {
			c.OnlyB++
		}
	}
	for _, c := range bySpace {
		r.Spaces = append(r.Spaces, *c)
	}
	slices.SortFunc(r.Spaces, func(a, b WarmDiffSpace) int {
		return cmp.Or(b.OnlyA+b.OnlyB-a.OnlyA-a.OnlyB, b.Common-a.Common, cmp.Compare(a.Space, b.Space))
	})
	return r, nil
}

// spaceName names a tablespace as the lists do.
func spaceName(s base.SpaceID, lists ...*warm.List) string {
	switch s {
	case base.SystemSpace:
		return "system space"
	case base.UndoSpace:
		return "undo space"
	}
	for _, l := range lists {
		if n, ok := l.Names[s]; ok {
			return n.String()
		}
	}
	return "?"
}

// WriteText prints the comparison.
func (r *WarmDiff) WriteText(w io.Writer) error {
	fmt.Fprintf(w, "A %s: %d pages\nB %s: %d pages\n%d in both (%.1f %% of A), rank correlation %.4f\n", r.A, r.PagesA, r.B, r.PagesB, r.Common,
		100*float64(r.Common)/float64(max(r.PagesA, 1)), r.Correlation)
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(t, "BOTH\tONLY A\tONLY B\tSPACE\t NAME")
	for _, s := range r.Spaces {
		fmt.Fprintf(t, "%d\t%d\t%d\t%d\t %s\n", s.Common, s.OnlyA, s.OnlyB, s.Space, s.Name)
	}
	return t.Flush()
}
