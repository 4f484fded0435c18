package sysvar

import (
	"fmt"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
)

func GlobalText(name string) string {
	_, v, _ := sql.SystemVariables.GetGlobal(name)
	if v == nil {
		return ""
	}
	return fmt.Sprint(v)
}

func GlobalInt(name string) (n int64) {
	fmt.Sscan(GlobalText(name), &n)
	return n
}

func GlobalOn(name string) bool {
	v := strings.ToLower(GlobalText(name))
	return v == "1" || v == "true" || v == "on"
}
