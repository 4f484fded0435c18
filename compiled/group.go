package compiled

import (
	"bytes"
	"encoding/binary"
	"io"
	"math/big"
	"math/bits"
	"slices"
	"strconv"

	"emberdb/engine/row"
)

// Functions over rows. Without GROUP BY there is one group. Groups whose columns come in order are
// written one after the other; others are kept until the last row has come. Sums are exact: 128
// bits of the smallest unit.

// sum is a function under way: a count, a sum, or the value kept.
type sum struct {
	n      int64
	hi, lo uint64
	v      row.Value
	mem    []byte
	seen   map[string]struct{} // DISTINCT
}

func (s *sum) add(c *column, v row.Value) {
	lo, hi := v.N, uint64(0)
	if c.Type == row.TDecimal {
		lo = uint64(decimalUnits(v.B, int(c.Precision), int(c.Scale)))
	}
	if v.Kind != row.Uint && int64(lo) < 0 {
		hi = ^uint64(0)
	}
	var carry uint64
	s.lo, carry = bits.Add64(s.lo, lo, 0)
	s.hi, _ = bits.Add64(s.hi, hi, carry)
}

func (s *sum) keep(v row.Value) {
	s.mem = append(s.mem[:0], v.B...)
	s.v = v
	if v.Kind == row.Bytes {
		s.v.B = s.mem
	}
}

// units is the sum as a number of the smallest unit.
func (s *sum) units() *big.Int {
	n := new(big.Int).SetUint64(s.hi)
	if int64(s.hi) < 0 {
		n.SetInt64(int64(s.hi))
	}
	return n.Add(n.Lsh(n, 64), new(big.Int).SetUint64(s.lo))
}

// group is one group; sums and values go with the items.
type group struct {
	key  []byte
	sums []sum
	listing
}

func (g *group) reset(items int) {
	if len(g.sums) < items {
		g.sums = make([]sum, items)
	}
	for i := range g.sums {
		g.sums[i] = sum{mem: g.sums[i].mem[:0]}
	}
}

// groups are the groups of a statement.
type groups struct {
	one    group // the only one, or the one under way
	begun  bool
	stream bool // groups come one after the other
	byKey  map[string]*group
	all    []*group
	key    []byte
	texts  []byte // of the row under way: what its group goes by
	size   int
}

// aggregates runs a SELECT with functions over rows.
func (x *Exec) aggregates() error {
	p, g := x.p, &x.groups
	g.one.reset(len(p.items))
	g.begun, g.size = false, 0
	g.stream, g.texts = len(p.group) > 0 && p.inOrder() && p.grouping == nil, g.texts[:0]
	defer func() { g.byKey, g.all, g.one.listing = nil, nil, listing{} }()
	if p.grouping != nil {
		if err := x.begin(&g.one.listing, nil); err != nil {
			return err
		}
	}
	sorting := len(p.groupSort) > 0
	if sorting {
		x.sorter.reset()
		defer x.sorter.reset()
	}
	if err := x.each(nil); err != nil {
		return err
	}
	var err error
	switch {
	case !p.grouped():
		err = x.groupRow(&g.one)
	case g.stream && g.begun:
		err = x.groupRow(&g.one)
	default:
		for _, one := range g.all {
			if err = x.groupRow(one); err != nil {
				break
			}
		}
	}
	if err == io.EOF {
		err = nil
	}
	if err != nil || !sorting {
		return err
	}
	x.sorter.sort()
	return x.emit()
}

// gather adds a row to its group.
func (x *Exec) gather(vals []row.Value) error {
	p, g := x.p, &x.groups
	to := &g.one
	if p.grouping != nil {
		if err := x.decoded(vals); err != nil {
			return err
		}
	}
	if p.grouped() {
		var err error
		if to, err = x.groupOf(vals); err != nil {
			return err
		}
	}
	for i := range p.items {
		if err := x.tally(&to.sums[i], &p.items[i], vals); err != nil {
			return err
		}
	}
	if p.grouping != nil {
		return x.call(&to.listing)
	}
	if p.extreme && to.sums[0].n > 0 && p.tables[0].paths[0].ordered && len(p.tables) == 1 && p.inOrder() {
		return io.EOF
	}
	return nil
}

// grouped tells whether there may be more than one group.
func (p *Program) grouped() bool {
	return len(p.group) > 0 || p.grouping != nil && len(p.grouping.by) > 0
}

// groupOf finds the group of a row.
func (x *Exec) groupOf(vals []row.Value) (*group, error) {
	p, g := x.p, &x.groups
	g.key = g.key[:0]
	for _, col := range p.group {
		g.key = row.AppendKeyPart(g.key, p.cols[col].Column, p.cols[col].key, vals[col])
	}
	if p.grouping != nil {
		var err error
		if g.key, g.texts, err = x.computedKeys(g.key, x.groupTexts(g.texts[:0], vals)); err != nil {
			return nil, err
		}
	}
	if g.stream {
		if g.begun && bytes.Equal(g.key, g.one.key) {
			return &g.one, nil
		}
		if g.begun {
			if err := x.groupRow(&g.one); err != nil {
				return nil, err
			}
			g.one.reset(len(p.items))
		}
		g.begun, g.one.key = true, append(g.one.key[:0], g.key...)
		return &g.one, nil
	}
	if one := g.byKey[string(g.key)]; one != nil {
		return one, nil
	}
	if g.byKey == nil {
		g.byKey = map[string]*group{}
	}
	one := &group{sums: make([]sum, len(p.items))}
	g.byKey[string(g.key)] = one
	g.all = append(g.all, one)
	if p.grouping != nil {
		if err := x.begin(&one.listing, g.texts); err != nil {
			return nil, err
		}
	}
	return one, x.grown(len(g.key) + len(p.items)*128 + 64)
}

// grown counts memory that groups take.
func (x *Exec) grown(n int) error {
	if x.groups.size += n; x.groups.size > maxSort {
		return errNotMine
	}
	return nil
}

// tally adds a row to a function.
func (x *Exec) tally(s *sum, it *item, vals []row.Value) error {
	switch {
	case it.listed > 0:
		return nil
	case it.cols != nil:
		return x.distinctRow(s, it, vals)
	case it.col < 0:
		s.n++
		return nil
	}
	v := vals[it.col]
	if it.fn == aggNone {
		return x.same(s, it, v)
	}
	if v.IsNull() {
		return nil
	}
	s.n++
	switch it.fn {
	case aggSum, aggAvg:
		s.add(&x.p.cols[it.col], v)
	case aggMin, aggMax:
		return x.extreme(s, it, v)
	}
	return nil
}

// same keeps the value of a column all rows of the group agree in. Where they only agree under the
// collation, which one is shown is GMS's affair.
func (x *Exec) same(s *sum, it *item, v row.Value) error {
	if s.n++; s.n == 1 {
		s.keep(v)
		return nil
	}
	if !s.v.Same(v) {
		return errNotMine
	}
	return nil
}

func (x *Exec) extreme(s *sum, it *item, v row.Value) error {
	if s.n == 1 {
		s.keep(v)
		return nil
	}
	n := x.order(&x.p.cols[it.col], v, s.v)
	if n == 0 && v.Kind == row.Bytes && !bytes.Equal(v.B, s.v.B) {
		return errNotMine
	}
	if n < 0 && it.fn == aggMin || n > 0 && it.fn == aggMax {
		s.keep(v)
	}
	return nil
}

// order compares two values of a column.
func (x *Exec) order(c *column, a, b row.Value) int {
	to := value{fit: fitValue, v: b}
	if c.character {
		x.keep = row.AppendKeyPart(x.keep[:0], c.Column, c.key, b)
		to.key = x.keep
	}
	return x.compare(c, a, &to)
}

// distinctRow counts a row if its values are new.
func (x *Exec) distinctRow(s *sum, it *item, vals []row.Value) error {
	x.key = x.key[:0]
	for _, col := range it.cols {
		if vals[col].IsNull() {
			return nil
		}
		x.key = row.AppendKeyPart(x.key, x.p.cols[col].Column, x.p.cols[col].key, vals[col])
	}
	if _, ok := s.seen[string(x.key)]; ok {
		return nil
	}
	if s.seen == nil {
		s.seen = map[string]struct{}{}
	}
	s.seen[string(x.key)] = struct{}{}
	s.n++
	return x.grown(len(x.key) + 48)
}

// groupRow writes a group, or keeps it for sorting.
func (x *Exec) groupRow(g *group) error {
	p := x.p
	if !x.wantedGroup(g) {
		return nil
	}
	if p.grouping != nil {
		if wanted, err := x.evaluateList(&g.listing); !wanted || err != nil {
			return err
		}
	}
	start, seq := len(x.out.buf), x.out.seq
	if len(p.groupSort) > 0 {
		s := &x.sorter
		r := sortRow{key: uint32(len(s.mem))}
		for _, o := range p.groupSort {
			if at := p.items[o.item].listed; at > 0 {
				var err error
				if s.mem, err = x.sortKey(s.mem, x.listedExpr(at), x.list[at-1], o.desc); err != nil {
					return err
				}
				continue
			}
			s.mem = x.sumKey(s.mem, &p.items[o.item], &g.sums[o.item], o.desc)
		}
		r.row = uint32(len(s.mem))
		if err := x.sumRow(g); err != nil {
			return errNotMine // it may not be among the groups wanted
		}
		return x.stash(r, start, seq)
	}
	if x.skip > 0 {
		x.skip--
		return nil
	}
	if x.Result.Rows == x.limit {
		return io.EOF
	}
	if err := x.sumRow(g); err != nil {
		return err
	}
	x.Result.Rows++
	return x.out.relieve()
}

// sumKey appends what an item of a group sorts by.
func (x *Exec) sumKey(b []byte, it *item, s *sum, desc bool) []byte {
	from := len(b)
	switch {
	case it.fn == aggNone || it.fn == aggMin || it.fn == aggMax:
		return row.AppendKeyPart(b, x.p.cols[it.col].Column, row.KeyPart{Desc: desc}, s.v)
	case it.fn == aggCount:
		b = binary.BigEndian.AppendUint64(b, uint64(s.n))
	case s.n == 0:
		b = append(b, make([]byte, 18)...) // NULL comes first
	default:
		n := s.units()
		if it.fn == aggAvg {
			n = x.average(it, s)
		}
		n.Add(n, new(big.Int).Lsh(big.NewInt(1), 130))
		b = append(b, 1)
		b = append(b, n.FillBytes(make([]byte, 17))...)
	}
	if desc {
		for i := from; i < len(b); i++ {
			b[i] = ^b[i]
		}
	}
	return b
}

// average is AVG as a number of its smallest unit, rounded half away from zero.
func (x *Exec) average(it *item, s *sum) *big.Int {
	n := s.units()
	up := it.scale - int(x.p.cols[it.col].Scale)
	n.Mul(n, new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(up)), nil))
	half := big.NewInt(s.n)
	n.Lsh(n, 1)
	if n.Sign() < 0 {
		n.Sub(n, half)
	} else {
		n.Add(n, half)
	}
	return n.Quo(n, half.Lsh(half, 1))
}

func (x *Exec) sumRow(g *group) error {
	at := x.out.beginRow(x.p.shown)
	for i := range x.p.shown {
		it, s := &x.p.items[i], &g.sums[i]
		if it.listed > 0 {
			if err := x.listedValue(i, at, it); err != nil {
				x.out.drop(at)
				return err
			}
			continue
		}
		switch it.fn {
		case aggCount:
			x.out.integer(s.n)
		case aggSum, aggAvg:
			if s.n == 0 {
				x.out.null(i, at)
				continue
			}
			x.out.bytes(x.sumText(it, s))
		default:
			if err := x.value(i, at, it.col, s.v); err != nil {
				x.out.drop(at)
				return err
			}
		}
	}
	return x.out.endPacket(at)
}

// sumText writes a SUM or AVG.
func (x *Exec) sumText(it *item, s *sum) []byte {
	var digits []byte
	switch {
	case it.fn == aggAvg:
		digits = x.average(it, s).Append(x.keep[:0], 10)
	case int64(s.lo)>>63 == int64(s.hi):
		digits = strconv.AppendInt(x.keep[:0], int64(s.lo), 10)
	default:
		digits = s.units().Append(x.keep[:0], 10)
	}
	x.keep = digits
	if it.scale == 0 {
		return digits
	}
	sign := 0
	if digits[0] == '-' {
		sign = 1
	}
	for len(digits)-sign <= it.scale {
		digits = slices.Insert(digits, sign, '0')
	}
	x.keep = slices.Insert(digits, len(digits)-it.scale, '.')
	return x.keep
}
