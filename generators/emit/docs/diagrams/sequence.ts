import type { Method } from "../../../model/protocol.js";
import { codeSpan, inline, type Inline } from "../../../output/markup.js";
import { drawDiagram, type Diagram } from "./diagram.js";
import { DIRECTIONS } from "../facts/directions.js";
import type { PageScope } from "../site-types.js";

/** The sequence diagram of a method: its message and the response. */
export function sequenceDiagram({ name, kind, side, result }: Method, id: string): Diagram {
  const { from, to } = DIRECTIONS[side];
  // The client is on the left, whichever side sends.
  const forward = from !== "agent";
  const answer = { forward: !forward, label: result ?? "", isAnswer: true };
  return drawDiagram(
    id,
    `Sequence: ${kind} ${name}, ${from} to ${to}`,
    forward ? { from, to } : { from: to, to: from },
    [{ forward, label: name, isAnswer: false }, ...(result === undefined ? [] : [answer])],
  );
}

/** The same as a sentence. */
export function sequenceSentence(
  { name, kind, side, params, result }: Method,
  scope: PageScope,
): Inline {
  const { from, to } = DIRECTIONS[side];
  const sent = [
    `${capital(from === "either side" ? from : the(from))} sends the ${kind} `,
    codeSpan(name),
    ` to ${the(to)} with `,
    codeSpan(params, scope.toType(params)),
  ];
  if (result === undefined) return inline(...sent, ". It has no response.");
  return inline(
    ...sent,
    `. ${capital(the(to))} answers with `,
    codeSpan(result, scope.toType(result)),
    " or an error.",
  );
}

function the(side: string): string {
  return side.startsWith("the ") ? side : `the ${side}`;
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
