// Package sysvar holds system variables: what SET does with a value, and global values read as text,
// number or switch.
//
// A Variable takes values as MySQL 9.7 does, by the kind of its definition in package options:
//
//	boolean      0, 1, ON, OFF; others are refused with 1231
//	integer      a whole number; beyond the range it is cut, with warning 1292; others are refused with 1232
//	real         a number; beyond the range it is cut, with warning 1292; others are refused with 1232
//	enumeration  a value's name or index; others are refused with 1231
//	set          names, comma separated, or a sum of bits; others are refused with 1231
//	string       a text; numbers are refused with 1232
//
// Numbers that are not whole are refused with 1232 by all but reals. NULL stands for the empty
// string of a string, and is refused by others.
package sysvar
