package account

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"emberdb/internal/testkit"
)

// Grants of every level survive the way through a privilege set.
func TestGrantsAndSet(t *testing.T) {
	r := rand.New(rand.NewPCG(testkit.Seed(t), 1))
	some := func(of Privileges) Privileges { return Privileges(r.Uint64())&of | of&-of }
	g := NewGrants()
	g.Global = some(GlobalLevel | GrantOption)
	g.Dynamic["BACKUP_ADMIN"], g.Dynamic["SYSTEM_USER"] = true, false
	for _, db := range []string{"d", "E", `app\_%`} {
		g.AddDatabase(db, some(DatabaseLevel|GrantOption))
		g.AddTable(Table{db, "T"}, some(TableLevel|GrantOption))
		g.AddColumn(Column{Table{db, "only columns"}, "C"}, some(ColumnLevel))
		g.AddRoutine(Routine{db, "p", Procedure}, some(RoutineLevel|GrantOption))
		g.AddRoutine(Routine{db, "p", Function}, Execute)
		g.AddRoutine(Routine{db, "p", Library}, AlterRoutine)
	}
	require.Equal(t, g, GrantsOf(g.Set()))
	require.Equal(t, g.Databases["E"], g.Named("e"), "names are compared without case")
	g.RemoveDatabase("D", DatabaseLevel|GrantOption)
	require.NotContains(t, g.Databases, "d")
	require.NotZero(t, g.OnTable(Table{"d", "t"}), "what was granted on its tables stays")
}

func TestMatchPattern(t *testing.T) {
	for _, c := range []struct {
		pattern, name string
		want          bool
	}{
		{"d%", "d", true}, {"d%", "D1", true}, {"%", "", true}, {"d_", "d", false}, {"d_", "d1", true}, {`d\_1`, "d_1", true}, {`d\_1`, "da1", false},
		{"%a%b", "xaxxb", true}, {"%a%b", "xbxxa", false}, {`a\`, "a", false}, {"a", "ab", false},
	} {
		require.Equal(t, c.want, MatchPattern(c.pattern, c.name), "%q %q", c.pattern, c.name)
	}
	g := NewGrants()
	g.AddDatabase("%", Select)
	g.AddDatabase("app%", Insert)
	g.AddDatabase("app_x", Update)
	g.AddDatabase("apple", Delete)
	require.Equal(t, Delete, g.Named("apple"))
	require.Equal(t, Update, g.Named("app1x"), "the longer a pattern's beginning, the more specific")
	require.Equal(t, Select, g.Named("other"))
}

func TestRestrictions(t *testing.T) {
	var p Policy
	p.Restrict("mysql", Insert|Update)
	p.Restrict("MySQL", Delete)
	p.Restrict("a", Select)
	require.Equal(t, []Restriction{{"a", Select}, {"mysql", Insert | Update | Delete}}, p.Restrictions)
	require.Equal(t, Insert, p.Lift("mysql", Insert|Select))
	require.Equal(t, Update|Delete|Select, p.Lift("", GlobalLevel))
	require.Empty(t, p.Restrictions)
}
