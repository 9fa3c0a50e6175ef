import { expect, test } from "vitest";
import { findCompleted } from "../../../../generators/emit/typescript/schemas/complete.js";
import { smallProtocol } from "../small-protocol.js";

test.each([
  ["name", ["Settings"]],
  ["constructor", []],
  ["toString", []],
])(
  "a default of the property %s is inserted without diagnosis only if no object inherits it",
  (name, completed) => {
    const property = { description: "x", type: "string", default: "x" } as const;
    const { definitions } = smallProtocol({
      definitions: { Settings: { type: "object", properties: { [name]: property } } },
    });
    expect([...findCompleted(definitions)].filter((one) => one === "Settings")).toEqual(completed);
  },
);
