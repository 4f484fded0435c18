// Package numbers holds the functions of numbers: + - * / % DIV with MySQL's result types, exact
// decimals and error 1690, operations on bits, rounding, FORMAT and BENCHMARK.
package numbers
