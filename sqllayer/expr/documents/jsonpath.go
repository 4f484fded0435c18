package documents

import (
	"context"
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/dolthub/vitess/go/mysql"

	"emberdb/sqllayer/expr/operand"
)

// JSON paths: $ and then legs. Of the library's reader no wildcards, ranges and places counted from
// the end are known.
//
//	.name ."name"     a member            .*        all members
//	[n] [last-n]      an element          [*]       all elements       [n to last-m]   some
//	**                the value and all values within it; another leg follows
//
// A value that is no array is one of a single element to [0], [last] and ranges.

type legKind int

const (
	memberLeg legKind = iota
	membersLeg
	elementLeg
	elementsLeg
	rangeLeg
	withinLeg
)

// spot is an element's place, from the first or from the last one on.
type spot struct {
	n    int
	last bool
}

// of is the place in an array of n elements: below zero, or n and more, for one outside.
func (p spot) of(n int) int {
	if p.last {
		return n - 1 - p.n
	}
	return p.n
}

type leg struct {
	kind     legKind
	name     string
	from, to spot
}

type jsonPath []leg

// many tells whether the path may be of several values.
func (p jsonPath) many() bool {
	return slices.ContainsFunc(p, func(l leg) bool { return l.kind != memberLeg && l.kind != elementLeg })
}

// within tells whether the path may meet a value twice.
func (p jsonPath) within() bool {
	return slices.ContainsFunc(p, func(l leg) bool { return l.kind == withinLeg })
}

const (
	erInvalidPath  = 3143
	erPathWildcard = 3149
)

// pathReader reads one path; MySQL tells the place of a fault.
type pathReader struct {
	text string
	at   int
}

func parsePath(text string) (jsonPath, error) {
	r := &pathReader{text: text}
	r.spaces()
	if !r.take("$") {
		r.at = min(1, len(text))
		return nil, r.fault()
	}
	var p jsonPath
	for r.spaces(); r.at < len(text); r.spaces() {
		l, ok := r.leg()
		if !ok {
			return nil, r.fault()
		}
		p = append(p, l)
	}
	if len(p) > 0 && p[len(p)-1].kind == withinLeg {
		return nil, r.fault()
	}
	return p, nil
}

func (r *pathReader) fault() error {
	return mysql.NewSQLError(erInvalidPath, "42000", "Invalid JSON path expression. The error is around character position %d.", utf8.RuneCountInString(r.text[:r.at]))
}

func (r *pathReader) spaces() {
	for r.at < len(r.text) && strings.IndexByte(" \t\r\n", r.text[r.at]) >= 0 {
		r.at++
	}
}

func (r *pathReader) take(s string) bool {
	if !strings.HasPrefix(r.text[r.at:], s) {
		return false
	}
	r.at += len(s)
	return true
}

func (r *pathReader) leg() (leg, bool) {
	switch {
	case r.take("**"):
		return leg{kind: withinLeg}, !strings.HasPrefix(r.text[r.at:], "*")
	case r.take("."):
		r.spaces()
		if r.take("*") {
			return leg{kind: membersLeg}, true
		}
		name, ok := r.name()
		return leg{kind: memberLeg, name: name}, ok
	case r.take("["):
		r.spaces()
		if r.take("*") {
			r.spaces()
			return leg{kind: elementsLeg}, r.take("]")
		}
		return r.elements()
	}
	return leg{}, false
}

func (r *pathReader) elements() (leg, bool) {
	from, ok := r.place()
	if !ok {
		return leg{}, false
	}
	r.spaces()
	if r.take("]") {
		return leg{kind: elementLeg, from: from}, true
	}
	if r.at == 0 || strings.IndexByte(" \t\r\n", r.text[r.at-1]) < 0 || !r.take("to") {
		return leg{}, false
	}
	before := r.at
	if r.spaces(); r.at == before {
		return leg{}, false
	}
	to, ok := r.place()
	r.spaces()
	backwards := from.last == to.last && (!from.last && from.n > to.n || from.last && from.n < to.n)
	return leg{kind: rangeLeg, from: from, to: to}, ok && !backwards && r.take("]")
}

func (r *pathReader) place() (spot, bool) {
	if r.take("last") {
		r.spaces()
		if !r.take("-") {
			return spot{last: true}, true
		}
		r.spaces()
		n, ok := r.number()
		return spot{n, true}, ok
	}
	n, ok := r.number()
	return spot{n: n}, ok
}

func (r *pathReader) number() (int, bool) {
	start := r.at
	for r.at < len(r.text) && r.text[r.at] >= '0' && r.text[r.at] <= '9' {
		r.at++
	}
	n, err := strconv.ParseUint(r.text[start:r.at], 10, 32)
	return int(n), err == nil
}

// name reads a member's name: quoted as in JSON, or an identifier of ECMAScript.
func (r *pathReader) name() (name string, ok bool) {
	if strings.HasPrefix(r.text[r.at:], `"`) {
		for end := r.at + 1; end < len(r.text); end++ {
			switch r.text[end] {
			case '\\':
				end++
			case '"':
				ok := json.Unmarshal([]byte(r.text[r.at:end+1]), &name) == nil
				if ok {
					r.at = end + 1
				}
				return name, ok
			}
		}
		return "", false
	}
	start, valid := r.at, true
	for i, c := range r.text[start:] {
		if strings.ContainsRune(".[* \t\r\n", c) {
			break
		}
		if c == utf8.RuneError {
			valid = false
			break
		}
		first := c == '$' || c == '_' || unicode.IsLetter(c)
		valid = valid && (first || i > 0 && (unicode.IsDigit(c) || unicode.Is(unicode.Mn, c)))
		r.at = start + i + utf8.RuneLen(c)
	}
	return r.text[start:r.at], valid && r.at > start
}

// pathMatch is a value that a path is of, and its own path.
type pathMatch struct {
	value any
	path  string
}

// find gives the values that the path is of in their order, each once. Two legs ** may find a value
// again: it is dropped at once, so that the number of values never exceeds that of the document.
func (p jsonPath) find(ctx context.Context, value any) ([]pathMatch, error) {
	all := []pathMatch{{value, "$"}}
	within, steps := p.within(), operand.Interrupts{Ctx: ctx}
	for _, l := range p {
		var next []pathMatch
		var err error
		for _, f := range all {
			if next, err = l.step(&steps, f, next); err != nil {
				return nil, err
			}
		}
		if all = next; !within {
			continue
		}
		seen := make(map[string]bool, len(all))
		all = slices.DeleteFunc(all, func(f pathMatch) bool {
			again := seen[f.path]
			seen[f.path] = true
			return again
		})
	}
	return all, nil
}

func memberPath(path, name string) string {
	if r := (&pathReader{text: name}); name != "" {
		if _, ok := r.name(); ok && r.at == len(name) && name[0] != '"' {
			return path + "." + name
		}
	}
	quoted, _ := json.Marshal(name)
	return path + "." + string(quoted)
}

func elementPath(path string, i int) string { return path + "[" + strconv.Itoa(i) + "]" }

// step adds what the leg finds in a value.
func (l leg) step(steps *operand.Interrupts, f pathMatch, out []pathMatch) (_ []pathMatch, err error) {
	if err := steps.Next(); err != nil {
		return nil, err
	}
	object, isObject := f.value.(map[string]any)
	array, isArray := f.value.([]any)
	switch l.kind {
	case memberLeg:
		if v, ok := object[l.name]; ok {
			out = append(out, pathMatch{v, memberPath(f.path, l.name)})
		}
	case membersLeg:
		for _, name := range operand.MemberNames(object) {
			out = append(out, pathMatch{object[name], memberPath(f.path, name)})
		}
	case elementLeg, rangeLeg:
		from, to := l.from, l.to
		if l.kind == elementLeg {
			to = from
		}
		if !isArray {
			if from.of(1) <= 0 && to.of(1) >= 0 && (l.kind == rangeLeg || from.of(1) == 0) {
				out = append(out, f)
			}
			return out, nil
		}
		for i := max(from.of(len(array)), 0); i <= min(to.of(len(array)), len(array)-1); i++ {
			out = append(out, pathMatch{array[i], elementPath(f.path, i)})
		}
	case elementsLeg:
		for i, v := range array {
			out = append(out, pathMatch{v, elementPath(f.path, i)})
		}
	case withinLeg:
		out = append(out, f)
		if isObject {
			for _, name := range operand.MemberNames(object) {
				if out, err = l.step(steps, pathMatch{object[name], memberPath(f.path, name)}, out); err != nil {
					return nil, err
				}
			}
		}
		for i, v := range array {
			if out, err = l.step(steps, pathMatch{v, elementPath(f.path, i)}, out); err != nil {
				return nil, err
			}
		}
	}
	return out, nil
}
