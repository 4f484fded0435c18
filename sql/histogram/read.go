package histogram

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"emberdb/engine/row"
)

type jsonNumber = json.Number

// MostBuckets are the most that a histogram may have.
const MostBuckets = 1024

// Invalid is why a document is no histogram of a column, in MySQL's words.
type Invalid struct{ Text string }

func (e *Invalid) Error() string { return e.Text }

func invalid(format string, args ...any) error { return &Invalid{fmt.Sprintf(format, args...)} }

// Read reads the document of a histogram of a column. The error is Invalid, or tells what is wrong
// with the JSON.
func Read(text string, col Column) (*Histogram, error) {
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		return nil, err
	}
	if d.More() {
		return nil, errors.New("more than one document")
	}
	doc, ok := v.(map[string]any)
	if !ok {
		return nil, invalid("JSON data is not an object")
	}
	col.Nullable = true
	r := reader{doc: doc, col: col}
	return r.read()
}

type reader struct {
	doc map[string]any
	col Column
	err error
}

// member is a member of the document of the type T.
func member[T any](r *reader, name string) (v T) {
	if r.err != nil {
		return v
	}
	found, ok := r.doc[name]
	if !ok {
		r.err = invalid("Missing attribute at '%s'.", path(name))
		return v
	}
	if v, ok = found.(T); !ok {
		r.err = invalid("Wrong attribute type at '%s'.", path(name))
	}
	return v
}

// path is the path of a member, as MySQL writes it.
func path(name string) string {
	if strings.Contains(name, "-") {
		return `$."` + name + `"`
	}
	return "$." + name
}

// share is a number from 0 to 1 with a point.
func (r *reader) share(what, at string, v any) float64 {
	n, ok := v.(json.Number)
	if !ok || !strings.ContainsAny(string(n), ".eE") {
		r.fail("Wrong attribute type at '%s'.", at)
		return 0
	}
	f, err := n.Float64()
	if err != nil || f < 0 || f > 1 {
		r.fail("The %s must be greater than or equal to 0 and less than or equal to 1 at '%s'.", what, at)
	}
	return f
}

func (r *reader) fail(format string, args ...any) {
	if r.err == nil {
		r.err = invalid(format, args...)
	}
}

func (r *reader) integer(name string) int64 {
	n := member[json.Number](r, name)
	i, err := strconv.ParseInt(string(n), 10, 64)
	if err != nil {
		r.fail("Wrong attribute type at '%s'.", path(name))
	}
	return i
}

func (r *reader) read() (*Histogram, error) {
	h := new(Histogram)
	switch kind := member[string](r, "histogram-type"); kind {
	case "singleton":
	case "equi-height":
		h.EquiHeight = true
	default:
		r.fail("Unsupported histogram type at '%s'.", path("histogram-type"))
	}
	if h.Type = member[string](r, "data-type"); h.Type != r.col.DataType() {
		r.fail("Histogram data type does not match column data type at '%s'.", path("data-type"))
	}
	h.Rate = r.share("sampling rate", path("sampling-rate"), member[any](r, "sampling-rate"))
	if h.Specified = int(r.integer("number-of-buckets-specified")); h.Specified < 1 || h.Specified > MostBuckets {
		r.fail("The value of attribute number-of-buckets-specified must be an integer in the range from 1 to 1024 at '%s'.", path("number-of-buckets-specified"))
	}
	id := r.integer("collation-id")
	if id < 0 || id > math.MaxUint16 || row.LookupCollation(uint16(id)) == nil && uint16(id) != latin1 && uint16(id) != r.col.CollationID() {
		r.fail("The charset ID does not exist at '%s'.", path("collation-id"))
	}
	h.Collation = uint16(id)
	h.Nulls = r.share("frequency", path("null-values"), member[any](r, "null-values"))
	h.Auto = member[bool](r, "auto-update")
	h.Updated, _ = r.doc["last-updated"].(string) // one that is given says nothing
	r.buckets(h, member[[]any](r, "buckets"))
	if n := len(h.Buckets); n > 0 && math.Abs(h.Buckets[n-1].Cumulative+h.Nulls-1) > 1e-6 {
		r.fail("The sum of the null values fraction and the cumulative frequency of the last bucket should be 1.'")
	}
	return h, r.err
}

func (r *reader) buckets(h *Histogram, list []any) {
	words, n := "Two", 2
	if h.EquiHeight {
		words, n = "Four", 4
	}
	for i, v := range list {
		at := fmt.Sprintf("$.buckets[%d]", i)
		parts, ok := v.([]any)
		switch {
		case r.err != nil:
			return
		case !ok:
			r.fail("Wrong attribute type at '%s'.", at)
			return
		case len(parts) < n:
			r.fail("%s elements required for bucket at '%s'.", words, at)
			return
		}
		h.Buckets = append(h.Buckets, r.bucket(h, parts, at))
	}
	for i := 1; i < len(h.Buckets) && r.err == nil; i++ {
		r.order(h, i)
	}
}

func (r *reader) bucket(h *Histogram, parts []any, at string) (b Bucket) {
	b.Low, b.low = r.value(parts[0], at+"[0]")
	b.High, b.high, b.Distinct = b.Low, b.low, 1
	if !h.EquiHeight {
		b.Cumulative = r.share("frequency", at+"[1]", parts[1])
		return b
	}
	b.High, b.high = r.value(parts[1], at+"[1]")
	b.Cumulative = r.share("frequency", at+"[2]", parts[2])
	n, ok := parts[3].(json.Number)
	if !ok {
		r.fail("Wrong attribute type at '%s[3]'.", at)
	}
	distinct, err := strconv.ParseUint(string(n), 10, 64)
	if b.Distinct = distinct; err != nil || distinct == 0 {
		r.fail("The number of distinct values must be a positive integer at '%s[3]'.", at)
	}
	if r.err == nil && b.low.compare(b.high) > 0 {
		r.fail("The lower inclusive value of bucket at '%s[0]' must be less than or equal to upper inclusive value.", at)
	}
	return b
}

// order compares a bucket with the one before it.
func (r *reader) order(h *Histogram, i int) {
	before, b, last := &h.Buckets[i-1], &h.Buckets[i], 1
	if h.EquiHeight {
		last = 2
	}
	switch {
	case b.low.compare(before.high) > 0:
	case h.EquiHeight:
		r.fail("The lower inclusive value of bucket at '$.buckets[%d][0]' must be greater than the upper inclusive value of previous bucket.", i)
	default:
		r.fail("The value at '$.buckets[%d][0]' must be greater than that of previous bucket.", i)
	}
	if b.Cumulative <= before.Cumulative {
		r.fail("The cumulative frequency of bucket at '$.buckets[%d][%d]' must be greater than that of previous bucket.", i, last)
	}
}

// value is a bound of a bucket: its literal and its place.
func (r *reader) value(v any, at string) (string, Point) {
	p, wrong := r.col.point(v)
	switch wrong {
	case wrongType:
		r.fail("Wrong attribute type at '%s'.", at)
	case outOfRange:
		r.fail("Out of range value for column at '%s'.", at)
	}
	if n, ok := v.(json.Number); ok {
		return string(n), p
	}
	text, _ := v.(string)
	return strconv.Quote(text), p
}
