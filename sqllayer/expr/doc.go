// Package expr holds the expressions and functions that Ember evaluates itself because
// go-mysql-server's own differ from MySQL in type or value. They stand below it by their kind:
//
//	operand    what they share, and the registry, Lookup
//	numbers, texts, temporal, documents, spatial, vectors, xmlvalue   functions of one kind of values
//	compare    comparisons, IN, subqueries beside them, GREATEST, CASE
//	aggregate, window   functions over rows
//
// This package holds what needs several of them:
//
//	operators.go   Replace: + - * / % DIV of a parsed statement become calls, before go-mysql-server plans it
//	mend.go        Mend: comparisons of a planned statement that go-mysql-server makes otherwise than MySQL
//	bounded.go     Bounded: results over max_allowed_packet are NULL with warning 1301;  jsonbound.go  documents that are too large or nest too deep
//	cast.go        CAST;  assignment.go  user variables;  owned.go, kept.go  columns that are selected and not inserted;  lateral.go
//	search.go      MATCH;  sleep.go  SLEEP;  userlocks.go  GET_LOCK and its kin;  role.go, user.go  CURRENT_ROLE(), USER();  aside.go, repaired.go, defaultof.go, internal.go
//
// Lookup is asked before go-mysql-server's registry. The names of operators are no identifiers, so
// no client can call them by name; the expressions print themselves as operators, so stored texts
// (views, checks, generated columns) never show the names.
package expr

import (
	_ "emberdb/sqllayer/expr/vectors"  // registers its functions
	_ "emberdb/sqllayer/expr/xmlvalue" // the same
)
