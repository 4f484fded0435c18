package server

import (
	"encoding/hex"
	"strconv"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	querypb "github.com/dolthub/vitess/go/vt/proto/query"

	"emberdb/engine/txn"
	"emberdb/sql/ast"
	"emberdb/sql/effect"
	"emberdb/sqllayer"
	"emberdb/sqllayer/sqlerr"
)

// The XA statements; what they do is sqllayer's and the engine's affair.
//
//	XA {START|BEGIN} xid [JOIN|RESUME]     XA END xid [SUSPEND [FOR MIGRATE]]     XA PREPARE xid
//	XA COMMIT xid [ONE PHASE]              XA ROLLBACK xid                        XA RECOVER [CONVERT XID]
//	xid: gtrid [, bqual [, format]]        gtrid, bqual: 'text', X'hex', 0xhex, B'bits', 0bbits

// xa runs an XA statement.
func (x *execution) xa(ctx *sql.Context, st *ast.XA) error {
	s, ok := x.w.session.(*sqllayer.Session)
	if !ok {
		return unsupported("XA")(x, ctx)
	}
	if st.Verb != ast.XAStart && st.Verb != ast.XAEnd && st.Verb != ast.XARecover && !x.h.s.flushLock.heldBy(x.w) {
		if err := x.h.s.flushLock.wait(ctx, x.w, true); err != nil {
			return err
		}
		defer x.h.s.flushLock.done()
	}
	switch st.Verb {
	case ast.XAStart:
		option := sqllayer.XAPlain
		switch {
		case st.Join:
			option = sqllayer.XAJoin
		case st.Resume:
			option = sqllayer.XAResume
		}
		return s.XAStart(ctx, xidOf(st.ID), option)
	case ast.XAEnd:
		if st.Suspend {
			return s.XAEnd(xidOf(st.ID), sqllayer.XASuspend)
		}
		return s.XAEnd(xidOf(st.ID), sqllayer.XAPlain)
	case ast.XAPrepare:
		return s.XAPrepare(ctx, xidOf(st.ID))
	case ast.XACommit:
		if st.OnePhase {
			return s.XACommit(ctx, xidOf(st.ID), sqllayer.XAOnePhase)
		}
		return s.XACommit(ctx, xidOf(st.ID), sqllayer.XAPlain)
	case ast.XARollback:
		return s.XARollback(ctx, xidOf(st.ID))
	}
	return x.xaRecover(ctx, s, st.ConvertXID)
}

// xidOf returns the name of a branch as the engine knows it.
func xidOf(id *ast.XID) txn.XID {
	x := txn.XID{Format: 1, Gtrid: id.Global.Bytes()}
	if id.Branch != nil {
		x.Bqual = id.Branch.Bytes()
	}
	if id.Format != nil {
		base := 10
		if id.Format.Kind == ast.HexLiteral {
			base = 16
		}
		whole, _, _ := strings.Cut(id.Format.Text, ".")
		x.Format, _ = strconv.ParseInt(whole, base, 64) // the parser has looked at it
	}
	return x
}

// xaRecover lists the prepared branches.
func (x *execution) xaRecover(ctx *sql.Context, s *sqllayer.Session, convert bool) error {
	if !x.h.s.hasAdmin(ctx, "xa_recover_admin") {
		return sqlerr.NewError(1401, "XAER_RMERR: Fatal error occurred in the transaction branch - check your data for consistency")
	}
	var out [][]any
	for _, id := range s.XARecover() {
		data := id.Gtrid + id.Bqual
		if convert {
			data = "0x" + strings.ToUpper(hex.EncodeToString([]byte(data)))
		}
		out = append(out, []any{id.Format, len(id.Gtrid), len(id.Bqual), data})
	}
	return x.table(ctx, []column{{name: "formatID", typ: querypb.Type_INT64, width: 12}, {name: "gtrid_length", typ: querypb.Type_INT64, width: 12},
		{name: "bqual_length", typ: querypb.Type_INT64, width: 12}, {name: "data", width: 258}}, out)
}

// branchForbids refuses what ends transactions in a branch of a distributed transaction. XA's own
// statements have errors of their own.
func (x *execution) branchForbids() error {
	s, ok := x.w.session.(*sqllayer.Session)
	if !ok || !s.InBranch() || is[*ast.XA](x) || !x.stmt.Any(effect.Commits|effect.Ends) {
		return nil
	}
	return s.XABusy()
}
