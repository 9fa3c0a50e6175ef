import { buildProtocol } from "../../../generators/model/build/build.js";
import type { Protocol } from "../../../generators/model/protocol.js";
import { compose } from "../../../generators/schema/compose.js";
import type { MethodSource } from "../../../generators/schema/source/sources.js";
import { sources } from "../schema/canonical.js";

/** Returns the name that a method has in a renamed protocol. */
export function renamed(name: string): string {
  const isFixed = name === "initialize" || name.startsWith("$/");
  return isFixed ? name : name.replace(/[^/]+$/, "other_$&");
}

/** Builds the protocol of a version with all its features and other names of methods. */
export function renamedProtocol(version: "v1" | "v2"): Protocol {
  const protocol = sources.protocols.get(version)!;
  const { features } = sources.profiles.get(`${version}-full`)!;
  const bundle = compose(
    {
      ...protocol,
      modules: protocol.modules.map(withOtherNames),
      features: new Map(
        [...protocol.features].map(([name, feature]) => [name, withOtherNames(feature)]),
      ),
    },
    features,
  );
  return buildProtocol(bundle, { name: `${version}-renamed`, title: "", description: "" });
}

function withOtherNames<Part extends { readonly methods: readonly MethodSource[] }>(
  part: Part,
): Part {
  const methods = part.methods.map((method) => ({
    ...method,
    name: renamed(method.name),
    ...(method.after && { after: method.after.map(renamed) }),
  }));
  return { ...part, methods };
}
