// Package backend is what the server asks of the engine apart from SQL: transactions and locks that
// run, status values, and what a recovery did.
package backend
