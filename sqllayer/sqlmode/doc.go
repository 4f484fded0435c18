// Package sqlmode reads and checks the values of sql_mode and of optimizer_switch.
package sqlmode
