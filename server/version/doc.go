// Package version names Ember's release.
package version
