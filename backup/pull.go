package backup

import (
	"context"
	"database/sql"
	"errors"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"

	"emberdb/engine"
	"emberdb/internal/base"
)

// sink takes what a server gives. It belongs to one goroutine; what it gets is valid until it
// returns.
type sink interface {
	pages(ctx context.Context, space base.SpaceID, first base.PageNo, present uint64, pages []byte) error
	file(ctx context.Context, name string, off int64, data []byte) error
	flush(ctx context.Context) error
}

// puller copies all of a server: the pages on several connections, beside them the redo log as far
// as it is complete, then what the point needs.
type puller struct {
	donor    donor
	parallel int
	limit    limiter
	since    base.LSN        // pages that have not changed behind it are left out
	start    base.LSN        // the same for the chunks that are known
	known    map[uint64]bool // chunks that an interrupted attempt has
	progress func(done, total int64, at string)

	copied, bytes, asked, total atomic.Int64 // pages, bytes; of progress
}

// logEvery is how often complete segments of the redo log are fetched meanwhile.
const logEvery = time.Second

// batchPages is how much one statement asks for.
const batchPages = 16 * chunkPages

// DefaultParallel is how many connections copy pages unless a number is given.
const DefaultParallel = 3

// open begins a backup of the server behind db.
func (p *puller) open(ctx context.Context, db *sql.DB, parallel int) (err error) {
	if p.parallel = parallel; parallel <= 0 {
		p.parallel = DefaultParallel
	}
	db.SetMaxOpenConns(p.parallel + 1)
	db.SetMaxIdleConns(p.parallel + 1)
	l, err := openLink(ctx, db)
	if err != nil {
		return err
	}
	p.donor = l
	return nil
}

// pull copies everything into sinks and returns the point it is copied for.
func (p *puller) pull(ctx context.Context, newSink func() sink) (*engine.BackupPoint, error) {
	for _, s := range p.donor.begin().Spaces {
		p.total.Add(int64(s.Pages) * base.PageSize)
	}
	if err := p.pullPages(ctx, newSink); err != nil {
		return nil, err
	}
	point, err := p.donor.finish(ctx)
	if err != nil {
		return nil, err
	}
	p.at(AtLog)
	to := newSink()
	if err := p.pullLog(ctx, to); err != nil {
		return nil, err
	}
	if err := to.flush(ctx); err != nil {
		return nil, err
	}
	return point, p.donor.end(ctx)
}

// batch is what one statement asks for.
type batch struct {
	since base.LSN
	runs  []Run
}

// batches divides the pages into batches. Chunks that an interrupted attempt has are asked for with
// its start.
func (p *puller) batches(ctx context.Context, out chan<- batch) error {
	defer close(out)
	var now [2]struct {
		batch
		pages base.PageNo
	}
	now[0].since, now[1].since = p.since, p.start
	send := func(i int) error {
		b := now[i].batch
		now[i].runs, now[i].pages = nil, 0
		if len(b.runs) == 0 {
			return nil
		}
		select {
		case out <- b:
			return nil
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	for _, s := range p.donor.begin().Spaces {
		for no := base.PageNo(0); no < s.Pages; no += chunkPages {
			i, n := 0, min(chunkPages, s.Pages-no)
			if p.known[chunkKey(s.Space, no)] {
				i = 1
			}
			b := &now[i]
			if last := len(b.runs) - 1; last >= 0 && b.runs[last].Space == s.Space && b.runs[last].First+b.runs[last].Pages == no {
				b.runs[last].Pages += n
			} else {
				b.runs = append(b.runs, Run{s.Space, no, n})
			}
			if b.pages += n; b.pages >= batchPages {
				if err := send(i); err != nil {
					return err
				}
			}
		}
	}
	return errors.Join(send(0), send(1))
}

// pullPages copies the pages, and the log beside them.
func (p *puller) pullPages(ctx context.Context, newSink func() sink) error {
	work, ctx := errgroup.WithContext(ctx)
	batches, done := make(chan batch), make(chan struct{})
	work.Go(func() error { return p.batches(ctx, batches) })
	var readers sync.WaitGroup
	readers.Add(p.parallel)
	for range p.parallel {
		work.Go(func() error {
			defer readers.Done()
			return p.pullBatches(ctx, batches, newSink())
		})
	}
	go func() {
		readers.Wait()
		close(done)
	}()
	work.Go(func() error { return p.followLog(ctx, newSink(), done) })
	return work.Wait()
}

func (p *puller) pullBatches(ctx context.Context, work <-chan batch, to sink) error {
	for b := range work {
		err := p.donor.pages(ctx, b.since, b.runs, func(space base.SpaceID, first base.PageNo, present uint64, pages []byte) error {
			p.tell(chunkPages * base.PageSize)
			if present == 0 {
				return nil
			}
			p.copied.Add(int64(pagesIn(present)))
			if err := p.take(ctx, len(pages)); err != nil {
				return err
			}
			return to.pages(ctx, space, first, present, pages)
		})
		if err != nil {
			return err
		}
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	return to.flush(ctx)
}

// followLog fetches complete segments until the pages are copied.
func (p *puller) followLog(ctx context.Context, to sink, done <-chan struct{}) error {
	tick := time.NewTicker(logEvery)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-done:
			return to.flush(ctx)
		case <-tick.C:
		}
		if err := p.pullLog(ctx, to); err != nil {
			return err
		}
	}
}

func (p *puller) pullLog(ctx context.Context, to sink) error {
	return p.donor.log(ctx, func(name string, off int64, data []byte) error {
		if err := p.take(ctx, len(data)); err != nil {
			return err
		}
		return to.file(ctx, name, off, data)
	})
}

// take counts n bytes and keeps the rate.
func (p *puller) take(ctx context.Context, n int) error {
	p.bytes.Add(int64(n))
	return p.limit.wait(ctx, n)
}

// What is copied at present, in the order in which that is done.
const (
	AtPages = "pages"
	AtLog   = "log"
	AtSync  = "sync"
)

func (p *puller) tell(n int64) {
	p.asked.Add(n)
	p.at(AtPages)
}

func (p *puller) at(what string) {
	if p.progress != nil {
		p.progress(min(p.asked.Load(), p.total.Load()), p.total.Load(), what)
	}
}
