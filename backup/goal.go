package backup

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"emberdb/binlog"
)

// Goal says how far binary logs are applied. The zero value is: to their end.
type Goal struct {
	Time   time.Time   // up to the first transaction that was committed then or later
	After  *binlog.Set // until all of these are applied
	Before *binlog.GTID
	File   string // up to the last transaction that ends at or before Position of File
	Pos    int64
}

// ParseGoal reads the goals as users write them; at most one is given.
func ParseGoal(to, gtids, before, position string) (g Goal, given bool, err error) {
	n := 0
	for _, s := range []string{to, gtids, before, position} {
		if s != "" {
			n++
		}
	}
	switch {
	case n > 1:
		return g, false, errors.New("give one of --to-time, --to-gtid, --before-gtid, --to-position")
	case to != "":
		g.Time, err = parseMoment(to)
	case gtids != "":
		g.After, err = binlog.ParseSet(gtids)
	case before != "":
		var one binlog.GTID
		one, err = binlog.ParseGTID(before)
		g.Before = &one
	case position != "":
		file, pos, ok := cutLast(position, ":")
		if g.File = file; !ok {
			return g, false, fmt.Errorf("--to-position=%s: write FILE:POSITION", position)
		}
		g.Pos, err = strconv.ParseInt(pos, 10, 64)
	}
	return g, n == 1, err
}

// parseMoment reads a time: with a zone, or in that of this process.
func parseMoment(text string) (time.Time, error) {
	for _, layout := range []string{time.RFC3339Nano, "2006-01-02T15:04:05.999999999", "2006-01-02 15:04:05.999999999"} {
		if t, err := time.ParseInLocation(layout, text, time.Local); err == nil {
			return t, nil
		}
	}
	return time.Time{}, fmt.Errorf("%q is no time: write 2026-01-31 23:59:59 or 2026-01-31T23:59:59Z", text)
}

// passed fails if a backup ends behind the goal.
func (g *Goal) passed(m *Manifest) error {
	at := m.Point.Binlog
	switch {
	case !g.Time.IsZero() && m.Point.Time.After(g.Time):
		return fmt.Errorf("backup %s ends at %s, behind %s", m.ID, m.Point.Time.Format(time.RFC3339Nano), g.Time.Format(time.RFC3339Nano))
	case at == nil:
		return nil // Apply tells
	case g.File != "":
		if name := at.Name(at.File); laterLog(name, g.File) || name == g.File && g.Pos < at.Offset {
			return fmt.Errorf("backup %s ends at %s:%d, behind %s:%d", m.ID, name, at.Offset, g.File, g.Pos)
		}
		return nil
	}
	executed, err := binlog.ParseSet(at.Executed)
	switch {
	case err != nil:
		return err
	case g.Before != nil && executed.Contains(*g.Before):
		return fmt.Errorf("backup %s holds the transaction %s already", m.ID, g.Before)
	case g.After != nil && executed.ContainsSet(g.After) && beyond(executed, g.After):
		return fmt.Errorf("backup %s holds %s and later transactions already", m.ID, g.After)
	}
	return nil
}

// beyond tells whether a set has a number of one of the other's sources that is above all of the
// other's.
func beyond(set, other *binlog.Set) bool {
	last := map[binlog.Source]int64{}
	for source, iv := range other.All() {
		last[source] = iv.End
	}
	for source, iv := range set.All() {
		if end, ok := last[source]; ok && iv.End > end {
			return true
		}
	}
	return false
}

// NewestBefore finds the newest complete set of a store that does not end behind a goal.
func NewestBefore(ctx context.Context, store Store, g *Goal) (string, error) {
	complete, _, err := List(ctx, store)
	if err != nil {
		return "", err
	}
	for _, m := range slices.Backward(complete) {
		if err = g.passed(m); err == nil {
			return m.ID, nil
		}
	}
	if err == nil {
		return Newest(ctx, store) // which tells what is missing
	}
	return "", fmt.Errorf("no backup of %s ends before the goal: %w", store.URL(), err)
}

// Reachable fails if binary logs do not lead from a backup to the goal: what can be told before
// anything is restored. A file that stands in the way and is damaged is found when it is applied.
func (g *Goal) Reachable(ctx context.Context, m *Manifest, files []*LogFile) error {
	if err := g.passed(m); err != nil {
		return err
	}
	at := m.Point.Binlog
	if at == nil {
		return fmt.Errorf("backup %s was taken without a binary log: nothing tells where its logs go on", m.ID)
	}
	var set *binlog.Set
	if at.Executed != "" {
		var err error
		if set, err = binlog.ParseSet(at.Executed); err != nil {
			return err
		}
	}
	first, err := firstLog(ctx, files, at.Name(at.File), set)
	if err != nil {
		return err
	}
	files = files[first:]
	for i, f := range files[1:] {
		if err := follows(files[i], f); err != nil {
			return err
		}
	}
	last := files[len(files)-1]
	if g.After == nil && g.Before == nil {
		return g.unreached(last, nil)
	}
	known, err := last.known(ctx)
	if err != nil {
		return err
	}
	if set != nil {
		known.Union(set)
	}
	if g.Before != nil && known.Contains(*g.Before) {
		return nil
	}
	return g.unreached(last, known)
}

// unreached tells what of the goal is not in logs that end with a file, behind the transactions
// known.
func (g *Goal) unreached(last *LogFile, known *binlog.Set) error {
	switch {
	case g.After != nil && !known.ContainsSet(g.After):
		missing := g.After.Clone()
		missing.Subtract(known)
		return fmt.Errorf("the binary logs end before the transactions %s", missing)
	case g.Before != nil:
		return fmt.Errorf("the binary logs end before the transaction %s", g.Before)
	case g.File != "" && (last.Name != g.File && !laterLog(last.Name, g.File) || last.Name == g.File && last.Size < g.Pos):
		return fmt.Errorf("the binary logs end at %s:%d, before %s:%d", last.Name, last.Size, g.File, g.Pos)
	}
	return nil
}

// firstLog finds the file to begin with: the one of that name, or with a set the newest one before
// which there is nothing that is not in the set.
func firstLog(ctx context.Context, files []*LogFile, name string, set *binlog.Set) (int, error) {
	if set == nil {
		for i := len(files) - 1; i >= 0; i-- { // a log that was reset has files of the same names: the newest counts
			if files[i].Name == name {
				return i, nil
			}
		}
		return 0, fmt.Errorf("the binary logs lack the file %s, in which they have to begin", name)
	}
	for i := len(files) - 1; i >= 0; i-- {
		before, err := files[i].previous(ctx)
		if err != nil {
			return 0, err
		}
		if before != nil && set.ContainsSet(before) {
			return i, nil
		}
	}
	return 0, fmt.Errorf("the binary logs begin behind the backup, whose transactions are %s", set)
}

// known reads the set of all transactions up to the end of the file.
func (f *LogFile) known(ctx context.Context) (*binlog.Set, error) {
	known := new(binlog.Set)
	for e, err := range f.events(ctx) {
		if err != nil {
			return nil, err
		}
		if e.Type == binlog.EventPreviousGTIDs {
			if known, err = binlog.ParseBinary(e.Body()); err != nil {
				return nil, err
			}
		}
		b, begins, err := e.Begins()
		if err != nil {
			return nil, err
		}
		if begins && b.GTID.N != 0 && e.Pos+b.Length <= f.Size {
			known.Add(b.GTID)
		}
	}
	return known, nil
}

// previous reads the set of all transactions of earlier files; nil: the file does not tell.
func (f *LogFile) previous(ctx context.Context) (*binlog.Set, error) {
	for e, err := range f.events(ctx) {
		switch {
		case err != nil:
			return nil, err
		case e.Type == binlog.EventPreviousGTIDs:
			return binlog.ParseBinary(e.Body())
		case e.Type != binlog.EventFormatDescription:
			return nil, nil
		}
	}
	return nil, nil
}

// follows fails if files are missing between two.
func follows(before, after *LogFile) error {
	a, okA := logNumber(before.Name)
	b, okB := logNumber(after.Name)
	if okA && okB && b != a+1 && b != 1 {
		return fmt.Errorf("the binary logs have a gap: %s comes behind %s", after.Path(), before.Path())
	}
	return nil
}

func logNumber(name string) (n int64, ok bool) {
	_, digits, ok := cutLast(name, ".")
	if !ok {
		return 0, false
	}
	n, err := strconv.ParseInt(digits, 10, 64)
	return n, err == nil
}

func cutLast(s, sep string) (before, after string, ok bool) {
	i := strings.LastIndex(s, sep)
	if i < 0 || i+len(sep) == len(s) {
		return s, "", false
	}
	return s[:i], s[i+len(sep):], true
}
