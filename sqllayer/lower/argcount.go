package lower

import (
	"math"
	"strings"

	"emberdb/sql/ast"
)

// How many arguments MySQL's functions take. GMS knows other numbers of a few, and calls them by
// names of its own.

// arity is how many arguments a function takes; in steps of more than one if step is set.
type arity struct{ least, most, step int }

// arities are those of functions that the grammar reads like any other call.
var arities = makeArities()

func makeArities() map[string]arity {
	out := make(map[string]arity)
	put := func(least, most, step int, names string) {
		for _, name := range strings.Fields(names) {
			out[name] = arity{least, most, step}
		}
	}
	put(0, 0, 0, "connection_id found_rows pi release_all_locks uuid uuid_short version")
	put(1, 1, 0, `abs acos any_value asin bin bit_count bit_length ceil ceiling char_length character_length coercibility compress cos cot crc32 dayname
		dayofmonth dayofweek dayofyear degrees exp floor from_base64 from_days hex inet6_aton inet6_ntoa inet_aton inet_ntoa is_free_lock is_ipv4
		is_ipv4_compat is_ipv4_mapped is_ipv6 is_used_lock is_uuid isnull json_depth json_pretty json_quote json_storage_free json_storage_size json_type
		json_unquote json_valid last_day lcase length ln load_file log10 log2 lower ltrim monthname oct octet_length ord quote radians random_bytes
		release_lock reverse rtrim sec_to_time sign sin sleep soundex space sqrt tan time_to_sec to_base64 to_days to_seconds ucase uncompress
		uncompressed_length unhex upper weekday weekofyear
		from_vector string_to_vector to_vector vector_dim vector_to_string`)
	put(2, 2, 0, `addtime benchmark datediff date_format extractvalue find_in_set get_lock ifnull instr json_overlaps json_schema_valid makedate name_const
		nullif period_add period_diff pow power sha2 strcmp str_to_date subtime timediff time_format json_schema_validation_report`)
	put(3, 3, 0, "conv convert_tz lpad maketime rpad substring_index updatexml")
	put(0, 1, 0, "last_insert_id rand unix_timestamp")
	put(1, 2, 0, "atan atan2 bin_to_uuid from_unixtime json_keys json_length log round uuid_to_bin yearweek")
	put(2, 3, 0, "json_contains locate regexp_like")
	put(2, 5, 0, "regexp_substr")
	put(2, 6, 0, "aes_decrypt aes_encrypt regexp_instr")
	put(3, 5, 0, "export_set")
	put(3, 6, 0, "regexp_replace")
	put(1, math.MaxInt, 0, "concat")
	put(2, math.MaxInt, 0, "concat_ws elt field greatest json_extract json_merge json_merge_patch json_merge_preserve json_remove least make_set")
	put(3, math.MaxInt, 0, "json_contains_path json_search")
	put(0, math.MaxInt, 2, "json_object")
	put(3, math.MaxInt, 2, "json_array_append json_array_insert json_insert json_replace json_set")
	put(0, math.MaxInt, 0, "json_array")
	put(1, 1, 0, `st_area st_centroid st_convexhull st_dimension st_endpoint st_envelope st_exteriorring st_geometrytype st_isclosed
		st_isempty st_issimple st_isvalid st_latfromgeohash st_longfromgeohash st_numgeometries st_numinteriorring
		st_numinteriorrings st_numpoints st_startpoint st_swapxy st_validate`)
	put(1, 2, 0, "st_asbinary st_astext st_aswkb st_aswkt st_buffer_strategy st_latitude st_length st_longitude st_srid st_x st_y")
	put(1, 3, 0, `st_asgeojson st_geomcollfromtext st_geomcollfromwkb st_geomfromgeojson st_geomfromtext st_geomfromwkb st_linefromtext
		st_linefromwkb st_pointfromtext st_polyfromtext`)
	put(2, 2, 0, `st_contains st_crosses st_difference st_disjoint st_equals st_geometryn st_interiorringn st_intersection st_intersects
		st_lineinterpolatepoint st_lineinterpolatepoints st_makeenvelope st_overlaps st_pointatdistance st_pointfromgeohash
		st_pointn st_simplify st_symdifference st_touches st_transform st_union st_within mbrcontains mbrequals mbrtouches`)
	put(2, 3, 0, "st_distance st_distance_sphere st_frechetdistance st_geohash st_hausdorffdistance")
	put(2, 5, 0, "st_buffer")
	return out
}

// checkArguments refuses a call of a function of MySQL with another number of arguments than it
// takes, or with arguments that have names.
func (l *lowerer) checkArguments(n *ast.Func) {
	name := strings.ToLower(n.Name.Name)
	a, native := arities[name]
	if !native || n.Schema.Given() {
		return
	}
	count := len(n.Args)
	if count < a.least || count > a.most || a.step > 0 && (count-a.least)%a.step != 0 {
		l.raise(1582, "42000", "Incorrect parameter count in the call to native function '%s'", n.Name.Name)
	}
	for _, alias := range n.Aliases {
		if alias.Given() {
			l.raise(1583, "42000", "Incorrect parameters in the call to native function '%s'", name)
		}
	}
}

// checkEscape refuses a constant of several characters behind ESCAPE.
func (l *lowerer) checkEscape(n *ast.Like) {
	if c, ok := n.Escape.(*ast.Literal); ok && c.Kind == ast.StringLiteral && len([]rune(c.Text)) > 1 {
		l.raise(1210, "HY000", "Incorrect arguments to ESCAPE")
	}
}

// checkQuantified refuses ANY and ALL of a query that has other columns than what it is compared
// with. Rows are compared as IN does alone.
func (l *lowerer) checkQuantified(n *ast.Quantified) {
	sel, ok := bare(n.Query).Body.(*ast.Select)
	if !ok {
		return
	}
	for i := range sel.Items {
		if _, star := sel.Items[i].X.(*ast.Star); star {
			return
		}
	}
	columns := 1
	if r, row := n.L.(*ast.Row); row {
		columns = len(r.Items)
	}
	rows := n.Op == ast.Equal && n.Quant != ast.All || n.Op == ast.NotEqual && n.Quant == ast.All
	if !rows && columns > 1 {
		l.raise(1241, "21000", "Operand should contain 1 column(s)")
	}
	if len(sel.Items) != columns {
		l.raise(1241, "21000", "Operand should contain %d column(s)", columns)
	}
}
