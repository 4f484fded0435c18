package token

// Long lists of values, and of rows of them, are most of a long statement and nothing of its
// digest: the first two of them stand for all. They are passed over here, byte by byte.

// ahead is room for the tokens of a value or row that come and go.
const ahead = 32

// pass passes over plain values, or rows of them, of a list that the digest has the beginning of.
// The lexer stands behind the comma that is next; so it does afterwards, behind a later one.
func (d *digester) pass(l *Lexer) {
	if d.slow || d.items >= 0 || d.depth < 0 || d.room < ahead || l.next != stateStart || l.code || l.cs != UTF8MB4 || len(d.out) == 0 {
		return
	}
	last := &d.out[len(d.out)-1]
	switch last.kind {
	case markValue, markValues:
		if at := plainValues(d.text, l.pos); at > l.pos {
			last.kind, l.pos = markValues, at
		}
	case markRow, markRows:
		if at := plainRows(d.text, l.pos, false); at > l.pos {
			last.kind, l.pos = markRows, at
		}
	case markWideRow, markWideRows:
		if at := plainRows(d.text, l.pos, true); at > l.pos {
			last.kind, l.pos = markWideRows, at
		}
	}
}

// plainValues passes over values that have a comma behind them each, and returns where they end.
func plainValues(text string, from int) int {
	for {
		at := blanks(text, plainValue(text, blanks(text, from)))
		if at < 0 || at >= len(text) || text[at] != ',' {
			return from
		}
		from = at + 1
	}
}

// plainRows passes over rows that have a comma behind them each, of one value or of several, and
// returns where they end.
func plainRows(text string, from int, wide bool) int {
	for {
		at := blanks(text, from)
		if at >= len(text) || text[at] != '(' {
			return from
		}
		values := 0
		for more := true; more; values++ {
			at = blanks(text, plainValue(text, blanks(text, at+1)))
			if at < 0 || at >= len(text) || text[at] != ',' && text[at] != ')' {
				return from
			}
			more = text[at] == ','
		}
		if at = blanks(text, at+1); wide != (values > 1) || at >= len(text) || text[at] != ',' {
			return from
		}
		from = at + 1
	}
}

// blanks passes over spaces and ends of lines; below zero stays.
func blanks(text string, at int) int {
	for at >= 0 && at < len(text) && (text[at] == ' ' || text[at] == '\n') {
		at++
	}
	return at
}

// plainValue passes over a number of digits or a text in quotes in which nothing is escaped, and
// returns where it ends; -1: it is neither. What is behind it is for others to look at: another
// quote, or a letter that makes it a name.
func plainValue(text string, at int) int {
	if at >= len(text) {
		return -1
	}
	if text[at] == '\'' {
		for at++; at < len(text); at++ {
			switch text[at] {
			case '\'':
				return at + 1
			case '\\':
				return -1
			}
		}
		return -1
	}
	from := at
	for at < len(text) && text[at]-'0' <= 9 {
		at++
	}
	if at == from {
		return -1
	}
	return at
}
