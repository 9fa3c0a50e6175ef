import type { Protocol } from "../../../generators/model/protocol.js";
import { loadProtocols } from "../../generators/model/parts/profiles.js";
import { completeScript, isOpen, usedBy } from "./complete-script.js";
import { fitScript, type Fitted } from "./fit-script.js";
import type { Script } from "./script.js";

/** The release that the scripts were written for. */
export const WRITTEN_FOR = "2.4.0";

const NEWER = "the official SDK follows an earlier release, and refuses it";

/** Updates of version 1 that only the unstable schema of that release has. */
const UNSTABLE = [
  "plan_update",
  "plan_removed",
  "session_message",
  "session_message_chunk",
  "subagent_update",
];

/** Updates and methods that are in no script. */
const LEFT_OUT: { readonly [name: string]: string } = {
  "session/options": NEWER,
  cursor_update: NEWER,
  prompt_suggestions_update: NEWER,
  agent_message_clear: "only proposed: the official SDK takes it for an invalid notification",
};

/** Returns whether an update or a method is in no step of a profile's script. */
export function isLeftOut(profile: string, name: string): boolean {
  return name in LEFT_OUT || (profile === "v1" && UNSTABLE.includes(name));
}

const { href } = new URL("index.mjs", import.meta.url);
const { SCRIPTS } = (await import(/* @vite-ignore */ href)) as {
  readonly SCRIPTS: { readonly [profile: string]: Script };
};
let protocols: readonly Protocol[] | undefined;

/** The conversation of a profile, as the release that the schema follows can play it. */
export interface ReleaseScript extends Fitted {
  /** `side kind method` of the methods that need a state of a session and are in no step. */
  readonly lacks: readonly string[];
}

export function scriptOf(profile: string): ReleaseScript {
  protocols ??= loadProtocols();
  const protocol = protocols.find((each) => each.profile === profile)!;
  const { script, left } = fitScript(SCRIPTS[profile]!, protocol);
  const { methods } = usedBy(script, protocol);
  const lacks = protocol.methods
    .filter((method) => !methods.has(method) && !isOpen(method))
    .map(({ side, kind, name }) => `${side} ${kind} ${name}`);
  return {
    script: completeScript(script, protocol, (name) => isLeftOut(profile, name)),
    left,
    lacks,
  };
}
