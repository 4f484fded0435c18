// Lets joinsearch.go declare functions without a body.
