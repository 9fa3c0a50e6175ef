package role

import (
	"cmp"
	"regexp"
	"slices"
	"strings"

	"github.com/acp-codegen/acp-codegen/out/go/acp"
	"github.com/acp-codegen/acp-codegen/out/go/internal/codec"
	"github.com/acp-codegen/acp-codegen/out/go/internal/sentences"
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
	return refusal(m, part, brokenRule("", message, part == "params"))
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

// unfitContent returns the first issue of the content in the answer to an elicitation.
func unfitContent(params, result []byte) *acp.Issue {
	schema := codec.Get(params, "requestedSchema")
	if action, _ := codec.Text(codec.Get(result, "action")); schema == nil || action != "accept" {
		return nil
	}
	for _, issue := range codec.CheckForm(schema, codec.Get(result, "content")) {
		issue.Pointer = "/content" + issue.Pointer
		return &issue
	}
	return nil
}

// brokenRule returns the issue of the first value that breaks a rule in a message, or in its
// update or its plan: a relative path, if it has paths, or an option.
func brokenRule(place string, holder []byte, hasPaths bool) (issue *acp.Issue) {
	codec.Members(holder, func(name, value []byte) {
		pointer := place + "/" + string(name)
		switch string(name) {
		case "cwd", "path":
			if hasPaths {
				issue = cmp.Or(issue, checkPath(pointer, value))
			}
		case "additionalDirectories":
			for i, one := range codec.Items(value) {
				if hasPaths {
					issue = cmp.Or(issue, checkPath(codec.ItemOf(pointer, i), one))
				}
			}
		case "configOptions":
			issue = cmp.Or(issue, notOffered(pointer, value))
		case "update", "plan":
			tag, _ := codec.Text(codec.Get(value, "sessionUpdate"))
			issue = cmp.Or(issue, brokenRule(pointer, value, hasPaths && !strings.HasPrefix(tag, "_")))
		}
	})
	return issue
}

func checkPath(pointer string, value []byte) *acp.Issue {
	if text, ok := codec.Text(value); ok && !isAbsolute.MatchString(text) {
		return &acp.Issue{Pointer: pointer, Rule: "absolute-path", Expected: "an absolute path", Found: codec.Render(codec.Quote(text))}
	}
	return nil
}

// checkItems refuses lists in params: an initial option that is named twice, and after version 1
// an MCP server whose name is repeated, or whose command is not an absolute path.
func checkItems(m *Method, params []byte, version int) error {
	issue := repeated(codec.Items(codec.Get(params, "configOptions")), "configId", "/configOptions")
	if version == 1 {
		return refusal(m, "params", issue)
	}
	servers := codec.Items(codec.Get(params, "mcpServers"))
	issue = cmp.Or(issue, repeated(servers, "name", "/mcpServers"))
	for i, server := range servers {
		if kind, _ := codec.Text(codec.Get(server, "type")); kind == "stdio" {
			place := codec.ItemOf("/mcpServers", i) + "/command"
			issue = cmp.Or(issue, checkPath(place, codec.Get(server, "command")))
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
			return &acp.Issue{Pointer: pointer, Rule: "unique", Expected: "a " + name + " that is not repeated", Found: codec.Render(codec.Quote(value))}
		}
		seen[value] = ok
	}
	return nil
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
		return notOneOf(codec.ItemOf(pointer, i)+"/currentValue", offered, codec.Get(option, "currentValue"))
	}
	return nil
}

func notOneOf(pointer string, offered []string, given []byte) *acp.Issue {
	expected := sentences.NoneOffered
	if len(offered) > 0 {
		var named []string
		for _, one := range offered[:min(len(offered), mostNamed)] {
			named = append(named, codec.Render(codec.Quote(one)))
		}
		if len(offered) > mostNamed {
			named = append(named, "…")
		}
		expected = sentences.OneOffered(strings.Join(named, ", "))
	}
	return &acp.Issue{Pointer: pointer, Rule: "offered", Expected: expected, Found: codec.Render(given)}
}

// wrongOption returns the issue of params that set an option which a session has not reported,
// or a value that the option does not have. Nothing is wrong while the options are not known.
func wrongOption(params, options []byte) *acp.Issue {
	id, _ := codec.Text(codec.Get(params, "configId"))
	value := codec.Get(params, "value")
	var ids []string
	for _, option := range codec.Items(options) {
		own := optionID(option)
		ids = append(ids, own)
		if own != id {
			continue
		}
		kind, _ := codec.Text(codec.Get(option, "type"))
		text, isText := codec.Text(value)
		switch {
		case kind == "select" && !(isText && slices.Contains(offeredBy(option), text)):
			return notOneOf("/value", offeredBy(option), value)
		case kind == "boolean" && string(value) != "true" && string(value) != "false":
			return &acp.Issue{Pointer: "/value", Rule: "offered", Expected: "true or false", Found: codec.Render(value)}
		}
		return nil
	}
	if options == nil {
		return nil
	}
	return notOneOf("/configId", ids, codec.Quote(id))
}

// optionID returns the id of an option, whose property depends on the version.
func optionID(option []byte) string {
	own, isVersion1 := codec.Text(codec.Get(option, "id"))
	if !isVersion1 {
		own, _ = codec.Text(codec.Get(option, "configId"))
	}
	return own
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
