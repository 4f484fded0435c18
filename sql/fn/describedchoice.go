package fn

import (
	"emberdb/sql/types"
)

// Of which type a value is that comes from one of several expressions.

// Choice is the type of CASE and its kin, whose value is one of some expressions.
func (s *Setting) Choice(all []Expr) (types.Type, error) {
	return s.choice(kinds(all), false)
}

// Rows is the type of a column of a set operation.
func (s *Setting) Rows(all []Expr) (types.Type, error) {
	return s.choice(kinds(all), true)
}

func (s *Setting) choice(all []types.Type, rows bool) (t types.Type, err error) {
	null, given := false, all[:0:0]
	for _, o := range all {
		null = null || o.Nullable
		if o.Kind != types.Null {
			given = append(given, o)
		}
	}
	switch {
	case len(given) == 0:
		return t, Refuse(ByType, "branches that are all NULL")
	case every(given, func(o types.Type) bool { return o.Wire == types.WireGeometry }):
		t = given[0]
	case every(given, types.Type.Document):
		t = given[0]
	case some(given, types.Type.Document):
		t = LongText(types.DocumentType(true).Collation, true)
	case some(given, func(o types.Type) bool { return o.Kind == types.String || o.Kind == types.Enum }):
		t, err = s.textChoice(given, rows)
	case every(given, func(o types.Type) bool { return o.Kind.Temporal() }):
		t = momentChoice(given)
	case some(given, func(o types.Type) bool { return o.Kind.Temporal() }):
		return t, Refuse(ByType, "moments beside numbers")
	case some(given, func(o types.Type) bool { return o.Kind == types.Float }):
		t = floatChoice(given, rows)
	default:
		t = exactChoice(given, rows)
	}
	return t.Nullify(null), err
}

func every(all []types.Type, is func(types.Type) bool) bool {
	return !some(all, func(t types.Type) bool { return !is(t) })
}

func some(all []types.Type, is func(types.Type) bool) bool {
	for _, t := range all {
		if is(t) {
			return true
		}
	}
	return false
}

func isBlob(t types.Type) bool { return t.Wire == types.WireBlob || t.Wire == types.WireLongBlob }

func (s *Setting) textChoice(all []types.Type, rows bool) (types.Type, error) {
	t, lengths, err := s.common(all)
	longest := uint64(0)
	for _, n := range lengths {
		longest = max(longest, n)
	}
	t = sized(t, longest)
	switch {
	case !some(all, isBlob):
		if rows && every(all, func(o types.Type) bool { return o.Wire == types.WireString && o.Kind == types.String }) {
			t.Wire = types.WireString
		}
	case rows:
		if t.Wire = types.WireBlob; t.Collation != types.Binary { // which is reckoned by the bytes
			t = sized(t, longest*uint64(types.CharBytes(t.Collation)))
		}
	default:
		t = LongText(t.Collation, t.Nullable)
	}
	return t, err
}

// momentChoice is a DATETIME unless all are dates, or all are times.
func momentChoice(all []types.Type) types.Type {
	digits := uint8(0)
	for _, o := range all {
		digits = max(digits, o.Scale)
	}
	first := all[0]
	if every(all, func(o types.Type) bool { return o.Wire == first.Wire }) {
		for _, o := range all {
			first.Length = max(first.Length, o.Length)
		}
		first.Scale = digits
		return first
	}
	return types.DateTimeType(digits, false)
}

// floatChoice is a FLOAT if it need not be a DOUBLE, with a fixed number of digits behind the point
// if all have one.
func floatChoice(all []types.Type, rows bool) types.Type {
	t := types.FloatType(false)
	if every(all, func(o types.Type) bool {
		return o.Wire == types.WireFloat || o.Kind.Integer() && o.Wire != types.WireLong
	}) {
		t.Wire = types.WireFloat
	}
	scale, whole := uint8(0), uint32(0)
	for _, o := range all {
		digits := uint8(o.Decimals())
		if o.Kind == types.Float {
			digits = o.Scale
		}
		scale, whole = max(scale, digits), max(whole, shownWidth(o)-min(uint32(digits), shownWidth(o)))
	}
	if scale < types.NotFixed {
		t.Scale, t.Length = scale, 22
		if rows {
			t.Length = whole + uint32(scale)
		}
	}
	return t
}

// signed tells an integer below zero or above; others are unsigned, as BIT is.
func signed(t types.Type) bool { return t.Kind == types.Int }

func exactChoice(all []types.Type, rows bool) types.Type {
	first := all[0]
	bits := func(o types.Type) bool { return o.Wire == types.WireBit }
	signs := some(all, signed) && some(all, func(o types.Type) bool { return o.Kind == types.Uint })
	long := func(o types.Type) bool { return o.Kind == types.Uint && (bits(o) || o.Wire == types.WireLongLong) }
	switch {
	case some(all, func(o types.Type) bool { return o.Kind == types.Decimal }), signs && some(all, long):
		whole, scale := 1, 0
		for _, o := range all {
			whole, scale = max(whole, o.Digits()-o.Decimals()), max(scale, o.Decimals())
		}
		return types.DecimalType(whole+scale, scale, false)
	case !signs:
		for _, o := range all[1:] {
			first.Length, first.Wire = max(first.Length, o.Length), widest(first.Wire, o.Wire)
		}
		if !rows && bits(first) {
			first.Wire = types.WireLongLong
		}
		return first
	}
	t := types.IntType(0, false)
	t.Wire = types.WireTiny
	for _, o := range all {
		wire := o.Wire
		switch {
		case o.Wire == types.WireYear:
			wire = types.WireShort
		case o.Kind == types.Uint:
			wire = wider[wire]
		}
		t.Length, t.Wire = max(t.Length, o.Length), widest(t.Wire, wire)
	}
	return t
}

// wider is the least signed integer of the protocol that holds all of an unsigned one.
var wider = map[uint8]uint8{types.WireTiny: types.WireShort, types.WireShort: types.WireInt24, types.WireInt24: types.WireLong, types.WireLong: types.WireLongLong,
	types.WireLongLong: types.WireLongLong}
