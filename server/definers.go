package server

import (
	"github.com/dolthub/go-mysql-server/sql"

	"emberdb/account"
	"emberdb/sqllayer/sqlerr"
	"emberdb/sqllayer/trees"
)

// keepsDefiners refuses to make, rename or drop accounts that are definers of stored objects, or
// warns of them those who may leave objects without a definer: an account that is made would take
// over such objects.
func (x *execution) keepsDefiners(ctx *sql.Context, operation string, accounts ...account.Name) error {
	layer := x.h.s.layer()
	if layer == nil {
		return nil
	}
	may := x.h.s.hasAdmin(ctx, "allow_nonexistent_definer")
	for _, a := range accounts {
		kinds, err := layer.DefinedBy(ctx, trees.Role{User: a.User, Host: a.Host})
		if err != nil {
			return err
		}
		for _, kind := range kinds {
			if !may {
				return sqlerr.NewError(4006, "Operation %s failed for '%s'@'%s' as it is referenced as a definer account in %s.", operation, a.User, a.Host, kind)
			}
			told := sqlerr.NewError(4005, "User '%s'@'%s' is referenced as a definer account in %s.", a.User, a.Host, kind)
			ctx.Session.Warn(&sql.Warning{Level: "Warning", Code: told.Num, Message: told.Message})
		}
	}
	return nil
}
