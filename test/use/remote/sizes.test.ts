import { expect, test } from "vitest";
import { bundledSize } from "../../bench/checks/bundled-size.js";

// The figures of the package's README, in kilobytes: what a program pays that has a profile already.
test.each([
  ["webSocketTransport", 1.2],
  ["httpTransport", 3.3],
  ["createHttpHandler", 5.4],
])("%s adds at most %d kB to a program, minified and gzipped", async (name, limit) => {
  const profile = 'export { createAgent, createClient } from "acp-bindings/v1";';
  const remote = `${profile} export { ${name} } from "acp-bindings/remote";`;
  const [without, all] = await Promise.all([bundledSize(profile), bundledSize(remote)]);
  const added = (all.gzipped - without.gzipped) / 1000;
  expect(added).toBeLessThanOrEqual(limit);
  // The figure says what it costs, not what it costs at most.
  expect(added).toBeGreaterThan(limit * 0.6);
});

test("continueSession, a method of every client, takes a quarter of a kilobyte of it", async () => {
  const client = 'export { createClient } from "acp-bindings/v1";';
  const [all, without] = await Promise.all([
    bundledSize(client),
    bundledSize(client, ["*/continue-session.js"]),
  ]);
  const taken = all.gzipped - without.gzipped;
  expect(taken).toBeLessThanOrEqual(250);
  expect(taken).toBeGreaterThan(100);
});
