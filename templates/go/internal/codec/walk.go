package codec

import "regexp"

// Walk has the checks of a protocol version. It is complete when it is made, so that
// any number of goroutines may use it.
type Walk struct {
	table *node
	made  map[string]*check
}

// NewWalk makes the checks from the table of checks, which is a JSON text.
func NewWalk(table string) *Walk {
	root, _ := parseWhole([]byte(table), nil)
	w := &Walk{table: root, made: make(map[string]*check, len(root.keys))}
	for _, name := range root.keys {
		w.made[name] = &check{}
	}
	for i, name := range root.keys {
		made := w.make(root.items[i])
		// By the time that it runs, the check that it is another name for is made.
		w.made[name].run = func(d *diagnosis, f found) { made.run(d, f) }
	}
	return w
}

// make returns the check of a node of the table.
func (w *Walk) make(n *node) *check {
	if n.kind == kindString {
		return w.made[n.text]
	}
	operands := n.items[1:]
	switch n.items[0].text {
	case "any":
		return &check{func(*diagnosis, found) {}}
	case "never":
		return &check{func(d *diagnosis, f found) { d.reject("propertyNames", "no such property", f) }}
	case "null":
		return typeCheck(kindNull, "null")
	case "boolean":
		return boolCheck(operands)
	case "string":
		return stringCheck(limitOf(operands[0]), limitOf(operands[1]), operands[2])
	case "number", "integer":
		return numberCheck(n.items[0].text, operands)
	case "enum":
		return enumCheck(operands)
	case "nullable":
		return nullableCheck(w.make(operands[0]))
	case "list":
		items, least, most := w.make(operands[0]), limitOf(operands[1]), limitOf(operands[2])
		return &check{func(d *diagnosis, f found) { diagnoseList(d, f, items, least, most, false) }}
	case "map":
		return mapCheck(w.make(operands[0]), w.isAny(operands[0]))
	case "object":
		isClosed := len(operands) > 2 && operands[2].truth
		return objectCheck(w.fields(operands[0]), operands[1].truth, isClosed, w.others(operands))
	case "tagged":
		return w.taggedCheck(operands)
	case "union":
		return w.unionCheck(operands)
	}
	panic("codec: the table has an unknown kind " + n.items[0].text)
}

func nullableCheck(inner *check) *check {
	return &check{func(d *diagnosis, f found) {
		if !f.is(kindNull) {
			inner.run(d, f)
		}
	}}
}

func mapCheck(values *check, isAny bool) *check {
	return &check{func(d *diagnosis, f found) {
		if !diagnoseObject(d, f) || isAny {
			return
		}
		for _, name := range f.n.keys {
			values.run(d, d.read(f.t, property(name)))
		}
	}}
}

// diagnoseObject returns whether a value is an object, and reports an error otherwise.
func diagnoseObject(d *diagnosis, f found) bool {
	if f.is(kindObject) && f.t != nil {
		return true
	}
	d.reject("type", "object", f)
	return false
}

// otherChecks has what properties accept that an object does not describe.
type otherChecks struct {
	patterns []*regexp.Regexp
	like     []*check
	// rest is of those that match no pattern; nil for any.
	rest *check
}

func (w *Walk) others(operands []*node) *otherChecks {
	if len(operands) < 5 {
		return nil
	}
	made := &otherChecks{}
	for _, one := range operands[3].items {
		made.patterns = append(made.patterns, regexp.MustCompile(one.items[0].text))
		made.like = append(made.like, w.make(one.items[1]))
	}
	if operands[4].kind != kindNull {
		made.rest = w.make(operands[4])
	}
	return made
}

// of returns the checks of a property.
func (o *otherChecks) of(name string) []*check {
	if o == nil {
		return nil
	}
	var found []*check
	for i, pattern := range o.patterns {
		if Matches(pattern, name) {
			found = append(found, o.like[i])
		}
	}
	if len(found) == 0 && o.rest != nil {
		return []*check{o.rest}
	}
	return found
}

func objectCheck(fields []fieldCheck, isExtensible, isClosed bool, others *otherChecks) *check {
	return &check{func(d *diagnosis, f found) {
		if !diagnoseObject(d, f) {
			return
		}
		if isExtensible {
			f.t.isOpen = true
		} else if len(fields) == 0 && !isClosed {
			f.t.get("")
		}
		for _, field := range fields {
			field(d, f.t)
		}
		if isClosed || others != nil {
			diagnoseOthers(d, f.t, isClosed, others)
		}
	}}
}

// diagnoseOthers diagnoses the properties that an object does not describe, and reports those
// that a closed one does not have.
func diagnoseOthers(d *diagnosis, t *tracked, isClosed bool, others *otherChecks) {
	isDeclared := make(map[string]bool, len(t.declared))
	for _, name := range t.declared {
		isDeclared[name] = true
	}
	isKept := d.mode == walkKeep || d.mode == walkSend && t.source.isReceived
	for i, name := range t.source.keys {
		if isDeclared[name] {
			continue
		}
		checks := others.of(name)
		for _, one := range checks {
			one.run(d, d.read(t, property(name)))
		}
		if len(checks) > 0 || !isClosed {
			continue
		}
		d.holder, d.key = t, property(name)
		if isKept {
			d.note("unknown", "the property is not known")
		} else {
			d.reject("undeclared", "only declared properties", found{n: t.source.items[i]})
		}
	}
}

// isValid returns whether a value is valid as it is.
func isValid(c *check, n *node) bool {
	if n == nil {
		return false
	}
	d := &diagnosis{mode: walkStrict}
	d.run(c, n)
	return d.failures == 0
}
