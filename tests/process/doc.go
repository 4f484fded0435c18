// Package process holds tests of the whole server as a process: what survives its death, what it
// says to wrong options and broken files, and that one misbehaving client never hurts another.
package process
