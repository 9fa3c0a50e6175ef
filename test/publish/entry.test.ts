import { expect, test } from "vitest";

const PROFILES = ["v1", "v1-unstable", "v1-full", "v2", "v2-unstable", "v2-full"];

test.each(PROFILES)("the entry of %s exports at most 60 values", async (profile) => {
  const entry = (await import(/* @vite-ignore */ `acp-bindings/${profile}`)) as object;
  const names = Object.keys(entry);
  expect(names).toEqual(
    expect.arrayContaining(["METHODS", "PROTOCOL", "RpcError", "createAgent", "schemas"]),
  );
  expect(names.length, names.join(", ")).toBeLessThanOrEqual(60);
});
