import type { Method } from "../../../model/protocol.js";
import type { JsonObject } from "../../../schema/json-schema/json.js";
import { inline } from "../../../output/markup.js";
import { messageCode } from "./scope.js";
import { paragraph, type Block } from "../blocks/block.js";
import { figure, sample, tryIt, type SampleView } from "../blocks/figure.js";
import type { PageScope } from "../model/site.js";

/** Puts the params and result of a method's examples into whole JSON-RPC 2.0 messages. */
export function exampleBlocks(method: Method, scope: PageScope): readonly Block[] {
  const { name, kind, examples } = method;
  const view = (
    title: string,
    message: JsonObject,
    form: "message" | "conversation" = "message",
  ): SampleView =>
    sample(messageCode({ jsonrpc: "2.0", ...message }, method, scope), inline(title), tryIt(form));
  return examples.flatMap(({ title, params, result }, index) => {
    const id = index + 1;
    const messages =
      kind === "notification"
        ? [view("Notification", { method: name, params })]
        : [
            view("Request", { id, method: name, params }),
            ...(result === undefined ? [] : [view("Response", { id, result }, "conversation")]),
          ];
    return [paragraph(inline(...scope.prose(title))), { figure: figure(messages) }];
  });
}
