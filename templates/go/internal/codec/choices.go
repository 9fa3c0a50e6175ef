package codec

// trial is one alternative of a union at one place of a text.
type trial struct {
	union       string
	alternative int
	at          int
	mode        Mode
}

// outcome is the result of a trial.
type outcome struct {
	value any
	end   int
	ok    bool
}

// Reader reads an alternative of a union.
type Reader[T any] func(*Decoder, *T, Mode) bool

// As reads an alternative of another type.
func As[T, A any](d *Decoder, v *T, m Mode, read func(*Decoder, *A, Mode) bool) bool {
	var value A
	if !read(d, &value, m) {
		return false
	}
	*v = any(value).(T)
	return true
}

// try reads an alternative, or returns to where it began. Within a union, each is
// read once at each place, since the number of alternatives would otherwise multiply
// with each level of a recursive union.
func try[T any](d *Decoder, v *T, m Mode, union string, index int, read Reader[T]) bool {
	start, depth := d.at, d.depth
	if d.unions < 2 {
		if read(d, v, m) {
			return true
		}
		d.at, d.depth = start, depth
		return false
	}
	key := trial{union, index, start, m}
	if found, ok := d.memo[key]; ok {
		if found.ok {
			*v = found.value.(T)
			d.at = found.end
		}
		return found.ok
	}
	found := outcome{ok: read(d, v, m)}
	if found.ok {
		found.value, found.end = *v, d.at
	} else {
		d.at, d.depth = start, depth
	}
	if d.memo == nil {
		d.memo = map[trial]outcome{}
	}
	d.memo[key] = found
	return found.ok
}

func choose[T any](d *Decoder, v *T, m Mode, union string, readers []Reader[T]) bool {
	for i, read := range readers {
		if try(d, v, m, union, i, read) {
			return true
		}
	}
	return false
}

// AnyOf reads the first alternative that accepts the value. After a diagnosis, an
// alternative that accepts it without its repairs comes before all others.
func AnyOf[T any](d *Decoder, v *T, m Mode, union string, readers ...Reader[T]) bool {
	d.unions++
	defer d.leave()
	if m == Checked && choose(d, v, Strict, union, readers) {
		return true
	}
	return choose(d, v, m, union, readers)
}

// AnyOfCompleted is as AnyOf for alternatives with defaults. With its defaults or a
// repair, a value may also fit an alternative before the one that accepts it as it
// is; then a diagnosis decides.
func AnyOfCompleted[T any](d *Decoder, v *T, m Mode, union string, readers ...Reader[T]) bool {
	if m != Lenient {
		return AnyOf(d, v, m, union, readers...)
	}
	d.unions++
	defer d.leave()
	start, depth := d.at, d.depth
	if !try(d, v, Strict, union, 0, readers[0]) {
		return false
	}
	d.at, d.depth = start, depth
	return try(d, v, Lenient, union, 0, readers[0])
}

// OneOf reads the only alternative that accepts the value.
func OneOf[T any](d *Decoder, v *T, m Mode, union string, readers ...Reader[T]) bool {
	d.unions++
	defer d.leave()
	if m != Checked {
		count := 0
		start, depth := d.at, d.depth
		for i, read := range readers {
			if try(d, v, Checked, union, i, read) {
				count++
			}
			d.at, d.depth = start, depth
		}
		// An alternative that the type cannot hold is one for a diagnosis.
		if count != 1 || d.unheld > 0 {
			return false
		}
	}
	return AnyOf(d, v, m, union, readers...)
}

// Known reads the variant of a listed tag; after a diagnosis, or the fallback.
func Known[T any](d *Decoder, v *T, m Mode, union string, variant, fallback Reader[T]) bool {
	if m != Checked {
		return variant(d, v, m)
	}
	d.unions++
	defer d.leave()
	return choose(d, v, m, union, []Reader[T]{variant, fallback})
}

func (d *Decoder) leave() { d.unions-- }
