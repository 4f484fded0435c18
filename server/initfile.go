package server

import (
	"bufio"
	"fmt"
	"os"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"

	"emberdb/server/grants"
	"emberdb/sql/statement"
	"emberdb/sqllayer"
	"emberdb/sqllayer/sqlerr"
)

// runInitFile executes init_file before the first client is served: one statement a line, as an
// administrator.
func (s *Server) runInitFile() error {
	path := s.cfg.Settings.String("init_file")
	if path == "" {
		return nil
	}
	f, err := os.Open(path)
	if err != nil {
		return fmt.Errorf("init_file: %w", err)
	}
	defer f.Close()
	sc := bufio.NewScanner(f)
	sc.Buffer(nil, 64<<20)
	for line := 1; sc.Scan(); line++ {
		if err := s.runAsRoot(sc.Text()); err != nil {
			return fmt.Errorf("init_file %s:%d: %w", path, line, err)
		}
	}
	return sc.Err()
}

// runAsRoot executes statements outside any connection.
func (s *Server) runAsRoot(text string) error {
	ctx, err := s.innerContext()
	if err != nil {
		return err
	}
	defer sql.SessionEnd(ctx.Session)
	for rest := strings.TrimSpace(text); rest != ""; {
		o := sqllayer.ReadOptions(ctx.Session)
		o.Multi = true
		var st *statement.Statement
		if st, rest, err = statement.Read(rest, o); err != nil {
			return grants.ParseError(err)
		}
		if st.Tree == nil {
			continue
		}
		if err := s.runInner(ctx, sqllayer.LibraryText(st.Text, st.Options)); err != nil {
			return sqlerr.Translate(err, ctx.GetCurrentDatabase())
		}
	}
	return nil
}

func (s *Server) runInner(ctx *sql.Context, query string) (err error) {
	if err := sql.SessionCommandBegin(ctx.Session); err != nil {
		return err
	}
	defer sql.SessionCommandEnd(ctx.Session)
	defer func() { finishStatement(ctx.Session, err) }()
	_, iter, _, err := s.sql.Query(ctx, query)
	if err != nil {
		return err
	}
	_, err = sql.RowIterToRows(ctx, iter)
	return err
}
