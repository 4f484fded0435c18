// Package geometry reads geometries that clients, logs and files give as bytes or text, and
// compares them.
//
//	wkb.go   FromWKB, FromStored: well-known binary, with or without a spatial reference in front
//	wkt.go   FromText: well-known text
//	size.go  Measure: how large and how deep a value is
//	plane.go Plane: a value as a set of points, and what two such sets are to each other
//	complexity.go  which geometries are too complex for that
//	box.go   the same of the rectangles around them
//
// The values are go-mysql-server's; its own decoders allocate what a count says before they look
// whether the bytes can hold it, and call themselves as deep as the bytes nest.
//
// Invariants:
//
//	(1) A count is compared with the bytes behind it before anything is allocated for it.
//	(2) Collections nest at most MaxDepth deep, so that no walk over a value exhausts the stack.
//	(3) Edges are counted, and the crossings that they can have, before geometries are compared:
//	    these take the memory.
//	(4) The whole input is one geometry; whatever follows it is an error.
package geometry
