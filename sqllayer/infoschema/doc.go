// Package infoschema makes the rows of information_schema, and of the other tables that exist only
// when they are read.
//
// Invariant: a row is listed only where the session's rights show the object.
package infoschema
