// Package sysvar reads global variables as text, number or switch.
package sysvar
