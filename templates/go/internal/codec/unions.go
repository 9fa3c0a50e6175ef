package codec

import (
	"strings"

	"github.com/acp-codegen/acp-codegen/out/go/acp"
)

// variants are those of a tagged union.
type variants struct {
	tag    string
	listed map[string]*check
	order  []*check
	names  []string
	// open is for other tags that are strings; fallback for everything else, whatever
	// the tag is; absent for a tag that is absent or null.
	open, fallback, absent *check
	// isLenient says that a malformed tag may be dropped.
	isLenient bool
}

func (w *Walk) taggedCheck(operands []*node) *check {
	bodies, others := operands[1], operands[2].items
	v := &variants{tag: operands[0].text, listed: map[string]*check{}, names: bodies.keys}
	v.isLenient = others[3].truth
	for i, name := range bodies.keys {
		c := w.make(bodies.items[i])
		v.listed[name] = c
		v.order = append(v.order, c)
	}
	for i, to := range []**check{&v.open, &v.fallback, &v.absent} {
		if others[i].kind != kindNull {
			*to = w.make(others[i])
		}
	}
	shared := w.fields(operands[3])
	return &check{func(d *diagnosis, f found) {
		if diagnoseObject(d, f) {
			for _, field := range shared {
				field(d, f.t)
			}
			tagged(d, f, v)
		}
	}}
}

func (w *Walk) unionCheck(operands []*node) *check {
	isExclusive := operands[0].truth
	var all []*check
	for _, one := range operands[1].items {
		all = append(all, w.make(one))
	}
	shared := w.fields(operands[2])
	return &check{func(d *diagnosis, f found) {
		if len(shared) > 0 && !diagnoseObject(d, f) {
			return
		}
		for _, field := range shared {
			field(d, f.t)
		}
		alternatives(d, f, isExclusive, all)
	}}
}

// tagged diagnoses a tagged union. It reports the errors of the variant that the tag
// selects.
func tagged(d *diagnosis, f found, v *variants) {
	tag := f.t.get(v.tag)
	holder, k := d.holder, d.key
	refuse := func() {
		d.holder, d.key = holder, k
		if tag.is(kindString) {
			d.reject("enum", "one of "+strings.Join(v.names, ", "), tag)
		} else {
			d.reject("type", "string", tag)
		}
	}
	if tag.is(kindString) {
		if variant := v.listed[tag.n.text]; variant != nil {
			v.choose(d, f, variant, v.fallback, refuse)
			return
		}
		if d.mode == walkSend && f.n.isReceived {
			return
		}
		if v.open != nil {
			diagnoseUnknown(d, tag, v.open, f)
			return
		}
		if v.fallback != nil {
			if _, fits := attemptUnion(d, v.fallback, f); fits {
				return
			}
		} else if d.mode == walkKeep {
			d.note("unknown", render(tag.n)+" is not known")
			return
		}
		refuse()
		return
	}
	untagged := v.absent
	if untagged == nil {
		untagged = v.fallback
	}
	switch {
	case (tag.isMissing() || tag.is(kindNull)) && untagged != nil:
		v.choose(d, f, untagged, nil, refuse)
	case v.absent != nil && v.isLenient && d.mode == walkKeep:
		holder.change(k, found{})
		d.note("default-on-error", "expected string")
		v.absent.run(d, f)
	case v.fallback != nil:
		v.choose(d, f, v.fallback, nil, refuse)
	default:
		refuse()
	}
}

// choose runs a variant, or a second one. With two candidates, a trial decides, so that
// only one is run for its changes. It refuses the tag if another variant fits better.
func (v *variants) choose(d *diagnosis, f found, variant, second *check, refuse func()) {
	var errors []acp.Issue
	var fits bool
	if second == nil {
		if errors, fits = attemptUnion(d, variant, f); fits {
			return
		}
	} else {
		if errors, fits = explain(d, variant, f, d.mode); fits {
			apply(d, variant, f)
			return
		}
		if _, fits := attemptUnion(d, second, f); fits {
			return
		}
	}
	for _, one := range v.order {
		if fitsBetter(d, one, variant, f) {
			refuse()
			return
		}
	}
	d.report(errors)
}

// diagnoseUnknown diagnoses a value whose tag an open union does not list.
func diagnoseUnknown(d *diagnosis, tag found, variant *check, f found) {
	holder, k, failures := d.holder, d.key, d.failures
	isCustom := IsCustom(tag.n.text)
	if d.mode == walkSend && !isCustom {
		d.reject("enum", `a known value, or a name that begins with "_"`, tag)
		return
	}
	holder.isOpen = true
	variant.run(d, f)
	if d.failures > failures {
		return
	}
	d.holder, d.key = holder, k
	if !isCustom {
		d.note("unknown", render(tag.n)+" is not known")
	}
}

// fitsBetter returns whether another variant accepts a value and leaves less undeclared.
func fitsBetter(d *diagnosis, other, variant *check, f found) bool {
	if other == variant {
		return false
	}
	_, fits := explain(d, other, f, d.mode)
	return fits && undeclared(d, other, f) < undeclared(d, variant, f)
}

func undeclared(d *diagnosis, c *check, f found) (count int) {
	if f.t == nil {
		return 0
	}
	t := f.t.retry()
	tryOut(d, c, found{f.n, t}, d.mode)
	// A check that reads no properties accepts all of them.
	if len(t.declared) == 0 || t.isOpen || t.isSuperseded {
		return 0
	}
	isDeclared := make(map[string]bool, len(t.declared))
	for _, name := range t.declared {
		isDeclared[name] = true
	}
	for _, name := range t.source.keys {
		if !isDeclared[name] {
			count++
		}
	}
	return count
}

// alternatives diagnoses a union without a tag. It selects the first alternative that
// accepts the value without repairs, otherwise the first that accepts it with repairs.
func alternatives(d *diagnosis, f found, isExclusive bool, all []*check) {
	modes := []walkMode{d.mode}
	if d.mode == walkKeep {
		modes = []walkMode{walkStrict, walkKeep}
	}
	var reports [][]acp.Issue
	for _, mode := range modes {
		reports = nil
		var fitting []*check
		for _, one := range all {
			if errors, fits := explain(d, one, f, mode); fits {
				fitting = append(fitting, one)
			} else {
				reports = append(reports, errors)
			}
		}
		if isExclusive && len(fitting) > 1 {
			d.reject("oneOf", "only one variant", f)
			return
		}
		if len(fitting) > 0 {
			d.take(closest(d, fitting, f), f, isExclusive, mode, all)
			return
		}
	}
	d.reportAlternatives(f, reports)
}

// closest returns the first alternative for receivers; for senders, the one that
// declares most.
func closest(d *diagnosis, fitting []*check, f found) *check {
	if d.mode != walkSend || d.isTrial || len(fitting) == 1 {
		return fitting[0]
	}
	best, least := fitting[0], undeclared(d, fitting[0], f)
	for _, one := range fitting[1:] {
		if count := undeclared(d, one, f); count < least {
			best, least = one, count
		}
	}
	return best
}

// take runs an alternative that fits, whose changes may make the value fit another one.
func (d *diagnosis) take(chosen *check, f found, isExclusive bool, mode walkMode, all []*check) {
	changes := d.changes
	t := apply(d, chosen, f)
	if !isExclusive || d.changes == changes {
		return
	}
	var built *node
	if t != nil {
		built = t.build()
	}
	for _, one := range all {
		if one == chosen || !isValid(one, built) {
			continue
		}
		if mode == walkStrict {
			// A valid value stays without its defaults.
			f.retry()
		} else {
			d.reject("oneOf", "only one variant", f)
		}
		return
	}
}

// reportAlternatives reports the errors of the alternative that fails at a deeper path, if
// there is only one.
func (d *diagnosis) reportAlternatives(f found, reports [][]acp.Issue) {
	d.locate(f)
	path := d.pointer()
	var inside, wrong [][]acp.Issue
	for _, errors := range reports {
		if len(errors) == 0 || errors[0].Pointer == path {
			continue
		}
		inside = append(inside, errors)
		if errors[0].Rule != "required" {
			wrong = append(wrong, errors)
		}
	}
	if len(wrong) == 0 && len(inside) > 0 {
		wrong = inside[:1]
	}
	if len(wrong) == 1 {
		d.report(wrong[0])
		return
	}
	d.reject("anyOf", expectedOf(reports), f)
}

func expectedOf(reports [][]acp.Issue) (text string) {
	seen := map[string]bool{}
	for _, errors := range reports {
		if len(errors) == 0 || seen[errors[0].Expected] {
			continue
		}
		seen[errors[0].Expected] = true
		if text != "" {
			text += " or "
		}
		text += errors[0].Expected
	}
	return text
}

// explain returns the errors of a check, and whether the value fits. Each path is tried
// once with each check.
func explain(d *diagnosis, c *check, f found, mode walkMode) ([]acp.Issue, bool) {
	if f.t == nil {
		return tryOut(d, c, f, mode)
	}
	next := f.retry()
	memo := f.t.trials()
	k := trialOf{c, mode}
	if errors, ok := memo.results[k]; ok {
		return errors, errors == nil
	}
	errors, fits := tryOut(d, c, next, mode)
	if memo.results == nil {
		memo.results = map[trialOf][]acp.Issue{}
	}
	if !fits && errors == nil {
		errors = []acp.Issue{}
	}
	memo.results[k] = errors
	return errors, fits
}

// tryOut runs a check and discards its reports and changes.
func tryOut(d *diagnosis, c *check, f found, mode walkMode) ([]acp.Issue, bool) {
	before, isTrial := d.mode, d.isTrial
	d.mode, d.isTrial = mode, true
	errors, fits := d.attempt(c, f, true)
	d.mode, d.isTrial = before, isTrial
	if fits {
		return nil, true
	}
	return errors, false
}

// attemptUnion runs a check for its changes, unless only its errors matter.
func attemptUnion(d *diagnosis, c *check, f found) ([]acp.Issue, bool) {
	if d.isTrial {
		return explain(d, c, f, d.mode)
	}
	return d.attempt(c, f.retry(), false)
}

// apply runs the check that a trial selected. It returns the object with its changes.
func apply(d *diagnosis, c *check, f found) *tracked {
	if d.isTrial {
		return nil
	}
	f = f.retry()
	c.run(d, f)
	return f.t
}

// report adds the errors of an attempt.
func (d *diagnosis) report(errors []acp.Issue) {
	d.failures++
	for _, one := range errors {
		if len(d.issues) < maxIssues {
			d.issues = append(d.issues, one)
		}
	}
}
