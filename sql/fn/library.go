package fn

import (
	"slices"
	"strings"

	"emberdb/sql/types"
)

// Library evaluates functions that have no kernel in this package.
type Library interface {
	// Routine is the kernel of a function over these operands that gives values of type t. It
	// refuses rows for which the function would warn. A *Refused says that there is none.
	Routine(name string, args []Expr, t types.Type) (Kernel, error)
	// Told is Routine for a function whose type the library tells.
	Told(name string, args []Expr) (Kernel, types.Type, error)
}

// foreigner is a function of the library: how it is called, and what clients are told of its result.
type foreigner struct {
	least, most int
	takes       operands
	t           typeOf
}

// operands are the kinds of operands for which the library gives MySQL's value.
type operands uint8

const (
	anything   operands = iota
	numbers             // numbers alone
	words               // texts alone
	moments             // dates, and texts of dates
	documents           // documents, and what becomes a part of one
	spelled             // anything, dates and times as texts
	nothing             // no operand: a constant of the statement
	everything          // also documents, geometries and NULL
	written             // texts, integers and documents: what is the same when it is written and read
)

// take tells whether an operand is one of them.
func (o operands) take(t types.Type) bool {
	text := t.Kind == types.String && t.Collation != types.Binary
	if t.Opaque() {
		return o == everything || (o == documents || o == written) && t.Document()
	}
	if (o == documents || o == written) && t.Kind == types.Int && t.Length <= 1 {
		return false // it may be a truth value, which is none of the numbers in a document
	}
	if o == documents && t.Kind == types.String && t.Collation == types.Binary && t.Wire == types.WireBlob {
		return false // a document names the type of the column that bytes come from
	}
	switch o {
	case numbers:
		return t.Kind.Number()
	case words:
		return text
	case written:
		return text || t.Kind.Integer()
	case moments:
		return text || t.Kind == types.Date || t.Kind == types.DateTime || t.Kind.Integer()
	}
	return true
}

// The functions of the library give the same value for the same operands, whenever and however
// often they are called: a plan may call them more often than the statement names them.
var foreigners = map[string]foreigner{
	// Texts.
	"hex":             {1, 1, spelled, hexText},
	"unhex":           {1, 1, anything, binaryText(func(a types.Type) uint32 { return (1 + bytesOf(a)) / 2 })},
	"sha2":            {2, 2, anything, digest},
	"regexp_substr":   {2, 5, words, textLike(0)},
	"replace":         {3, 3, anything, replaced},
	"trim both ":      {2, 2, anything, cutAround},
	"trim leading ":   {2, 2, anything, cutAround},
	"trim trailing ":  {2, 2, anything, cutAround},
	"substring_index": {3, 3, anything, textLike(0)},
	"right":           {2, 2, anything, cutText},
	"lpad":            {3, 3, anything, padded},
	"rpad":            {3, 3, anything, padded},
	"repeat":          {2, 2, anything, repeated},
	"concat_ws":       {2, many, anything, joined},
	"elt":             {2, many, anything, chosen},
	"insert":          {4, 4, anything, inserted},
	"quote":           {1, 1, spelled, quoted},
	"soundex":         {1, 1, spelled, sounded},
	"to_base64":       {1, 1, anything, base64Text},
	"bin":             {1, 1, anything, fixedText(65)},
	"oct":             {1, 1, anything, fixedText(65)},
	"conv":            {3, 3, anything, fixedText(65)},
	"dayname":         {1, 1, moments, dayNames},
	"monthname":       {1, 1, moments, monthNames},
	"date_format":     {2, 2, moments, formattedDate},

	// Integers.
	"ascii":        {1, 1, anything, integers(4)},
	"ord":          {1, 1, anything, integers(21)},
	"bit_length":   {1, 1, anything, integers(11)},
	"find_in_set":  {2, 2, words, integers(11)},
	"strcmp":       {2, 2, words, integers(2)},
	"instr":        {2, 2, anything, integers(11)},
	"locate":       {2, 3, anything, integers(11)},
	"regexp_like":  {2, 3, words, nullIntegers(1)},
	"regexp_instr": {2, 6, words, nullIntegers(21)},
	"is_ipv4":      {1, 1, words, integers(1)},
	"is_ipv6":      {1, 1, words, integers(1)},
	"field":        {2, many, words, certainIntegers(11)},
	"crc32":        {1, 1, anything, unsigned(10)},
	"bit_count":    {1, 1, numbers, integers(2)},
	"sign":         {1, 1, numbers, integers(21)},
	"inet_aton":    {1, 1, words, func(*Setting, []Expr) (types.Type, error) { return types.UintType(21, true), nil }},
	"dayofweek":    {1, 1, moments, nullIntegers(2)},
	"weekday":      {1, 1, moments, nullIntegers(2)},
	"dayofyear":    {1, 1, moments, nullIntegers(4)},
	"week":         {1, 2, moments, nullIntegers(3)},
	"weekofyear":   {1, 1, moments, nullIntegers(3)},
	"yearweek":     {1, 2, moments, nullIntegers(7)},
	"month":        {1, 1, moments, nullIntegers(3)},
	"day":          {1, 1, moments, nullIntegers(3)},
	"dayofmonth":   {1, 1, moments, nullIntegers(3)},
	"quarter":      {1, 1, moments, nullIntegers(2)},
	"hour":         {1, 1, anything, nullIntegers(4)},
	"minute":       {1, 1, anything, nullIntegers(3)},
	"second":       {1, 1, anything, nullIntegers(3)},
	"microsecond":  {1, 1, anything, nullIntegers(21)},
	"datediff":     {2, 2, moments, nullIntegers(9)},
	"to_days":      {1, 1, moments, nullIntegers(8)},
	"time_to_sec":  {1, 1, anything, nullIntegers(10)},
	"year":         {1, 1, moments, years},

	// Other numbers.
	"abs":      {1, 1, numbers, magnitude},
	"floor":    {1, 1, numbers, rounded},
	"ceil":     {1, 1, numbers, rounded},
	"ceiling":  {1, 1, numbers, rounded},
	"round":    {1, 2, numbers, rounded},
	"truncate": {2, 2, numbers, rounded},
	"sqrt":     {1, 1, numbers, doubles},
	"pow":      {2, 2, numbers, doubles},
	"power":    {2, 2, numbers, doubles},
	"ln":       {1, 1, numbers, doubles},
	"log":      {1, 2, numbers, doubles},
	"log2":     {1, 1, numbers, doubles},
	"log10":    {1, 1, numbers, doubles},
	"exp":      {1, 1, numbers, doubles},
	"cot":      {1, 1, numbers, doubles},
	"degrees":  {1, 1, numbers, doubles},
	"radians":  {1, 1, numbers, doubles},
	"sin":      {1, 1, numbers, doubles},
	"cos":      {1, 1, numbers, doubles},
	"tan":      {1, 1, numbers, doubles},
	"asin":     {1, 1, numbers, doubles},
	"acos":     {1, 1, numbers, doubles},
	"atan":     {1, 2, numbers, doubles},
	"atan2":    {2, 2, numbers, doubles},
	"greatest": {2, many, anything, extreme},
	"least":    {2, many, anything, extreme},

	// Documents.
	"json_extract":       {2, many, documents, document},
	"json_unquote":       {1, 1, documents, documentText(0)},
	"json_keys":          {1, 2, documents, document},
	"json_object":        {0, many, documents, document},
	"json_array":         {0, many, documents, document},
	"json_set":           {3, many, documents, document},
	"json_insert":        {3, many, documents, document},
	"json_replace":       {3, many, documents, document},
	"json_remove":        {2, many, documents, document},
	"json_merge_patch":   {2, many, documents, document},
	"json_search":        {3, many, documents, document},
	"json_type":          {1, 1, documents, documentText(17)},
	"json_length":        {1, 2, documents, nullIntegers(21)},
	"json_depth":         {1, 1, documents, nullIntegers(21)},
	"json_valid":         {1, 1, documents, nullIntegers(21)},
	"json_contains":      {2, 3, documents, nullIntegers(21)},
	"json_contains_path": {3, many, documents, nullIntegers(21)},
	"json_overlaps":      {2, 2, documents, nullIntegers(1)},

	// Dates.
	"date":     {1, 1, moments, dates},
	"last_day": {1, 1, moments, dates},
	"makedate": {2, 2, anything, dates},

	"str_to_date": {2, 2, words, byFormat},

	// Times.
	"time":           {1, 1, anything, timeOf},
	"timestamp":      {1, 2, anything, timestampOf},
	"addtime":        {2, 2, anything, (*Setting).timeSum},
	"subtime":        {2, 2, anything, (*Setting).timeSum},
	"timediff":       {2, 2, anything, timeDifference},
	"sec_to_time":    {1, 1, anything, timeOfNumber(0)},
	"maketime":       {3, 3, anything, timeOfNumber(2)},
	"from_unixtime":  {1, 1, anything, fromSeconds},
	"unix_timestamp": {1, 1, moments, unixSeconds},
	"convert_tz":     {3, 3, anything, momentLike},
}

// strangers are the functions of the library whose types it tells itself. They depend on their
// operands alone, as the others do.
var strangers = listStrangers()

func listStrangers() map[string]operands {
	out := make(map[string]operands)
	list := func(takes operands, names string) {
		for _, name := range strings.Fields(names) {
			out[name] = takes
		}
	}
	list(everything, `point linestring polygon multipoint multilinestring multipolygon geomcollection geometrycollection
		mbrcontains mbrcoveredby mbrcovers mbrdisjoint mbrequals mbrintersects mbroverlaps mbrtouches mbrwithin
		st_area st_asbinary st_asgeojson st_astext st_aswkb st_aswkt st_buffer st_buffer_strategy st_centroid st_contains st_convexhull
		st_crosses st_difference st_dimension st_disjoint st_distance st_distance_sphere st_endpoint st_envelope st_equals st_exteriorring
		st_frechetdistance st_geohash st_geometryn st_geometrytype st_geomfromgeojson st_hausdorffdistance st_interiorringn st_intersection
		st_intersects st_isclosed st_isempty st_issimple st_isvalid st_latfromgeohash st_latitude st_length st_lineinterpolatepoint
		st_lineinterpolatepoints st_longfromgeohash st_longitude st_makeenvelope st_numgeometries st_numinteriorring st_numinteriorrings
		st_numpoints st_overlaps st_pointatdistance st_pointfromgeohash st_pointn st_simplify st_srid st_startpoint st_swapxy
		st_symdifference st_touches st_transform st_union st_validate st_within st_x st_y
		st_geomfromtext st_geometryfromtext st_geomfromwkb st_geometryfromwkb st_pointfromtext st_pointfromwkb st_linefromtext
		st_linestringfromtext st_linefromwkb st_linestringfromwkb st_polyfromtext st_polygonfromtext st_polyfromwkb st_polygonfromwkb
		st_mpointfromtext st_multipointfromtext st_mpointfromwkb st_multipointfromwkb st_mlinefromtext st_multilinestringfromtext
		st_mlinefromwkb st_multilinestringfromwkb st_mpolyfromtext st_multipolygonfromtext st_mpolyfromwkb st_multipolygonfromwkb
		st_geomcollfromtext st_geomcollfromtxt st_geometrycollectionfromtext st_geomcollfromwkb st_geometrycollectionfromwkb`)
	list(documents, `json_array_append json_array_insert json_merge json_merge_preserve json_pretty json_quote json_schema_valid
		json_schema_validation_report json_storage_size json_value`)
	for _, to := range []string{"point", "linestring", "polygon", "multipoint", "multilinestring", "multipolygon", "geometrycollection"} {
		out["cast as "+to] = everything
	}
	out["cast as json"], out["cast as float"] = written, numbers
	list(anything, `aes_decrypt aes_encrypt bin_to_uuid compress export_set extractvalue format format_bytes format_pico_time from_base64
		gtid_subset gtid_subtract inet6_aton inet6_ntoa inet_ntoa is_ipv4_compat is_ipv4_mapped is_uuid make_set period_add
		period_diff regexp_replace space uncompress uncompressed_length updatexml uuid_to_bin get_format`)
	out["\x00member"], out["weight_string"], out["char"] = documents, written, written
	list(nothing, `connection_id database found_rows last_insert_id pi row_count schema session_user system_user user version`)
	return out
}

// byBytes are functions of which that many operands, from the first on, are texts: a constant of
// digits is bytes there.
var byBytes = map[string]int{"hex": 1, "unhex": 1, "sha2": 1, "replace": 3, "quote": 1, "to_base64": 1, "ascii": 1, "ord": 1, "bit_length": 1, "crc32": 1,
	"concat_ws": many, "locate": 2, "instr": 2, "trim both ": 2, "trim leading ": 2, "trim trailing ": 2, "compress": 1, "uncompress": 1,
	"uncompressed_length": 1, "inet6_ntoa": 1, "bin_to_uuid": 1, "aes_encrypt": 3, "aes_decrypt": 3, "from_base64": 1, "st_geomfromwkb": 1,
	"st_geometryfromwkb": 1, "st_pointfromwkb": 1, "st_linefromwkb": 1, "st_polyfromwkb": 1, "st_mpointfromwkb": 1, "st_mlinefromwkb": 1, "st_mpolyfromwkb": 1,
	"st_geomcollfromwkb": 1, "json_storage_size": 1, "json_object": many, "json_array": many}

// digitsAsNumber tells an operand of digits that a function may take for a number.
func digitsAsNumber(name string, at int, e Expr) bool {
	c, ok := e.(*Const)
	return ok && c.Digits > 0 && at >= byBytes[name]
}

// told calls a function of the library whose type it tells.
func (s *Setting) told(name string, args []Expr) (Expr, error) {
	takes, ok := strangers[name]
	if !ok || s.Library == nil || s.Describes {
		return nil, Refuse(ByFunction, name)
	}
	for i, a := range args {
		if digitsAsNumber(name, i, a) {
			return nil, Refuse(ByType, "digits as a number")
		}
		t := a.Type()
		if t.Kind == types.String && !types.UTF8(t.Collation) {
			return nil, Refuse(ByType, "a text of another character set")
		}
		if takes == nothing || t.Kind != types.Null && !takes.take(t) {
			return nil, Refuse(ByType, "an operand of "+name)
		}
	}
	kernel, t, err := s.Library.Told(name, args)
	if err != nil {
		return nil, err
	}
	if d, ok := descriptions[name]; ok && len(args) >= d.least && len(args) <= d.most {
		own, err := d.t(s, args)
		if err == nil && (own.Kind == t.Kind || own.Kind.Integer() && t.Kind.Integer()) && (own.Collation == types.Binary) == (t.Collation == types.Binary) {
			t = own.Nullify(own.Nullable || takes != nothing)
		}
	}
	return fold(&Call{Name: "library " + name, Args: args, T: t, f: kernel, foreign: true}), nil
}

// foreign calls a function of the library.
func (s *Setting) foreign(name string, args []Expr) (Expr, error) {
	f, ok := foreigners[name]
	if !ok {
		return s.told(name, args)
	}
	if s.Library == nil || len(args) < f.least || len(args) > f.most {
		return nil, Refuse(ByFunction, name)
	}
	given := args
	for i, a := range args {
		if digitsAsNumber(name, i, a) {
			return nil, Refuse(ByType, "digits as a number")
		}
		t := a.Type()
		if t.Kind == types.Null && f.takes != documents {
			return nil, Refuse(ByType, "a function of NULL")
		}
		if t.Kind == types.String && !types.UTF8(t.Collation) && !s.Describes {
			return nil, Refuse(ByType, "a text of another character set")
		}
		if !f.takes.take(t) {
			return nil, Refuse(ByType, "an operand of "+name)
		}
		if f.takes == spelled && (t.Kind.Temporal() || t.Wire == types.WireYear && name != "hex") && !s.Describes {
			text, err := ToText(a, s.Collation)
			if err != nil {
				return nil, err
			}
			args = slices.Clone(args)
			args[i] = text
		}
	}
	t, err := f.t(s, given)
	if err != nil {
		return nil, err
	}
	return s.routine(name, args, t)
}

// routine calls a function of the library that gives values of a type.
func (s *Setting) routine(name string, args []Expr, t types.Type) (Expr, error) {
	if s.Library == nil {
		return nil, Refuse(ByFunction, name)
	}
	kernel, err := s.Library.Routine(name, args, t)
	if err != nil {
		return nil, err
	}
	return fold(&Call{Name: "library " + name, Args: args, T: t, f: kernel, foreign: true}), nil
}
