// Package ast holds the tree of a SQL statement: nodes, the walk over them, and the text they print
// as.
//
// # Contract
//
// A node is a struct whose first field is its Span, the bytes of the text it was read from, from
// its first to behind its last token. The span of a child lies inside the span of its parent,
// except that the parts of an INTO may have been hoisted out of parentheses. Nodes hold what the
// text says and nothing that needs a catalog: no types, no resolved names, no rights. Names and
// strings are decoded (no quotes, no escapes) and stay in the character set of the text. A tree is
// not changed once it is parsed; who needs another one builds it.
//
// Parentheses are no nodes. The printer sets them where precedence asks for it, and rows and
// subqueries have nodes of their own.
//
// # Printing
//
// Print gives text that the parser reads back to an equal tree under the same sql_mode and
// character set, so printing what was read from printed text gives the same text. With
// Options.Canonical it gives the form in which MySQL stores and shows expressions and queries:
// small words, every operator in parentheses, names of functions instead of operators.
//
// # Walking
//
// Inspect calls a function for each node. The walk methods behind it are generated: go generate
// writes walk_x.go for the nodes of x.go, from the source. A field takes part when it is a node, a
// pointer to one, an interface of nodes or a slice of these. An optional part by value is absent
// when its span is zero (Span.Given).
//
// # Adding a statement
//
//  1. Declare its nodes in a file named after what they define: table definitions in
//     createtable.go, accounts in account.go. The statement's node has the statement method. Name
//     it after the statement (CreateTable, not CreateTableStmt); name parts after what they are
//     (ColumnDef, PartitionBy). Alternatives are small integer types with named constants; on/off
//     words are bools; optional names are Idents, tested with Given.
//  2. Write the print methods in print_x.go with put, when, operand, comma, printList and
//     printValues.
//  3. Run go generate ./sql/ast.
//  4. Parse it (see package parse) and add its texts to the goldens there.
package ast

//go:generate go run ./walkgen
