package xpath

import "strings"

// Expr is an expression. Which of the fields count is told by Op.
type Expr struct {
	Op   Op
	Args []*Expr
	// Text is a literal's text, a number as it is written, a variable's or a function's name, or
	// the sign of Compare, Calculate and Connect.
	Text  string
	Steps []Step // of Path
}

// Op is what an expression does.
type Op uint8

// The kinds of expressions.
const (
	Path      Op = iota // from Args[0], or from what is around
	Rooted              // the whole fragment
	Around              // what the path begins at: the node of a condition, or the whole fragment
	Union               // of two sets
	Number              // 12, 1.5
	Literal             // "text"
	User                // $@name
	Variable            // $name
	Compare             // = != < <= > >=
	Calculate           // + - * div mod
	Negate              // - x
	Connect             // and, or
	Call                // a function
)

// Step is one step of a path.
type Step struct {
	Axis   Axis
	Name   string // "": any
	Stay   bool   // a node type, and ".": the step goes nowhere
	Filter []*Expr
}

// Nodes tells whether the value is a set of nodes.
func (e *Expr) Nodes() bool {
	switch e.Op {
	case Path, Rooted, Around, Union:
		return true
	}
	return false
}

// Boolean tells whether the value is a boolean, which chooses nodes by itself where others are
// numbers of places.
func (e *Expr) Boolean() bool {
	switch e.Op {
	case Compare, Connect:
		return true
	case Call:
		return functions[e.Text].boolean
	}
	return false
}

// A signature is what a function takes.
type signature struct {
	low, high int
	nodes     bool // the argument is a set of nodes
	inside    bool // without arguments, it stands inside of a condition only
	boolean   bool // the result is one
}

var functions = map[string]signature{
	"boolean": {0, 1, false, false, true}, "ceiling": {1, 1, false, false, false}, "concat": {2, 255, false, false, false},
	"contains": {2, 2, false, false, true}, "count": {1, 1, true, false, false}, "false": {0, 0, false, false, true},
	"floor": {1, 1, false, false, false}, "last": {0, 0, false, true, false}, "not": {1, 1, false, false, true},
	"number": {0, 1, false, false, false}, "position": {0, 0, false, true, false}, "round": {1, 1, false, false, false},
	"string-length": {0, 1, false, true, false}, "substring": {2, 3, false, false, false}, "sum": {1, 1, true, false, false},
	"true": {0, 0, false, false, true},
}

// Error is the error of an expression, in MySQL's words.
type Error string

func (e Error) Error() string { return string(e) }

// mostDepth is how deep expressions stand in each other at most.
const mostDepth = 1000

// parser reads an expression. A method gives nil where it fails; the failure is at the next token.
type parser struct {
	lexer
	inside int // conditions around
	depth  int
	err    error // a failure with words of its own
	known  func(name string) bool
}

// Compile reads an expression. known tells whether a variable of a stored program exists.
func Compile(text string, known func(name string) bool) (*Expr, error) {
	p := &parser{lexer: lexer{text: text}, known: known}
	p.advance()
	e := p.expr()
	if e == nil || p.ahead.kind != eof {
		if p.err != nil {
			return nil, p.err
		}
		return nil, Error("XPATH syntax error: '" + shown(p.text[p.ahead.from:]) + "'")
	}
	return e, nil
}

// accept reads the next token if it is of this kind.
func (p *parser) accept(kind int) bool {
	if p.ahead.kind != kind {
		return false
	}
	p.advance()
	return true
}

// word is the text of the token that was read last.
func (p *parser) word() string { return p.text[p.last.from:p.last.to] }

// chain reads operands and the operators between them, from left to right.
func (p *parser) chain(op Op, operand func() *Expr, sign func() string) *Expr {
	left := operand()
	for left != nil {
		from := p.ahead.from
		text := sign()
		if text == "" {
			return left
		}
		right := operand()
		if right == nil {
			return nil
		}
		if op == Compare && left.Nodes() && right.Nodes() {
			p.err = Error("XPATH error: comparison of two nodesets is not supported: '" + shown(p.text[from:]) + "'")
			return nil
		}
		left = &Expr{Op: op, Text: text, Args: []*Expr{left, right}}
	}
	return nil
}

// one gives an operator that is one token.
func (p *parser) one(kinds ...int) func() string {
	return func() string {
		for _, k := range kinds {
			if p.accept(k) {
				return strings.ToLower(p.word())
			}
		}
		return ""
	}
}

// expr reads an expression.
func (p *parser) expr() *Expr {
	if p.depth++; p.depth > mostDepth {
		return nil
	}
	defer func() { p.depth-- }()
	return p.chain(Connect, p.conjunction, p.one(or))
}

func (p *parser) conjunction() *Expr { return p.chain(Connect, p.equality, p.one(and)) }

func (p *parser) equality() *Expr {
	return p.chain(Compare, p.relation, func() string {
		switch {
		case p.accept('='):
			return "="
		case p.ahead.kind == '!':
			at := p.lexer
			if p.advance(); p.accept('=') {
				return "!="
			}
			p.lexer = at
		}
		return ""
	})
}

func (p *parser) relation() *Expr {
	return p.chain(Compare, p.sum, func() string {
		sign := p.one('<', '>')()
		if sign != "" && p.accept('=') {
			sign += "="
		}
		return sign
	})
}

func (p *parser) sum() *Expr { return p.chain(Calculate, p.product, p.one('+', '-')) }

func (p *parser) product() *Expr { return p.chain(Calculate, p.unary, p.one('*', div, mod)) }

func (p *parser) unary() *Expr {
	negations := 0
	for p.accept('-') {
		negations++
	}
	e := p.union()
	for ; e != nil && negations > 0; negations-- {
		e = &Expr{Op: Negate, Args: []*Expr{e}}
	}
	return e
}

func (p *parser) union() *Expr {
	left := p.path()
	for left != nil && p.accept('|') {
		if !left.Nodes() {
			return nil
		}
		right := p.path()
		if right == nil || !right.Nodes() {
			return nil
		}
		left = &Expr{Op: Union, Args: []*Expr{left, right}}
	}
	return left
}

// path reads a path, or a primary expression and a path from its nodes.
func (p *parser) path() *Expr {
	if p.accept('/') {
		if root := (&Expr{Op: Rooted}); p.accept('/') {
			return p.relative(root, true, false)
		} else {
			return p.relative(root, false, true)
		}
	}
	switch p.ahead.kind {
	case '.', '@', '*', name, and, or, div, mod, axis, nodeType:
		return p.relative(&Expr{Op: Around}, false, false)
	}
	e := p.primary()
	if e == nil || p.ahead.kind != '/' || !e.Nodes() {
		return e
	}
	p.advance()
	return p.relative(e, p.accept('/'), false)
}

// relative reads the steps of a path. deep: it begins with //; bare: it may have no steps.
func (p *parser) relative(from *Expr, deep, bare bool) *Expr {
	e := &Expr{Op: Path, Args: []*Expr{from}}
	for {
		if deep {
			e.Steps = append(e.Steps, Step{Axis: DescendantOrSelf})
		}
		s, found, ok := p.step()
		if !found && bare {
			return from
		}
		if !ok {
			return nil
		}
		e.Steps = append(e.Steps, s)
		if !p.accept('/') {
			return e
		}
		deep, bare = p.accept('/'), false
	}
}

// step reads one step. found: it names nodes.
func (p *parser) step() (s Step, found, ok bool) {
	switch {
	case p.accept('.'):
		if p.accept('.') {
			return Step{Axis: Parent}, true, true
		}
		return Step{Stay: true}, true, true
	case p.accept('@'):
		s.Axis = Attributes
	case p.accept(axis):
		s.Axis = axes[strings.ToLower(p.word())]
		p.advance() // the two colons
		p.advance()
	}
	if found, ok = p.test(&s); !ok {
		return s, found, false
	}
	p.inside++
	defer func() { p.inside-- }()
	for p.accept('[') {
		condition := p.expr()
		if condition == nil || !p.accept(']') {
			return s, true, false
		}
		s.Filter = append(s.Filter, condition)
	}
	return s, true, true
}

// test reads what nodes a step means.
func (p *parser) test(s *Step) (found, ok bool) {
	switch k := p.ahead.kind; k {
	case '*':
		p.advance()
	case name, and, or, div, mod:
		from := p.ahead.from
		p.advance()
		if p.accept(':') {
			switch p.ahead.kind {
			case name, and, or, div, mod:
				p.advance()
			}
		}
		s.Name = p.text[from:p.last.to]
	case nodeType:
		s.Stay = true
		p.advance()
		return true, p.accept('(') && p.accept(')')
	default:
		return false, false
	}
	return true, true
}

// primary reads what is no path.
func (p *parser) primary() *Expr {
	switch {
	case p.accept('$'):
		return p.variable()
	case p.accept('('):
		e := p.expr()
		if e == nil || !p.accept(')') {
			return nil
		}
		return e
	case p.accept(literal):
		return &Expr{Op: Literal, Text: p.text[p.last.from+1 : p.last.to-1]}
	case p.accept(digits):
		e := &Expr{Op: Number, Text: p.word()}
		if p.accept('.') {
			if e.Text += "."; p.accept(digits) {
				e.Text += p.word()
			}
		}
		return e
	case p.accept(function):
		return p.call()
	}
	return nil
}

// variable reads the name of a variable.
func (p *parser) variable() *Expr {
	from, op := p.last.from, Variable
	if p.accept('@') {
		op = User
	}
	switch p.ahead.kind {
	case name, and, or, div, mod:
		p.advance()
	default:
		return nil
	}
	if op == Variable && !p.known(p.word()) {
		p.err = Error("Unknown XPATH variable at: '" + shown(p.text[from:]) + "'")
		return nil
	}
	return &Expr{Op: op, Text: p.word()}
}

// call reads the arguments of a function.
func (p *parser) call() *Expr {
	e := &Expr{Op: Call, Text: strings.ToLower(p.word())}
	takes := functions[e.Text]
	p.advance() // the parenthesis
	for len(e.Args) < takes.high && p.ahead.kind != ')' {
		a := p.expr()
		if a == nil {
			return nil
		}
		if e.Args = append(e.Args, a); !p.accept(',') {
			break
		}
	}
	if len(e.Args) < takes.low || !p.accept(')') {
		return nil
	}
	if takes.inside && len(e.Args) == 0 && p.inside == 0 || takes.nodes && !e.Args[0].Nodes() {
		return nil
	}
	return e
}
