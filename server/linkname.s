// Lets procedure.go declare functions without a body.
