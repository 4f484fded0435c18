package sqllayer

// Engine is what the layer needs of engine.Engine.
type Engine interface {
	Close(fast bool) error
}
