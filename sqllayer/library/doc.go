// Package library gives packages sql/fn and sql/bind the functions that are still go-mysql-server's:
// their values and types become those of sql/types. It also reads numbers for SET.
package library
