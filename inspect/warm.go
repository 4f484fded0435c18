package inspect

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"text/tabwriter"
	"time"

	"emberdb/engine/warm"
	"emberdb/internal/base"
	"emberdb/internal/vfs"
)

// WarmReport is one LRU list.
type WarmReport struct {
	File       string      `json:"file"`
	UUID       string      `json:"server_uuid,omitempty"`
	Generation uint64      `json:"generation,omitempty"`
	Created    time.Time   `json:"created"`
	Pages      int         `json:"pages"`
	Young      int         `json:"young"`
	Hot        int         `json:"hot"`    // the first sixteenth of the list, which a load brings first
	Spaces     []WarmSpace `json:"spaces"` // hottest first
	Problem    *Problem    `json:"problem,omitempty"`
}

// WarmSpace is a tablespace's share of the list.
type WarmSpace struct {
	Space    base.SpaceID `json:"space"`
	Name     string       `json:"name,omitempty"`
	Pages    int          `json:"pages"`
	Hot      int          `json:"hot"`        // of them in the hottest sixteenth
	Young    int          `json:"young"`      // of them in the young part
	First    int          `json:"first_rank"` // rank of its hottest page
	MeanRank float64      `json:"mean_rank"`  // 0 = hottest, 1 = coldest
}

// Warm reads the lists of the directory: the newest, and the one before. An empty name is the
// default one. base.ErrNotFound when none has been dumped.
func (d *Dir) Warm(name string) ([]*WarmReport, error) {
	name = cmp.Or(name, warm.DefaultFilename)
	var out []*WarmReport
	for _, file := range []string{name, name + ".1"} {
		r, err := WarmFile(d.fs, filepath.Join(d.path, file), d.nameOfSpace)
		if missing(err) {
			continue
		}
		if err != nil {
			return nil, err
		}
		out = append(out, r)
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("%s: LRU list %s: %w: none has been dumped", d.path, name, base.ErrNotFound)
	}
	return out, nil
}

// WarmFile reads a list wherever it lies; nameOf may be nil.
func WarmFile(fsys vfs.FS, path string, nameOf func(base.SpaceID) string) (*WarmReport, error) {
	r := &WarmReport{File: path}
	l, err := warm.ReadList(fsys, path)
	if errors.Is(err, base.ErrCorrupt) {
		p := problemOf(err)
		r.Problem = &p
		return r, nil
	}
	if err != nil {
		return nil, err
	}
	r.UUID, r.Generation, r.Created, r.Pages, r.Young = uuidText(l.UUID), l.Generation, l.Created.UTC(), len(l.IDs), l.Young
	r.Hot = (len(l.IDs) + 15) / 16
	r.count(l)
	if nameOf != nil {
		for i := range r.Spaces {
			r.Spaces[i].Name = nameOf(r.Spaces[i].Space)
		}
	}
	return r, nil
}

// count adds the list up by tablespace.
func (r *WarmReport) count(l *warm.List) {
	bySpace := map[base.SpaceID]*WarmSpace{}
	for rank, id := range l.IDs {
		s := base.PageIDFrom(id).Space
		c := bySpace[s]
		if c == nil {
			c = &WarmSpace{Space: s, First: rank}
			bySpace[s] = c
		}
		c.Pages++
		if rank < r.Hot {
			c.Hot++
		}
		if rank < l.Young {
			c.Young++
		}
		c.MeanRank += float64(rank)
	}
	for _, c := range bySpace {
		c.MeanRank /= float64(c.Pages) * float64(max(len(l.IDs)-1, 1))
		r.Spaces = append(r.Spaces, *c)
	}
	slices.SortFunc(r.Spaces, func(a, b WarmSpace) int {
		return cmp.Or(b.Hot-a.Hot, b.Young-a.Young, b.Pages-a.Pages, cmp.Compare(a.Space, b.Space))
	})
}

// WriteText prints the report: the hottest top tables, 0 for all.
func (r *WarmReport) WriteText(w io.Writer, top int) error {
	if r.Problem != nil {
		_, err := fmt.Fprintf(w, "damaged: %s\n", r.Problem)
		return err
	}
	fmt.Fprintf(w, "%s\ngeneration %d, written %s by server %s\n%d pages, %s, %d in the young part; the hottest %d are loaded first\n",
		r.File, r.Generation, r.Created.Format(time.RFC3339), r.UUID, r.Pages, bytesText(int64(r.Pages)*base.PageSize), r.Young, r.Hot)
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "SPACE\tNAME\tPAGES\tSHARE\tHOTTEST\tYOUNG\tFIRST RANK\tMEAN RANK\t")
	for i, s := range r.Spaces {
		if top > 0 && i == top {
			fmt.Fprintf(t, "...\t%d more\t\t\t\t\t\t\t\n", len(r.Spaces)-top)
			break
		}
		name := s.Name
		if name == "" {
			name = "?"
		}
		fmt.Fprintf(t, "%d\t%s\t%d\t%.1f %%\t%d\t%d\t%d\t%.2f\t\n", s.Space, name, s.Pages, 100*float64(s.Pages)/float64(max(r.Pages, 1)), s.Hot, s.Young, s.First, s.MeanRank)
	}
	return t.Flush()
}
