package server

// SET_VAR hints: session variables that have another value for one statement.
//
//	SELECT /*+ SET_VAR(sort_buffer_size = 16M) SET_VAR(sql_mode = 'ANSI') */ ...
//
// The hints of all query blocks count. One that cannot be is passed over with a warning.
// https://dev.mysql.com/doc/refman/9.7/en/optimizer-hints.html#optimizer-hints-set-var

import (
	"slices"
	"strconv"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"

	"emberdb/server/sysvar"
	"emberdb/sql/ast"
	"emberdb/sql/parse"
	"emberdb/sql/token"
	"emberdb/sqllayer"
)

// hintable are the variables that MySQL 9.7 takes in SET_VAR.
var hintable = strings.Fields(`auto_increment_increment auto_increment_offset big_tables bulk_insert_buffer_size cte_max_recursion_depth
default_table_encryption default_tmp_storage_engine div_precision_increment enable_secondary_engine_statistics end_markers_in_json
eq_range_index_dive_limit foreign_key_checks group_concat_max_len insert_id internal_tmp_mem_storage_engine join_buffer_size
lock_wait_timeout max_error_count max_execution_time max_heap_table_size max_join_size max_length_for_sort_data max_points_in_geometry
max_seeks_for_key max_sort_length optimizer_max_subgraph_pairs optimizer_prune_level optimizer_search_depth optimizer_switch
range_alloc_block_size range_optimizer_max_mem_size read_buffer_size read_rnd_buffer_size secondary_engine_cost_threshold
select_into_buffer_size select_into_disk_sync select_into_disk_sync_delay set_operations_buffer_size sort_buffer_size sql_auto_is_null
sql_big_selects sql_buffer_result sql_mode sql_require_primary_key sql_safe_updates sql_select_limit time_zone timestamp tmp_table_size
unique_checks updatable_views_with_limit use_secondary_engine windowing_use_high_precision xa_detach_on_prepare`)

const (
	erTruncated      = 1292
	erHintUnknown    = 3128
	erHintDuplicate  = 3126
	erHintNoVariable = 3637
)

// varHint is SET_VAR(name = value).
type varHint struct {
	name, text string // as written
	value      any    // int64 or string
}

// varHints finds SET_VAR in the text of hints.
func varHints(text string) (out []varHint) {
	if !strings.Contains(strings.ToUpper(text), "SET_VAR") {
		return nil
	}
	l := token.NewLexer(text, 0, nil)
	for t := l.Next(); t.Kind != token.EOF && t.Kind != token.Invalid; t = l.Next() {
		if !strings.EqualFold(text[t.From:t.To], "SET_VAR") {
			continue
		}
		open, name, is, value, end := l.Next(), l.Next(), l.Next(), l.Next(), l.Next()
		if open.Kind != '(' || is.Kind != '=' || end.Kind != ')' {
			return out
		}
		h := varHint{name: l.Value(name), text: text[name.From:value.To]}
		if h.value = l.Value(value); value.Kind != token.String {
			h.value = sized(h.value.(string))
		}
		out = append(out, h)
	}
	return out
}

// sized is the number that a word such as 16 or 16M is; others stay words.
func sized(word string) any {
	digits := strings.TrimRight(word, "kKmMgG")
	n, err := strconv.ParseInt(digits, 10, 64)
	if err != nil || len(word) > len(digits)+1 {
		return word
	}
	if len(word) > len(digits) {
		shift := 10 * (1 + strings.IndexByte("kmg", word[len(digits)]|0x20))
		if n > 1<<(62-shift) {
			return word
		}
		n <<= shift
	}
	return n
}

// applyHints sets the variables of SET_VAR hints; the returned function sets them back.
func (x *execution) applyHints(ctx *sql.Context) func() {
	s, ok := ctx.Session.(*sqllayer.Session)
	if !ok || x.w.inside || !strings.Contains(x.stmt.Text, "/*+") { // few have hints, and trees may be large
		return func() {}
	}
	var hints []varHint
	switch x.stmt.Tree.(type) {
	case *ast.Query, *ast.Insert, *ast.Update, *ast.Delete:
		ast.Inspect(x.stmt.Tree, func(n ast.Node) bool {
			if h, is := n.(*ast.Hints); is {
				hints = append(hints, varHints(h.Text)...)
			}
			return true
		})
	}
	if len(hints) == 0 {
		return func() {}
	}
	var told []parse.Warning
	warn := func(code int, text string) {
		if x.prepared != nil && code >= erHintDuplicate {
			return // it was told when the statement was prepared
		}
		told = append(told, parse.Warning{Code: code, Text: text})
	}
	var undo []func()
	var done []string
	for _, h := range hints {
		name := strings.ToLower(h.name)
		_, _, known := sql.SystemVariables.GetGlobal(name)
		before, err := s.GetSessionVariable(ctx, name)
		switch {
		case !known:
			warn(erHintUnknown, "Unresolved name '"+h.name+"' for SET_VAR hint")
			continue
		case !slices.Contains(hintable, name) || err != nil:
			warn(erHintNoVariable, "Variable '"+h.name+"' cannot be set using SET_VAR hint.")
			continue
		case slices.Contains(done, name):
			warn(erHintDuplicate, "Hint SET_VAR("+h.text+")  is ignored as conflicting/duplicated")
			continue
		}
		done = append(done, name)
		if v, defined := sysvar.Of(name); defined {
			if taken, cut, err := v.Take(ctx, h.value, false); err == nil && cut != "" {
				h.value = taken
				warn(erTruncated, v.Truncated(cut))
			}
		}
		if err := s.SetSessionVariable(ctx, name, h.value); err != nil {
			e := x.h.translate(err, nil, x.db)
			warn(e.Num, e.Message)
			continue
		}
		undo = append(undo, func() { _ = s.SetSessionVariable(ctx, name, before) })
	}
	if told != nil {
		if x.prepared == nil && !x.program { // else those of the text were given before
			told = append(slices.Clone(x.stmt.Warnings), told...)
		}
		s.SetWritten(told)
		s.ClearWarnings()
	}
	x.w.refresh()
	return func() {
		for _, f := range undo {
			f()
		}
		x.w.refresh()
	}
}
