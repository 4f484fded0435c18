package server

import (
	"encoding/hex"
	"math/big"
	"strconv"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	querypb "github.com/dolthub/vitess/go/vt/proto/query"

	"emberdb/engine/txn"
	"emberdb/sqllayer"
)

// The XA statements; what they do is sqllayer's and the engine's affair.
//
//	XA {START|BEGIN} xid [JOIN|RESUME]     XA END xid [SUSPEND [FOR MIGRATE]]     XA PREPARE xid
//	XA COMMIT xid [ONE PHASE]              XA ROLLBACK xid                        XA RECOVER [CONVERT XID]
//	xid: gtrid [, bqual [, format]]        gtrid, bqual: 'text', X'hex', 0xhex, B'bits', 0bbits

// xaStatement is a parsed one.
type xaStatement struct {
	verb string
	xid  txn.XID
	rest string // words behind the xid, in capitals, with single blanks
}

var xaOptions = map[string]map[string]sqllayer.XAOption{
	"START":    {"": sqllayer.XAPlain, "JOIN": sqllayer.XAJoin, "RESUME": sqllayer.XAResume},
	"END":      {"": sqllayer.XAPlain, "SUSPEND": sqllayer.XASuspend, "SUSPEND FOR MIGRATE": sqllayer.XASuspend},
	"PREPARE":  {"": sqllayer.XAPlain},
	"COMMIT":   {"": sqllayer.XAPlain, "ONE PHASE": sqllayer.XAOnePhase},
	"ROLLBACK": {"": sqllayer.XAPlain},
	"RECOVER":  {"": sqllayer.XAPlain, "CONVERT XID": sqllayer.XAPlain},
}

// xa runs an XA statement.
func (x *execution) xa(ctx *sql.Context) error {
	st, at := parseXA(x.query)
	option, ok := xaOptions[st.verb][st.rest]
	if at >= 0 || !ok {
		if at < 0 {
			at = len(strings.TrimRight(x.query, "; \t\r\n")) - len(st.rest)
		}
		return sqllayer.NewError(1064, "%s", syntaxErrorText(x.query, at))
	}
	s, ok := x.w.session.(*sqllayer.Session)
	if !ok {
		return unsupported("XA")(x, ctx)
	}
	if st.verb != "START" && st.verb != "END" && st.verb != "RECOVER" && !x.h.s.flushLock.heldBy(x.w) {
		if err := x.h.s.flushLock.wait(ctx, x.w, true); err != nil {
			return err
		}
		defer x.h.s.flushLock.done()
	}
	switch st.verb {
	case "START":
		return s.XAStart(ctx, st.xid, option)
	case "END":
		return s.XAEnd(st.xid, option)
	case "PREPARE":
		return s.XAPrepare(ctx, st.xid)
	case "COMMIT":
		return s.XACommit(ctx, st.xid, option)
	case "ROLLBACK":
		return s.XARollback(ctx, st.xid)
	}
	return x.xaRecover(ctx, s, st.rest != "")
}

// xaRecover lists the prepared branches.
func (x *execution) xaRecover(ctx *sql.Context, s *sqllayer.Session, convert bool) error {
	if !x.h.s.hasAdmin(ctx, "xa_recover_admin") {
		return sqllayer.NewError(1401, "XAER_RMERR: Fatal error occurred in the transaction branch - check your data for consistency")
	}
	var out [][]any
	for _, id := range s.XARecover() {
		data := id.Gtrid + id.Bqual
		if convert {
			data = "0x" + strings.ToUpper(hex.EncodeToString([]byte(data)))
		}
		out = append(out, []any{id.Format, len(id.Gtrid), len(id.Bqual), data})
	}
	n := querypb.Type_INT64
	return x.table(ctx, []column{{"formatID", n}, {"gtrid_length", n}, {"bqual_length", n}, {name: "data"}}, out)
}

// parseXA takes the statement apart; bad is where it is malformed, -1 if it is not.
func parseXA(query string) (st xaStatement, bad int) {
	p := &xaParser{text: strings.TrimRight(query, "; \t\r\n")}
	p.word() // XA
	verbAt := p.blank()
	st.verb = p.word()
	if st.verb == "BEGIN" {
		st.verb = "START"
	}
	if xaOptions[st.verb] == nil {
		return st, verbAt
	}
	if st.verb != "RECOVER" {
		var ok bool
		if st.xid, ok = p.xid(); !ok {
			return st, p.blank()
		}
	}
	st.rest = strings.Join(strings.Fields(strings.ToUpper(p.text[p.blank():])), " ")
	return st, -1
}

type xaParser struct {
	text string
	pos  int
}

// blank skips blanks and comments and returns the position.
func (p *xaParser) blank() int {
	p.pos = len(p.text) - len(skipBlank(p.text[p.pos:]))
	return p.pos
}

func (p *xaParser) word() string {
	from := p.blank()
	for p.pos < len(p.text) && isWordByte(p.text[p.pos]) {
		p.pos++
	}
	return strings.ToUpper(p.text[from:p.pos])
}

// comma takes a comma if one is next.
func (p *xaParser) comma() bool {
	if at := p.blank(); at < len(p.text) && p.text[at] == ',' {
		p.pos++
		return true
	}
	return false
}

func (p *xaParser) xid() (x txn.XID, ok bool) {
	x.Format = 1
	if x.Gtrid, ok = p.part(); !ok || !p.comma() {
		return x, ok
	}
	if x.Bqual, ok = p.part(); !ok || !p.comma() {
		return x, ok
	}
	from := p.blank()
	n, err := strconv.ParseUint(p.word(), 0, 63)
	if err != nil {
		p.pos = from
		return x, false
	}
	x.Format = int64(n)
	return x, true
}

// part is gtrid or bqual.
func (p *xaParser) part() (s string, ok bool) {
	from := p.blank()
	kind := p.word()
	if p.pos < len(p.text) && (p.text[p.pos] == '\'' || p.text[p.pos] == '"') {
		s, ok = p.quoted(p.text[p.pos])
		switch {
		case kind == "":
		case ok && kind == "X":
			s, ok = bitLiteral("0X" + s)
		case ok && kind == "B":
			s, ok = bitLiteral("0B" + s)
		default:
			ok = false
		}
	} else {
		s, ok = bitLiteral(kind)
	}
	if !ok || len(s) > txn.MaxXIDPart {
		p.pos = from
		return "", false
	}
	return s, true
}

// quoted reads a text up to its closing quote.
func (p *xaParser) quoted(quote byte) (string, bool) {
	var b strings.Builder
	for p.pos++; p.pos < len(p.text); p.pos++ {
		c := p.text[p.pos]
		next := byte(0)
		if p.pos+1 < len(p.text) {
			next = p.text[p.pos+1]
		}
		switch {
		case c == quote && next == quote, c == '\\' && next != 0:
			p.pos++
			b.WriteByte(next)
		case c == quote:
			p.pos++
			return b.String(), true
		default:
			b.WriteByte(c)
		}
	}
	return "", false
}

// bitLiteral reads 0X and 0B literals.
func bitLiteral(word string) (string, bool) {
	if digits, ok := strings.CutPrefix(word, "0X"); ok {
		if len(digits)%2 != 0 {
			digits = "0" + digits
		}
		b, err := hex.DecodeString(digits)
		return string(b), err == nil
	}
	digits, ok := strings.CutPrefix(word, "0B")
	n, valid := new(big.Int).SetString("0"+digits, 2)
	if !ok || !valid {
		return "", false
	}
	return string(n.FillBytes(make([]byte, (len(digits)+7)/8))), true
}

// endsTransaction tells verbs that end the open transaction, by themselves or on their way: a branch forbids them.
var endsTransaction = func() (ends [numCommands]bool) {
	for i, name := range comNames {
		group, _, _ := strings.Cut(name, "_")
		switch group {
		case "create", "alter", "drop", "rename", "begin", "commit", "truncate", "grant", "revoke", "analyze", "optimize", "check", "repair",
			"install", "uninstall", "replica", "import", "preload":
			ends[i] = true
		}
		switch name {
		case "rollback", "lock_tables", "set_password", "change_replication_source", "change_repl_filter":
			ends[i] = true
		}
	}
	return ends
}()

// branchForbids refuses what the session's branch of a distributed transaction forbids.
func (x *execution) branchForbids() error {
	s, ok := x.w.session.(*sqllayer.Session)
	if !ok || !s.InBranch() || !endsTransaction[x.verb.counter] {
		return nil
	}
	if w := leadingWords(x.query, 2); len(w) == 2 && w[1] == "TEMPORARY" {
		return nil // the SQL layer has an error of its own for it
	}
	return s.XABusy()
}
