package fn

// AggregateKind is an aggregate function.
type AggregateKind uint8

const (
	CountRows AggregateKind = iota // COUNT(*)
	Count
	Sum
	Avg
	Min
	Max
	BitAnd
	BitOr
	BitXor
	StdPop
	StdSamp
	VarPop
	VarSamp
	GroupConcat
	JSONArray
	JSONObject
)
