package documents

import (
	"unicode/utf8"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/vitess/go/mysql"

	"emberdb/sqllayer/expr/operand"
)

// searchDocument is JSON_SEARCH: the paths of the texts that are like a pattern.
func searchDocument(ctx *sql.Context, doc documentReader, args []sql.Expression, row sql.Row) (any, error) {
	value, null, err := doc.value(ctx, row)
	if err != nil || null {
		return nil, err
	}
	which, err := oneOrAll(ctx, args[1], row, "json_search")
	if err != nil || which == "" {
		return nil, err
	}
	pattern, err := args[2].Eval(ctx, row)
	if err != nil || pattern == nil {
		return nil, err
	}
	text, _, err := operand.TextOf(ctx, pattern)
	if err != nil {
		return nil, err
	}
	escape, err := searchEscape(ctx, args, row)
	if err != nil {
		return nil, err
	}
	like, err := expression.ConstructLikeMatcher(sql.Collation_utf8mb4_bin, text, escape)
	if err != nil {
		return nil, err
	}
	s := search{like: like, one: which == "one", seen: map[string]bool{}, steps: operand.Interrupts{Ctx: ctx}}
	places := []jsonPath{nil}
	for i, a := range args[min(len(args), 4):] {
		p, err := pathOf(ctx, a, row, false)
		if err != nil || p == nil {
			return nil, err
		}
		places = append(places[:i], *p)
	}
	for _, p := range places {
		found, err := p.find(ctx, value)
		if err != nil {
			return nil, err
		}
		for _, f := range found {
			if err := s.look(f); err != nil {
				return nil, err
			}
		}
	}
	switch len(s.out) {
	case 0:
		return nil, nil
	case 1:
		return operand.MadeOf(s.out[0]), nil
	}
	return operand.MadeOf(s.out), nil
}

func searchEscape(ctx *sql.Context, args []sql.Expression, row sql.Row) (rune, error) {
	if len(args) < 4 {
		return '\\', nil
	}
	v, err := args[3].Eval(ctx, row)
	if err != nil || v == nil {
		return '\\', err
	}
	text, _, err := operand.TextOf(ctx, v)
	if err != nil {
		return 0, err
	}
	switch utf8.RuneCountInString(text) {
	case 0:
		return '\\', nil
	case 1:
		r, _ := utf8.DecodeRuneInString(text)
		return r, nil
	}
	return 0, mysql.NewSQLError(mysql.ERWrongArguments, "HY000", "Incorrect arguments to ESCAPE")
}

// search collects paths, each once.
type search struct {
	like  expression.LikeMatcher
	one   bool
	seen  map[string]bool // what was looked at
	out   []any
	steps operand.Interrupts
}

func (s *search) look(f pathMatch) error {
	if s.one && s.out != nil || s.seen[f.path] {
		return nil
	}
	if err := s.steps.Next(); err != nil {
		return err
	}
	s.seen[f.path] = true
	switch v := f.value.(type) {
	case string:
		if s.like.Match(v) {
			s.out = append(s.out, f.path)
		}
	case []any:
		for i, e := range v {
			if err := s.look(pathMatch{e, elementPath(f.path, i)}); err != nil {
				return err
			}
		}
	case map[string]any:
		for _, name := range operand.MemberNames(v) {
			if err := s.look(pathMatch{v[name], memberPath(f.path, name)}); err != nil {
				return err
			}
		}
	}
	return nil
}
