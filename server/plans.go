package server

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"emberdb/sql/ast"
	"emberdb/sql/parse"
	"emberdb/sql/statement"
)

// Plans of the statements that the dashboard shows. A plan tells how tables are read, so only who
// has given the password of ember_health_password_file gets one; without a password nobody does.

// planLimit bounds the making of a plan, and one is made at a time.
const planLimit = 2 * time.Second

// loggedIn lets clients in that know the password.
func (h *Health) loggedIn(next http.Handler) http.Handler {
	if h.secret == nil {
		return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			http.Error(w, "set ember_health_password_file to see plans", http.StatusForbidden)
		})
	}
	return h.guarded(next)
}

// plan explains the sample of a digest.
func (h *Health) plan(ctx context.Context, schema, digest string) (string, error) {
	s := h.server.Load()
	if s == nil {
		return "", errors.New("the server is starting")
	}
	if !h.planning.TryLock() {
		return "", errors.New("another plan is being made")
	}
	defer h.planning.Unlock()
	for _, d := range s.performance.Digests() {
		if d.Schema == schema && d.ID == digest && !d.Lost {
			return s.planOf(ctx, schema, d.Summary().Sample)
		}
	}
	return "", errors.New("the statement is not known any more")
}

// planOf explains a query in a session of its own, which can change nothing.
func (s *Server) planOf(ctx context.Context, schema, sample string) (string, error) {
	st, rest, err := statement.Read(parse.Trim(sample), parse.Options{})
	if err != nil || rest != "" {
		return "", errors.New("the sample cannot be read: it was cut, or has another sql_mode")
	}
	if q, ok := st.Tree.(*ast.Query); !ok || q.Into != nil {
		return "", errors.New("only queries are explained")
	}
	if st.Params > 0 {
		return "", errors.New("the sample's parameters are not known")
	}
	ctx, cancel := context.WithTimeout(ctx, planLimit)
	defer cancel()
	c, _, err := s.dialInside(ctx, "root", schema, func(w *wireConn) { w.inside, w.secure = true, true })
	if err != nil {
		return "", err
	}
	defer c.Close()
	defer context.AfterFunc(ctx, func() { _ = c.Conn.Close() })() // ends what runs
	for _, q := range []string{"SET SESSION TRANSACTION READ ONLY", fmt.Sprintf("SET SESSION max_execution_time = %d", planLimit.Milliseconds())} {
		if _, err := c.Execute(q); err != nil {
			return "", err
		}
	}
	r, err := c.Execute("EXPLAIN FORMAT=TREE " + st.Text)
	if ctx.Err() != nil {
		return "", fmt.Errorf("the plan was not made within %s", planLimit)
	}
	if err != nil {
		return "", err
	}
	var lines []string
	for i := range r.RowNumber() {
		line, err := r.GetString(i, 0)
		if err != nil {
			return "", err
		}
		lines = append(lines, line)
	}
	return strings.Join(lines, "\n"), nil
}
