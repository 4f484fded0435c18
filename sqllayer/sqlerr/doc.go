// Package sqlerr makes the errors that clients see: MySQL's code, SQLSTATE and text, whatever the
// engine or go-mysql-server raised.
package sqlerr
