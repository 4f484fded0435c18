package sysvar

import (
	"fmt"
	"math"
	"math/big"
	"strconv"
	"strings"

	"github.com/cockroachdb/apd/v3"
	"github.com/dolthub/go-mysql-server/sql"

	"emberdb/server/options"
)

// Take returns the value that a variable keeps when it is set to value. cut is the value as it was
// given if it was beyond the variable's range, else empty.
func (v *Variable) Take(ctx *sql.Context, value any, global bool) (taken any, cut string, err error) {
	if v.own != nil {
		taken, err = v.own(ctx, value, *v.now.Load(), global)
		return taken, "", err
	}
	g := Read(value)
	switch v.def.Kind {
	case options.Int:
		taken, cut, err = v.integer(g)
	case options.Float:
		taken, cut, err = v.real(g)
	case options.String:
		taken, err = v.text(g)
	default:
		taken, err = v.named(g)
	}
	if err == nil && v.def.Effect == options.Reserved && Setting(v.def, taken) != v.def.Default {
		return nil, "", WrongValue(v.Name, g.String())
	}
	return taken, cut, err
}

// Given is a value of SET: NULL, a text, a whole number or another number.
type Given struct {
	Null, Number bool
	Text         string
	Whole        *big.Int // nil if it is none
	Real         float64
}

// Read reads a value of SET.
func Read(value any) Given {
	if i, ok := wholeNumber(value); ok {
		real, _ := new(big.Float).SetInt(i).Float64()
		return Given{Number: true, Whole: i, Real: real}
	}
	switch n := value.(type) {
	case nil:
		return Given{Null: true}
	case float32:
		return Given{Number: true, Real: float64(n)}
	case float64:
		return Given{Number: true, Real: n}
	case *apd.Decimal:
		real, _ := n.Float64()
		return Given{Number: true, Real: real}
	case []byte:
		return Given{Text: string(n)}
	case string:
		return Given{Text: n}
	}
	return Given{Text: fmt.Sprint(value)}
}

func wholeNumber(value any) (*big.Int, bool) {
	switch n := value.(type) {
	case bool:
		if n {
			return big.NewInt(1), true
		}
		return new(big.Int), true
	case int:
		return big.NewInt(int64(n)), true
	case int8:
		return big.NewInt(int64(n)), true
	case int16:
		return big.NewInt(int64(n)), true
	case int32:
		return big.NewInt(int64(n)), true
	case int64:
		return big.NewInt(n), true
	case uint8:
		return big.NewInt(int64(n)), true
	case uint16:
		return big.NewInt(int64(n)), true
	case uint32:
		return big.NewInt(int64(n)), true
	case uint64:
		return new(big.Int).SetUint64(n), true
	}
	return nil, false
}

// String is the value in MySQL's messages.
func (g Given) String() string {
	switch {
	case g.Null:
		return "NULL"
	case g.Whole != nil:
		return g.Whole.String()
	case g.Number:
		return strings.Replace(strconv.FormatFloat(g.Real, 'g', -1, 64), "e+", "e", 1)
	}
	return g.Text
}

func (v *Variable) integer(g Given) (taken any, cut string, err error) {
	if g.Whole == nil {
		return nil, "", WrongType(v.Name)
	}
	lower, upper := bounds(v.def)
	within := g.Whole
	if within.Cmp(lower) < 0 {
		within = lower
	}
	if within.Cmp(upper) > 0 {
		within = upper
	}
	if step := v.def.Step; step > 1 && within != lower {
		within = new(big.Int).Sub(within, new(big.Int).Mod(within, big.NewInt(step)))
	}
	if within.Cmp(g.Whole) != 0 {
		cut = g.String()
	}
	if v.def.Unsigned {
		return within.Uint64(), cut, nil
	}
	return within.Int64(), cut, nil
}

func (v *Variable) real(g Given) (taken any, cut string, err error) {
	if !g.Number {
		return nil, "", WrongType(v.Name)
	}
	upper := float64(v.def.Max)
	if v.def.Max == math.MaxInt64 {
		upper = math.MaxFloat64
	}
	within := max(float64(v.def.Min), min(g.Real, upper))
	if within != g.Real {
		g.Whole = nil
		cut = g.String()
	}
	return within, cut, nil
}

func (v *Variable) text(g Given) (any, error) {
	switch {
	case g.Number:
		return nil, WrongType(v.Name)
	case g.Null && v.def.Null:
		return nil, nil
	}
	return g.Text, nil
}

// named takes a value of a boolean, an enumeration or a set.
func (v *Variable) named(g Given) (any, error) {
	if g.Number && g.Whole == nil {
		return nil, WrongType(v.Name)
	}
	if g.Null {
		return nil, WrongValue(v.Name, "NULL")
	}
	names := v.def.Values
	if v.def.Kind == options.Bool {
		names = []string{"OFF", "ON"}
	}
	if v.def.Kind == options.Set {
		return v.members(g, names)
	}
	at := -1
	if g.Whole == nil {
		at = indexOf(names, g.Text)
	} else if g.Whole.IsInt64() && g.Whole.Int64() < int64(len(names)) {
		at = int(g.Whole.Int64())
	}
	switch {
	case at < 0:
		return nil, WrongValue(v.Name, g.String())
	case v.def.Kind == options.Bool:
		return int8(at), nil
	}
	return names[at], nil
}

// members takes a value of a set: names in the order of the definition.
func (v *Variable) members(g Given, names []string) (any, error) {
	bits := new(big.Int)
	if g.Whole != nil {
		if g.Whole.Sign() < 0 || g.Whole.BitLen() > len(names) {
			return nil, WrongValue(v.Name, g.String())
		}
		bits = g.Whole
	} else if g.Text != "" {
		for name := range strings.SplitSeq(g.Text, ",") {
			at := indexOf(names, name)
			if at < 0 {
				return nil, WrongValue(v.Name, name)
			}
			bits = new(big.Int).SetBit(bits, at, 1)
		}
	}
	var out []string
	for i, name := range names {
		if bits.Bit(i) == 1 {
			out = append(out, name)
		}
	}
	return strings.Join(out, ","), nil
}

func indexOf(names []string, name string) int {
	for i, n := range names {
		if strings.EqualFold(n, name) {
			return i
		}
	}
	return -1
}
