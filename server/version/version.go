package version

// Version of Ember. ServerVersion is what clients see: the MySQL release whose behaviour is
// followed, then Ember's own.
const Version = "0.2.0"

const VersionComment = "Ember"

// ServerVersion is @@version and the version in the greeting.
func ServerVersion() string { return "8.4.8-ember-" + Version }
