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
// path, and an option whose value it does not offer or whose id is repeated.
func checkSent(m *Method, part string, message []byte) error {
	if strings.HasPrefix(m.Name, "_") {
		return nil
	}
	var issue *acp.Issue
	path := func(pointer string, value []byte) {
		if part == "params" {
			issue = firstOf(issue, checkPath(pointer, value))
		}
	}
	codec.Members(message, func(name, value []byte) {
		switch string(name) {
		case "cwd", "path":
			path("/"+string(name), value)
		case "additionalDirectories":
			for i, one := range codec.Items(value) {
				path(codec.ItemOf("/additionalDirectories", i), one)
			}
		case "configOptions":
			issue = firstOf(issue, notOffered("/configOptions", value))
		case "update":
			issue = firstOf(issue, notOffered("/update/configOptions", codec.Get(value, "configOptions")))
		}
	})
	return refusal(m, part, issue)
}

// refusal returns the error for an issue, if there is one.
func refusal(m *Method, part string, issue *acp.Issue) error {
	if issue == nil {
		return nil
	}
	definition := m.Params
	if part == "result" {
		definition = m.Result
	}
	return &acp.InvalidError{Definition: definition, Issues: []acp.Issue{*issue}}
}

func checkPath(pointer string, value []byte) *acp.Issue {
	if text, ok := codec.Text(value); ok && !isAbsolute.MatchString(text) {
		return &acp.Issue{Pointer: pointer, Rule: "absolute-path", Expected: "an absolute path", Found: fmt.Sprintf("%.60q", text)}
	}
	return nil
}

// checkServers refuses MCP servers after version 1: a name that is repeated, or a command that
// is not an absolute path.
func checkServers(m *Method, params []byte) error {
	var issue *acp.Issue
	servers := codec.Items(codec.Get(params, "mcpServers"))
	for i, server := range servers {
		place := codec.ItemOf("/mcpServers", i)
		issue = firstOf(issue, repeated(servers, i, "name", place))
		if kind, _ := codec.Text(codec.Get(server, "type")); kind == "stdio" {
			issue = firstOf(issue, checkPath(place+"/command", codec.Get(server, "command")))
		}
	}
	return refusal(m, "params", issue)
}

// repeated returns the issue of an item whose property has the value of an earlier item.
func repeated(items [][]byte, at int, name, place string) *acp.Issue {
	value, ok := codec.Text(codec.Get(items[at], name))
	isSame := func(one []byte) bool {
		other, ok := codec.Text(codec.Get(one, name))
		return ok && other == value
	}
	if !ok || !slices.ContainsFunc(items[:at], isSame) {
		return nil
	}
	return &acp.Issue{Pointer: place + "/" + name, Rule: "unique", Expected: "a " + name + " that is not repeated", Found: fmt.Sprintf("%.60q", value)}
}

func firstOf(one, other *acp.Issue) *acp.Issue {
	if one != nil {
		return one
	}
	return other
}

// notOffered returns the issue of the first option whose current value it does not offer, or
// whose id is repeated, after version 1.
func notOffered(pointer string, options []byte) *acp.Issue {
	items := codec.Items(options)
	for i, option := range items {
		if issue := repeated(items, i, "configId", codec.ItemOf(pointer, i)); issue != nil {
			return issue
		}
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
