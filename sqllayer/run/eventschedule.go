package run

import (
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/plan"

	"emberdb/sqllayer"
	"emberdb/sqllayer/programs"
	"emberdb/sqllayer/sqlerr"
)

// createEvent runs CREATE EVENT: GMS knows no DISABLE ON REPLICA, and takes times for those of the
// system's zone.
func (b *Builder) createEvent(ctx *sql.Context, s *sqllayer.Session, n *plan.CreateEvent, r sql.Row) (sql.RowIter, error) {
	own := *n
	if own.Status == sql.EventStatus_DisableOnSlave {
		s.DisableOnReplica(ctx)
		own.Status = sql.EventStatus_Disable
	}
	c, err := b.Layer.Computed(ctx, programs.Schedule{At: n.At, Starts: n.Starts, Ends: n.Ends, Every: n.Every})
	if err != nil {
		return nil, err
	}
	own.At, own.Starts, own.Ends, own.Every = c.At, c.Starts, c.Ends, c.Every
	return own.RowIter(ctx, r)
}

// alterEvent runs ALTER EVENT likewise.
func (b *Builder) alterEvent(ctx *sql.Context, s *sqllayer.Session, n *plan.AlterEvent, r sql.Row) (sql.RowIter, error) {
	own := *n
	if own.AlterStatus && own.Status == sql.EventStatus_DisableOnSlave {
		s.DisableOnReplica(ctx)
		own.Status = sql.EventStatus_Disable
	}
	c, err := b.Layer.Computed(ctx, programs.Schedule{At: n.At, Starts: n.Starts, Ends: n.Ends, Every: n.Every})
	if err != nil {
		return nil, err
	}
	preserve := n.Event.OnCompletionPreserve && !n.AlterOnComp || n.AlterOnComp && n.OnCompPreserve
	if !preserve && !c.Until.IsZero() && c.Until.Before(ctx.QueryTime()) {
		return nil, sqlerr.NewError(1589, "Event execution time is in the past and ON COMPLETION NOT PRESERVE is set. The event was not changed. Specify a time in the future.")
	}
	own.At, own.Starts, own.Ends, own.Every = c.At, c.Starts, c.Ends, c.Every
	return own.RowIter(ctx, r)
}
