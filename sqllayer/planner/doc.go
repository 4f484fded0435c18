// Package planner wires go-mysql-server to a layer: New makes its analyzer, with the rules of this
// package and of package rules, its builder (package run) and its schemas (package infoschema).
//
// The rules here need tables or sessions. They check rights of the bound plan (demands.go) and
// mend what the analyzer decides otherwise than MySQL.
package planner
