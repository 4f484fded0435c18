package backup

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"sync"

	"golang.org/x/sync/errgroup"

	"emberdb/engine"
	"emberdb/engine/redo"
	"emberdb/internal/base"
	"emberdb/internal/vfs"
)

// Local is a backup that the engine of this process gives: to the statements BACKUP, which send it
// to a client, and to CLONE LOCAL, which writes it into a directory. Pages may be called
// concurrently.
type Local struct {
	Begin Begin
	b     *engine.Backup

	mu    sync.Mutex // one Log or Finish at a time
	sent  base.LSN   // end of the segments that were given
	point *engine.BackupPoint
}

// OpenLocal begins a backup; it holds the redo log until Close. version is the server's.
func OpenLocal(e *engine.Engine, version string) (*Local, error) {
	b, err := e.StartBackup()
	if err != nil {
		return nil, err
	}
	return &Local{b: b, sent: b.Start,
		Begin: Begin{ID: rand.Text(), Server: version, UUID: e.UUID(), Start: b.Start, Checkpoint: b.Checkpoint, Spaces: b.Spaces, Divides: true}}, nil
}

// Close ends the backup, whether it is complete or not.
func (l *Local) Close() { l.b.Close() }

// Unbroken fails if what was given is not of one history.
func (l *Local) Unbroken() error { return l.b.Unbroken() }

// readAhead is how many chunks of a run are read before they are asked for.
const readAhead = 1

// chunk is what was read of neighbouring pages.
type chunk struct {
	first   base.PageNo
	present uint64
	buf     []byte
}

// Pages calls fn with each chunk of a run, also with those of which nothing is given. The next one
// is read meanwhile.
func (l *Local) Pages(ctx context.Context, since base.LSN, r Run, fn PagesFunc) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	work, ctx := errgroup.WithContext(ctx)
	free, full := make(chan []byte, readAhead+1), make(chan chunk)
	for range cap(free) {
		free <- vfs.AlignedBlock(engine.BackupRun * base.PageSize)
	}
	work.Go(func() error {
		defer close(full)
		return l.readPages(ctx, since, r, free, full)
	})
	for c := range full {
		if err := fn(r.Space, c.first, c.present, c.buf[:pagesIn(c.present)*base.PageSize]); err != nil {
			stop()
			_ = work.Wait() // what is told is the first error
			return err
		}
		free <- c.buf
	}
	return work.Wait()
}

// readPages reads the chunks of a run into free buffers.
func (l *Local) readPages(ctx context.Context, since base.LSN, r Run, free <-chan []byte, full chan<- chunk) error {
	for done := uint64(0); done < uint64(r.Pages); done += engine.BackupRun {
		c := chunk{first: r.First + base.PageNo(done)}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case c.buf = <-free:
		}
		var err error
		if c.present, err = l.b.ReadPages(base.PageID{Space: r.Space, No: c.first}, int(min(engine.BackupRun, uint64(r.Pages)-done)), since, c.buf); err != nil {
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case full <- c:
		}
	}
	return nil
}

// Finish makes the point that the backup is for.
func (l *Local) Finish() (*engine.BackupPoint, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	p, err := l.b.Finish()
	if err == nil {
		l.point = p
	}
	return p, err
}

// Log calls fn with what of the log is complete and was not given before; behind Finish with all
// that is left.
func (l *Local) Log(ctx context.Context, fn FileFunc) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	segments, upTo := l.b.Closed(), base.LSN(1<<63)
	if l.point != nil {
		segments, upTo = l.point.Segments, l.point.LSN
	}
	buf := vfs.AlignedBlock(engine.BackupRun * base.PageSize)
	for _, s := range segments {
		if s.End <= l.sent {
			continue
		}
		read := func(p []byte, off int64) (int, error) { return l.b.ReadRedo(s.Number, p, off) }
		if err := giveFile(ctx, redo.SegmentName(s.Number), s.FileRange(upTo), read, buf, fn); err != nil {
			return err
		}
		if l.point == nil {
			l.sent = s.End
			l.b.Advance(s)
		}
	}
	if l.point == nil {
		return nil
	}
	return l.giveFiles(ctx, buf, fn)
}

// giveFile gives the first size bytes of a file.
func giveFile(ctx context.Context, name string, size int64, read func(p []byte, off int64) (int, error), buf []byte, fn FileFunc) error {
	for off := int64(0); off < size; {
		if err := ctx.Err(); err != nil {
			return err
		}
		n := min(int64(len(buf)), size-off)
		got, err := read(buf[:(n+vfs.BlockSize-1)/vfs.BlockSize*vfs.BlockSize], off)
		if err != nil && !errors.Is(err, io.EOF) {
			return err
		}
		if int64(got) < n {
			return &base.CorruptError{File: name, Offset: off + int64(got), Detail: fmt.Sprintf("the file ends here, %d bytes were to follow", n-int64(got))}
		}
		if err := fn(name, off, buf[:n]); err != nil {
			return err
		}
		off += n
	}
	return nil
}

// giveFiles gives the files of the binary log and the LRU list.
func (l *Local) giveFiles(ctx context.Context, buf []byte, fn FileFunc) error {
	give := func(name string, f vfs.File, err error, size int64) error {
		if err != nil {
			return err
		}
		defer f.Close()
		if size < 0 {
			if size, err = f.Size(); err != nil {
				return err
			}
		}
		return giveFile(ctx, name, size, f.ReadAt, buf, fn)
	}
	if log := l.point.Binlog; log != nil {
		for n := log.First; n <= log.File; n++ {
			size := int64(-1)
			if n == log.File {
				size = log.Offset
			}
			f, err := l.b.OpenBinlog(n)
			if err := give("binlog/"+log.Name(n), f, err, size); err != nil {
				return err
			}
		}
	}
	list, err := l.b.List()
	if err != nil || list == "" {
		return err
	}
	f, err := l.b.Open(list)
	return give(listFile, f, err, -1)
}

// The methods of donor.

func (l *Local) begin() *Begin { return &l.Begin }

func (l *Local) pages(ctx context.Context, since base.LSN, runs []Run, fn PagesFunc) error {
	for _, r := range runs {
		if err := l.Pages(ctx, since, r, fn); err != nil {
			return err
		}
	}
	return nil
}

func (l *Local) log(ctx context.Context, fn FileFunc) error          { return l.Log(ctx, fn) }
func (l *Local) finish(context.Context) (*engine.BackupPoint, error) { return l.Finish() }
func (l *Local) end(context.Context) error                           { return l.Unbroken() }
func (l *Local) close()                                              {}
