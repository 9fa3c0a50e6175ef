package role

import (
	"errors"
	"fmt"
	"reflect"
	"strings"

	"github.com/acp-codegen/acp-codegen/out/go/acp"
	"github.com/acp-codegen/acp-codegen/out/go/internal/sentences"
)

// checkOptions returns an error for an option that nothing can keep.
func checkOptions(options *acp.Options) error {
	if options.WhileBusy < acp.WhileBusyParallel || options.WhileBusy > acp.WhileBusyRefuse {
		return errors.New(sentences.WrongChoice("WhileBusy", "WhileBusyParallel, WhileBusyQueue or WhileBusyRefuse", ""))
	}
	limits := &options.Limits
	for _, one := range []struct {
		name     string
		value    int64
		expected string
		found    any
	}{
		{"MaxInFlight", int64(limits.MaxInFlight), sentences.CountSetting, limits.MaxInFlight},
		{"MaxInvalidInRow", int64(limits.MaxInvalidInRow), sentences.CountSetting, limits.MaxInvalidInRow},
		{"MaxLineBytes", int64(limits.MaxLineBytes), sentences.CountSetting, limits.MaxLineBytes},
		{"MaxQueuedBytes", int64(limits.MaxQueuedBytes), sentences.CountSetting, limits.MaxQueuedBytes},
		{"CancelGrace", int64(limits.CancelGrace), sentences.TimeSetting, limits.CancelGrace},
		{"EndGrace", int64(limits.EndGrace), sentences.TimeSetting, limits.EndGrace},
	} {
		if one.value < 0 {
			return errors.New(sentences.WrongSetting("Limits."+one.name, one.expected, fmt.Sprint(one.found)))
		}
	}
	return nil
}

// checkMethods returns an error for a method that was meant to handle a message, but that
// nothing would call: its name is almost one of those of the interfaces, each of which has one
// method, its type is another one, or only the pointer to the handler has it.
func checkMethods(handler any, known []reflect.Type) error {
	own := reflect.TypeOf(handler)
	if own == nil {
		return nil
	}
	for _, one := range known {
		if own.Kind() != reflect.Pointer && !own.Implements(one) && reflect.PointerTo(own).Implements(one) {
			return fmt.Errorf("%s.%s is a method of *%[1]s: pass a pointer", own, one.Method(0).Name)
		}
	}
	for i := range own.NumMethod() {
		method := own.Method(i)
		meant := meantBy(method, known)
		if meant == nil || own.Implements(meant) && meant.Method(0).Name == method.Name {
			continue
		}
		wanted := meant.Method(0)
		if method.Name == wanted.Name {
			return fmt.Errorf("%s.%s has to be a %s", own, method.Name, wanted.Type)
		}
		text := sentences.UnmatchedHandler(fmt.Sprintf("%s.%s", own, method.Name), sentences.DidYouMean(wanted.Name))
		return errors.New(text + "; if it is not a handler, give it other params")
	}
	return nil
}

// handlerName returns the name of the method of a handler that handles a message.
func handlerName(message string, handler any, known []reflect.Type) string {
	plain := strings.NewReplacer("/", "", "_", "").Replace(message)
	for _, one := range known {
		if name := one.Method(0).Name; strings.EqualFold(name, plain) {
			return fmt.Sprintf("%T.%s", handler, name)
		}
	}
	return "the handler of " + message
}

// meantBy returns the interface that a method was meant to implement: it has the same name, or
// takes what handlers take, a context and a call, and has a similar one. It returns nil if there is none.
func meantBy(method reflect.Method, known []reflect.Type) (meant reflect.Type) {
	least := mostTypos + 1
	for _, one := range known {
		// The first parameter is the handler.
		wanted, own := one.Method(0), method.Type
		if method.Name == wanted.Name {
			return one
		}
		if own.NumIn() != 4 || own.In(1) != wanted.Type.In(0) || own.In(2) != wanted.Type.In(1) {
			continue
		}
		if found := typos(strings.ToLower(method.Name), strings.ToLower(wanted.Name)); found < least {
			meant, least = one, found
		}
	}
	return meant
}

// mostTypos is how many letters of a name may be wrong.
const mostTypos = 2

// typos returns how many letters differ, were added or left out (the Levenshtein distance).
func typos(from, to string) int {
	row := make([]int, len(to)+1)
	for i := range row {
		row[i] = i
	}
	for i := range len(from) {
		before := row[0]
		row[0] = i + 1
		for j := range len(to) {
			replaced := before
			if from[i] != to[j] {
				replaced++
			}
			before = row[j+1]
			row[j+1] = min(replaced, row[j]+1, before+1)
		}
	}
	return row[len(to)]
}
