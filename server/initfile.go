package server

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/vitess/go/mysql"

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
	c := &mysql.Conn{UserData: sql.MysqlConnectionUser{User: "root", Host: "localhost"}, User: "root"}
	sess, err := s.cfg.NewSession(context.Background(), c, "localhost")
	if err != nil {
		return err
	}
	defer sql.SessionEnd(sess)
	for rest := text; strings.TrimSpace(rest) != ""; {
		var first string
		first, rest = splitFirst(rest)
		if err := s.runInSession(sess, first); err != nil {
			return sqllayer.Translate(err, sess.GetCurrentDatabase())
		}
	}
	return nil
}

func (s *Server) runInSession(sess sql.Session, query string) (err error) {
	ctx := sql.NewContext(context.Background(), sql.WithSession(sess), sql.WithQuery(query))
	if err := sql.SessionCommandBegin(sess); err != nil {
		return err
	}
	defer sql.SessionCommandEnd(sess)
	defer func() { finishStatement(sess, err) }()
	_, iter, _, err := s.sql.Query(ctx, query)
	if err != nil {
		return err
	}
	_, err = sql.RowIterToRows(ctx, iter)
	return err
}
