package grants

import (
	"slices"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/vitess/go/mysql"

	"emberdb/account"
	"emberdb/sqllayer"
	"emberdb/sqllayer/sqlerr"
)

func WarnOf(ctx *sql.Context, err error) {
	if e, ok := err.(*mysql.SQLError); ok {
		Warn(ctx, e.Num, "%s", e.Message)
	}
}

func ErrUnknownID(n account.Name) error {
	return sqlerr.NewError(3523, "Unknown authorization ID %s", n)
}

func ErrMandatory(n account.Name) error {
	return sqlerr.NewError(3628, "The role %s is a mandatory role and can't be revoked or dropped. The restriction can be lifted by excluding the role identifier from the global variable mandatory_roles.", n)
}

func ErrNotGranted(role, to account.Name) error {
	return sqlerr.NewError(3530, "%s is not granted to %s", role, to)
}

func IsMandatory(n account.Name) bool { return slices.Contains(sqllayer.MandatoryRoles(), n) }

// ChosenRoles are the roles that a statement names, all of them granted to the account.
func ChosenRoles(to account.Name, choice account.RoleChoice, granted, defaults []account.Name) ([]account.Name, error) {
	for _, r := range choice.Roles {
		if choice.Kind != account.RolesAll && !slices.Contains(granted, r) {
			return nil, ErrNotGranted(r, to)
		}
	}
	switch choice.Kind {
	case account.RolesDefault:
		return defaults, nil
	case account.RolesAll:
		return slices.DeleteFunc(slices.Clone(granted), func(r account.Name) bool { return slices.Contains(choice.Roles, r) }), nil
	}
	return choice.Roles, nil // none with NONE
}
