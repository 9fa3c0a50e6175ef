import { expect, test } from "vitest";
import { CLIENTS, LIBRARIES, playClient, serveAgent, type Library } from "./libraries.js";

/** The libraries of a conversation. */
interface Parts {
  /** That of the transport of the client, and that of the server. */
  readonly opens: Library;
  readonly serves: Library;
  /** Those of both roles. */
  readonly client: Library;
  readonly agent: Library;
}

const PARTS: readonly Parts[] = LIBRARIES.flatMap((opens) =>
  LIBRARIES.flatMap((serves) =>
    LIBRARIES.flatMap((client) => LIBRARIES.map((agent) => ({ opens, serves, client, agent }))),
  ),
);

const CONVERSATIONS = PARTS.filter((parts) => Object.values(parts).includes("bindings")).flatMap(
  (parts) =>
    Object.keys(CLIENTS).flatMap((kind) =>
      ["v1", "v2"].map((profile) => ({ ...parts, kind, profile })),
    ),
);

test.each(CONVERSATIONS)(
  "$kind opened by $opens and served by $serves: a client on $client and an agent on $agent play the whole script of $profile",
  async ({ profile, ...parts }) => {
    const agent = await serveAgent(profile, parts);
    expect(await playClient(profile, agent.url, parts)).toEqual([]);
    expect(await agent.finish()).toEqual([]);
  },
);
