package exec

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"

	"emberdb/sql/fn"
	"emberdb/sql/types"
)

// gathered is JSON_ARRAYAGG or JSON_OBJECTAGG. A row gives a document with one element or member,
// written as MySQL writes it. A result that is longer than it may be is refused: it is an error
// elsewhere.
type gathered struct {
	of      *Aggregate
	arrays  []chunks            // of elements
	objects []map[string][]byte // members as they are written, by name
	sizes   []int               // of the results
	bytes   int
}

func (a *gathered) grow(groups int) {
	a.sizes = grown(a.sizes, groups)
	if a.of.Kind == fn.JSONObject {
		a.objects = grown(a.objects, groups)
		return
	}
	a.arrays = grown(a.arrays, groups)
}

func (a *gathered) size() int { return a.bytes + 48*cap(a.arrays) + 8*cap(a.objects) }

const betweenElements = ", "

func (a *gathered) add(c *Ctx, groups []int32, v *types.Vec, n int) error {
	for i := range n {
		if err := c.long(len(v.S[i])); err != nil {
			return err
		}
		if err := a.row(groups[i], v.S[i]); err != nil {
			return err
		}
	}
	return nil
}

// row adds what a row gives to the result of a group.
func (a *gathered) row(g int32, one []byte) error {
	text := one[1 : len(one)-1]
	if a.sizes[g] += len(text) + len(betweenElements); a.sizes[g] > a.of.Most {
		return fn.Refuse(fn.ByRow, "a long document")
	}
	if a.of.Kind == fn.JSONObject {
		return a.member(g, text)
	}
	to := &a.arrays[g]
	if to.last == nil {
		to.last = make([]byte, 0, len(text)+len(betweenElements))
		a.bytes += to.add([]byte("["))
	} else {
		a.bytes += to.add([]byte(betweenElements))
	}
	a.bytes += to.add(text)
	return nil
}

// member adds a member to the object of a group, in the place of one of the same name.
func (a *gathered) member(g int32, text []byte) error {
	var name string
	if err := json.NewDecoder(bytes.NewReader(text)).Decode(&name); err != nil {
		return fn.Refuse(fn.ByRow, "the name of a member")
	}
	if a.objects[g] == nil {
		a.objects[g] = make(map[string][]byte)
	}
	old, again := a.objects[g][name]
	if again {
		a.sizes[g] -= len(old) + len(betweenElements)
		a.bytes -= len(old)
	} else {
		a.bytes += len(name) + 64
	}
	a.objects[g][name] = bytes.Clone(text)
	a.bytes += len(text)
	return nil
}

// builds implements builder.
func (a *gathered) builds(from, n int) (bytes int) {
	for i := from; i < from+n; i++ {
		bytes += a.sizes[i]
	}
	return bytes
}

func (a *gathered) result(c *Ctx, from, n int, out *types.Vec) error {
	out.Reset(types.String, n)
	for i := range n {
		if err := a.put(c, from+i, out, i); err != nil {
			return err
		}
	}
	return nil
}

// put puts the result of a group into its place: NULL of no rows.
func (a *gathered) put(c *Ctx, g int, out *types.Vec, i int) error {
	switch {
	case a.sizes[g] == 0:
		out.SetNull(i)
	case a.of.Kind == fn.JSONObject:
		out.S[i] = a.object(g)
	default:
		text, err := a.arrays[g].whole(c, a.sizes[g])
		if err != nil {
			return err
		}
		out.S[i] = append(bytes.Clone(text), ']')
	}
	return nil
}

// object is the object of a group: short names first, those of one length by their bytes.
func (a *gathered) object(g int) []byte {
	names := make([]string, 0, len(a.objects[g]))
	for name := range a.objects[g] {
		names = append(names, name)
	}
	slices.SortFunc(names, func(x, y string) int {
		if len(x) != len(y) {
			return len(x) - len(y)
		}
		return strings.Compare(x, y)
	})
	text := append(make([]byte, 0, a.sizes[g]+2), '{')
	for i, name := range names {
		if i > 0 {
			text = append(text, betweenElements...)
		}
		text = append(text, a.objects[g][name]...)
	}
	return append(text, '}')
}

// slidingDocument is JSON_ARRAYAGG or JSON_OBJECTAGG over frames. What has gone is not taken out
// again: a name may have had another value before.
type slidingDocument struct {
	of  Aggregate
	doc gathered
}

func newSlidingDocument(f *WindowFunc) *slidingDocument {
	s := &slidingDocument{of: Aggregate{Kind: f.Agg, Most: int(f.N)}}
	s.reset()
	return s
}

func (s *slidingDocument) reset() {
	s.doc = gathered{of: &s.of}
	s.doc.grow(1)
}

func (s *slidingDocument) removes() bool                           { return false }
func (s *slidingDocument) remove(*types.Vec, int, int) error       { return nil }
func (s *slidingDocument) add(v *types.Vec, at, _ int) error       { return s.doc.row(0, v.S[at]) }
func (s *slidingDocument) put(c *Ctx, out *types.Vec, k int) error { return s.doc.put(c, 0, out, k) }
func (s *slidingDocument) held() int                               { return s.doc.size() }
