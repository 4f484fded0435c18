// Package programs holds what stored programs are made of, apart from the session that runs them:
// checks of bodies, conditions and handlers, schedules of events, arithmetic of whole numbers.
package programs
