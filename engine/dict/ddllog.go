package dict

import (
	"context"
	"encoding/binary"
	"fmt"
	"slices"

	"emberdb/engine/txn"
	"emberdb/internal/base"
)

// The DDL log, invariant (3) of the package. A row is a key without a value:
//
//	space u32 | index id u64     (big-endian; index 0: the whole tablespace)

const ddlLog = "ddl_log"

// Remains is something physical that a DDL transaction leaves behind: a tablespace file, or one
// tree in it if Index is not 0.
type Remains struct {
	Space base.SpaceID
	Index base.IndexID
}

func (r Remains) key() string {
	b := binary.BigEndian.AppendUint32(nil, uint32(r.Space))
	return string(binary.BigEndian.AppendUint64(b, uint64(r.Index)))
}

func remainsFrom(k string) (Remains, error) {
	b := []byte(k)
	if len(b) != 12 {
		return Remains{}, fmt.Errorf("DDL log key %x: %w", b, base.ErrCorrupt)
	}
	return Remains{Space: base.SpaceID(binary.BigEndian.Uint32(b)), Index: base.IndexID(binary.BigEndian.Uint64(b[4:]))}, nil
}

// Announce commits, on its own, that r must go unless the DDL transaction tx commits; and takes
// that back inside tx. For a file the caller creates it afterwards.
func (d *Dict) Announce(ctx context.Context, tx *txn.Trx, r Remains) error {
	if err := d.Do(func(own *txn.Trx) error { return d.PutKV(ctx, own, ddlLog, r.key(), nil) }); err != nil {
		return err
	}
	d.mu.Lock()
	o := d.mu.overlays[tx]
	o.made = append(o.made, r)
	d.mu.Unlock()
	return d.DeleteKV(ctx, tx, ddlLog, r.key())
}

// Makes tells whether the DDL transaction tx has announced the tablespace s.
func (d *Dict) Makes(tx *txn.Trx, s base.SpaceID) bool {
	d.mu.RLock()
	defer d.mu.RUnlock()
	return slices.Contains(d.mu.overlays[tx].made, Remains{Space: s})
}

// Retire notes in the DDL transaction tx that r must go once tx has committed.
func (d *Dict) Retire(ctx context.Context, tx *txn.Trx, r Remains) error {
	if err := d.PutKV(ctx, tx, ddlLog, r.key(), nil); err != nil {
		return err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	o := d.mu.overlays[tx]
	o.gone = append(o.gone, r)
	return nil
}

// Leftovers lists what the DDL log wants gone.
// REQUIRES: no DDL is running (at start), else it lists what that DDL has announced.
func (d *Dict) Leftovers(ctx context.Context) (out []Remains, err error) {
	err = d.ListKV(ctx, nil, ddlLog, "", func(k string, _ []byte) error {
		r, err := remainsFrom(k)
		out = append(out, r)
		return err
	})
	return out, err
}

// Gone takes the rows of what was removed out of the DDL log.
func (d *Dict) Gone(ctx context.Context, removed ...Remains) error {
	return d.Do(func(own *txn.Trx) error {
		for _, r := range removed {
			if err := d.DeleteKV(ctx, own, ddlLog, r.key()); err != nil {
				return err
			}
		}
		return nil
	})
}

// Do runs fn in a transaction of its own and commits it durably.
func (d *Dict) Do(fn func(tx *txn.Trx) error) error {
	tx := d.txns.Begin(txn.ReadCommitted, false)
	if err := fn(tx); err != nil {
		_ = d.txns.Rollback(tx) // the first error is the one to tell
		return err
	}
	return d.txns.Commit(tx, txn.SyncFlush)
}
