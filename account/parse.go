package account

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"
)

// SyntaxError is a statement that is wrong at a byte. Text is what MySQL says of it; "": that the syntax is wrong.
type SyntaxError struct {
	At   int
	Text string
}

func (e *SyntaxError) Error() string { return fmt.Sprintf("syntax error at byte %d", e.At) }

// Error is a statement that is well formed and refused, with MySQL's number.
type Error struct {
	Code int
	Text string
}

func (e *Error) Error() string { return e.Text }

// Longest names, in characters and bytes.
const (
	MaxUser = 32
	MaxHost = 255
)

// parser walks the tokens of one statement. A method that fails notes the error; all later ones do nothing.
type parser struct {
	tokens []token
	at     int
	err    error
}

// Parse reads an account statement. The error is a *SyntaxError or an *Error.
func Parse(query string, ansiQuotes bool) (Statement, error) {
	tokens, err := lex(query, ansiQuotes)
	if err != nil {
		return nil, err
	}
	p := &parser{tokens: tokens}
	s := p.statement()
	p.accept(";")
	if p.err == nil && p.peek().kind != tokenEnd {
		p.fail()
	}
	if p.err != nil {
		return nil, p.err
	}
	return s, nil
}

func (p *parser) peek() token { return p.tokens[p.at] }

func (p *parser) peekAt(n int) token { return p.tokens[min(p.at+n, len(p.tokens)-1)] }

func (p *parser) next() token {
	t := p.peek()
	if t.kind != tokenEnd {
		p.at++
	}
	return t
}

func (p *parser) fail() {
	if p.err == nil {
		p.err = &SyntaxError{At: p.peek().at}
		p.at = len(p.tokens) - 1
	}
}

// failAt is fail at an earlier token, with a text of its own.
func (p *parser) failAt(token int, text string) {
	if p.err == nil {
		p.err = &SyntaxError{p.tokens[token].at, text}
		p.at = len(p.tokens) - 1
	}
}

func (p *parser) refuse(code int, format string, args ...any) {
	if p.err == nil {
		p.err = &Error{code, fmt.Sprintf(format, args...)}
	}
}

// accept takes these words if all of them are next.
func (p *parser) accept(words ...string) bool {
	for i, w := range words {
		if !p.peekAt(i).is(w) {
			return false
		}
	}
	p.at += len(words)
	return true
}

func (p *parser) expect(words ...string) {
	for _, w := range words {
		if !p.accept(w) {
			p.fail()
			return
		}
	}
}

func (p *parser) statement() Statement {
	switch {
	case p.accept("CREATE", "USER"):
		return p.createUser()
	case p.accept("CREATE", "ROLE"):
		s := &CreateRole{IfNotExists: p.accept("IF", "NOT", "EXISTS")}
		s.Roles = p.roles()
		return s
	case p.accept("ALTER", "USER"):
		return p.alterUser()
	case p.accept("DROP", "USER"):
		return p.drop(false)
	case p.accept("DROP", "ROLE"):
		return p.drop(true)
	case p.accept("RENAME", "USER"):
		return p.rename()
	case p.accept("GRANT"):
		return p.grant(false)
	case p.accept("REVOKE"):
		return p.grant(true)
	case p.accept("SET", "PASSWORD"):
		return p.setPassword()
	case p.accept("SET", "ROLE"):
		return &SetRole{p.roleChoice(true)}
	case p.accept("SET", "DEFAULT", "ROLE"):
		s := &SetDefaultRole{RoleChoice: p.roleChoice(false)}
		p.expect("TO")
		s.To = p.roles()
		return s
	case p.accept("SHOW", "GRANTS"):
		return p.showGrants()
	case p.accept("SHOW", "CREATE", "USER"):
		return &ShowCreateUser{p.who()}
	}
	p.next()
	p.fail()
	return nil
}

func (p *parser) drop(role bool) *DropAccounts {
	s := &DropAccounts{Role: role, IfExists: p.accept("IF", "EXISTS")}
	if role {
		for _, r := range p.roles() {
			s.Accounts = append(s.Accounts, Who{Name: r})
		}
	} else {
		s.Accounts = p.whos()
	}
	return s
}

func (p *parser) rename() *RenameUser {
	s := &RenameUser{}
	for {
		s.From = append(s.From, p.who())
		p.expect("TO")
		s.To = append(s.To, p.who())
		if !p.accept(",") {
			return s
		}
	}
}

func (p *parser) showGrants() *ShowGrants {
	s := &ShowGrants{For: Who{Current: true}}
	if p.accept("FOR") {
		s.For = p.who()
		if p.accept("USING") {
			s.Using = p.roles()
		}
	}
	return s
}

// who is an account or CURRENT_USER.
func (p *parser) who() Who {
	if p.accept("CURRENT_USER") {
		if p.accept("(") {
			p.expect(")")
		}
		return Who{Current: true}
	}
	return Who{Name: p.name()}
}

func (p *parser) whos() (list []Who) {
	for {
		list = append(list, p.who())
		if p.err != nil || !p.accept(",") {
			return list
		}
	}
}

// reserved are words of these statements that cannot be names without quotes.
var reserved = map[string]bool{"ALL": true, "ALTER": true, "AND": true, "AS": true, "BY": true, "CREATE": true, "CURRENT_USER": true, "DEFAULT": true, "DELETE": true, "DROP": true,
	"EXCEPT": true, "EXISTS": true, "FOR": true, "FROM": true, "GRANT": true, "IF": true, "IN": true, "INDEX": true, "INSERT": true, "INTO": true, "LOCK": true,
	"NOT": true, "NULL": true, "ON": true, "OR": true, "PROCEDURE": true, "REFERENCES": true, "RENAME": true, "REPLACE": true, "REQUIRE": true, "REVOKE": true,
	"SELECT": true, "SET": true, "SHOW": true, "SSL": true, "TABLE": true, "TABLES": true, "TO": true, "TRIGGER": true, "UPDATE": true, "USAGE": true,
	"USING": true, "VALUES": true, "WHERE": true, "WITH": true}

// name is user[@host].
func (p *parser) name() Name {
	n := Name{User: p.word(), Host: "%"}
	if p.accept("@") {
		n.Host = strings.ToLower(p.host())
	}
	switch {
	case utf8.RuneCountInString(n.User) > MaxUser:
		p.refuse(1470, "String '%s' is too long for user name (should be no longer than %d)", n.User, MaxUser)
	case len(n.Host) > MaxHost:
		p.refuse(1470, "String '%s' is too long for host name (should be no longer than %d)", n.Host, MaxHost)
	}
	return n
}

// host is what stands behind @. Without quotes it may hold dots.
func (p *parser) host() string {
	if k := p.peek().kind; k == tokenText || k == tokenName {
		return p.next().text
	}
	host, end := "", -1
	for t := p.peek(); (t.kind == tokenWord || t.is(".")) && (end < 0 || t.at == end); t = p.peek() {
		host, end = host+t.text, t.at+len(t.text)
		p.next()
	}
	if end < 0 {
		p.fail()
	}
	return host
}

// word is an identifier or a text.
func (p *parser) word() string {
	t := p.peek()
	if t.kind == tokenName || t.kind == tokenText || t.kind == tokenWord && !reserved[strings.ToUpper(t.text)] {
		return p.next().text
	}
	p.fail()
	return ""
}

// identifier is a name that cannot be a text.
func (p *parser) identifier() string {
	if p.peek().kind == tokenText {
		p.fail()
		return ""
	}
	return p.word()
}

func (p *parser) roles() (list []Name) {
	for {
		list = append(list, p.name())
		if p.err != nil || !p.accept(",") {
			return list
		}
	}
}

// roleChoice is what follows SET [DEFAULT] ROLE and DEFAULT ROLE.
func (p *parser) roleChoice(active bool) RoleChoice {
	switch {
	case p.accept("NONE"):
		return RoleChoice{Kind: RolesNone}
	case p.accept("ALL"):
		c := RoleChoice{Kind: RolesAll}
		if active && p.accept("EXCEPT") {
			c.Roles = p.roles()
		}
		return c
	case active && p.accept("DEFAULT"):
		return RoleChoice{Kind: RolesDefault}
	}
	return RoleChoice{Roles: p.roles()}
}

// text is a quoted text.
func (p *parser) text() string {
	if p.peek().kind != tokenText {
		p.fail()
		return ""
	}
	return p.next().text
}

// number is an unsigned number; what does not fit is the greatest.
func (p *parser) number() uint64 {
	t := p.peek()
	n, err := strconv.ParseUint(t.text, 10, 64)
	if t.kind != tokenWord || err != nil && t.text[0] < '0' || err != nil && t.text[0] > '9' {
		p.fail()
		return 0
	}
	if err != nil {
		n = math.MaxUint64
	}
	p.next()
	return n
}

// bounded is a number between two others; what is the word of the error.
func (p *parser) bounded(what string, least, most uint64) int {
	n := p.number()
	if p.err == nil && (n < least || n > most) {
		p.refuse(1525, "Incorrect %s value: '%d'", what, n)
	}
	return int(min(n, most))
}
