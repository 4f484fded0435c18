// Package libm has the elementary functions with results that are rounded to the nearest double, but
// for very rare ties. The C libraries that MySQL is built with are nearly as exact, so that digits
// agree: the standard library is often one unit in the last place beside them.
//
// A function is worked out with twice the digits (pair.go), a few times slower than that of the
// standard library, which gives the special values and a first guess. Relative errors before the
// last rounding are below 2^-95 (pairs: Dekker, Numerische Mathematik 18, 1971).
package libm
