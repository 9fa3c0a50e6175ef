package codec

import (
	"slices"
	"strconv"

	"github.com/acp-codegen/acp-codegen/out/go/acp"
)

// CheckForm returns why the content of an elicitation does not fit its form. Patterns and
// formats are not checked.
//
// schema is the requestedSchema of the request; an absent content has no fields.
func CheckForm(schema, content []byte) []acp.Issue {
	form, _ := parseWhole(schema, nil)
	given, _ := parseWhole(content, nil)
	if given == nil || given.kind == kindNull {
		given = newObject()
	}
	properties := form.at("properties")
	required := map[string]bool{}
	var names []string
	for _, one := range form.at("required").items {
		if one.kind == kindString && !required[one.text] {
			required[one.text] = true
			names = append(names, one.text)
		}
	}
	fields := listNode()
	for _, name := range properties.keys {
		if !required[name] {
			names = append(names, name)
		}
	}
	for _, name := range names {
		flags := &node{kind: kindNumber, text: "0"}
		if required[name] {
			flags.text = strconv.Itoa(isRequired)
		}
		fields.items = append(fields.items, listNode(textNode(name), fieldNode(properties.at(name)), flags))
	}
	d := &diagnosis{mode: walkStrict}
	d.run((&Walk{}).make(listNode(textNode("object"), fields, &node{kind: kindBool, truth: true})), given)
	return d.issues
}

// FormDefaults returns the object with the values that a form starts with: the defaults of its
// fields, except for those that the field does not accept.
func FormDefaults(schema []byte) []byte {
	defaults := []byte("{}")
	Members(Get(schema, "properties"), func(name, field []byte) {
		value := Get(field, "default")
		if IsNull(value) {
			return
		}
		form := Set([]byte("{}"), field, "properties", "value")
		if len(CheckForm(form, Set([]byte("{}"), value, "value"))) == 0 {
			defaults = Set(defaults, value, string(name))
		}
	})
	return defaults
}

func textNode(text string) *node    { return &node{kind: kindString, text: text} }
func listNode(items ...*node) *node { return &node{kind: kindList, items: items} }

// at returns a property; null for another value, and where there is none.
func (n *node) at(name string) *node {
	if n != nil {
		if value := n.get(name); value != nil {
			return value
		}
	}
	return nullNode
}

// limit returns a property that is a number; null for another one, which limits nothing.
func (n *node) limit(name string) *node {
	if value := n.at(name); value.kind == kindNumber {
		return value
	}
	return nullNode
}

// fieldNode returns the check of a field, as the table of checks has it.
func fieldNode(field *node) *node {
	kind := field.at("type")
	switch kind.text {
	case "string":
		if offered := offeredBy(field); offered != nil {
			return offered
		}
		return listNode(kind, field.limit("minLength"), field.limit("maxLength"), nullNode)
	case "number", "integer":
		return listNode(kind, field.limit("minimum"), field.limit("maximum"))
	case "boolean":
		return listNode(kind)
	case "array":
		items := offeredBy(field.at("items"))
		if items == nil {
			items = listNode(textNode("any"))
		}
		return listNode(textNode("list"), items, field.limit("minItems"), field.limit("maxItems"))
	}
	return listNode(textNode("any"))
}

// offeredBy returns the check of the values that a field offers; nil if it has no list of them.
func offeredBy(field *node) *node {
	all := slices.Clone(field.at("enum").items)
	for _, list := range []string{"oneOf", "anyOf"} {
		for _, option := range field.at(list).items {
			all = append(all, option.at("const"))
		}
	}
	if len(all) == 0 {
		return nil
	}
	values := slices.DeleteFunc(all, func(one *node) bool { return one.kind != kindString })
	return listNode(textNode("enum"), textNode("string"), listNode(values...), &node{kind: kindBool})
}
