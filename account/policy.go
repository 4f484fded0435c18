package account

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/dolthub/go-mysql-server/sql/mysql_db"
)

// Policy is what MySQL keeps of an account and the row of go-mysql-server's grant tables has no
// field for. It lies in the row's attributes under one key, beside the attributes that users see.
type Policy struct {
	Expired      bool   `json:"expired,omitempty"`
	DefaultRoles []Name `json:"default_roles,omitempty"`

	Limits

	// nil is DEFAULT: the system variable decides.
	Lifetime       *int `json:"lifetime,omitempty"`
	History        *int `json:"history,omitempty"`
	ReuseDays      *int `json:"reuse_days,omitempty"`
	RequireCurrent *int `json:"require_current,omitempty"`

	FailedAttempts int `json:"failed_attempts,omitempty"`
	LockDays       int `json:"lock_days,omitempty"` // -1: unbounded

	Second       string        `json:"second,omitempty"` // the hash of the password that RETAIN CURRENT PASSWORD kept
	Used         []Used        `json:"used,omitempty"`   // newest first
	Restrictions []Restriction `json:"restrictions,omitempty"`
	Proxies      []Proxy       `json:"proxies,omitempty"`
}

// Limits are what an account may use in an hour, and at once; 0 is no limit.
type Limits struct {
	MaxQueries         uint32 `json:"max_queries,omitempty"`
	MaxUpdates         uint32 `json:"max_updates,omitempty"`
	MaxConnections     uint32 `json:"max_connections,omitempty"`
	MaxUserConnections uint32 `json:"max_user_connections,omitempty"`
}

// Used is a password that the account has had.
type Used struct {
	At   time.Time `json:"at"`
	Hash string    `json:"hash"`
}

// Restriction is a partial revoke: global privileges that do not hold in a database.
type Restriction struct {
	Database   string     `json:"database"`
	Privileges Privileges `json:"privileges"`
}

// Proxy is another account that this one may act for.
type Proxy struct {
	On      Name      `json:"on"`
	Grant   bool      `json:"grant,omitempty"`
	Grantor string    `json:"grantor"`
	At      time.Time `json:"at"`
}

// Keys of the attributes that are not the user's. The last two are those of earlier data
// directories.
const (
	policyKey     = "ember_account"
	oldExpiredKey = "ember_password_expired"
	oldRolesKey   = "ember_default_roles"
)

// PolicyOf reads the policy of an account, and the attributes that users see; nil: it has none.
func PolicyOf(u *mysql_db.User) (Policy, map[string]any) {
	var p Policy
	if u.Attributes == nil {
		return p, nil
	}
	var raw map[string]json.RawMessage
	if json.Unmarshal([]byte(*u.Attributes), &raw) != nil {
		return p, nil
	}
	if text, ok := raw[policyKey]; ok {
		_ = json.Unmarshal(text, &p) // it was written by SetPolicy
	} else {
		p.readOld(raw)
	}
	_, has := raw[shownKey]
	attributes := map[string]any{}
	for k, text := range raw {
		if k == policyKey || k == oldExpiredKey || k == oldRolesKey || k == shownKey {
			continue
		}
		if v, err := DecodeJSON(string(text)); err == nil {
			attributes[k] = v
		}
	}
	if len(attributes) == 0 && !has {
		attributes = nil
	}
	return p, attributes
}

// shownKey tells an empty set of attributes from none.
const shownKey = "ember_attributes"

func (p *Policy) readOld(raw map[string]json.RawMessage) {
	var roles []string
	_ = json.Unmarshal(raw[oldExpiredKey], &p.Expired)
	_ = json.Unmarshal(raw[oldRolesKey], &roles)
	for _, r := range roles {
		if n, err := ParseName(r); err == nil {
			p.DefaultRoles = append(p.DefaultRoles, n)
		}
	}
}

// ParseName reads user[@host] as lists of roles have it: a host without quotes may hold wildcards.
func ParseName(text string) (Name, error) {
	tokens, err := lex(text, false)
	if err != nil {
		return Name{}, err
	}
	n := Name{User: tokens[0].text, Host: "%"}
	named := func(t token) bool { return t.kind == tokenWord || t.kind == tokenName || t.kind == tokenText }
	rest := tokens[1:]
	if len(rest) > 1 && rest[0].is("@") {
		n.Host = rest[1].text
		if rest = rest[2:]; tokens[2].kind != tokenText && tokens[2].kind != tokenName {
			n.Host, rest = strings.TrimSpace(text[tokens[2].at:]), nil
		}
	}
	if !named(tokens[0]) || len(rest) > 0 && rest[0].kind != tokenEnd {
		return Name{}, &badName{text}
	}
	n.Host = strings.ToLower(n.Host)
	return n, nil
}

// badName is a text that names no account.
type badName struct{ text string }

func (e *badName) Error() string { return "no account: " + e.text }

// SetPolicy writes the policy and the user's attributes into an account.
func SetPolicy(u *mysql_db.User, p Policy, attributes map[string]any) error {
	all := map[string]any{policyKey: p}
	if attributes != nil && len(attributes) == 0 {
		all[shownKey] = true
	}
	for k, v := range attributes {
		all[k] = v
	}
	text, err := json.Marshal(all)
	if err != nil {
		return fmt.Errorf("attributes of %s@%s: %w", u.User, u.Host, err)
	}
	s := string(text)
	u.Attributes = &s
	return nil
}

// PasswordExpired tells whether the password is too old; days is default_password_lifetime.
func (p *Policy) PasswordExpired(changed time.Time, days int, now time.Time) bool {
	if p.Lifetime != nil {
		days = *p.Lifetime
	}
	return p.Expired || days > 0 && !changed.IsZero() && now.After(changed.AddDate(0, 0, days))
}

// Apply sets what a statement sets beside the password.
func (o *Options) Apply(u *mysql_db.User, p *Policy) {
	if r := o.Require; r != nil {
		u.SslType, u.SslCipher, u.X509Issuer, u.X509Subject = r.Kind, r.Cipher, r.Issuer, r.Subject
	}
	set(&p.MaxQueries, o.MaxQueries)
	set(&p.MaxUpdates, o.MaxUpdates)
	set(&p.MaxConnections, o.MaxConnections)
	set(&p.MaxUserConnections, o.MaxUserConnections)
	set(&u.Locked, o.Lock)
	set(&p.FailedAttempts, o.FailedAttempts)
	set(&p.LockDays, o.LockDays)
	o.History.apply(&p.History)
	o.ReuseDays.apply(&p.ReuseDays)
	o.RequireCurrent.apply(&p.RequireCurrent)
	if e := o.Expire; e != nil {
		if p.Expired = p.Expired || e.Now; !e.Now {
			e.Days.apply(&p.Lifetime)
		}
	}
}

func set[T any](to *T, from *T) {
	if from != nil {
		*to = *from
	}
}

func (s *Setting) apply(to **int) {
	switch {
	case s == nil:
	case s.Default:
		*to = nil
	default:
		n := s.N
		*to = &n
	}
}

// DecodeJSON reads a JSON value; numbers keep their text.
func DecodeJSON(text string) (v any, err error) {
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	if err = d.Decode(&v); err == nil && d.More() {
		err = fmt.Errorf("more than one value")
	}
	return v, err
}

// Restrict notes that global privileges do not hold in a database.
func (p *Policy) Restrict(db string, is Privileges) {
	for i, r := range p.Restrictions {
		if strings.EqualFold(r.Database, db) {
			p.Restrictions[i].Privileges |= is
			return
		}
	}
	p.Restrictions = append(p.Restrictions, Restriction{db, is})
	slices.SortFunc(p.Restrictions, func(a, b Restriction) int { return strings.Compare(a.Database, b.Database) })
}

// Lift ends restrictions of a database, or of all with "", when the privileges are granted again.
// It tells which there were.
func (p *Policy) Lift(db string, is Privileges) (lifted Privileges) {
	var kept []Restriction
	for _, r := range p.Restrictions {
		if db == "" || strings.EqualFold(r.Database, db) {
			lifted |= r.Privileges & is
			r.Privileges &^= is
		}
		if r.Privileges != 0 {
			kept = append(kept, r)
		}
	}
	p.Restrictions = kept
	return lifted
}
