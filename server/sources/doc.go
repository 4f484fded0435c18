// Package sources reads what CHANGE REPLICATION SOURCE says, and shows relay logs and the state of
// channels.
package sources
