package sqllayer

// What a statement keeps of the rows it reads is accounted, see package quota: rows that are
// sorted, hashed, grouped or kept for another reading. GMS's iterators for them are replaced by
// ones that account and that end with their statement, or read their rows through a node that
// accounts them.

import (
	"github.com/dolthub/go-mysql-server/sql"

	"emberdb/internal/quota"
	"emberdb/sqllayer/memory"
)

// Memory is the account of what the session's statements hold.
func (s *Session) Memory() *quota.Account { return s.memory }

// Account lets the caches that GMS makes for the statement of ctx account what they keep.
func (s *Session) Account(ctx *sql.Context) {
	if s.caches == nil {
		s.reporter.Account = s.memory
		s.caches = sql.NewMemoryManager(&s.reporter)
	}
	ctx.Memory = s.caches
}

// overCaches is what the client is told of it.
func (s *Session) overCaches() error {
	if r := s.reporter; r.Err != nil {
		return memory.OverMemory(r.Err)
	}
	return memory.OutOfMemory()
}
