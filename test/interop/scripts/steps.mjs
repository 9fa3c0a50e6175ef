// What scripts of conversations are made of. Both sides of a conversation read the same script.
//
// A step is sent by one side and received by the other:
//   request, params, result or error   a call and how it is answered
//   notify, params                     a notification
//   before      steps that the receiver sends before it answers
//   meanwhile   steps that the sender sends while it waits; the answer comes after them
//   after       steps that the receiver sends when it has answered, or has been notified
//   cancel      the sender cancels the request: at once or, where there are steps of the receiver
//               before its answer, when they have come

export function request(method, params, result, more = {}) {
  return { request: method, params, result, ...more };
}

/** A request that fails. */
export function refused(method, params, error, more = {}) {
  return { request: method, params, error, ...more };
}

/** A request that its sender takes back. */
export function cancelled(method, params, more = {}) {
  return { request: method, params, error: -32800, cancel: true, ...more };
}

export function notify(method, params, more = {}) {
  return { notify: method, params, ...more };
}

export function updates(sessionId, ...all) {
  return all.map((update) => notify("session/update", { sessionId, update }));
}

export function text(words) {
  return { type: "text", text: words };
}

/**
 * A script that goes on where another ends.
 *
 * @param more `client` and `agent` add to what the sides say of themselves, `steps` come before `last`
 */
export function extend(script, more) {
  return {
    version: script.version,
    client: merge(script.client, more.client ?? {}),
    agent: merge(script.agent, more.agent ?? {}),
    steps: [...script.steps, ...more.steps],
    last: [...script.last, ...(more.last ?? [])],
  };
}

function merge(one, other) {
  if (Array.isArray(one)) return [...one, ...other];
  if (typeof one !== "object" || one === null) return other;
  const merged = { ...one };
  for (const [key, value] of Object.entries(other))
    merged[key] = key in one ? merge(one[key], value) : value;
  return merged;
}
