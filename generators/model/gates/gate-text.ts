import type { Gate, GateStrength } from "../gate.js";

const VERBS: { readonly [strength in GateStrength]: string } = {
  must: "Requires",
  should: "Should only be used with",
  implicit: "Presupposes",
};

/** A gate as one sentence in which paths are code; nothing for what is always available or unknown. */
export function gateText(gate: Gate | undefined): string {
  if (gate === undefined || gate.kind === "always") return "";
  const verb = VERBS[gate.strength];
  const path = `\`${gate.path.join(".")}\``;
  switch (gate.kind) {
    case "capability":
      return gate.side === "session"
        ? `${verb} ${path} in the session's state.`
        : `${verb} the ${gate.side}'s capability ${path}.`;
    case "entry": {
      const pairs = Object.entries(gate.entry).map(
        ([name, value]) => `\`${name}\` equal to \`${value}\``,
      );
      const not = Object.entries(gate.except).map(
        ([name, value]) => `, \`${name}\` not \`${value}\``,
      );
      const owner = gate.side === "session" ? "session" : gate.side;
      return `${verb} an entry of the ${owner}'s ${path} with ${pairs.join(" and ")}${not.join("")}.`;
    }
    case "key":
      return `${verb} the ${gate.side}'s capability that \`${gate.key}\` names in ${path}.`;
    default:
      return gate satisfies never;
  }
}
