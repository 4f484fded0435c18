package xpath

import (
	"errors"
	"slices"
	"strings"
)

// Member is a node of a set, with its place among those of the step that found it, and how many
// nodes that step has found. Size is 0 outside of conditions.
type Member struct {
	Node      int32
	Pos, Size int32
}

// Set is a list of nodes. An axis that goes down lists a node once for each that it was found from.
type Set []Member

// Axis is a direction of a step.
type Axis uint8

// The directions.
const (
	Child Axis = iota
	Ancestor
	AncestorOrSelf
	Attributes
	Descendant
	DescendantOrSelf
	Parent
	Self
)

// axes are the names of the directions. MySQL takes those that it does not know for child.
var axes = map[string]Axis{"ancestor": Ancestor, "ancestor-or-self": AncestorOrSelf, "attribute": Attributes, "child": Child, "descendant": Descendant,
	"descendant-or-self": DescendantOrSelf, "following": Child, "following-sibling": Child, "namespace": Child, "parent": Parent, "preceding": Child,
	"preceding-sibling": Child, "self": Self}

// checkEvery is how many nodes a step looks at between two checks.
const checkEvery = 4096

// mostMembers is how many nodes a set has at most: a step from several nodes of a deep fragment
// finds those below all of them again and again.
const mostMembers = 4 << 20

// ErrTooMany is the error of a step that finds more nodes than a set may have.
var ErrTooMany = errors.New("xpath: too many nodes")

// walk collects the nodes of a step.
type walk struct {
	*Document
	axis   Axis
	name   string // "": any
	check  func() error
	seen   int
	met    map[int32]bool // by an axis that goes up: those are in the set once
	visits int32          // of nodes that are met
	out    Set
}

// Root is the set of the whole fragment.
func (d *Document) Root() Set { return Set{{Node: 0, Pos: 1}} }

// Step goes from each node of a set. An empty name is any name. check may end the step.
func (d *Document) Step(from Set, axis Axis, name string, check func() error) (Set, error) {
	w := &walk{Document: d, axis: axis, name: name, check: check, met: make(map[int32]bool)}
	for _, m := range from {
		var err error
		switch axis {
		case Child, Attributes:
			err = w.below(m.Node, false)
		case Descendant, DescendantOrSelf:
			err = w.below(m.Node, true)
		case Self:
			_, err = w.take(m.Node, 0)
		default:
			err = w.above(m.Node)
		}
		if err != nil {
			return nil, err
		}
	}
	if axis == Parent || axis == Ancestor || axis == AncestorOrSelf {
		w.upwards()
	}
	return w.out, nil
}

// take adds a node that the step means behind as many of the same node, and counts it.
func (w *walk) take(i, pos int32) (int32, error) {
	if w.seen++; w.seen%checkEvery == 0 {
		if err := w.check(); err != nil {
			return pos, err
		}
	}
	if !w.means(i) {
		return pos, nil
	}
	if len(w.out) == mostMembers {
		return pos, ErrTooMany
	}
	w.out = append(w.out, Member{Node: i, Pos: pos + 1})
	return pos + 1, nil
}

// means tells whether a node is of the kind and the name of the step.
func (w *walk) means(i int32) bool {
	kind := Element
	if w.axis == Attributes {
		kind = Attribute
	}
	return w.nodes[i].kind == kind && (w.name == "" || w.nodes[i].name == w.name)
}

// below goes to the nodes directly below one, or to all below it.
func (w *walk) below(n int32, all bool) (err error) {
	pos := int32(0)
	if w.axis == DescendantOrSelf {
		pos, err = w.take(n, 0)
	}
	for i := n + 1; i <= w.nodes[n].last && err == nil; {
		pos, err = w.take(i, pos)
		if i++; !all {
			i = w.nodes[i-1].last + 1
		}
	}
	return err
}

// above goes to the nodes above one, of which the fragment is none to Ancestor.
func (w *walk) above(n int32) error {
	i := n
	if w.axis != AncestorOrSelf {
		i = w.nodes[n].parent
	}
	for ; i > 0 || i == 0 && w.axis == Parent; i = w.nodes[i].parent {
		if w.seen++; w.seen%checkEvery == 0 {
			if err := w.check(); err != nil {
				return err
			}
		}
		if w.means(i) {
			w.met[i] = true
			w.visits++
		}
		if w.axis == Parent {
			break
		}
	}
	return nil
}

// upwards makes the set of what an axis met that goes up: in the order of the text. Parents are
// counted in that order, others from the node that was met last.
func (w *walk) upwards() {
	for i := range w.met {
		w.out = append(w.out, Member{Node: i})
	}
	w.out = w.out.ordered()
	for i := range w.out {
		w.out[i].Pos = int32(i + 1)
		if w.axis != Parent {
			w.out[i].Pos = w.visits - int32(i)
		}
	}
}

// ordered brings the nodes in the order of the text, each once.
func (s Set) ordered() Set {
	slices.SortStableFunc(s, func(a, b Member) int { return int(a.Node) - int(b.Node) })
	return slices.CompactFunc(s, func(a, b Member) bool { return a.Node == b.Node })
}

// Union is the set of the nodes of two.
func (s Set) Union(other Set) Set { return slices.Concat(s, other).ordered() }

// Text is what a set stands for as a value: the texts directly below its nodes, in the order of the
// fragment, with spaces between them.
func (d *Document) Text(s Set) string {
	var found []int32
	for _, m := range s {
		for i := m.Node + 1; i <= d.nodes[m.Node].last; i = d.nodes[i].last + 1 {
			if d.nodes[i].kind == Text {
				found = append(found, i)
			}
		}
	}
	slices.Sort(found)
	found = slices.Compact(found)
	texts := make([]string, len(found))
	for i, n := range found {
		texts[i] = d.text[d.nodes[n].from:d.nodes[n].to]
	}
	return strings.Join(texts, " ")
}

// Texts calls with each text directly below the nodes, until one answers false.
func (d *Document) Texts(s Set, each func(text string) bool) {
	for _, m := range s {
		for i := m.Node + 1; i <= d.nodes[m.Node].last; i = d.nodes[i].last + 1 {
			if n := &d.nodes[i]; n.kind == Text && !each(d.text[n.from:n.to]) {
				return
			}
		}
	}
}
