package jsonschema

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/cockroachdb/apd/v3"
)

// Failure is the first thing that a document fails.
type Failure struct {
	Keyword  string
	Schema   string // the place of the schema that has the keyword
	Document string // the place of the value
}

// Validate looks at a document; nil: it keeps the schema.
func (s *Schema) Validate(ctx context.Context, document any) (*Failure, error) {
	r := run{ctx: ctx}
	return r.check(s.root, document, "#")
}

// run is one look at a document.
type run struct {
	ctx   context.Context
	steps int
}

// stepsBetween is how many values are looked at between two looks at the statement.
const stepsBetween = 256

func (r *run) check(n *node, v any, at string) (*Failure, error) {
	if r.steps++; r.steps%stepsBetween == 0 {
		if err := r.ctx.Err(); err != nil {
			return nil, err
		}
	}
	if n == nil {
		return nil, nil
	}
	failed := func(keyword string) (*Failure, error) { return &Failure{keyword, n.location, at}, nil }
	kind := kindOf(v)
	if n.kinds&kind == 0 {
		return failed("type")
	}
	var f *Failure
	var err error
	switch kind {
	case integer, number:
		if keyword := n.number(v); keyword != "" {
			return failed(keyword)
		}
	case text:
		keyword, err := n.text(textOf(v))
		if keyword != "" || err != nil {
			return &Failure{keyword, n.location, at}, err
		}
	case array:
		f, err = r.items(n, v.([]any), at)
	case object:
		f, err = r.members(n, v.(map[string]any), at)
	}
	if f != nil || err != nil {
		return f, err
	}
	keyword, err := r.combined(n, v, at)
	if keyword != "" || err != nil {
		return &Failure{keyword, n.location, at}, err
	}
	return nil, nil
}

// number is the keyword that a number fails.
func (n *node) number(v any) string {
	if n.minimum != nil {
		if c := compare(v, n.minimum); c < 0 || c == 0 && n.above {
			return "minimum"
		}
	}
	if n.maximum != nil {
		if c := compare(v, n.maximum); c > 0 || c == 0 && n.below {
			return "maximum"
		}
	}
	if n.multiple != nil && !multiple(v, n.multiple) {
		return "multipleOf"
	}
	return ""
}

// text is the keyword that a text fails.
func (n *node) text(s string) (string, error) {
	if long := float64(utf8.RuneCountInString(s)); long < n.shortest {
		return "minLength", nil
	} else if long > n.longest {
		return "maxLength", nil
	}
	if n.pattern != nil {
		if ok, err := n.pattern.MatchString(s); !ok || err != nil {
			return "pattern", err
		}
	}
	return "", nil
}

func (r *run) items(n *node, all []any, at string) (*Failure, error) {
	seen := map[string]bool{}
	for i, v := range all {
		here := at + step(strconv.Itoa(i))
		of := n.items
		if n.isTuple {
			switch {
			case i < len(n.tuple):
				of = n.tuple[i]
			case n.moreItems != nil || !n.noMoreItems:
				of = n.moreItems
			default:
				return &Failure{"additionalItems", n.location, here}, nil
			}
		}
		if f, err := r.check(of, v, here); f != nil || err != nil {
			return f, err
		}
		if n.unique {
			same := identity(v)
			if seen[same] {
				return &Failure{"uniqueItems", n.location, here}, nil
			}
			seen[same] = true
		}
	}
	switch long := float64(len(all)); {
	case long < n.fewest:
		return &Failure{"minItems", n.location, at}, nil
	case long > n.most:
		return &Failure{"maxItems", n.location, at}, nil
	}
	return nil, nil
}

func (r *run) members(n *node, all map[string]any, at string) (*Failure, error) {
	for _, name := range names(all) {
		if f, err := r.member(n, name, all[name], at+step(name)); f != nil || err != nil {
			return f, err
		}
	}
	for _, name := range n.required {
		if _, ok := all[name]; !ok {
			return &Failure{"required", n.location, at}, nil
		}
	}
	switch long := float64(len(all)); {
	case long < n.fewestNames:
		return &Failure{"minProperties", n.location, at}, nil
	case long > n.mostNames:
		return &Failure{"maxProperties", n.location, at}, nil
	}
	for _, d := range n.dependencies {
		if _, ok := all[d.name]; !ok {
			continue
		}
		kept := !slices.ContainsFunc(d.names, func(name string) bool { _, ok := all[name]; return !ok })
		if d.isSchema {
			f, err := r.check(d.node, all, at)
			if err != nil {
				return nil, err
			}
			kept = f == nil
		}
		if !kept {
			return &Failure{"dependencies", n.location, at}, nil
		}
	}
	return nil, nil
}

// member looks at one member of an object. The schemas of patterns that its name matches are asked
// together with the one of its name.
func (r *run) member(n *node, name string, v any, at string) (*Failure, error) {
	var matched []*node
	for _, p := range n.patterns {
		ok, err := p.re.MatchString(name)
		if err != nil {
			return nil, err
		}
		if ok {
			matched = append(matched, p.node)
		}
	}
	of, named := n.properties[name]
	if !named {
		of = n.more
		if !n.hasMore && n.noMore && len(matched) == 0 {
			return &Failure{"additionalProperties", n.location, at}, nil
		}
	}
	if len(matched) == 0 {
		return r.check(of, v, at)
	}
	kept, others := true, true
	for _, m := range matched {
		f, err := r.check(m, v, at)
		if err != nil {
			return nil, err
		}
		kept = kept && f == nil
	}
	if named || n.hasMore {
		f, err := r.check(of, v, at)
		if err != nil {
			return nil, err
		}
		others = f == nil
	}
	if named && kept && others || !named && n.hasMore && (kept || others) || !named && !n.hasMore && kept {
		return nil, nil
	}
	return &Failure{"patternProperties", "#", at}, nil
}

// combined is the keyword among those of whole values that a value fails.
func (r *run) combined(n *node, v any, at string) (string, error) {
	if n.enum != nil && !n.enum[identity(v)] {
		return "enum", nil
	}
	kept := func(all []*node) (count int, err error) {
		for _, one := range all {
			f, err := r.check(one, v, at)
			if err != nil {
				return 0, err
			}
			if f == nil {
				count++
			}
		}
		return count, nil
	}
	if count, err := kept(n.all); count < len(n.all) || err != nil {
		return "allOf", err
	}
	if count, err := kept(n.some); len(n.some) > 0 && count == 0 || err != nil {
		return "anyOf", err
	}
	if count, err := kept(n.one); len(n.one) > 0 && count != 1 || err != nil {
		return "oneOf", err
	}
	if n.negated {
		if f, err := r.check(n.not, v, at); f == nil || err != nil {
			return "not", err
		}
	}
	return "", nil
}

// names are those of the members, in the order of MySQL's documents.
func names(m map[string]any) []string {
	out := make([]string, 0, len(m))
	for name := range m {
		out = append(out, name)
	}
	slices.SortFunc(out, func(a, b string) int { return cmp.Or(cmp.Compare(len(a), len(b)), cmp.Compare(a, b)) })
	return out
}

// step is a part of a place: a name behind a slash.
func step(name string) string {
	var out strings.Builder
	out.WriteByte('/')
	for i := range len(name) {
		switch c := name[i]; {
		case c == '~':
			out.WriteString("~0")
		case c == '/':
			out.WriteString("~1")
		case c >= '0' && c <= '9', c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c == '-', c == '.', c == '_':
			out.WriteByte(c)
		default:
			fmt.Fprintf(&out, "%%%02X", c)
		}
	}
	return out.String()
}

// unescaped is the name that a part of a reference means.
func unescaped(token string) string {
	var out strings.Builder
	for i := 0; i < len(token); i++ {
		if token[i] == '%' && i+2 < len(token) {
			if c, err := strconv.ParseUint(token[i+1:i+3], 16, 8); err == nil {
				out.WriteByte(byte(c))
				i += 2
				continue
			}
		}
		out.WriteByte(token[i])
	}
	return strings.NewReplacer("~1", "/", "~0", "~").Replace(out.String())
}

func textOf(v any) string {
	if s, ok := v.(string); ok {
		return s
	}
	return fmt.Sprint(v)
}

// floatOf is a number as a double.
func floatOf(v any) float64 {
	if d, ok := v.(*apd.Decimal); ok {
		f, _ := d.Float64()
		return f
	}
	f, _ := strconv.ParseFloat(fmt.Sprint(v), 64)
	return f
}

// wholeOf is an integer, as far as it is one of 64 bits; ok is false for others.
func wholeOf(v any) (d *apd.Decimal, ok bool) {
	if kindOf(v) != integer {
		return nil, false
	}
	if f, isFloat := v.(float64); isFloat {
		return apd.New(int64(f), 0), true
	}
	d, _, err := apd.NewFromString(fmt.Sprint(v))
	return d, err == nil
}

func compare(a, b any) int {
	if x, ok := wholeOf(a); ok {
		if y, ok := wholeOf(b); ok {
			return x.Cmp(y)
		}
	}
	return cmp.Compare(floatOf(a), floatOf(b))
}

// multiple tells whether a number is a multiple of another, by doubles as near as they are exact.
func multiple(v, of any) bool {
	if x, ok := wholeOf(v); ok {
		if y, ok := wholeOf(of); ok {
			var rest apd.Decimal
			_, err := apd.BaseContext.WithPrecision(40).Rem(&rest, x, y)
			return err == nil && rest.IsZero()
		}
	}
	times := math.Abs(floatOf(v)) / floatOf(of)
	near := math.Floor(times + 0.5)
	return math.Abs(near-times) <= (times+near)*0x1p-52
}

// identity is equal for equal values. Numbers are equal as doubles.
func identity(v any) string {
	switch kindOf(v) {
	case null:
		return "n"
	case boolean:
		return fmt.Sprint(v)
	case integer, number:
		return strconv.FormatFloat(floatOf(v), 'g', -1, 64)
	case text:
		return strconv.Quote(textOf(v))
	case array:
		var out strings.Builder
		for _, one := range v.([]any) {
			out.WriteString(identity(one) + ",")
		}
		return "[" + out.String() + "]"
	}
	var out strings.Builder
	m := v.(map[string]any)
	for _, name := range names(m) {
		out.WriteString(strconv.Quote(name) + ":" + identity(m[name]) + ",")
	}
	return "{" + out.String() + "}"
}
