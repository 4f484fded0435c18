// Package srs holds spatial reference systems: what the coordinates of a geometry mean.
//
//	wkt.go     Parse: a definition, read from well-known text
//	check.go   what else a definition must say before it is taken
//	geodesic.go distances on the ellipsoid
//	units.go   units of lengths
//	method.go  the projection methods that are known, with their parameters
//	set.go     Set: the systems that there are, predefined or made by statements
//
// The predefined systems are those of go-mysql-server's table, which come from the EPSG dataset.
//
// Invariants:
//
//	(1) A definition nests at most four elements deep; the parser follows its grammar and does not
//	    call itself.
//	(2) A Set does not change once it is made, so that its readers need no lock.
package srs
