package xpath

import (
	"strings"
	"testing"
)

// FuzzDocument reads fragments: those that are read have their nodes in order, inside of their
// parents.
func FuzzDocument(f *testing.F) {
	for _, text := range []string{"<a b='1' c d=e>x<!-- y --><b/>z<![CDATA[<q>]]></a>", "<?xml v?><!DOCTYPE a><a", "<a></b></c>", "<a \xff=\"\x00\">"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		d, err := Parse(text)
		if err != nil {
			return
		}
		for i, n := range d.nodes {
			if n.from < 0 || n.to < n.from || n.to > len(text) || int(n.last) < i || int(n.last) >= len(d.nodes) {
				t.Fatalf("node %d of %q: %+v", i, text, n)
			}
			if i == 0 {
				continue
			}
			if p := d.nodes[n.parent]; int(n.parent) >= i || n.last > p.last || n.from < p.from {
				t.Fatalf("node %d of %q is not inside of its parent: %+v, %+v", i, text, n, p)
			}
		}
	})
}

// FuzzPath reads expressions, and goes the steps of those that are paths.
func FuzzPath(f *testing.F) {
	for _, text := range []string{"/a/b[@c=1]/..//*", "count(//x)+1.5*-2 div 3", "'a'|$@x", "//a[last()]/text()", "concat('a', 'b"} {
		f.Add(text)
	}
	d, err := Parse("<a b='1'><a><c>2</c></a>3</a>")
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, text string) {
		e, err := Compile(text, func(string) bool { return false })
		if (e == nil) == (err == nil) {
			t.Fatalf("%q: %v, %v", text, e, err)
		}
		if e == nil || e.Op != Path {
			return
		}
		set := d.Root()
		for _, s := range e.Steps {
			if s.Stay {
				continue
			}
			if set, err = d.Step(set, s.Axis, s.Name, func() error { return nil }); err != nil {
				t.Fatal(err)
			}
		}
	})
}

// TestDeep reads what is nested deeper than a stack should be, and ends steps that find too much.
func TestDeep(t *testing.T) {
	if _, err := Compile(strings.Repeat("(", 1<<20), nil); err == nil {
		t.Error("parentheses without an end are an expression")
	}
	const depth = 1 << 12
	d, err := Parse(strings.Repeat("<a>", depth) + strings.Repeat("</a>", depth))
	if err != nil {
		t.Fatal(err)
	}
	set, err := d.Step(d.Root(), Descendant, "", func() error { return nil })
	if err != nil || len(set) != depth {
		t.Fatalf("%d nodes, %v; want %d", len(set), err, depth)
	}
	if _, err = d.Step(set, DescendantOrSelf, "", func() error { return nil }); err != ErrTooMany { //nolint:errorlint // it is not wrapped
		t.Errorf("a step to %d nodes: %v", depth*(depth+1)/2, err)
	}
	if _, err = d.Step(set, Descendant, "", func() error { return ErrTooMany }); err == nil {
		t.Error("a step goes on though its check has failed")
	}
}
