package sqllayer

// Statements that the binary log gets as text (binlog_format=STATEMENT). Tools such as
// pt-table-checksum ask for it, to have a replica compute from its own rows.
//
// The log gets the text of a statement that alone determines what it changes, and the rows of any
// other: MySQL logs the text of those as well, with a warning (1592), and its replica may end up
// with other rows. MIXED is ROW.

import (
	"slices"
	"strconv"
	"strings"

	"emberdb/engine/catalog"
	"emberdb/engine/txn"
	"emberdb/sql/ast"
	"emberdb/sql/parse"
)

// LogsText reports whether the binary log may get the text of the session's statements.
func (s *Session) LogsText() bool {
	return s.Flag("binlog_rows_query_log_events") || s.Text("binlog_format") == "STATEMENT"
}

// textOf returns what tells, given the first table that the running statement changes, its text;
// nil: its rows are logged in any case. REQUIRES: s.mu, s.trx.
func (s *Session) textOf(k *logSettings) func(def *catalog.Table) string {
	text := s.statementText()
	switch {
	case !k.text || s.Trx == nil || s.ddl || text == "" || s.Stmt.Depth > 0 || s.Program != nil || s.replica.quiet || len(s.Temps.byName) > 0:
		return nil
	case k.query.TimeZone == "" || s.Trx.Isolation() < txn.RepeatableRead: // what it read is not locked
		return nil
	}
	return func(def *catalog.Table) string {
		if s.tellsItself(text, def) {
			return text
		}
		return ""
	}
}

// plainModes tells that a text reads the same under the default SQL mode.
func plainModes(mode string) bool {
	for m := range strings.SplitSeq(strings.ToUpper(mode), ",") {
		switch m {
		case "ANSI_QUOTES", "ANSI", "PIPES_AS_CONCAT", "IGNORE_SPACE", "HIGH_NOT_PRECEDENCE", "NO_BACKSLASH_ESCAPES", "PAD_CHAR_TO_FULL_LENGTH":
			return false
		}
	}
	return true
}

// tellsItself tells whether a statement changes the same rows wherever the same rows are. A
// trigger of a schema that it names may do more than the text says.
func (s *Session) tellsItself(text string, def *catalog.Table) bool {
	mode := s.text("sql_mode")
	if !plainModes(mode) {
		return false
	}
	r, err := parse.Parse(text, parse.Options{})
	if err != nil {
		return false // it has parameters, or is one of several
	}
	switch n := r.Statement.(type) {
	case *ast.Insert:
		if !fills(def) || !numbered(n, def, strings.Contains(mode, "NO_AUTO_VALUE_ON_ZERO")) || len(n.OnConflict) > 0 || n.Query != nil && (n.Replace || n.Ignore) && !singleRow(n.Query) {
			return false
		}
	case *ast.Update, *ast.Delete:
	default:
		return false
	}
	schemas, plain := []string{def.Schema}, true
	ast.Inspect(r.Statement, func(n ast.Node) bool {
		if t, ok := n.(*ast.TableName); ok && !slices.Contains(schemas, t.Schema.Name) {
			schema := t.Schema.Name
			if schema == "" {
				schema = s.GetCurrentDatabase()
			}
			schemas = append(schemas, schema)
		}
		plain = plain && determined(n)
		return plain
	})
	for _, schema := range schemas {
		switch strings.ToLower(schema) {
		case "information_schema", "performance_schema", "mysql", "sys":
			return false
		}
		triggers, err := s.layer.Eng.ListObjects(s.log.ctx, nil, catalog.KindTrigger, schema)
		plain = plain && err == nil && len(triggers) == 0
	}
	return plain
}

// fills tells whether the columns that an INSERT leaves out are the same everywhere.
func fills(def *catalog.Table) bool {
	return !slices.ContainsFunc(def.Columns, func(c catalog.Column) bool {
		return c.HasDefault && !c.Literal && !strings.HasPrefix(strings.ToUpper(c.Default), "CURRENT_TIMESTAMP")
	})
}

// numbered tells whether an INSERT takes no number of an AUTO_INCREMENT column: there is none, or each
// row has a constant there. The replica's next number may be another. zero: 0 asks for no number.
func numbered(n *ast.Insert, def *catalog.Table, zero bool) bool {
	if def.AutoInc < 0 {
		return true
	}
	if n.Query != nil || len(n.Set) > 0 {
		return false
	}
	at, wide := def.AutoInc, len(def.Columns)
	if len(n.Columns) > 0 {
		wide = len(n.Columns)
		at = slices.IndexFunc(n.Columns, func(c *ast.Column) bool { return strings.EqualFold(c.Name.Name, def.Columns[at].Name) })
	}
	return at >= 0 && !slices.ContainsFunc(n.Rows, func(r ast.ValuesRow) bool { return len(r.Items) != wide || !isNumber(r.Items[at], zero) })
}

// isNumber tells whether an expression is a whole number, perhaps as a text, that stands for itself.
func isNumber(e ast.Expr, zero bool) bool {
	if n, ok := e.(*ast.Unary); ok && (n.Op == ast.Minus || n.Op == ast.Plus) {
		e = n.X
	}
	n, ok := e.(*ast.Literal)
	if !ok || n.Kind != ast.IntLiteral && n.Kind != ast.StringLiteral {
		return false
	}
	number, err := strconv.ParseUint(strings.TrimPrefix(n.Text, "-"), 10, 64)
	return err == nil && (number > 0 || zero)
}

// singleRow tells whether a query has one row: an aggregate without groups.
func singleRow(q *ast.Query) bool {
	n, ok := q.Body.(*ast.Select)
	if !ok || n.GroupBy != nil {
		return false
	}
	found := false
	for i := range n.Items {
		ast.Inspect(&n.Items[i], func(n ast.Node) bool {
			_, aggregate := n.(*ast.Aggregate)
			_, query := n.(*ast.Query)
			found = found || aggregate
			return !query
		})
	}
	return found
}

// determined tells whether a node of a statement gives the same wherever the same rows are.
func determined(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.Limit:
		return n == nil
	case *ast.UserVar, *ast.SystemVar, *ast.Assignment, *ast.Param, *ast.Match, *ast.WindowFunc, *ast.Over:
		return false
	case *ast.Aggregate:
		return sameAggregates[strings.ToLower(n.Name.Name)] && n.Over == nil
	case *ast.Func:
		return n.Schema.Name == "" && sameFunctions[strings.ToLower(n.Name.Name)]
	}
	return true
}

func names(list string) map[string]bool {
	m := map[string]bool{}
	for name := range strings.FieldsSeq(list) {
		m[name] = true
	}
	return m
}

// sameAggregates and sameFunctions are those whose result depends on nothing but their arguments
// and the statement's time, which the log tells.
var (
	sameAggregates = names("avg bit_and bit_or bit_xor count max min std stddev stddev_pop stddev_samp sum var_pop var_samp variance")
	sameFunctions  = names(`abs acos adddate addtime ascii asin atan atan2 bin bit_count bit_length ceil ceiling char_length character_length coalesce concat concat_ws conv cos cot crc32
		curdate current_date current_time current_timestamp curtime date date_add date_format date_sub datediff day dayname dayofmonth dayofweek dayofyear degrees elt exp
		field find_in_set floor format from_base64 from_days from_unixtime greatest hex hour if ifnull inet6_aton inet6_ntoa inet_aton inet_ntoa insert instr interval isnull
		json_array json_array_append json_array_insert json_contains json_contains_path json_depth json_extract json_insert json_keys json_length json_merge_patch
		json_merge_preserve json_object json_quote json_remove json_replace json_set json_type json_unquote json_valid last_day lcase least left length ln locate log log10 log2
		lower lpad ltrim makedate maketime md5 microsecond mid minute mod month monthname now nullif oct octet_length ord period_add period_diff pi pow power quarter quote
		radians repeat replace reverse right round rpad rtrim sec_to_time second sha sha1 sha2 sign sin soundex space sqrt str_to_date strcmp subdate substr substring
		substring_index subtime tan time time_format time_to_sec timediff timestamp to_base64 to_days to_seconds truncate ucase unhex unix_timestamp upper week weekday
		weekofyear year yearweek`)
)
