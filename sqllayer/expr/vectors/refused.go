package vectors

import (
	"cmp"
	"slices"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"

	"emberdb/sqllayer/expr/operand"
)

// refusing are the functions that take no vectors.
var refusing = strings.Fields(`+ - * / % & | ^ << >> ~ concat concat_ws elt insert lower lcase upper ucase left right lpad rpad ltrim rtrim trim make_set mid substr substring quote repeat
	replace reverse soundex substring_index from_base64 unhex uncompress abs ceil ceiling floor round truncate sign mod sin cos tan cot asin acos atan atan2 sqrt
	pow power log log2 log10 ln exp degrees radians rand conv format greatest least uuid_to_bin weight_string char export_set statement_digest
	statement_digest_text extractvalue updatexml load_file sum avg min max bit_and bit_or bit_xor std stddev stddev_pop stddev_samp variance var_pop var_samp
	lag lead first_value last_value nth_value date time timestamp year month day dayofmonth dayofweek dayofyear weekday hour minute second microsecond
	quarter week date_format str_to_date from_unixtime unix_timestamp sec_to_time time_to_sec maketime makedate to_days from_days
	json_array json_object json_set json_insert json_replace json_valid json_quote json_unquote json_extract json_contains json_arrayagg json_objectagg
	json_keys json_length json_depth json_type json_merge_patch json_merge_preserve json_remove json_search json_overlaps json_pretty`)

// shownNames are the names that errors have for functions of another name.
var shownNames = map[string]string{"mid": "substr", "substring": "substr", "lcase": "lower", "ucase": "upper", "ceil": "ceiling", "power": "pow", "day": "dayofmonth",
	"div ": "DIV", "- ": "-", "date": "cast_as_date", "time": "cast_as_time", "timestamp": "cast_as_datetime", "mod": "%", "stddev": "std", "stddev_pop": "std", "var_pop": "variance",
	operand.TrimBoth: "trim", operand.TrimLeading: "trim", operand.TrimTrailing: "trim"}

func init() {
	operand.Surround(operand.OverVectors, func(name string) bool { return shownNames[name] != "" || slices.Contains(refusing, name) }, refused)
}

// refused is a function that takes no vectors.
func refused(name string, f sql.Function) sql.Function {
	return sql.FunctionN{Name: name, Fn: func(ctx *sql.Context, args ...sql.Expression) (sql.Expression, error) {
		for _, e := range args {
			if !e.Resolved() || !Is(e.Type(ctx)) {
				continue
			}
			return nil, wrongArgument(cmp.Or(shownNames[name], name))
		}
		return f.NewInstance(ctx, args)
	}}
}
