/**
 * A feature file of the user's own for v1, as data: it adds one type.
 *
 * @param description anything but a text is a mistake
 */
export function ownFeature(description: unknown, definition = "Mine"): object {
  return {
    $schema: "feature.schema.json",
    name: "mine",
    protocol: "v1",
    title: "Mine",
    description,
    status: "proposed",
    $defs: { [definition]: { description: "A text.", type: "string" } },
  };
}
