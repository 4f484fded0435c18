package differential

import (
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"strconv"
	"strings"
)

// statement is one statement of a script with its directives.
type statement struct {
	text    string // as in the script, directives included
	sql     string
	differs string // reason
	sorted  bool
	textual bool
	mask    []string // column names in lower case
	params  []any    // nil: none
	as      string   // the account that runs it; "": the script's
}

// parseFile reads a script.
func parseFile(path string) ([]statement, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	stmts, err := parse(string(text))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return stmts, nil
}

func parse(text string) ([]statement, error) {
	var out []statement
	delimiter := ";"
	var cur statement
	var lines, body []string
	for i, line := range strings.Split(text, "\n") {
		trimmed := strings.TrimSpace(line)
		switch {
		case len(body) == 0 && trimmed == "":
			if !cur.directed() {
				lines = nil
			}
			continue
		case len(body) == 0 && strings.HasPrefix(strings.ToLower(trimmed), "delimiter "):
			delimiter = strings.TrimSpace(trimmed[len("delimiter "):])
			continue
		case len(body) == 0 && strings.HasPrefix(trimmed, "--"):
			if err := cur.direct(strings.TrimSpace(trimmed[2:])); err != nil {
				return nil, fmt.Errorf("line %d: %w", i+1, err)
			}
			if cur.directed() {
				lines = append(lines, trimmed)
			}
			continue
		}
		lines = append(lines, strings.TrimRight(line, " \t"))
		end, done := strings.CutSuffix(trimmed, delimiter)
		if !done {
			body = append(body, line)
			continue
		}
		if body = append(body, line[:strings.LastIndex(line, delimiter)]); end == "" && len(body) == 1 {
			return nil, fmt.Errorf("line %d: a statement is missing before %q", i+1, delimiter)
		}
		cur.text, cur.sql = strings.Join(lines, "\n"), strings.TrimSpace(strings.Join(body, "\n"))
		out = append(out, cur)
		cur, lines, body = statement{}, nil, nil
	}
	if len(body) > 0 {
		return nil, fmt.Errorf("the last statement has no end: %s", body[0])
	}
	return out, nil
}

// directed tells whether a directive has been given.
func (s *statement) directed() bool {
	return s.differs != "" || s.sorted || s.textual || s.mask != nil || s.params != nil || s.as != ""
}

// direct applies a comment line.
func (s *statement) direct(comment string) error {
	word, rest, _ := strings.Cut(comment, ":")
	rest = strings.TrimSpace(rest)
	switch word {
	case "differs":
		if s.differs = rest; rest == "" {
			return fmt.Errorf("differs without a reason")
		}
	case "sorted":
		s.sorted = true
	case "text":
		s.textual = true
	case "mask":
		for _, name := range strings.Split(rest, ",") {
			s.mask = append(s.mask, strings.ToLower(strings.TrimSpace(name)))
		}
	case "as":
		if s.as = rest; rest == "" {
			return fmt.Errorf("as without an account")
		}
	case "params":
		return s.parseParams(rest)
	}
	return nil
}

func (s *statement) parseParams(text string) error {
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	var values []any
	if err := d.Decode(&values); err != nil {
		return fmt.Errorf("params: %w", err)
	}
	s.params = []any{}
	for _, v := range values {
		p, err := param(v)
		if err != nil {
			return err
		}
		s.params = append(s.params, p)
	}
	return nil
}

func param(v any) (any, error) {
	switch v := v.(type) {
	case json.Number:
		if i, err := v.Int64(); err == nil {
			return i, nil
		}
		return v.Float64()
	case map[string]any:
		if h, ok := v["bytes"].(string); ok {
			return hex.DecodeString(h)
		}
		if u, ok := v["uint"].(string); ok {
			return strconv.ParseUint(u, 10, 64)
		}
		return nil, fmt.Errorf("params: not understood: %v", v)
	case bool:
		if v {
			return int8(1), nil
		}
		return int8(0), nil
	}
	return v, nil
}

// reads tells whether running the statement twice is harmless and says more.
func (s *statement) reads() bool {
	words := strings.Fields(strings.ToLower(s.sql))
	if s.textual || len(words) == 0 {
		return false
	}
	switch strings.TrimLeft(words[0], "(") {
	case "select", "with", "table", "values", "desc", "describe", "":
		return true
	case "show":
		return len(words) > 1 && words[1] != "warnings" && words[1] != "errors"
	}
	return false
}
