import type { EnumShape, EnumValue } from "../../../model/shape.js";
import { codeSpan, inline, type Inline } from "../../../output/markup.js";
import { gateSentence } from "./gate-view.js";
import { otherValuesId, valueId, type Anchor } from "../facts/anchor.js";
import { valueText } from "./type-code.js";
import { featureBadges } from "../frame/badges.js";
import type { BadgeView } from "./badge-view.js";
import type { PageScope } from "../site-types.js";

/** The values of an enumeration. */
export interface ValueTable {
  readonly rows: readonly ValueView[];
}

export interface ValueView {
  readonly id: string;
  readonly value: Inline;
  /** The title of the value; empty without one. */
  readonly title: string;
  readonly badges: readonly BadgeView[];
  readonly description: readonly Inline[];
  readonly notes: readonly Inline[];
}

/** The values in the order of the schema; in an open enumeration, a row for all others at the end. */
export function valueTable(shape: EnumShape, anchor: Anchor, scope: PageScope): ValueTable {
  const rows = shape.values.map((value) => valueView(value, anchor, scope));
  if (shape.open === undefined) return { rows };
  const { title, description } = shape.open;
  const other: ValueView = {
    id: scope.id(otherValuesId(anchor)),
    value: inline(`any other ${shape.type}`),
    title,
    badges: [],
    description: scope.prose(description),
    notes: [],
  };
  return { rows: [...rows, other] };
}

function valueView(item: EnumValue, anchor: Anchor, scope: PageScope): ValueView {
  return {
    id: scope.id(valueId(anchor, item.value)),
    value: inline(codeSpan(valueText(item.value))),
    title: item.title ?? "",
    badges: featureBadges(item.feature, scope),
    description: scope.prose(item.description),
    notes: item.gate === undefined ? [] : [gateSentence(item.gate, scope)],
  };
}
