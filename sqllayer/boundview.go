package sqllayer

import (
	"encoding/json"
	"sort"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"

	"emberdb/engine/catalog"
	sqlast "emberdb/sql/ast"
	"emberdb/sql/bind"
	"emberdb/sql/parse"
)

// ViewDirect describes a view to package bind, but for its catalog. If the rights of its definer
// count in it, which are those of the account with its default roles, may tells whether that account
// may read a table. The view is nil if there is none of that name, or none whose query is kept with
// all names written out.
// REQUIRES: between BeginDirect and FinishDirect.
func (s *Session) ViewDirect(ctx *sql.Context, schema, name string) (v *bind.View, may func(schema, table string) bool, err error) {
	stored, ok, err := s.layer.storedView(ctx, schema, name)
	if err != nil || !ok || stored.Resolved == "" || stored.Definer == "" || modeOf(stored.SqlMode) != 0 {
		return nil, nil, err
	}
	found, err := parse.Parse(stored.Resolved, parse.Options{Version: VersionNumber})
	if err != nil {
		return nil, nil, nil
	}
	q, ok := found.Statement.(*sqlast.Query)
	text, read := parseView(stored.CreateViewStatement)
	collation, err := sql.ParseCollation("", stored.Connection, false)
	if !ok || !read || err != nil {
		return nil, nil, nil
	}
	v = &bind.View{Schema: schema, Name: stored.Name, Query: q, Text: stored.Resolved, Columns: text.columns, Collation: uint16(collation), Temporary: text.algorithm == "TEMPTABLE"}
	if text.invoker || !s.layer.checksRights() {
		return v, nil, nil
	}
	definer := roleOf(stored.Definer)
	if !s.layer.hasAccount(definer) {
		return nil, nil, nil
	}
	rights := s.layer.rightsOf(definer)
	return v, func(schema, table string) bool { return rights.onTable(schema, table, sql.PrivilegeType_Select) }, nil
}

// storedView finds a view as it is committed.
func (l *Layer) storedView(ctx *sql.Context, schema, name string) (v storedView, ok bool, err error) {
	all, err := l.objects(ctx, nil, catalog.KindView, schema)
	name = strings.ToLower(name)
	i := sort.Search(len(all), func(i int) bool { return all[i].Name >= name })
	if err != nil || i == len(all) || all[i].Name != name {
		return v, false, err
	}
	return v, true, json.Unmarshal(all[i].Data, &v)
}
