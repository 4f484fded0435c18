// Package xpath reads XML fragments and XPath expressions in MySQL's dialects of both, and finds
// the nodes that a path names. It knows neither SQL values nor sessions.
//
//	document.go  Parse: a fragment as nodes in the order of the text;  token.go  its tokens
//	parse.go     Compile: an expression as a tree;  lexer.go  its tokens
//	set.go       Set: nodes that a path has found, and the steps from them
//
// MySQL's dialects are smaller than the standards, and differ from them. Entities are not
// replaced, end tags need not name what they end, and a fragment has any number of roots. Node
// types such as text() change nothing. A set of nodes stands for the texts directly below its
// nodes; as a condition it is true if it has exactly one node.
//
// Invariants:
//
//	(1) Nodes are numbered in the order of the text, a parent before its children. Node 0 is the
//	    whole fragment.
//	(2) A step ends when the caller's check says so, which is asked regularly, and a set has a
//	    bounded number of nodes.
package xpath
