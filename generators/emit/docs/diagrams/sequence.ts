import type { Method } from "../../../model/protocol.js";
import { codeSpan, inline, type Inline } from "../../../output/markup.js";
import { drawDiagram, type Diagram } from "./diagram.js";
import { SENDERS } from "../facts/directions.js";
import type { PageScope } from "../site-types.js";

/** A method as a picture: what is sent, and what comes back. */
export function methodDiagram({ name, kind, side, result }: Method, id: string): Diagram {
  const { from, to } = SENDERS[side];
  // The client stands on the left whoever sends.
  const forward = from !== "agent";
  const answer = { forward: !forward, label: result ?? "", isAnswer: true };
  return drawDiagram(
    id,
    `Sequence: ${kind} ${name}, ${from} to ${to}`,
    forward ? { from, to } : { from: to, to: from },
    [{ forward, label: name, isAnswer: false }, ...(result === undefined ? [] : [answer])],
  );
}

/** The same in words. */
export function exchange({ name, kind, side, params, result }: Method, scope: PageScope): Inline {
  const { from, to } = SENDERS[side];
  const sent = [
    `${capital(from === "either side" ? from : the(from))} sends the ${kind} `,
    codeSpan(name),
    ` to ${the(to)} with `,
    codeSpan(params, scope.toType(params)),
  ];
  if (result === undefined) return inline(...sent, ". Nothing comes back.");
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
