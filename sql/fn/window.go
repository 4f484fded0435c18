package fn

// WindowKind is a function over the rows of a window.
type WindowKind uint8

const (
	Aggregated WindowKind = iota // an aggregate function over the frame
	RowNumber
	Rank
	DenseRank
	PercentRank
	CumeDist
	Ntile
	Lag
	Lead
	FirstValue
	LastValue
	NthValue
)

// BoundKind is where a frame begins or ends.
type BoundKind uint8

const (
	FromStart BoundKind = iota // UNBOUNDED PRECEDING
	Before                     // n PRECEDING
	AtRow                      // CURRENT ROW
	After                      // n FOLLOWING
	ToTheEnd                   // UNBOUNDED FOLLOWING
)

// Bound is one end of a frame. Before and After count rows, or name in Value the value of the order
// that the frame reaches to.
type Bound struct {
	Kind  BoundKind
	Rows  int64
	Value Expr
}

// Frame is the part of a partition that a window function of a row looks at. Range goes by the
// values of the order instead of by rows.
type Frame struct {
	Range    bool
	From, To Bound
}
