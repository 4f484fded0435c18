package account

import "strings"

// item is a member of the list behind GRANT or REVOKE: a privilege or a role, which of them only the word behind the list tells.
type item struct {
	privilege Privilege
	role      Name
	words     bool // a privilege whose words cannot be a role
	at        int  // of its first token
}

// grant is what follows GRANT and REVOKE.
func (p *parser) grant(revoke bool) Statement {
	ifExists := revoke && p.accept("IF", "EXISTS")
	if p.accept("PROXY", "ON") {
		return p.grantProxy(revoke, ifExists)
	}
	all := p.accept("ALL")
	if all {
		p.accept("PRIVILEGES")
	}
	if all && revoke && p.accept(",", "GRANT", "OPTION", "FROM") {
		s := &RevokeAll{IfExists: ifExists, From: p.whos()}
		s.IgnoreUnknown = p.accept("IGNORE", "UNKNOWN", "USER")
		return s
	}
	var items []item
	for more := !all; more && p.err == nil; more = p.accept(",") {
		items = append(items, p.item())
	}
	to := "TO"
	if revoke {
		to = "FROM"
	}
	if !all && p.peek().is(to) {
		p.at++
		return p.grantRoles(revoke, ifExists, items)
	}
	if !p.accept("ON") {
		p.fail()
		return nil
	}
	s := &Grant{Revoke: revoke, IfExists: ifExists, All: all}
	for _, i := range items {
		if i.privilege.Static == 0 && i.privilege.Dynamic == "" { // role@host
			p.failAt(i.at, "Illegal privilege identifier")
		}
		s.Privileges = append(s.Privileges, i.privilege)
	}
	s.On = p.object()
	p.expect(to)
	s.To = p.whos()
	p.grantTail(s)
	return s
}

func (p *parser) grantTail(s *Grant) {
	if s.Revoke {
		s.IgnoreUnknown = p.accept("IGNORE", "UNKNOWN", "USER")
		return
	}
	s.WithGrant = p.accept("WITH", "GRANT", "OPTION")
	if !s.WithGrant && p.peek().is("WITH") {
		p.next()
		p.fail()
	}
	if p.accept("AS") {
		as := p.who()
		s.As = &as
		if p.accept("WITH", "ROLE") {
			c := p.roleChoice(true)
			s.AsRoles = &c
		}
	}
}

// item is a privilege or role.
func (p *parser) item() item {
	i := item{at: p.at}
	if words, static := p.staticWords(); words > 0 {
		p.at += words
		i.privilege.Static, i.words = static, true
		if p.peek().is("(") && ColumnLevel.Has(static) && static != 0 {
			p.next()
			i.privilege.Columns = p.columns()
		}
		return i
	}
	i.role = p.name()
	if p.at == i.at+1 { // no host
		i.privilege.Dynamic = i.role.User
	}
	return i
}

func (p *parser) columns() (names []string) {
	for {
		names = append(names, p.identifier())
		if p.err != nil || !p.accept(",") {
			p.expect(")")
			return names
		}
	}
}

// staticWords tells how many tokens the static privilege that is next takes; 0: none is.
func (p *parser) staticWords() (n int, is Privileges) {
	for _, s := range Statics {
		words := strings.Fields(s.Name)
		if len(words) <= n {
			continue
		}
		same := true
		for i, w := range words {
			same = same && p.peekAt(i).kind == tokenWord && p.peekAt(i).is(w)
		}
		// A role may have the name of a privilege that is no reserved word.
		if same && !p.peekAt(len(words)).is("@") {
			n, is = len(words), s.Is
		}
	}
	if n == 0 && p.peek().is("USAGE") {
		return 1, usage
	}
	return n, is
}

// usage is no privilege; it stands in a list where USAGE was written.
const usage Privileges = 1 << 63

// object is what stands behind ON.
func (p *parser) object() Object {
	o := Object{Level: OnTable}
	switch {
	case p.accept("TABLE"):
	case p.peek().is("FUNCTION") && !p.peekAt(1).is(".") && !p.peekAt(1).is("TO"):
		p.next()
		o.Level = OnFunction
	case p.accept("PROCEDURE"):
		o.Level = OnProcedure
	}
	if p.accept("*") {
		if p.accept(".") {
			p.expect("*")
			return Object{Level: OnGlobal}
		}
		return Object{Level: OnDatabase}
	}
	o.Name = p.identifier()
	if !p.accept(".") {
		return o
	}
	o.Database = o.Name
	if p.accept("*") {
		o.Level, o.Name = OnDatabase, ""
		return o
	}
	if k := p.peek().kind; k != tokenWord && k != tokenName { // any word is a name behind a dot
		p.fail()
	}
	o.Name = p.next().text
	return o
}

func (p *parser) grantRoles(revoke, ifExists bool, items []item) *GrantRoles {
	s := &GrantRoles{Revoke: revoke, IfExists: ifExists}
	for _, i := range items {
		if i.words {
			p.failAt(i.at, "Illegal authorization identifier")
		}
		s.Roles = append(s.Roles, i.role)
	}
	s.To = p.whos()
	if revoke {
		s.IgnoreUnknown = p.accept("IGNORE", "UNKNOWN", "USER")
	} else {
		s.Admin = p.accept("WITH", "ADMIN", "OPTION")
	}
	return s
}

func (p *parser) grantProxy(revoke, ifExists bool) *GrantProxy {
	s := &GrantProxy{Revoke: revoke, IfExists: ifExists, On: p.who()}
	if revoke {
		p.expect("FROM")
	} else {
		p.expect("TO")
	}
	s.To = p.whos()
	if revoke {
		s.IgnoreUnknown = p.accept("IGNORE", "UNKNOWN", "USER")
	} else {
		s.WithGrant = p.accept("WITH", "GRANT", "OPTION")
	}
	return s
}
