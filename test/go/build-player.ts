import { readFileSync } from "node:fs";
import { createGoContext } from "../../generators/emit/go/context.js";
import { packageOf } from "../../generators/emit/go/names.js";
import type { Part } from "../../generators/model/parts/part.js";
import type { Method, Protocol } from "../../generators/model/protocol.js";
import { usedBy } from "../interop/scripts/complete-script.js";
import type { Script } from "../interop/scripts/script.js";
import { ROOT } from "../support/paths.js";
import { buildProgram } from "./toolchain.js";

/**
 * Builds a program that plays either side of a script on the generated module.
 *
 * @returns its path
 */
export function buildPlayer(folder: string, protocol: Protocol, script: Script): string {
  const name = `player-${packageOf(protocol.profile)}`;
  const files = Object.entries(printPlayer(protocol, script)).map(([file, text]) => [
    `${name}/${file}`,
    text,
  ]);
  return buildProgram(folder, Object.fromEntries(files), name);
}

/** Returns the files of such a program. */
export function printPlayer(
  protocol: Protocol,
  script: Script,
): { readonly [file: string]: string } {
  const name = packageOf(protocol.profile);
  const text = readFileSync(`${ROOT}test/go/testees/player.go.txt`, "utf8");
  return {
    "main.go": text.replaceAll("/acpv1", `/${name}`),
    "calls.go": printCalls(protocol, script, name),
  };
}

/** Prints the handlers of both sides, and the calls by the kinds and names of their methods. */
function printCalls(protocol: Protocol, script: Script, name: string): string {
  const { parts, names } = createGoContext(protocol);
  const { methods } = usedBy(script, protocol);
  const used = [...methods].filter(({ name: method }) => method !== "initialize");
  const typeOf = (definition: string): string =>
    (isRecord(definition, parts) ? "*v." : "v.") + names.typeOf(definition);
  const handlers = (side: "agent" | "client", call: string, peer: string): string[] =>
    used
      .filter((one) => one.side === side)
      .map((method) => {
        const { params, result } = method;
        const returned = result === undefined ? "error" : `(value ${typeOf(result)}, err error)`;
        const receive = `h.receive(ctx, ${keyOf(method)}, text, call.AfterResponse)`;
        const body =
          result === undefined
            ? `_, err = ${receive}\n\treturn err`
            : `text, err = ${receive}\n\tif err != nil {\n\t\treturn value, err\n\t}\n\tvalue, _, err = v.Decode[${typeOf(result)}](orEmpty(text))\n\treturn value, err`;
        return `func (h ${side}Handler) ${names.handlerOf(method)}(ctx context.Context, call *v.${call}, params ${typeOf(params)}) ${returned} {
	h.meet(call.${peer}())
	text, err := v.Encode(params)
	${body}
}`;
      });
  const calls = (side: "agent" | "client"): string[] =>
    used
      .filter((one) => one.side === side)
      .map((method) => {
        const { params, result } = method;
        const own = `peer.${names.handlerOf(method)}(ctx, given)`;
        return `${keyOf(method)}: func(ctx context.Context, params json.RawMessage) (json.RawMessage, error) {
			given, _, err := v.Decode[${typeOf(params)}](params)
			if err != nil {
				return nil, err
			}
			${result === undefined ? `return nil, ${own}` : `result, err := ${own}\n\t\t\tif err != nil {\n\t\t\t\treturn nil, err\n\t\t\t}\n\t\t\treturn v.Encode(result)`}
		},`;
      });
  return `package main

import (
	"context"
	"encoding/json"

	"github.com/acp-codegen/acp-codegen/out/go/acp"
	v "github.com/acp-codegen/acp-codegen/out/go/${name}"
)

type agentHandler struct{ *player }

type clientHandler struct{ *player }

func orEmpty(text json.RawMessage) json.RawMessage {
	if text == nil {
		return json.RawMessage("{}")
	}
	return text
}

${[...handlers("agent", "AgentCall", "Client"), ...handlers("client", "ClientCall", "Agent")].join("\n\n")}

func callsOf(peer acp.Peer) map[string]call {
	switch peer := peer.(type) {
	case *v.ConnectedAgent:
		return map[string]call{
		${calls("agent").join("\n\t\t")}
		}
	case *v.ConnectedClient:
		return map[string]call{
		${calls("client").join("\n\t\t")}
		}
	}
	return nil
}
`;
}

function isRecord(definition: string, parts: ReadonlyMap<string, Part>): boolean {
  const part = parts.get(definition);
  if (part?.kind === "alias" && part.shape.kind === "reference")
    return isRecord(part.shape.name, parts);
  return part?.kind === "record";
}

function keyOf({ kind, name }: Method): string {
  return JSON.stringify(`${kind} ${name}`);
}
