// Package commands numbers the commands of the protocol and names the Com_ counters.
//
// Source: MySQL's protocol documentation, page "Command Phase".
package commands
