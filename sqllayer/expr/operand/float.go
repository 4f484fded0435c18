package operand

import "emberdb/sql/types"

// AppendFloat writes a FLOAT (bits 32) or DOUBLE (64) as MySQL shows it.
func AppendFloat(to []byte, v float64, bits int) []byte { return types.AppendFloat(to, v, bits) }
