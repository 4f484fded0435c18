package expr

import (
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/types"
	"github.com/dolthub/vitess/go/mysql"

	"emberdb/sqllayer/expr/operand"
)

// internalFunctions are those that MySQL keeps for the views of information_schema: no client may
// call them.
const internalFunctions = `can_access_column can_access_database can_access_event can_access_resource_group can_access_routine can_access_table can_access_trigger can_access_user
	can_access_view convert_cpu_id_mask get_dd_column_privileges get_dd_create_options get_dd_index_private_data get_dd_index_sub_part_length get_dd_property_key_value
	get_dd_schema_options get_dd_tablespace_private_data internal_auto_increment internal_avg_row_length internal_checksum internal_check_time internal_data_free
	internal_data_length internal_get_comment_or_error internal_get_dd_column_extra internal_get_enabled_role_json internal_get_hostname internal_get_mandatory_roles_json
	internal_get_partition_nodegroup internal_get_username internal_get_view_warning_or_error internal_index_column_cardinality internal_index_length internal_is_enabled_role
	internal_is_mandatory_role internal_keys_disabled internal_max_data_length internal_tablespace_autoextend_size internal_tablespace_extra internal_tablespace_id
	internal_tablespace_type internal_table_rows internal_update_time internal_use_terminology_previous is_visible_dd_object`

// failoverFunctions change where a replica's channel goes when its source fails, which this server
// does not do.
const failoverFunctions = `asynchronous_connection_failover_add_source asynchronous_connection_failover_delete_source asynchronous_connection_failover_add_managed
	asynchronous_connection_failover_delete_managed asynchronous_connection_failover_reset`

// MayReplicate refuses who may not administer replication. Package sqllayer knows.
var MayReplicate func(ctx *sql.Context) error

func init() {
	for _, name := range strings.Fields(internalFunctions) {
		operand.Register(refusal(name, func(*sql.Context) error {
			return mysql.NewSQLError(3566, "HY000", "Access to native function '%s' is rejected.", strings.ToUpper(name))
		}))
	}
	for _, name := range strings.Fields(failoverFunctions) {
		operand.Register(refusal(name, func(ctx *sql.Context) error {
			if err := MayReplicate(ctx); err != nil {
				return err
			}
			return mysql.NewSQLError(1235, "42000", "This version of Ember doesn't yet support '%s'", strings.ToUpper(name))
		}))
	}
	operand.Register(
		operand.NewScalar("ps_current_thread_id", 0, 0, types.Uint64, func(ctx *sql.Context, _ []any) (any, error) { return uint64(ctx.Session.ID()), nil }),
		operand.NewScalar("ps_thread_id", 1, 1, types.Uint64, func(ctx *sql.Context, args []any) (any, error) {
			if args[0] == nil {
				return nil, nil
			}
			id, _, err := types.Uint64.Convert(ctx, args[0])
			if err != nil {
				return nil, err
			}
			for _, p := range ctx.ProcessList.Processes() {
				if uint64(p.Connection) == id {
					return id, nil
				}
			}
			return nil, nil
		}))
}

// refusal is a function that cannot be called.
func refusal(name string, why func(*sql.Context) error) sql.Function {
	return sql.FunctionN{Name: name, Fn: func(ctx *sql.Context, _ ...sql.Expression) (sql.Expression, error) { return nil, why(ctx) }}
}
