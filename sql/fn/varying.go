package fn

import (
	"strings"

	"emberdb/sql/types"
)

// varying are the functions of the library that give another value whenever they are called. Each
// call of a statement is one of its own, and is asked once for each row that it is computed of.
var varying = map[string]signature{"rand": {0, 1, 0, nil}, "uuid": {0, 0, 0, nil}, "uuid_short": {0, 0, 0, nil}, "random_bytes": {1, 1, 0, nil}}

// Varying tells the name of such a function.
func Varying(name string) bool {
	_, ok := varying[strings.ToLower(name)]
	return ok
}

// Varies tells whether a value is another one whenever it is computed; seeded, whether it belongs to
// a sequence of which the order of rows decides.
func Varies(e Expr) (yes, seeded bool) {
	Walk(e, func(x Expr) bool {
		if callNumber(x) > 0 {
			yes, seeded = true, seeded || len(x.Parts()) > 0
		}
		return true
	})
	return yes, seeded
}

// Branches tells an expression in which MySQL may leave out a call that goes on with a sequence, or
// an assignment. left: the expression may be left out itself.
func Branches(e Expr, left bool) bool {
	if left && callNumber(e) > 0 && len(e.Parts()) > 0 {
		return true
	}
	switch x := e.(type) {
	case *Case:
		left = true
	case *Call:
		left = left || x.narrow != nil || len(x.list) > 0 || x.Name == "coalesce" || x.Name == "xor"
	}
	for _, p := range e.Parts() {
		if Branches(p, left) {
			return true
		}
	}
	return false
}

// CallsOf counts the varying calls in an expression, by their numbers. Variables may be read as often
// as one likes.
func CallsOf(e Expr, count map[int]int) {
	Walk(e, func(x Expr) bool {
		if _, reads := x.(*Variable); !reads && callNumber(x) > 0 {
			count[callNumber(x)]++
		}
		return true
	})
}

// callNumber is the number of a varying call; 0: it is none.
func callNumber(e Expr) int {
	switch e := e.(type) {
	case *Call:
		return e.varies
	case *Assignment:
		return e.call
	case *Variable:
		return e.call
	}
	return 0
}

// vary calls a varying function.
func (s *Setting) vary(name string, args []Expr) (Expr, error) {
	f := varying[name]
	if !s.Varies || s.Library == nil || s.Describes || len(args) < f.least || len(args) > f.most {
		return nil, Refuse(ByFunction, name)
	}
	for i, a := range args {
		if !numbers.take(a.Type()) || digitsAsNumber(name, i, a) {
			return nil, Refuse(ByType, "an operand of "+name)
		}
	}
	kernel, t, err := s.Library.Told(name, args)
	if err != nil {
		return nil, err
	}
	if d, ok := descriptions[name]; ok {
		if t, err = d.t(s, args); err != nil {
			return nil, err
		}
	}
	if t.Kind == types.Float {
		t = types.FloatType(anyNull(args))
	}
	s.calls++
	return &Call{Name: name + " call " + itoa(s.calls), Args: args, T: t, f: kernel, foreign: true, varies: s.calls}, nil
}
