package server

import (
	"bufio"
	"fmt"
	"os"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"

	"emberdb/sqllayer"
)

// runInitFile executes init_file before the first client is served: one statement a line, as an administrator.
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
		text := strings.TrimSpace(sc.Text())
		if skipBlank(text) == "" {
			continue
		}
		if err := s.runAsRoot(text); err != nil {
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
	for rest := text; strings.TrimSpace(rest) != ""; {
		var first string
		first, rest = splitFirst(rest)
		if err := s.runInner(ctx, first); err != nil {
			return sqllayer.Translate(err, ctx.GetCurrentDatabase())
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
