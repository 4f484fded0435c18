// Package trees reads and changes statement trees before go-mysql-server plans them: what MySQL
// refuses (windows, aggregates, DISTINCT, depth), which names a statement uses, and rewrites that
// need no session.
package trees
