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
	if part == "params" {
		issue = relativePath("", message)
	}
	codec.Members(message, func(name, value []byte) {
		switch string(name) {
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

// relativePath returns the issue of the first relative path in params, or in their update or its
// plan.
func relativePath(place string, holder []byte) (issue *acp.Issue) {
	codec.Members(holder, func(name, value []byte) {
		pointer := place + "/" + string(name)
		switch string(name) {
		case "cwd", "path":
			issue = firstOf(issue, checkPath(pointer, value))
		case "additionalDirectories":
			for i, one := range codec.Items(value) {
				issue = firstOf(issue, checkPath(codec.ItemOf(pointer, i), one))
			}
		case "update", "plan":
			if tag, _ := codec.Text(codec.Get(value, "sessionUpdate")); !strings.HasPrefix(tag, "_") {
				issue = firstOf(issue, relativePath(pointer, value))
			}
		}
	})
	return issue
}

func checkPath(pointer string, value []byte) *acp.Issue {
	if text, ok := codec.Text(value); ok && !isAbsolute.MatchString(text) {
		return &acp.Issue{Pointer: pointer, Rule: "absolute-path", Expected: "an absolute path", Found: fmt.Sprintf("%.60q", text)}
	}
	return nil
}

// repeatedOption returns the issue of the first initial option of a request that names the same
// option as an earlier one.
func repeatedOption(params []byte) *acp.Issue {
	return repeated(codec.Items(codec.Get(params, "configOptions")), "configId", "/configOptions")
}

// checkServers refuses MCP servers after version 1: a name that is repeated, or a command that
// is not an absolute path.
func checkServers(m *Method, params []byte) error {
	servers := codec.Items(codec.Get(params, "mcpServers"))
	issue := repeated(servers, "name", "/mcpServers")
	for i, server := range servers {
		if kind, _ := codec.Text(codec.Get(server, "type")); kind == "stdio" {
			place := codec.ItemOf("/mcpServers", i) + "/command"
			issue = firstOf(issue, checkPath(place, codec.Get(server, "command")))
		}
	}
	return refusal(m, "params", issue)
}

// repeated returns the issue of the first item whose property has the value of an earlier item.
func repeated(items [][]byte, name, place string) *acp.Issue {
	seen := map[string]bool{}
	for i, item := range items {
		value, ok := codec.Text(codec.Get(item, name))
		if ok && seen[value] {
			pointer := codec.ItemOf(place, i) + "/" + name
			return &acp.Issue{Pointer: pointer, Rule: "unique", Expected: "a " + name + " that is not repeated", Found: fmt.Sprintf("%.60q", value)}
		}
		seen[value] = ok
	}
	return nil
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
	if issue := repeated(items, "configId", pointer); issue != nil {
		return issue
	}
	for i, option := range items {
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
