package engine

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"emberdb/engine/btree"
	"emberdb/engine/buffer"
	"emberdb/engine/pagefile"
	"emberdb/internal/base"
	"emberdb/internal/vfs"
)

// The buffer pool's memory outlives the process where somebody keeps it. A start takes it over:
// package buffer says which pages are believed. What stands in the way costs a line in the log, and
// the start goes on without.

// PoolMemory keeps the buffer pool's memory from one process to the next.
type PoolMemory interface {
	// Left is the memory that the last process of this directory has left; nil: there is none.
	Left() (*os.File, error)
	// New is fresh memory of so many bytes. What was left goes.
	New(size int64) (*os.File, error)
	// GiveUp lets go of what New has made: it cannot be used.
	GiveUp() error
	// Directory is the identity of the data directory on this machine.
	Directory() uint64
	// Finite tells that the memory's file system has a size of its own, and may be full.
	Finite() bool
}

// newPool makes the buffer pool, with the hooks of recovery if there is one.
func (e *Engine) newPool() (*buffer.Pool, error) {
	o := &e.o
	bo := buffer.Options{Frames: int(o.PoolBytes / base.PageSize), Files: e.files, Log: e.log, HugePages: true, Examine: examine,
		OldPct: o.OldBlocksPct, OldTime: o.OldBlocksTime, IOCapacity: o.IOCapacity, IOCapacityMax: o.IOCapacityMax,
		ReadAheadThreshold: o.ReadAheadThreshold, LRUScanDepth: o.LRUScanDepth, MaxDirtyPct: o.MaxDirtyPct, Logger: o.Logger}
	if e.redo == nil { // a directory is made
		return buffer.New(bo)
	}
	bo.Source = e.redo
	if o.Memory == nil {
		return buffer.New(bo)
	}
	pool, err := e.poolInMemory(bo)
	if err != nil {
		o.Logger.Warn("the buffer pool's memory ends with this process", "err", err)
		return buffer.New(bo)
	}
	return pool, nil
}

// poolInMemory makes a pool in memory that will be left, that of the last process if there is one.
func (e *Engine) poolInMemory(bo buffer.Options) (*buffer.Pool, error) {
	m := e.o.Memory
	owner := buffer.Owner{UUID: uuidBytes(e.id.UUID), Directory: m.Directory()}
	left, err := m.Left()
	if err == nil && left != nil {
		if e.o.ForceRecovery > 0 || e.restored != 0 {
			err = errors.New("this start trusts the data files only")
		} else {
			bo.Shared = &buffer.SharedMemory{File: left, Left: true, Owner: owner, Reserve: m.Finite()}
			var pool *buffer.Pool
			if pool, err = buffer.New(bo); err == nil {
				e.memory = left
				return pool, nil
			}
		}
		left.Close()
	}
	if err != nil {
		e.o.Logger.Warn("the memory of the last process is not taken over", "reason", err)
	}
	file, err := m.New(bo.MemorySize())
	if err != nil {
		return nil, err
	}
	bo.Shared = &buffer.SharedMemory{File: file, Owner: owner, Reserve: m.Finite()}
	pool, err := buffer.New(bo)
	if err != nil {
		file.Close()
		return nil, errors.Join(err, m.GiveUp())
	}
	e.memory = file
	return pool, nil
}

// closeMemory lets go of the memory's file, and of what keeps other processes off it.
func (e *Engine) closeMemory() error {
	if e.memory == nil {
		return nil
	}
	return e.memory.Close()
}

// examine looks for damage in a page without a checksum.
func examine(page []byte) error {
	t, err := pagefile.Type(page), error(nil)
	switch {
	case pagefile.Format(page) != pagefile.FormatVersion || t > pagefile.TypeOverflow:
		return &base.CorruptError{Page: pagefile.ID(page), Detail: fmt.Sprintf("type %d, format %d", t, pagefile.Format(page))}
	case t == pagefile.TypeTree:
		err = btree.CheckPage(page)
	}
	return err
}

// takePages takes over the pages of the last process, once the end of the log is known.
func (e *Engine) takePages() error {
	life := e.log.Life()
	defer func() { e.pool.Owned(life) }()
	if !e.pool.Left() {
		return nil
	}
	done := e.timeline.Begin("attach")
	if !e.log.EndedIn(e.pool.Life()) {
		e.pool.Forget()
		e.o.Logger.Warn("the memory of the last process is not taken over", "reason", "the data directory was used without it since")
		done("refused")
		return nil
	}
	kept, dirty := e.pool.Attach()
	if int(e.o.PoolBytes/base.PageSize) > e.pool.Frames() {
		e.fitMemory(context.Background())
	}
	done(fmt.Sprintf("%d pages, %d of them dirty", kept, dirty))
	e.o.Logger.Info("the memory of the last process is taken over", "pages", kept, "dirty", dirty, "frames", e.pool.Frames())
	if e.o.VerifyMemory {
		return e.comparePages()
	}
	return nil
}

// comparePages compares each page that was kept with what its file and the redo log give.
func (e *Engine) comparePages() (err error) {
	began, compared, different := time.Now(), 0, 0
	fresh := vfs.AlignedBlock(base.PageSize)
	e.pool.LRU().Walk(func(ids []base.PageID, _, _ bool) bool {
		for _, id := range ids {
			if err = e.redo.Rebuild(id, fresh); err != nil {
				err = fmt.Errorf("comparing page %s, which was kept in memory: %w", id, err)
				return false
			}
			at, here := e.pool.CompareKept(id, fresh)
			if !here {
				continue
			}
			if compared++; at >= 0 {
				different++
				e.o.Logger.Error("a page kept in memory differs from what its file and the redo log give", "page", id, "offset", at)
			}
		}
		return true
	})
	e.o.Logger.Info("pages kept in memory compared with files and redo", "pages", compared, "different", different, "took", time.Since(began).Round(time.Millisecond))
	if err == nil && different > 0 {
		err = fmt.Errorf("%d pages kept in memory differ: %w", different, base.ErrCorrupt)
	}
	return err
}

// fitMemory brings the pool, which has the size that the last process had, to its own.
func (e *Engine) fitMemory(ctx context.Context) {
	want := int(e.o.PoolBytes / base.PageSize)
	if e.pool.Frames() == want || ctx.Err() != nil {
		return
	}
	if err := e.pool.Resize(want); err != nil {
		e.o.Logger.Warn("the buffer pool keeps the size that the last process had", "err", err)
	}
}
