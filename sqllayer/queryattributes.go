package sqllayer

import "strings"

// QueryAttribute is what a client says of one of its statements, in UTF-8. None is read before a
// function asks for it by its name.
type QueryAttribute struct {
	Name, Value string
	Null        bool
}

// SetQueryAttributes tells the session what the client says of the statements that follow.
func (s *Session) SetQueryAttributes(all []QueryAttribute) { s.said = all }

// QueryAttribute is the value of the first attribute of a name, in capital or small letters.
func (s *Session) QueryAttribute(name string) (value string, ok bool) {
	if name == "" {
		return "", false
	}
	for _, a := range s.said {
		if strings.EqualFold(a.Name, name) {
			return a.Value, !a.Null
		}
	}
	return "", false
}
