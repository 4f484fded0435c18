// Package dashboard is the page on which a person watches a server: one document, one script and
// one style sheet, all part of the program. Nothing is loaded from elsewhere, and no framework is
// used.
//
//	GET /                 the page
//	GET /dashboard/data   one Snapshot as JSON; the script asks for it every two seconds
//	GET /dashboard/plan   the plan of a digest's sample, for those who have logged in
//
// The package knows no server: a Source gives the Snapshot. While the server starts there is none
// but the state of the start, and the page shows that. Rates are made by the script from the counts
// of two snapshots.
//
// Answers carry a Content-Security-Policy that allows only what comes from the same address. Texts
// of statements and names are put into the page as text, never as markup.
package dashboard
