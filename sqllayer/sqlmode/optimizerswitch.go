package sqlmode

import (
	"maps"
	"strings"

	"emberdb/sqllayer/sqlerr"
)

// OptimizerSwitches are MySQL's, as they are at first.
const OptimizerSwitches = "index_merge=on,index_merge_union=on,index_merge_sort_union=on,index_merge_intersection=on,engine_condition_pushdown=on," +
	"index_condition_pushdown=on,mrr=on,mrr_cost_based=on,block_nested_loop=on,batched_key_access=off,materialization=on,semijoin=on," +
	"loosescan=on,firstmatch=on,duplicateweedout=on,subquery_materialization_cost_based=on,use_index_extensions=on," +
	"condition_fanout_filter=on,derived_merge=on,use_invisible_indexes=off,skip_scan=on,hash_join=on,subquery_to_derived=off," +
	"prefer_ordering_index=on,hypergraph_optimizer=off,derived_condition_pushdown=on,hash_set_operations=on"

// Switched applies "a=on,b=default" to the switches of the variable that is called name. first are
// the switches as they are at first.
func Switched(name, first, before, change string) (string, error) {
	values, firsts := map[string]string{}, map[string]string{}
	var order []string
	for s := range strings.SplitSeq(first, ",") {
		which, value, _ := strings.Cut(s, "=")
		order = append(order, which)
		values[which], firsts[which] = value, value
	}
	for s := range strings.SplitSeq(before, ",") {
		which, value, _ := strings.Cut(s, "=")
		values[which] = value
	}
	for s := range strings.SplitSeq(change, ",") {
		which, value, _ := strings.Cut(strings.ToLower(strings.TrimSpace(s)), "=")
		switch {
		case which == "":
			continue
		case which == "default" && value == "":
			maps.Copy(values, firsts)
			continue
		case firsts[which] != "" && value == "default":
			value = firsts[which]
		case firsts[which] == "" || value != "on" && value != "off":
			return "", sqlerr.NewError(1231, "Variable '%s' can't be set to the value of '%s'", name, change)
		}
		values[which] = value
	}
	for i, which := range order {
		order[i] = which + "=" + values[which]
	}
	return strings.Join(order, ","), nil
}

// SwitchedOn tells whether a switch is on.
func SwitchedOn(all, name string) bool {
	for s := range strings.SplitSeq(all, ",") {
		if before, value, _ := strings.Cut(s, "="); before == name {
			return value == "on"
		}
	}
	return false
}
