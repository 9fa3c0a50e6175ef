import { schemas, type ContentBlock, type received } from "acp-bindings/v1";

// A received value may hold variants that this version does not know, which must not be sent.
export function forward(block: received.ContentBlock): ContentBlock {
  return block; // @error 2322
}

// A decode that failed has no value.
export function careless(value: unknown): unknown {
  return schemas.ContentBlock.decode(value).value; // @error 2339
}
