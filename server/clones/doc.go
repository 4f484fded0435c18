// Package clones keeps what performance_schema.clone_status and clone_progress show, and decides
// which donors a server may be cloned from.
package clones
