package jsonschema

import (
	"errors"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/cockroachdb/apd/v3"
	"github.com/dlclark/regexp2"
)

// ErrRemote says that a schema refers to another document.
var ErrRemote = errors.New("references in JSON Schema")

// ErrRecursive says that a schema refers to one that it is a part of.
var ErrRecursive = errors.New("recursive JSON schema")

// matchTime ends the search for a pattern in one text.
const matchTime = time.Second

// kinds are the types that a schema can name.
type kinds uint8

const (
	null kinds = 1 << iota
	boolean
	object
	array
	text
	number
	integer
	anyKind kinds = 1<<iota - 1
)

var kindNames = map[string]kinds{
	"null": null, "boolean": boolean, "object": object, "array": array, "string": text, "integer": integer,
	"number": number | integer,
}

// Schema is a schema that is ready for use. Several goroutines may use it at once.
type Schema struct{ root *node }

// node is a schema within the schema. A nil one holds for every value.
type node struct {
	location         string
	kinds            kinds
	enum             map[string]bool
	all, some, one   []*node
	not              *node
	negated          bool // there is a not
	minimum, maximum any
	above, below     bool // the limit itself is outside
	multiple         any
	shortest         float64
	longest          float64
	pattern          *regexp2.Regexp
	items            *node
	tuple            []*node
	isTuple          bool
	moreItems        *node
	noMoreItems      bool
	unique           bool
	fewest, most     float64 // items
	properties       map[string]*node
	patterns         []patternNode
	more             *node
	hasMore          bool // more is a schema
	noMore           bool
	required         []string
	fewestNames      float64
	mostNames        float64
	dependencies     []dependency
}

type patternNode struct {
	re   *regexp2.Regexp
	node *node
}

// dependency is what a property asks for: other properties, or a schema of the whole object.
type dependency struct {
	name     string
	names    []string
	node     *node
	isSchema bool
}

// Compile reads a schema.
func Compile(document map[string]any) (*Schema, error) {
	if remote(document) {
		return nil, ErrRemote
	}
	c := compiler{document: document, known: map[string]*node{}, open: map[string]bool{}}
	root := c.node(document, "")
	return &Schema{root}, c.err
}

// remote tells whether anything in a schema refers to another document.
func remote(v any) bool {
	switch v := v.(type) {
	case map[string]any:
		if to, ok := v["$ref"].(string); ok && to != "" && to[0] != '#' {
			return true
		}
		for _, member := range v {
			if remote(member) {
				return true
			}
		}
	case []any:
		return slices.ContainsFunc(v, remote)
	}
	return false
}

// compiler makes the nodes of one document, each once, known by their places.
type compiler struct {
	document map[string]any
	known    map[string]*node
	open     map[string]bool // nodes that are being made
	refs     int             // that lead to the place looked at
	err      error
}

// mostRefs ends references that lead to each other.
const mostRefs = 100

// node is the schema at a place; nil if no schema stands there.
func (c *compiler) node(v any, place string) *node {
	m, ok := v.(map[string]any)
	if !ok {
		return nil
	}
	if n := c.known[place]; n != nil {
		if c.open[place] {
			c.err = ErrRecursive
		}
		return n
	}
	if to, ok := m["$ref"].(string); ok && to != "" {
		if c.refs++; c.refs > mostRefs {
			c.err = ErrRecursive
			return nil
		}
		defer func() { c.refs-- }()
		target, place, found := c.find(to[1:])
		if !found {
			return nil
		}
		return c.node(target, place)
	}
	n := &node{location: "#" + place, kinds: anyKind, longest: math.Inf(1), most: math.Inf(1), mostNames: math.Inf(1)}
	c.known[place], c.open[place] = n, true
	refs := c.refs
	c.refs = 0
	c.general(n, m, place)
	c.scalars(n, m)
	c.arrays(n, m, place)
	c.objects(n, m, place)
	c.refs = refs
	c.open[place] = false
	return n
}

// find is what a reference within the document leads to.
func (c *compiler) find(ref string) (v any, place string, found bool) {
	v = c.document
	if ref == "" {
		return v, "", true
	}
	for _, token := range strings.Split(ref, "/")[1:] {
		name := unescaped(token)
		place += step(name)
		switch outer := v.(type) {
		case map[string]any:
			if v, found = outer[name]; !found {
				return nil, "", false
			}
		case []any:
			i, err := strconv.Atoi(name)
			if err != nil || i < 0 || i >= len(outer) {
				return nil, "", false
			}
			v = outer[i]
		default:
			return nil, "", false
		}
	}
	return v, place, ref[0] == '/'
}

func (c *compiler) list(v any, place string) (out []*node) {
	all, _ := v.([]any)
	for i, one := range all {
		out = append(out, c.node(one, place+step(strconv.Itoa(i))))
	}
	return out
}

// general reads what is asked of values of every type.
func (c *compiler) general(n *node, m map[string]any, place string) {
	switch t := m["type"].(type) {
	case string:
		n.kinds = kindNames[t]
	case []any:
		n.kinds = 0
		for _, name := range t {
			name, _ := name.(string)
			n.kinds |= kindNames[name]
		}
	}
	if values, ok := m["enum"].([]any); ok && len(values) > 0 {
		n.enum = map[string]bool{}
		for _, v := range values {
			n.enum[identity(v)] = true
		}
	}
	n.all = c.list(m["allOf"], place+"/allOf")
	n.some = c.list(m["anyOf"], place+"/anyOf")
	n.one = c.list(m["oneOf"], place+"/oneOf")
	if not, ok := m["not"]; ok {
		n.not, n.negated = c.node(not, place+"/not"), true
	}
}

// scalars reads what is asked of numbers and texts.
func (c *compiler) scalars(n *node, m map[string]any) {
	limit := func(name string) any {
		if v := m[name]; kindOf(v)&(number|integer) != 0 {
			return v
		}
		return nil
	}
	n.minimum, n.maximum = limit("minimum"), limit("maximum")
	n.above, _ = m["exclusiveMinimum"].(bool)
	n.below, _ = m["exclusiveMaximum"].(bool)
	if by := limit("multipleOf"); by != nil && floatOf(by) > 0 {
		n.multiple = by
	}
	count(&n.shortest, m["minLength"])
	count(&n.longest, m["maxLength"])
	if p, ok := m["pattern"].(string); ok {
		n.pattern = compilePattern(p)
	}
}

// arrays reads what is asked of arrays.
func (c *compiler) arrays(n *node, m map[string]any, place string) {
	switch items := m["items"].(type) {
	case map[string]any:
		n.items = c.node(items, place+"/items")
	case []any:
		n.tuple, n.isTuple = c.list(items, place+"/items"), true
	}
	switch more := m["additionalItems"].(type) {
	case bool:
		n.noMoreItems = !more
	case map[string]any:
		n.moreItems = c.node(more, place+"/additionalItems")
	}
	n.unique, _ = m["uniqueItems"].(bool)
	count(&n.fewest, m["minItems"])
	count(&n.most, m["maxItems"])
}

// objects reads what is asked of objects.
func (c *compiler) objects(n *node, m map[string]any, place string) {
	if all, ok := m["properties"].(map[string]any); ok {
		n.properties = map[string]*node{}
		for name, v := range all {
			n.properties[name] = c.node(v, place+"/properties"+step(name))
		}
	}
	if all, ok := m["patternProperties"].(map[string]any); ok {
		for _, name := range names(all) {
			if re := compilePattern(name); re != nil {
				n.patterns = append(n.patterns, patternNode{re, c.node(all[name], place+"/patternProperties"+step(name))})
			}
		}
	}
	switch more := m["additionalProperties"].(type) {
	case bool:
		n.noMore = !more
	case map[string]any:
		n.more, n.hasMore = c.node(more, place+"/additionalProperties"), true
	}
	n.required = texts(m["required"])
	count(&n.fewestNames, m["minProperties"])
	count(&n.mostNames, m["maxProperties"])
	if all, ok := m["dependencies"].(map[string]any); ok {
		for _, name := range names(all) {
			d := dependency{name: name, names: texts(all[name])}
			if v, ok := all[name].(map[string]any); ok {
				d.node, d.isSchema = c.node(v, place+"/dependencies"+step(name)), true
			}
			n.dependencies = append(n.dependencies, d)
		}
	}
}

func compilePattern(p string) *regexp2.Regexp {
	re, err := regexp2.Compile(p, regexp2.ECMAScript)
	if err != nil {
		return nil
	}
	re.MatchTimeout = matchTime
	return re
}

// texts are the strings of an array.
func texts(v any) (out []string) {
	all, _ := v.([]any)
	for _, one := range all {
		if s, ok := one.(string); ok {
			out = append(out, s)
		}
	}
	return out
}

// count takes a whole number that is not negative.
func count(to *float64, v any) {
	if kindOf(v) == integer && floatOf(v) >= 0 {
		*to = floatOf(v)
	}
}

// exact are the integers up to which a float64 was written as an integer.
const exact = 1 << 53

// kindOf is the type of a value. What has no type of its own in JSON is a text.
func kindOf(v any) kinds {
	switch v := v.(type) {
	case nil:
		return null
	case bool:
		return boolean
	case map[string]any:
		return object
	case []any:
		return array
	case int64, uint64, int, int32, uint32, int16, uint16, int8, uint8:
		return integer
	case float64:
		if v == math.Trunc(v) && math.Abs(v) <= exact {
			return integer
		}
		return number
	case float32, *apd.Decimal:
		return number
	}
	return text
}
