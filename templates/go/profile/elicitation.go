package profile

import (
	"github.com/acp-codegen/acp-codegen/out/go/acp"
	"github.com/acp-codegen/acp-codegen/out/go/internal/codec"
)

// CheckElicitation checks the content of an elicitation against its form. An error is an
// [*acp.InvalidError]. Patterns and formats are not checked: an expression means something else
// in each language.
func CheckElicitation(schema *ElicitationSchema, content map[string]ElicitationContentValue) error {
	form, err := Encode(schema)
	if err != nil {
		return err
	}
	answer, err := Encode[CreateElicitationResponse](&CreateElicitationResponseAccept{Content: acp.Some(content)})
	if err != nil {
		return err
	}
	if issues := codec.CheckForm(form, codec.Get(answer, "content")); len(issues) > 0 {
		return &acp.InvalidError{Definition: "ElicitationSchema", Issues: issues}
	}
	return nil
}

// ElicitationDefaults returns the values that a form starts with: the defaults of its fields,
// except for those that the field does not accept.
func ElicitationDefaults(schema *ElicitationSchema) map[string]ElicitationContentValue {
	form, err := Encode(schema)
	if err != nil {
		return nil
	}
	text := codec.Set([]byte(`{"action":"accept"}`), codec.FormDefaults(form), "content")
	answer, _, _ := Decode[CreateElicitationResponse](text)
	if accepted, ok := answer.(*CreateElicitationResponseAccept); ok {
		return accepted.Content.Or(nil)
	}
	return nil
}
