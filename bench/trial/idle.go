package trial

import (
	"context"
	"fmt"
	"strings"
	"time"

	"emberdb/bench/measure"
)

// IdleLoad is what a start without clients came to: how long the server took to bring its pool
// back, and in what order it stands there.
type IdleLoad struct {
	LoadTook    float64 `json:"load_s"`           // from the start command until the server says that its load is complete
	Complete    bool    `json:"load_complete"`    // false: it was not, when the time to watch was over
	LoadedBytes float64 `json:"loaded_bytes"`     // in the pool then
	Correlation float64 `json:"rank_correlation"` // of the LRU list before the end and after the load; of the pages that stand in both
	Common      int     `json:"common_pages"`
}

func (l *IdleLoad) words(poolBytes, rate float64) string {
	var b strings.Builder
	state := "after"
	if !l.Complete {
		state = "not complete after"
	}
	fmt.Fprintf(&b, "load %s %.1f s, %.0f of %.0f MB", state, l.LoadTook, l.LoadedBytes/1e6, poolBytes/1e6)
	if rate > 0 {
		fmt.Fprintf(&b, " (%.0f %% of the volume's sequential rate)", 100*measure.Ratio(l.LoadedBytes, l.LoadTook*rate))
	}
	fmt.Fprintf(&b, ", rank correlation of %d pages %.4f", l.Common, l.Correlation)
	return b.String()
}

// idle restarts a server that nobody uses.
func (o *RestartOptions) idle(ctx context.Context, s *Server, run *RestartRun) error {
	before, err := s.lru(ctx)
	if err != nil {
		return err
	}
	stopping, st, err := s.again(ctx, Idle, o.Between)
	if err != nil {
		return err
	}
	l := &IdleLoad{}
	run.Stopping, run.First, run.IdleLoad = stopping.Seconds(), st.First.Seconds(), l
	for !l.Complete && time.Since(st.At) < o.Watch && ctx.Err() == nil {
		time.Sleep(100 * time.Millisecond)
		status, err := s.pairs(ctx, "SHOW GLOBAL STATUS LIKE 'Innodb_buffer_pool_load_status'")
		if err != nil {
			return err
		}
		l.Complete = strings.Contains(status["innodb_buffer_pool_load_status"], "load completed")
	}
	l.LoadTook = time.Since(st.At).Seconds()
	if l.LoadedBytes, err = s.poolBytes(ctx); err != nil {
		return err
	}
	after, err := s.lru(ctx)
	l.Correlation, l.Common = measure.RankCorrelation(before, after)
	return err
}

// poolBytes is what stands in the server's buffer pool.
func (s *Server) poolBytes(ctx context.Context) (float64, error) {
	status, err := s.pairs(ctx, "SHOW GLOBAL STATUS LIKE 'Innodb_buffer_pool_bytes_data'")
	if err != nil {
		return 0, err
	}
	var n float64
	if _, err := fmt.Sscan(status["innodb_buffer_pool_bytes_data"], &n); err != nil {
		return 0, fmt.Errorf("%s: Innodb_buffer_pool_bytes_data: %w", s.Name, err)
	}
	return n, nil
}

// lru reads the pages of the server's buffer pool in the order of its LRU list.
func (s *Server) lru(ctx context.Context) (pages []uint64, err error) {
	db, err := s.open(ctx, "")
	if err != nil {
		return nil, err
	}
	defer db.Close()
	rows, err := db.QueryContext(ctx, "SELECT SPACE, PAGE_NUMBER FROM information_schema.INNODB_BUFFER_PAGE_LRU ORDER BY POOL_ID, LRU_POSITION")
	if err != nil {
		return nil, fmt.Errorf("%s: %w", s.Name, err)
	}
	defer rows.Close()
	for rows.Next() {
		var space, no uint64
		if err := rows.Scan(&space, &no); err != nil {
			return nil, fmt.Errorf("%s: %w", s.Name, err)
		}
		pages = append(pages, space<<32|no)
	}
	return pages, rows.Err()
}

func medianIdle(runs []RestartRun) *IdleLoad {
	of := func(f func(*IdleLoad) float64) float64 {
		return medianOf(runs, func(r *RestartRun) float64 { return f(r.IdleLoad) })
	}
	m := &IdleLoad{Complete: true, LoadTook: of(func(l *IdleLoad) float64 { return l.LoadTook }), LoadedBytes: of(func(l *IdleLoad) float64 { return l.LoadedBytes }),
		Correlation: of(func(l *IdleLoad) float64 { return l.Correlation }), Common: int(of(func(l *IdleLoad) float64 { return float64(l.Common) }))}
	for _, r := range runs {
		m.Complete = m.Complete && r.Complete
	}
	return m
}
