package sqlmode

import (
	"strings"

	"emberdb/sqllayer/sqlerr"
)

// OptimizerSwitches are MySQL's, as they are at first.
const OptimizerSwitches = "index_merge=on,index_merge_union=on,index_merge_sort_union=on,index_merge_intersection=on,engine_condition_pushdown=on," +
	"index_condition_pushdown=on,mrr=on,mrr_cost_based=on,block_nested_loop=on,batched_key_access=off,materialization=on,semijoin=on," +
	"loosescan=on,firstmatch=on,duplicateweedout=on,subquery_materialization_cost_based=on,use_index_extensions=on," +
	"condition_fanout_filter=on,derived_merge=on,use_invisible_indexes=off,skip_scan=on,hash_join=on,subquery_to_derived=off," +
	"prefer_ordering_index=on,hypergraph_optimizer=off,derived_condition_pushdown=on,hash_set_operations=on"

// Switched applies "a=on,b=default" to all switches.
func Switched(before, change string) (string, error) {
	bad := sqlerr.NewError(1231, "Variable 'optimizer_switch' can't be set to the value of '%s'", change)
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

// SwitchedOn tells whether a switch is on.
func SwitchedOn(all, name string) bool {
	for s := range strings.SplitSeq(all, ",") {
		if before, value, _ := strings.Cut(s, "="); before == name {
			return value == "on"
		}
	}
	return false
}
