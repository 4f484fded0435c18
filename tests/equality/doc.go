// Package equality runs generated statements twice on one server, compiled and through go-mysql-server, each way on a database of its own with the
// same content, and compares everything a client can see: rows byte for byte, column descriptions, errors, counts, warnings, status flags, and the tables afterwards.
//
// EMBER_SEED repeats or varies a run and EQUALITY_ROUNDS makes it longer.
package equality
