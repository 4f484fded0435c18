package sqllayer

// SET optimizer_switch names the switches that change; the others stay. None of them changes a plan
// here.

import (
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	ast "github.com/dolthub/vitess/go/vt/sqlparser"
)

// OptimizerSwitches are MySQL's, as they are at first.
const OptimizerSwitches = "index_merge=on,index_merge_union=on,index_merge_sort_union=on,index_merge_intersection=on,engine_condition_pushdown=on," +
	"index_condition_pushdown=on,mrr=on,mrr_cost_based=on,block_nested_loop=on,batched_key_access=off,materialization=on,semijoin=on," +
	"loosescan=on,firstmatch=on,duplicateweedout=on,subquery_materialization_cost_based=on,use_index_extensions=on," +
	"condition_fanout_filter=on,derived_merge=on,use_invisible_indexes=off,skip_scan=on,hash_join=on,subquery_to_derived=off," +
	"prefer_ordering_index=on,hypergraph_optimizer=off,derived_condition_pushdown=on,hash_set_operations=on"

// setSwitches makes the texts of SET optimizer_switch whole.
func (r *rewriterAST) setSwitches(n *ast.Set) error {
	for _, e := range n.Exprs {
		name := strings.ToLower(e.Name.Name.String())
		v, ok := e.Expr.(*ast.SQLVal)
		if !ok || v.Type != ast.StrVal || name[strings.LastIndexByte(name, '.')+1:] != "optimizer_switch" {
			continue
		}
		c, ok := r.ctx.(*sql.Context)
		if !ok || c.Session == nil {
			continue
		}
		global := e.Scope == ast.SetScope_Global || e.Scope == ast.SetScope_Persist || e.Scope == ast.SetScope_PersistOnly || strings.HasPrefix(name, "@@global.")
		_, now, _ := sql.SystemVariables.GetGlobal("optimizer_switch")
		before, _ := now.(string)
		if s := sessionOf(c); s != nil && !global {
			before = s.text("optimizer_switch")
		}
		text, err := switched(before, string(v.Val))
		if err != nil {
			return err
		}
		e.Expr = ast.NewStrVal([]byte(text))
	}
	return nil
}

// switched applies "a=on,b=default" to all switches.
func switched(before, change string) (string, error) {
	bad := NewError(1231, "Variable 'optimizer_switch' can't be set to the value of '%s'", change)
	if strings.EqualFold(strings.TrimSpace(change), "default") || change == "" {
		if change == "" {
			return before, nil
		}
		return OptimizerSwitches, nil
	}
	values := map[string]string{}
	var order []string
	for _, list := range []string{OptimizerSwitches, before} {
		for s := range strings.SplitSeq(list, ",") {
			name, value, ok := strings.Cut(s, "=")
			if ok && values[name] == "" {
				order = append(order, name)
			}
			values[name] = value
		}
	}
	first := map[string]string{}
	for s := range strings.SplitSeq(OptimizerSwitches, ",") {
		name, value, _ := strings.Cut(s, "=")
		first[name] = value
	}
	for s := range strings.SplitSeq(change, ",") {
		name, value, _ := strings.Cut(strings.ToLower(strings.TrimSpace(s)), "=")
		switch {
		case name == "default" && value == "":
			for n, v := range first {
				values[n] = v
			}
			continue
		case first[name] == "":
			return "", bad
		case value == "default":
			value = first[name]
		case value != "on" && value != "off":
			return "", bad
		}
		values[name] = value
	}
	for i, name := range order {
		order[i] = name + "=" + values[name]
	}
	return strings.Join(order, ","), nil
}
