import { AcpError } from "../acp-error.js";
import type { CallOptions } from "../rpc/outbound-requests.js";
import type { SessionLink } from "../session/link.js";
import * as sentences from "../sentences.js";

interface Page {
  readonly sessions: readonly unknown[];
  readonly nextCursor?: string | null;
}

/**
 * Iterates over the sessions of an agent, page by page.
 *
 * @throws AcpError when the agent gives a cursor again
 */
export async function* listSessions(
  { peer, names }: SessionLink,
  params: object = {},
  options?: CallOptions,
): AsyncGenerator<unknown, void> {
  const cursors = new Set<string>();
  let given = params;
  for (;;) {
    const { sessions, nextCursor: cursor } = (await peer.request(
      names.list,
      given,
      options,
    )) as Page;
    yield* sessions;
    if (cursor === undefined || cursor === null) return;
    if (cursors.has(cursor)) throw new AcpError(sentences.repeatedCursor(names.list), names.list);
    cursors.add(cursor);
    given = { ...params, cursor };
  }
}
