package isolation

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/go-sql-driver/mysql"
)

// How long the runner looks at a step. See the package comment.
const (
	recordProbe = 500 * time.Millisecond // without a golden: long enough that a busy server is not taken for a wait
	patience    = 2 * time.Minute        // for what a golden says
	lockTimeout = 600                    // seconds; innodb_lock_wait_timeout of every session unless the script sets it
)

// runner executes one permutation.
type runner struct {
	sc       *script
	db       *sql.DB // no database selected
	database string
	want     *permutation // nil: recording

	control  *sql.Conn
	conns    []*sql.Conn
	ids      []int64    // connection ids
	running  []*running // by session; nil: idle
	deferred [][]*step  // by session: steps put off until it returns
	got      outcome
}

// running is a step under way.
type running struct {
	step   *step
	result chan string
}

// run executes the steps in the given order on a new database.
func run(ctx context.Context, sc *script, db *sql.DB, database string, order []string, want *permutation) (outcome, error) {
	control, err := db.Conn(ctx)
	if err != nil {
		return nil, err
	}
	defer control.Close()
	r := &runner{sc: sc, db: db, database: database, want: want, control: control,
		running: make([]*running, len(sc.sessions)), deferred: make([][]*step, len(sc.sessions))}
	if err := r.setup(ctx); err != nil {
		return nil, err
	}
	err = r.connect(ctx)
	if err == nil {
		r.play(ctx, order)
	}
	r.disconnect(ctx)
	if err != nil {
		return nil, err
	}
	for _, q := range sc.finally {
		r.emit(event{step: "finally", result: execute(ctx, control, q)})
	}
	_, err = control.ExecContext(ctx, "DROP DATABASE "+database)
	return r.got, err
}

func (r *runner) setup(ctx context.Context) error {
	first := []string{"DROP DATABASE IF EXISTS " + r.database, "CREATE DATABASE " + r.database, "USE " + r.database}
	for _, q := range append(first, r.sc.setup...) {
		if _, err := r.control.ExecContext(ctx, q); err != nil {
			return fmt.Errorf("setup: %s: %w", q, err)
		}
	}
	return nil
}

func (r *runner) connect(ctx context.Context) error {
	for _, sess := range r.sc.sessions {
		c, err := r.db.Conn(ctx)
		if err != nil {
			return err
		}
		r.conns = append(r.conns, c)
		var id int64
		if err := c.QueryRowContext(ctx, "SELECT CONNECTION_ID()").Scan(&id); err != nil {
			return err
		}
		r.ids = append(r.ids, id)
		for _, q := range append([]string{
			"USE " + r.database,
			fmt.Sprintf("SET SESSION innodb_lock_wait_timeout = %d", lockTimeout),
			fmt.Sprintf("SET SESSION lock_wait_timeout = %d", lockTimeout),
		}, sess.init...) {
			if _, err := c.ExecContext(ctx, q); err != nil {
				return fmt.Errorf("session %s: %s: %w", sess.name, q, err)
			}
		}
	}
	return nil
}

// disconnect ends all sessions, killing those that still wait: closing the socket would not end
// their wait.
func (r *runner) disconnect(ctx context.Context) {
	for i, run := range r.running {
		if run != nil {
			_, _ = r.control.ExecContext(ctx, fmt.Sprintf("KILL %d", r.ids[i])) // it may have ended just now
			<-run.result
		}
	}
	for _, c := range r.conns {
		_, _ = c.ExecContext(ctx, "ROLLBACK") // fails on the killed ones
		c.Close()
	}
}

func (r *runner) emit(e event) { r.got = append(r.got, e) }

// expected returns the golden event at the place of the next one to emit.
func (r *runner) expected() (event, bool) {
	if r.want == nil {
		return event{}, false
	}
	return r.want.next(r.got)
}

func (r *runner) play(ctx context.Context, order []string) {
	for _, word := range order {
		if name, ok := strings.CutPrefix(word, waitPrefix); ok {
			r.await(name)
		} else {
			st := r.sc.steps[word]
			r.deferred[st.session] = append(r.deferred[st.session], st)
		}
		r.runDeferred(ctx)
	}
	for i, run := range r.running {
		if run != nil {
			r.emit(event{step: run.step.name, late: true, result: stillWaiting})
			for _, st := range r.deferred[i] {
				r.emit(event{step: st.name, late: true, result: stillWaiting})
			}
		}
	}
}

// runDeferred starts every step whose session is idle, until none is left.
func (r *runner) runDeferred(ctx context.Context) {
	for again := true; again; {
		again = false
		for i := range r.deferred {
			if r.running[i] == nil && len(r.deferred[i]) > 0 {
				st := r.deferred[i][0]
				r.deferred[i] = r.deferred[i][1:]
				r.start(ctx, st)
				r.settle()
				again = true
			}
		}
	}
}

// start runs a step and watches it until it returns or is found to wait.
func (r *runner) start(ctx context.Context, st *step) {
	run := &running{step: st, result: make(chan string, 1)}
	r.running[st.session] = run
	conn := r.conns[st.session]
	go func() {
		var results []string
		for _, q := range st.statements {
			results = append(results, execute(ctx, conn, q))
		}
		run.result <- strings.Join(results, "; ")
	}()
	result, returned := r.watch(ctx, run)
	switch {
	case !returned:
		r.emit(event{step: st.name, result: waiting})
	case r.timedOut(st.name, result):
		r.emit(event{step: st.name, result: waiting})
		r.running[st.session] = nil
		r.emit(event{step: st.name, late: true, result: result})
	default:
		r.running[st.session] = nil
		r.emit(event{step: st.name, result: result})
	}
}

// watch waits until a step returns or waits. A golden that says that it returns is believed: such a
// step may wait for a moment on the way.
func (r *runner) watch(ctx context.Context, run *running) (result string, returned bool) {
	limit, mustWait := recordProbe, false
	if r.guided() {
		limit = patience
		e, ok := r.expected()
		mustWait = !ok || e.step != run.step.name || e.late || e.result == waiting
	}
	deadline := time.Now().Add(limit)
	for pause := time.Millisecond; time.Now().Before(deadline); pause = min(2*pause, 50*time.Millisecond) {
		if !mustWait {
			pause = time.Until(deadline)
		}
		select {
		case result := <-run.result:
			return result, true
		case <-time.After(pause):
		}
		if mustWait && waitsForLock(ctx, r.control, r.ids[run.step.session]) {
			return "", false
		}
	}
	return "", false
}

// timedOut tells whether a step ended by a timeout before it was seen to wait, where the golden has
// seen that.
func (r *runner) timedOut(name, result string) bool {
	if !r.guided() || !strings.Contains(result, "error 1205") {
		return false
	}
	return r.want.begins(append(slices.Clone(r.got), event{step: name, result: waiting}, event{step: name, late: true, result: result}))
}

// settle collects the waiting steps that the last step let go on, in the order of the sessions.
func (r *runner) settle() {
	for r.guided() {
		e, ok := r.expected()
		if !ok || !e.late || e.result == stillWaiting || !r.collect(e.step, patience) {
			break
		}
	}
	for r.poll() {
	}
	// Without a golden to follow nobody knows what will return: give what is under way a last
	// chance.
	for !r.guided() && r.anyRunning() {
		time.Sleep(recordProbe)
		if !r.poll() {
			return
		}
	}
}

// guided reports whether the golden says what comes next: it does until the outcome differs from
// it.
func (r *runner) guided() bool { return r.want != nil && r.want.begins(r.got) }

func (r *runner) anyRunning() bool {
	for _, run := range r.running {
		if run != nil {
			return true
		}
	}
	return false
}

// collect waits for one step and emits its result; false when it is not running or does not return.
func (r *runner) collect(name string, limit time.Duration) bool {
	for i, run := range r.running {
		if run == nil || run.step.name != name {
			continue
		}
		select {
		case result := <-run.result:
			r.running[i] = nil
			r.emit(event{step: name, late: true, result: result})
			return true
		case <-time.After(limit):
			return false
		}
	}
	return false
}

// poll emits the results that are there, in the order of the sessions.
func (r *runner) poll() bool {
	any := false
	for i, run := range r.running {
		if run == nil {
			continue
		}
		select {
		case result := <-run.result:
			r.running[i] = nil
			r.emit(event{step: run.step.name, late: true, result: result})
			any = true
		default:
		}
	}
	return any
}

// await waits for the step a "wait:" word names.
func (r *runner) await(name string) {
	r.collect(name, patience)
	r.settle()
}

// waitsForLock asks the server whether a connection waits for a lock.
func waitsForLock(ctx context.Context, db interface {
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
}, id int64) (yes bool) {
	const query = `SELECT EXISTS (SELECT 1 FROM information_schema.innodb_trx WHERE trx_state = 'LOCK WAIT' AND trx_mysql_thread_id = %[1]d)
		OR EXISTS (SELECT 1 FROM performance_schema.metadata_locks m JOIN performance_schema.threads t ON t.thread_id = m.owner_thread_id
			WHERE m.lock_status = 'PENDING' AND t.processlist_id = %[1]d)`
	err := db.QueryRowContext(ctx, fmt.Sprintf(query, id)).Scan(&yes)
	return err == nil && yes
}

// execute runs one statement and prints its result.
func execute(ctx context.Context, conn *sql.Conn, q string) string {
	var result string
	var err error
	words := strings.Fields(strings.ToLower(q))
	kind := words[0]
	if kind == "handler" {
		kind = words[2] // open, read or close
	}
	switch kind {
	case "read", "select", "show", "table", "with", "explain", "check", "(select":
		result, err = query(ctx, conn, q)
	case "insert", "update", "delete", "replace":
		result = "ok"
		var res sql.Result
		if res, err = conn.ExecContext(ctx, q); err == nil {
			n, _ := res.RowsAffected() // the driver never fails here
			result = fmt.Sprintf("ok, %d rows", n)
		}
	default:
		result = "ok"
		_, err = conn.ExecContext(ctx, q)
	}
	var me *mysql.MySQLError
	switch {
	case errors.As(err, &me):
		return fmt.Sprintf("error %d (%s)", me.Number, me.SQLState)
	case err != nil:
		return "connection lost"
	}
	return result
}

func query(ctx context.Context, conn *sql.Conn, q string) (string, error) {
	rows, err := conn.QueryContext(ctx, q)
	if err != nil {
		return "", err
	}
	defer rows.Close()
	cols, err := rows.Columns()
	if err != nil {
		return "", err
	}
	vals := make([]sql.NullString, len(cols))
	dest := make([]any, len(cols))
	for i := range vals {
		dest[i] = &vals[i]
	}
	var out []string
	for rows.Next() {
		if err := rows.Scan(dest...); err != nil {
			return "", err
		}
		var row []string
		for _, v := range vals {
			if !v.Valid {
				v.String = "NULL"
			}
			row = append(row, v.String)
		}
		out = append(out, "("+strings.Join(row, ", ")+")")
	}
	if len(out) == 0 {
		out = []string{"no rows"}
	}
	return strings.Join(out, " "), rows.Err()
}
