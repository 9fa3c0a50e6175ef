package codec

import "strconv"

type fieldCheck func(*diagnosis, *tracked)

// The flags of a property.
const (
	isRequired = 1 << iota
	isNullable
	defaultOnError
	defaultOnNull
	skipInvalidItems
)

// rules are the facts about a property besides its name and its check.
type rules struct {
	flags    int
	fallback *node // the default
	isList   bool
	least    limit // of a list
}

func (r rules) has(flag int) bool { return r.flags&flag != 0 }

// diagnoseField diagnoses the property that was read last.
func diagnoseField(d *diagnosis, f found, c *check, r rules) {
	holder, k := d.holder, d.key
	repairs := d.mode == walkKeep
	completes := repairs && r.fallback != nil
	if f.isMissing() {
		if completes {
			holder.change(k, found{n: r.fallback})
		} else if r.has(isRequired) {
			d.reject("required", "a value", f)
		}
		return
	}
	if f.is(kindNull) && r.has(isNullable) {
		return
	}
	if f.is(kindNull) && repairs && r.has(defaultOnNull) {
		nothing := newObject()
		if r.isList {
			nothing = &node{kind: kindList}
		}
		if isValid(c, nothing) {
			holder.change(k, found{n: nothing})
			d.note("default-on-null", "null counts as empty")
			return
		}
	}
	isEmptied := r.isList && (r.least == nil || *r.least == 0) && !r.has(isNullable)
	isRepairable := completes || isEmptied || !r.has(isRequired)
	if !repairs || !r.has(defaultOnError) || !isRepairable {
		c.run(d, f)
		return
	}
	var replacement *node
	if isEmptied {
		replacement = &node{kind: kindList}
	}
	if completes {
		replacement = r.fallback
	}
	repair(d, f, c, "default-on-error", replacement)
}

// repair replaces or removes the value that was read last if it is invalid.
func repair(d *diagnosis, f found, c *check, rule string, replacement *node) bool {
	holder, k := d.holder, d.key
	errors, fits := d.attempt(c, f, false)
	if fits {
		return false
	}
	holder.change(k, found{n: replacement})
	d.holder, d.key = holder, k
	reason := "invalid"
	if len(errors) > 0 {
		reason = "expected " + errors[0].Expected + " at " + errors[0].Pointer
	}
	d.note(rule, reason)
	return true
}

func diagnoseList(d *diagnosis, f found, items *check, least, most limit, skip bool) {
	if !f.is(kindList) || f.t == nil {
		d.reject("type", "array", f)
		return
	}
	length := len(f.n.items)
	within(d, f, float64(length), least, most, "Items")
	kept := length
	for i := range length {
		one := d.read(f.t, item(i))
		if !skip {
			items.run(d, one)
		} else if repair(d, one, items, "skip-invalid-items", nil) {
			kept--
		}
	}
	if least != nil && float64(kept) < *least && *least <= float64(length) {
		d.reject("minItems", "minItems "+printed(*least)+" without the invalid items", f)
	}
}

func (w *Walk) fields(list *node) (all []fieldCheck) {
	for _, one := range list.items {
		all = append(all, w.field(one.items))
	}
	return all
}

func (w *Walk) field(parts []*node) fieldCheck {
	name, n := parts[0].text, parts[1]
	flags, _ := strconv.Atoi(parts[2].text)
	r := rules{flags: flags}
	if len(parts) > 3 {
		r.fallback = parts[3]
	}
	if w.isAny(n) && r.fallback == nil {
		return func(d *diagnosis, t *tracked) {
			if f := t.get(name); f.isMissing() && r.has(isRequired) {
				d.reject("required", "a value", f)
			}
		}
	}
	if flags == isRequired && r.fallback == nil && !w.acceptsMissing(n, map[string]bool{}) {
		inner := w.make(n)
		return func(d *diagnosis, t *tracked) { inner.run(d, t.get(name)) }
	}
	if n.kind != kindList || n.items[0].text != "list" {
		c := w.make(n)
		return func(d *diagnosis, t *tracked) { diagnoseField(d, t.get(name), c, r) }
	}
	items, least, most := w.make(n.items[1]), limitOf(n.items[2]), limitOf(n.items[3])
	r.isList, r.least = true, least
	keeping := &check{func(d *diagnosis, f found) { diagnoseList(d, f, items, least, most, false) }}
	skipping := &check{func(d *diagnosis, f found) { diagnoseList(d, f, items, least, most, true) }}
	return func(d *diagnosis, t *tracked) {
		c := keeping
		if d.mode == walkKeep && r.has(skipInvalidItems) {
			c = skipping
		}
		diagnoseField(d, t.get(name), c, r)
	}
}

// isAny returns whether a node, or the one that it refers to, accepts any value.
func (w *Walk) isAny(n *node) bool {
	if n.kind == kindString {
		n = w.table.get(n.text)
	}
	return n.kind == kindList && n.items[0].text == "any"
}

// acceptsMissing returns whether a node would accept a property that is absent.
func (w *Walk) acceptsMissing(n *node, seen map[string]bool) bool {
	if n.kind == kindString {
		if seen[n.text] {
			return false
		}
		seen[n.text] = true
		return w.acceptsMissing(w.table.get(n.text), seen)
	}
	switch n.items[0].text {
	case "any":
		return true
	case "nullable":
		return w.acceptsMissing(n.items[1], seen)
	case "union":
		for _, one := range n.items[2].items {
			if w.acceptsMissing(one, seen) {
				return true
			}
		}
	}
	return false
}
