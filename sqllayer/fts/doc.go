// Package fts searches texts as InnoDB's full-text indexes do: words of a text, the language of
// searches, relevance. It knows neither tables nor rows: whoever searches gives a Reader.
//
//	words.go   texts into words, stop words
//	grams.go   texts into grams, and searches for them
//	parse.go   searches into trees, with the errors of MySQL
//	search.go  trees over an index into documents and ranks
//
// Relevance of a document is the sum over the words found in it of tf * idf * idf, idf =
// log10(documents / documents with the word). A word that a search names twice counts its documents
// twice; one that is in all documents has idf log10(1.0001). Words that a * stands for are one
// word: its documents are those of all of them together. > and < add and take one, as ~ does, but
// no more than one in all.
package fts
