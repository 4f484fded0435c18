// Command emberd is the Ember server.
package main

import (
	_ "github.com/dolthub/go-mysql-server"
	_ "github.com/dolthub/go-mysql-server/server"
)

func main() {}
