import type { Json, JsonObject } from "../../schema/json-schema/json.js";
import type { Side } from "../inspect/inspector-api.js";
import { textAt } from "../json-at.js";

/** A recorded message. */
export interface RecordedStep {
  readonly from: Side;
  readonly message: JsonObject;
  /** In milliseconds. */
  readonly time?: number;
}

/** What a script does next. */
export type PlanItem =
  | {
      readonly kind: "send";
      readonly message: JsonObject;
      /** The time since the message before it in the recording, in milliseconds. */
      readonly gap: number;
    }
  /** Waits for the answer to a request of this side, by its recorded id. */
  | { readonly kind: "answer"; readonly id: string }
  /** Waits for a notification of the other side. */
  | { readonly kind: "notification"; readonly method: string };

/** What one side did for a request of the other one. */
export interface PlanScript {
  readonly method: string;
  readonly request: JsonObject;
  readonly items: PlanItem[];
}

export interface ReplayPlan {
  /** What the side did on its own. */
  readonly root: readonly PlanItem[];
  /** The requests of the other side, in their order. */
  readonly scripts: readonly PlanScript[];
  /** The id of the first session. */
  readonly session?: string;
  /** The sessions that the side's own requests have opened, by the ids of the requests. */
  readonly opened: ReadonlyMap<string, string>;
}

/**
 * Divides what a side has sent into scripts, one for each request that it got. A message belongs to
 * the latest open request of its session; without an open one to the last that was answered, and
 * before any request to the side itself. Within a script the order is kept, and what the other side
 * has answered before a message is waited for; scripts are independent of each other, since what
 * belongs to different requests may have been concurrent.
 */
export function planReplay(steps: readonly RecordedStep[], side: Side): ReplayPlan {
  const root: PlanItem[] = [];
  const scripts: PlanScript[] = [];
  const opened = new Map<string, string>();
  let first: string | undefined;
  /** The scripts of unanswered requests, by id. */
  const open = new Map<string, PlanScript>();
  /** The items that a request of this side is among, by id. */
  const asked = new Map<string, PlanItem[]>();
  let last: PlanScript | undefined;
  let time: number | undefined;

  const itemsFor = (session: string): PlanItem[] => {
    // A client acts on its own; an agent acts for requests.
    const inSession = [...open.values()].reverse();
    const found =
      inSession.find(({ request }) => sessionOf(request) === session) ??
      (side === "agent" ? (inSession.at(0) ?? last) : undefined);
    return found?.items ?? root;
  };
  for (const { from, message, time: now } of steps) {
    const { method, id } = message;
    const session = sessionOf(message);
    if (session !== "") first ??= session;
    const gap = now !== undefined && time !== undefined ? Math.max(0, now - time) : 0;
    time = now ?? time;
    if (from !== side) {
      if (typeof method !== "string") {
        const items = asked.get(idKey(id));
        items?.push({ kind: "answer", id: idKey(id) });
        if (session !== "") opened.set(idKey(id), session);
      } else if (id === undefined) {
        itemsFor(session).push({ kind: "notification", method });
      } else {
        const script: PlanScript = { method, request: message, items: [] };
        scripts.push(script);
        open.set(idKey(id), script);
      }
      continue;
    }
    if (typeof method !== "string") {
      const script = open.get(idKey(id));
      open.delete(idKey(id));
      script?.items.push({ kind: "send", message, gap });
      last = script ?? last;
      continue;
    }
    const items = itemsFor(session);
    items.push({ kind: "send", message, gap });
    if (id !== undefined) asked.set(idKey(id), items);
  }
  for (const { items } of scripts)
    while (items.length > 0 && items.at(-1)!.kind !== "send") items.pop();
  // A client waits for answers, but not for what the agent reports.
  const own = side === "client" ? root.filter(({ kind }) => kind !== "notification") : root;
  return { root: own, scripts, opened, ...(first !== undefined && { session: first }) };
}

/** Returns an id as a key: `1` and `"1"` are different. */
export function idKey(id: Json | undefined): string {
  return JSON.stringify(id ?? null);
}

function sessionOf({ params, result }: JsonObject): string {
  return textAt(params, "sessionId") || textAt(result, "sessionId");
}
