import { describe, expect, test } from "vitest";
import type { Json } from "../../../../../generators/schema/json-schema/json.js";
import type { Method } from "../../../../../generators/model/protocol.js";
import { corpusOf, protocolOf } from "../corpus.js";
import {
  answer,
  lastRequest,
  S,
  send,
  state,
  stop,
  TURNS,
  vanished,
  watch,
  type Play,
  type Side,
} from "./watch.js";

/** Methods of which the bridge knows what became of the request that they name. */
const NAMES_A_REQUEST = "$/cancel_request";

describe.each([1, 2] as const)("what a client of version %i and its agent say", (version) => {
  const versions = { client: version, agent: version === 1 ? 2 : 1 } as const;
  const protocols = {
    client: protocolOf(`v${versions.client}-full`),
    agent: protocolOf(`v${versions.agent}-full`),
  };
  const corpora = { client: corpusOf(protocols.client), agent: corpusOf(protocols.agent) };
  const [begin, end] = TURNS[version]!;

  test.each(corpora.agent.samples("SessionUpdate"))(
    "arrives or is reported in the update $sessionUpdate",
    (sample) => {
      const params = { sessionId: S, update: sample };
      const make = (value: Json): Play =>
        send("agent", { method: "session/update", params: value as object });
      expect({
        first: vanished(version, [], make, [], params),
        inTurn: vanished(version, begin, make, end, params),
        again: vanished(version, [...begin, make(params)], make, end, params),
      }).toEqual({ first: [], inTurn: [], again: [] });
    },
  );

  const methods = (["client", "agent"] as const).flatMap((from) =>
    protocols[from].methods
      .filter(
        ({ name, side }) =>
          side !== from && !["initialize", "session/update", NAMES_A_REQUEST].includes(name),
      )
      .map((method): readonly [string, Side, Method] => [method.name, from, method]),
  );

  test.each(methods)(
    "arrives or is reported in the params and the result of %s",
    (_, from, method) => {
      const { name, kind, params } = method;
      const to = from === "client" ? "agent" : "client";
      const make = (value: Json): Play =>
        send(from, {
          method: name,
          params: value as object,
          ...(kind === "request" && { id: "r" }),
        });
      for (const sample of corpora[from].samples(params)) {
        expect(vanished(version, [], make, [], sample), JSON.stringify(sample)).toEqual([]);
        const asked = lastRequest(watch(version, [], make(sample), []), to);
        const result = protocols[to].methods.find(
          (one) => one.name === asked?.["method"] && one.kind === "request",
        )?.result;
        if (kind !== "request" || result === undefined) continue;
        const isPrompt = name === "session/prompt" && version === 1;
        for (const given of corpora[to].samples(result))
          expect(
            vanished(
              version,
              [make(sample)],
              (value) => answer(to, value),
              isPrompt ? [state("running"), stop] : [],
              given,
            ),
            JSON.stringify(given),
          ).toEqual([]);
      }
    },
  );
});
