/** Content blocks, which are the same in all versions of the protocol. */

/** Returns a block of text. */
export function text(value: string): { readonly type: "text"; readonly text: string } {
  return { type: "text", text: value };
}

/**
 * Returns an image.
 *
 * @param data the bytes in base64
 * @param mimeType e.g. `image/png`
 */
export function image(
  data: string,
  mimeType: string,
): { readonly type: "image"; readonly data: string; readonly mimeType: string } {
  return { type: "image", data, mimeType };
}

/**
 * Returns a recording.
 *
 * @param data the bytes in base64
 * @param mimeType e.g. `audio/wav`
 */
export function audio(
  data: string,
  mimeType: string,
): { readonly type: "audio"; readonly data: string; readonly mimeType: string } {
  return { type: "audio", data, mimeType };
}

/** Returns a resource with its contents: a `text`, or a `blob` in base64. */
export function resource<Contents extends { readonly uri: string }>(
  contents: Contents,
): { readonly type: "resource"; readonly resource: Contents } {
  return { type: "resource", resource: contents };
}

/**
 * Returns a link to a resource.
 *
 * @param name the name to show; the last segment of the URI by default
 */
export function resourceLink(
  uri: string,
  name: string = uri
    .split("/")
    .filter((segment) => segment !== "")
    .at(-1) ?? uri,
): { readonly type: "resource_link"; readonly uri: string; readonly name: string } {
  return { type: "resource_link", uri, name };
}

/** Returns text as the content of a tool call. */
export function toolText(value: string): {
  readonly type: "content";
  readonly content: { readonly type: "text"; readonly text: string };
} {
  return { type: "content", content: text(value) };
}
