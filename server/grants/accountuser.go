package grants

import (
	"time"

	"emberdb/account"
	"emberdb/sqllayer/sqlerr"
)

// WhosOf lists the accounts of a statement.
func WhosOf(me Caller, specs []account.Spec) (names []account.Name) {
	for _, s := range specs {
		names = append(names, me.Resolve(s.Who))
	}
	return names
}

// Hashed puts hashes in the place of passwords, for the binary log, and names the plugin of
// accounts that are made.
func Hashed(specs []account.Spec, rows []*AccountRow, made bool) {
	for i := range specs {
		spec := &specs[i]
		switch {
		case spec.Auth == nil && made:
			spec.Auth = &account.Auth{Kind: account.AuthPlugin, Plugin: PluginSha2}
		case spec.Auth == nil || spec.Auth.Kind == account.AuthDiscard || spec.Auth.Kind == account.AuthPlugin && made:
		default:
			retain := spec.Auth.Retain
			spec.Auth = &account.Auth{Kind: account.AuthPlugin, Plugin: PluginSha2} // of an account that stays as it was
			for _, r := range rows {
				if r.Name() == spec.Name {
					spec.Auth = &account.Auth{Kind: account.AuthAs, Plugin: r.User.Plugin, Hash: r.User.AuthString, Retain: retain}
				}
			}
		}
	}
}

// SetAttributes is COMMENT and ATTRIBUTE: given keys replace those before, null takes a key.
func (r *AccountRow) SetAttributes(o *account.Options) error {
	given := map[string]any{}
	switch {
	case o.Comment != nil:
		given["comment"] = *o.Comment
	case o.Attribute != nil:
		v, err := account.DecodeJSON(*o.Attribute)
		object, ok := v.(map[string]any)
		if err != nil || !ok {
			return sqlerr.NewError(3982, "The user attribute must be a valid JSON object")
		}
		given = object
	default:
		return nil
	}
	if r.Attributes == nil {
		r.Attributes = map[string]any{}
	}
	for k, v := range given {
		if r.Attributes[k] = v; v == nil {
			delete(r.Attributes, k)
		}
	}
	return nil
}

// MayAlter refuses who may not: everybody may give himself another password and other default
// roles.
func MayAlter(me Caller, s *account.AlterUser) error {
	for _, spec := range s.Specs {
		own := spec.Name == me.Name
		a := spec.Auth
		switch {
		case s.Set && !own:
			if !me.OnMySQL(account.Update) {
				return me.NoDatabase("mysql")
			}
		case own && s.Roles != nil:
		case !own || a == nil || s.Options != (account.Options{}) || a.Kind == account.AuthPlugin || a.Kind == account.AuthAs || a.Plugin != "":
			if err := me.May(account.Update); err != nil {
				return err
			}
		case a.Retain || a.Kind == account.AuthDiscard:
			if me.May(account.Update) != nil && !me.Has(passwordAdmin) {
				return Missing("CREATE USER or " + passwordAdmin)
			}
		}
	}
	return nil
}

// PasswordChanged notes when an account got the password that it has.
func (r *AccountRow) PasswordChanged() { r.User.PasswordLastChanged = time.Now().UTC() }
