package enginetest

// skippedQueries are single queries and scripts that are not run, by their text or name, with the reason.
var skippedQueries = map[string]string{}
