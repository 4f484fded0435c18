package server

import (
	"encoding/binary"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/types"
	"github.com/dolthub/vitess/go/sqltypes"

	"emberdb/sqllayer"
)

// sendCounts answers with an OK packet that says info and the number of warnings. The protocol
// library writes it without the one, or for the text protocol with a wrong length before the text,
// and in the binary protocol without the other; so the packet is completed on its way out.
func (x *execution) sendCounts(r *sqltypes.Result, info string) error {
	warnings := uint16(0)
	if x.prep != nil && x.w.session != nil {
		warnings = x.w.session.WarningCount()
	}
	if x.w.filter != nil || x.program {
		return x.send(r)
	}
	var entries []byte
	if x.w.tracker != nil {
		entries = x.w.changed(x.stmt.Tree, false)
	}
	if info == "" && warnings == 0 && entries == nil {
		return x.send(r)
	}
	if err := x.c.FlushBuffer(); err != nil { // the filter must see that packet only
		x.lost = err
		return err
	}
	x.w.editNext(func(body []byte) []byte {
		if warnings > 0 && len(body) >= 2 {
			binary.LittleEndian.PutUint16(body[len(body)-2:], warnings)
		}
		if info != "" {
			body = lengthened(body, info)
		}
		if entries != nil {
			body = withChanges(body, entries)
		}
		return body
	})
	if err := x.send(r); err != nil {
		return err
	}
	if err := x.c.FlushBuffer(); err != nil {
		x.lost = err
		return err
	}
	return nil
}

// okInfo is what the OK packet of the statement says in words.
func okInfo(ctx *sql.Context, ok types.OkResult) string {
	if s, is := ctx.Session.(*sqllayer.Session); is {
		return s.Info(ctx, ok)
	}
	if ok.Info != nil {
		return ok.Info.String()
	}
	return ""
}
