// Package token is the only lexer of SQL texts. It follows MySQL 9.7 byte for byte: where a word
// ends, when it is a keyword, which comments are code, how the connection's character set and
// sql_mode change the reading.
//
// # Contract
//
// A Lexer reads one text from front to back; Next returns the next token, at the end EOF for ever.
// Tokens are values: a Kind and a Span into the text. Nothing is copied: Value returns the decoded
// bytes of a name or a string and shares the text's memory when nothing had to be decoded. Names
// and strings stay in the text's character set.
//
// Any bytes are accepted. What MySQL's lexer refuses becomes an Invalid token, which no grammar
// rule accepts. Every call advances, so reading a text takes time linear in its length.
//
// # Kinds
//
// A punctuation character is its own kind ('(' is Kind('(')). Literals, names and operators of
// several characters have named kinds. Keywords follow from ABSENT on; keywords.txt lists them with
// their classes and keywordgen turns the list into tables. Synonyms share a kind (INTEGER is INT).
// Whether a keyword may serve as an identifier, label, role or variable name is answered by the
// methods of Kind.
//
// # State between tokens
//
// MySQL's lexer reads some tokens by what came before: the word after a dot is never a keyword, the
// word after @ is a host name, the word after @@ is a variable. The Lexer keeps that in one field
// and nothing else, so a copy of a Lexer is a saved position.
//
// # Digests
//
// Digest returns what statements that differ only in their values have in common, as MySQL writes
// it.
package token

//go:generate go run ./keywordgen
