package role

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/acp-codegen/acp-codegen/out/go/acp"
	"github.com/acp-codegen/acp-codegen/out/go/internal/codec"
)

// mostNamed is how many offered values an error names.
const mostNamed = 20

var isAbsolute = regexp.MustCompile(`^(?:/|[A-Za-z]:[\\/]|\\\\)`)

// checkSent refuses what the protocol forbids and its schema cannot express: a relative
// path, and an option whose value it does not offer.
func checkSent(m *Method, part string, message []byte) error {
	if strings.HasPrefix(m.Name, "_") {
		return nil
	}
	var issue *acp.Issue
	if part == "params" {
		issue = firstOf(relativePath("", message), repeatedOption(message))
	}
	codec.Members(message, func(name, value []byte) {
		switch string(name) {
		case "configOptions":
			issue = firstOf(issue, notOffered("/configOptions", value))
		case "update":
			issue = firstOf(issue, notOffered("/update/configOptions", codec.Get(value, "configOptions")))
		}
	})
	if issue == nil {
		return nil
	}
	definition := m.Params
	if part == "result" {
		definition = m.Result
	}
	return &acp.InvalidError{Definition: definition, Issues: []acp.Issue{*issue}}
}

// relativePath returns the issue of the first relative path in params, or in their update or its
// plan.
func relativePath(place string, holder []byte) (issue *acp.Issue) {
	check := func(pointer string, value []byte) {
		text, ok := codec.Text(value)
		if issue == nil && ok && !isAbsolute.MatchString(text) {
			issue = &acp.Issue{Pointer: pointer, Rule: "absolute-path", Expected: "an absolute path", Found: fmt.Sprintf("%.60q", text)}
		}
	}
	codec.Members(holder, func(name, value []byte) {
		pointer := place + "/" + string(name)
		switch string(name) {
		case "cwd", "path":
			check(pointer, value)
		case "additionalDirectories":
			for i, one := range codec.Items(value) {
				check(codec.ItemOf(pointer, i), one)
			}
		case "update", "plan":
			if tag, _ := codec.Text(codec.Get(value, "sessionUpdate")); !strings.HasPrefix(tag, "_") {
				issue = firstOf(issue, relativePath(pointer, value))
			}
		}
	})
	return issue
}

// repeatedOption returns the issue of the first initial option of a request that names the same
// option as an earlier one.
func repeatedOption(params []byte) *acp.Issue {
	seen := map[string]bool{}
	for i, option := range codec.Items(codec.Get(params, "configOptions")) {
		id, ok := codec.Text(codec.Get(option, "configId"))
		if ok && seen[id] {
			pointer := codec.ItemOf("/configOptions", i) + "/configId"
			return &acp.Issue{Pointer: pointer, Rule: "unique", Expected: "an option once", Found: fmt.Sprintf("%.60q", id)}
		}
		seen[id] = true
	}
	return nil
}

func firstOf(one, other *acp.Issue) *acp.Issue {
	if one != nil {
		return one
	}
	return other
}

// notOffered returns the issue of the first option whose current value it does not offer.
func notOffered(pointer string, options []byte) *acp.Issue {
	for i, option := range codec.Items(options) {
		kind, _ := codec.Text(codec.Get(option, "type"))
		current, _ := codec.Text(codec.Get(option, "currentValue"))
		offered := offeredBy(option)
		if kind != "select" || slices.Contains(offered, current) {
			continue
		}
		expected := "no value, since none is offered"
		if len(offered) > 0 {
			expected = "one of " + strings.Join(offered[:min(len(offered), mostNamed)], ", ")
		}
		return &acp.Issue{Pointer: codec.ItemOf(pointer, i) + "/currentValue", Rule: "offered", Expected: expected, Found: fmt.Sprintf("%.60q", current)}
	}
	return nil
}

// offeredBy returns the values that an option offers, with those of its groups.
func offeredBy(option []byte) (values []string) {
	for _, entry := range codec.Items(codec.Get(option, "options")) {
		members := codec.Items(codec.Get(entry, "options"))
		if members == nil {
			members = [][]byte{entry}
		}
		for _, one := range members {
			if value, ok := codec.Text(codec.Get(one, "value")); ok {
				values = append(values, value)
			}
		}
	}
	return values
}
