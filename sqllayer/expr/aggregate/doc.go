// Package aggregate holds SUM, AVG, MIN, MAX, GROUP_CONCAT, the deviations, the functions of bits
// over rows, and WITH ROLLUP.
package aggregate
