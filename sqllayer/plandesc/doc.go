// Package plandesc describes plans of go-mysql-server for EXPLAIN, in the form of package
// sql/explain.
package plandesc
