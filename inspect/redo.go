package inspect

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"

	_ "emberdb/engine" // all rooms that register redo operations
	"emberdb/engine/redo"
	"emberdb/internal/base"
)

// RedoOptions chooses what of the log is shown.
type RedoOptions struct {
	From  base.LSN     // groups that end behind it; 0: from the checkpoint
	All   bool         // from the oldest segment that is still there
	Page  *base.PageID // records of this page only
	Op    string       // records of this operation only
	Limit int          // at most so many records; 0: all
	Stats bool         // counts instead of records
	JSON  bool         // a line of JSON per group
}

// OpStats counts the records of an operation.
type OpStats struct {
	Op      string `json:"op"`
	Records int64  `json:"records"`
	Bytes   int64  `json:"bytes"` // encoded, without the share of the group's header
}

// RedoStats is what the log holds.
type RedoStats struct {
	From    base.LSN  `json:"from"`
	To      base.LSN  `json:"to"`
	Groups  int64     `json:"groups"`
	Records int64     `json:"records"`
	Bytes   int64     `json:"bytes"`
	Pages   int       `json:"pages"` // different pages
	Ops     []OpStats `json:"ops"`
}

// redoWalk shows the log as it goes.
type redoWalk struct {
	w     io.Writer
	o     RedoOptions
	stats RedoStats
	ops   map[redo.Op]*OpStats
	pages map[base.PageID]struct{}
	shown int
}

// Redo writes the log: checkpoints and segments, then its groups, or their statistics. damaged
// counts what could not be read.
func (d *Dir) Redo(w io.Writer, o RedoOptions) (damaged int, err error) {
	if err := checkOp(o.Op); err != nil {
		return 0, err
	}
	v, err := redo.OpenView(d.fs, d.path)
	if err != nil {
		return 0, err
	}
	defer v.Close()
	cp, ok := v.Checkpoint()
	if o.From == 0 && !o.All && ok {
		o.From = cp.LSN
	}
	head := redoHead(v)
	if o.JSON {
		err = json.NewEncoder(w).Encode(head)
	} else {
		err = head.writeText(w)
	}
	damaged = len(head.Problems)
	walk := &redoWalk{w: w, o: o, ops: map[redo.Op]*OpStats{}, pages: map[base.PageID]struct{}{}}
	for g, bad := range v.Groups(o.From) {
		if err != nil || walk.full() {
			break
		}
		if bad != nil {
			damaged++
			err = walk.problem(bad)
			continue
		}
		n, groupErr := walk.group(g)
		damaged, err = damaged+n, groupErr
	}
	if err == nil && o.Stats {
		err = walk.writeStats()
	}
	return damaged, err
}

// checkOp refuses the name of an operation that no room knows.
func checkOp(name string) error {
	if name == "" {
		return nil
	}
	var names []string
	for op := range 256 {
		if s := redo.Op(op).String(); s == name {
			return nil
		} else if s != fmt.Sprintf("op-%d", op) {
			names = append(names, s)
		}
	}
	slices.Sort(names)
	return fmt.Errorf("operation %q: want one of %s", name, strings.Join(names, ", "))
}

// redoFiles is the state of the log's files.
type redoFiles struct {
	Checkpoints []redoCheckpoint `json:"checkpoints"`
	Segments    []redoSegment    `json:"segments"`
	Problems    []Problem        `json:"problems,omitempty"`
}

type redoCheckpoint struct {
	File    string   `json:"file"`
	Seq     uint64   `json:"sequence"`
	LSN     base.LSN `json:"lsn"`
	Durable base.LSN `json:"durable"`
	UUID    string   `json:"server_uuid"`
	Blob    string   `json:"engine"`
}

type redoSegment struct {
	File   string   `json:"file"`
	Number uint64   `json:"number"`
	Start  base.LSN `json:"start"`
	End    base.LSN `json:"end"`
}

func redoHead(v *redo.View) redoFiles {
	var h redoFiles
	for _, f := range v.Checkpoints {
		if f.Err != nil {
			h.Problems = append(h.Problems, problemOf(f.Err))
			continue
		}
		c := f.Checkpoint
		h.Checkpoints = append(h.Checkpoints, redoCheckpoint{f.Path, f.Seq, c.LSN, c.Durable, uuidText(c.UUID), string(c.Blob)})
	}
	for _, s := range v.Segments() {
		h.Segments = append(h.Segments, redoSegment{s.Path, s.Number, s.Start, s.End})
	}
	for _, err := range v.Problems {
		h.Problems = append(h.Problems, problemOf(err))
	}
	return h
}

func uuidText(b [16]byte) string {
	return fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:])
}

func (h redoFiles) writeText(w io.Writer) error {
	for _, c := range h.Checkpoints {
		fmt.Fprintf(w, "checkpoint %d at LSN %d, durable up to %d, server %s, engine %s\n", c.Seq, c.LSN, c.Durable, c.UUID, c.Blob)
	}
	for _, s := range h.Segments {
		fmt.Fprintf(w, "segment %d LSN %d..%d %s\n", s.Number, s.Start, s.End, s.File)
	}
	writeProblems(w, h.Problems)
	_, err := fmt.Fprintln(w)
	return err
}

func (r *redoWalk) full() bool { return r.o.Limit > 0 && r.shown >= r.o.Limit && !r.o.Stats }

// problem reports damage of the log.
func (r *redoWalk) problem(err error) error {
	p := problemOf(err)
	if r.o.JSON {
		return json.NewEncoder(r.w).Encode(struct {
			Problem Problem `json:"problem"`
		}{p})
	}
	_, err = fmt.Fprintf(r.w, "damaged: %s\n", p)
	return err
}

type jsonRecord struct {
	Op   string `json:"op"`
	Page string `json:"page,omitempty"`
	Text string `json:"text"`
	Size int    `json:"size"`
}

type jsonGroup struct {
	LSN     base.LSN     `json:"lsn"`
	End     base.LSN     `json:"end"`
	Records []jsonRecord `json:"records"`
}

// group shows a group and counts it.
func (r *redoWalk) group(g redo.Group) (damaged int, err error) {
	out := jsonGroup{LSN: g.LSN, End: g.End}
	for rec, bad := range redo.Records(g.Payload) {
		if bad != nil {
			return 1, r.problem(fmt.Errorf("group at LSN %d: %w", g.LSN, bad))
		}
		if !r.wanted(rec) || r.full() {
			continue
		}
		r.shown++
		r.count(rec)
		if r.o.Stats {
			continue
		}
		j := jsonRecord{Op: rec.Op.String(), Text: redo.Describe(rec), Size: len(rec.Body)}
		if rec.Op >= redo.OpFirstPage {
			j.Page = rec.Page.String()
		}
		out.Records = append(out.Records, j)
	}
	if r.stats.From == 0 {
		r.stats.From = g.LSN
	}
	r.stats.To = g.End
	r.stats.Groups++
	switch {
	case len(out.Records) == 0:
		return 0, nil
	case r.o.JSON:
		return 0, json.NewEncoder(r.w).Encode(out)
	}
	_, err = fmt.Fprintf(r.w, "%d..%d %d bytes\n", g.LSN, g.End, g.End-g.LSN)
	for _, rec := range out.Records {
		if err == nil {
			_, err = fmt.Fprintf(r.w, "  %s\n", rec.Text)
		}
	}
	return 0, err
}

func (r *redoWalk) wanted(rec redo.Record) bool {
	return (r.o.Page == nil || rec.Op >= redo.OpFirstPage && rec.Page == *r.o.Page) && (r.o.Op == "" || rec.Op.String() == r.o.Op)
}

func (r *redoWalk) count(rec redo.Record) {
	s := r.ops[rec.Op]
	if s == nil {
		s = &OpStats{Op: rec.Op.String()}
		r.ops[rec.Op] = s
	}
	size := int64(len(redo.AppendRecord(nil, rec.Op, rec.Page)) + len(rec.Body))
	s.Records++
	s.Bytes += size
	r.stats.Records++
	r.stats.Bytes += size
	if rec.Op >= redo.OpFirstPage {
		r.pages[rec.Page] = struct{}{}
	}
}

func (r *redoWalk) writeStats() error {
	r.stats.Pages = len(r.pages)
	for _, s := range r.ops {
		r.stats.Ops = append(r.stats.Ops, *s)
	}
	slices.SortFunc(r.stats.Ops, func(a, b OpStats) int {
		if a.Bytes != b.Bytes {
			return int(b.Bytes - a.Bytes)
		}
		return strings.Compare(a.Op, b.Op)
	})
	if r.o.JSON {
		return json.NewEncoder(r.w).Encode(r.stats)
	}
	s := &r.stats
	if s.Groups == 0 {
		_, err := fmt.Fprintf(r.w, "no groups behind LSN %d\n", r.o.From)
		return err
	}
	fmt.Fprintf(r.w, "LSN %d..%d: %d groups, %d records, %d bytes, %d pages\n", s.From, s.To, s.Groups, s.Records, s.Bytes, s.Pages)
	t := tabwriter.NewWriter(r.w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(t, "OPERATION\tRECORDS\tBYTES\tSHARE\tMEAN\t")
	for _, op := range s.Ops {
		fmt.Fprintf(t, "%s\t%d\t%d\t%.1f %%\t%.0f\t\n", op.Op, op.Records, op.Bytes, 100*float64(op.Bytes)/float64(max(s.Bytes, 1)), float64(op.Bytes)/float64(op.Records))
	}
	return t.Flush()
}
