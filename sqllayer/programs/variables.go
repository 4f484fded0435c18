package programs

import (
	"context"
	"reflect"

	"github.com/dolthub/go-mysql-server/sql"
)

// Variable is a variable or a parameter that has its value.
type Variable struct {
	Column  *sql.Column
	Value   any
	Fixed   bool  // a column of OLD, or of a row that was written
	Changed bool  // since it was made
	Held    int64 // bytes of the value that are accounted
}

// Visitor walks a parsed statement by reflection, each node once: the parser's own walk leaves out
// parts and does not tell where a node stands.
type Visitor struct {
	Seen  map[uintptr]bool
	Look  func(v reflect.Value) (within bool) // at an interface or a pointer that is not nil
	Field func(name string, walk func())      // nil, or around the walk of a field
	Ended context.Context                     // nil, or one with which the walk ends
}

func (w *Visitor) Value(v reflect.Value) {
	switch v.Kind() {
	case reflect.Interface:
		if !v.IsNil() && w.Look(v) {
			w.Value(v.Elem())
		}
	case reflect.Pointer:
		if v.IsNil() || w.Seen[v.Pointer()] || w.Ended != nil && w.Ended.Err() != nil {
			return
		}
		w.Seen[v.Pointer()] = true
		if w.Look(v) {
			w.Value(v.Elem())
		}
	case reflect.Struct:
		for i := range v.NumField() {
			field := v.Type().Field(i)
			switch {
			case !field.IsExported():
			case w.Field != nil:
				w.Field(field.Name, func() { w.Value(v.Field(i)) })
			default:
				w.Value(v.Field(i))
			}
		}
	case reflect.Slice:
		if v.Type().Elem().Kind() == reflect.Uint8 {
			return
		}
		for i := range v.Len() {
			w.Value(v.Index(i))
		}
	}
}
