package expr

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/expression/function"
	"github.com/dolthub/go-mysql-server/sql/types"
	"github.com/stretchr/testify/require"

	"emberdb/sqllayer/expr/aggregate"
	"emberdb/sqllayer/expr/documents"
	"emberdb/sqllayer/expr/operand"
)

// FuzzDocument reads texts as documents: a text has a fault or is read, and a document is measured
// as large as it is written.
func FuzzDocument(f *testing.F) {
	for _, text := range []string{`{"a":[1,2.5,"x\u0041\n",true,null]}`, `[]`, `{}`, `"\ud800"`, `1e400`, `-0`, `[1,]`, `{"a"}`, "", `"`, strings.Repeat("[", 200), `18446744073709551615`} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		v, err := operand.ParseDocument(context.Background(), text)
		if f, ok := documents.IsFault(err); ok {
			require.LessOrEqual(t, f.At, len(text))
		}
		if err != nil {
			if json.Valid([]byte(text)) { // what this reader refuses of it
				require.Regexp(t, `depth|surrogate|too big`, err.Error())
			}
			return
		}
		require.True(t, json.Valid([]byte(text)))
		m := operand.Meter{Most: 1 << 40}
		m.Add(v, 1)
		require.LessOrEqual(t, m.Depth, operand.MostJSONDepth)
		written, err := types.JsonToMySqlBytes(sql.NewEmptyContext(), types.JSONDocument{Val: v})
		require.NoError(t, err)
		if !strings.ContainsAny(text, "0123456789\\") { // numbers and escapes have several texts
			require.LessOrEqual(t, int64(len(written)), m.Size)
		}
	})
}

// TestEveryTextFunctionIsBounded looks at all functions there are: one whose result is a text, a
// document or a geometry is in sizes or measuredFunctions, bounds itself, or is in the list of
// those whose results are no larger than their arguments or than a fixed size.
func TestEveryTextFunctionIsBounded(t *testing.T) {
	bounded := strings.Fields("insert elt weight_string regexp_replace uncompress random_bytes space group_concat json_arrayagg json_objectagg load_file " + aggregate.GroupConcat)
	small := strings.Fields(`adddate aes_decrypt any_value bin bin_to_uuid char charset coalesce coercibility collation conv convert convert_tz current_date current_role current_time current_timestamp
		current_user curdate curtime database date date_add date_sub datetime dayname export_set first first_value format format_bytes format_pico_time from_base64 from_days get_format greatest
		gtid_subtract icu_version if ifnull inet6_aton inet6_ntoa inet_ntoa interval json_remove json_schema_validation_report json_table json_type json_unquote json_value lag
		last last_day last_insert_uuid last_value lead least left localtime localtimestamp ltrim maketime makedate max md5 mid min monthname name_const now nth_value nullif oct ps_current_thread_id
		regexp_substr reverse right roles_graphml rtrim schema sec_to_time session_user sha sha1 sha2 soundex st_centroid st_convexhull st_endpoint st_envelope st_exteriorring
		st_geohash st_geometryn st_geometrytype st_interiorringn st_pointfromgeohash st_pointn st_startpoint st_swapxy st_validate st_srid st_x st_y st_latitude st_longitude str_to_date
		string_to_vector subdate substr substring substring_index subtime sysdate system_user time timediff timestamp timestampadd to_vector trim unhex user utc_date utc_time
		utc_timestamp uuid uuid_to_bin values vec_fromtext version weekday addtime point statement_digest statement_digest_text json_depth
		mysql_query_attribute_string st_makeenvelope st_simplify st_lineinterpolatepoint st_lineinterpolatepoints st_pointatdistance st_union st_intersection st_difference st_symdifference st_buffer_strategy`)
	known := map[string]bool{}
	for _, name := range append(bounded, small...) {
		known[name] = true
	}
	ctx := sql.NewEmptyContext()
	for name, f := range allFunctions() {
		if _, sized := sizes[name]; sized || measuredFunctions[name] || known[name] || strings.ContainsAny(name, "\x00 ") {
			continue
		}
		if strings.HasPrefix(name, "st_") && strings.Contains(name, "from") {
			continue // a geometry is about as large as what it is read from
		}
		for n := range 5 {
			typ, ok := typeWith(ctx, f, n)
			if ok && (types.IsText(typ) || types.IsJSON(typ) || operand.IsSpatial(typ)) {
				t.Errorf("%s gives a %s: how large may it be?", name, typ)
				break
			}
		}
	}
}

// typeWith is the type of a call with n texts; ok is false if there is no such call.
func typeWith(ctx *sql.Context, f sql.Function, n int) (typ sql.Type, ok bool) {
	defer func() {
		if recover() != nil {
			ok = false
		}
	}()
	args := make([]sql.Expression, n)
	for i := range args {
		args[i] = expression.NewLiteral("1", types.LongText)
	}
	e, err := f.NewInstance(ctx, args)
	if err != nil || e == nil {
		return nil, false
	}
	return e.Type(ctx), true
}

// allFunctions are this package's and go-mysql-server's.
func allFunctions() map[string]sql.Function {
	all := map[string]sql.Function{}
	for _, f := range function.BuiltIns {
		all[f.FunctionName()] = f
	}
	for name := range operand.Functions {
		all[name], _ = operand.Lookup(name)
	}
	return all
}
