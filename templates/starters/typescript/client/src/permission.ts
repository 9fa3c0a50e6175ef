import { CANCELLED, select } from "#acp/v1";
import type { received, RequestPermissionResponse, SessionState } from "#acp/v1";
import type { Screen } from "./screen.js";
import { showContent } from "./show-update.js";

/**
 * Lets the user choose one of the options. When the turn is cancelled, `signal`
 * is aborted, and the request is answered as cancelled however this ends.
 */
export async function askPermission(
  screen: Screen,
  { toolCall, options }: received.RequestPermissionRequest,
  state: SessionState | undefined,
  signal: AbortSignal,
): Promise<RequestPermissionResponse> {
  const known = state?.toolCalls.get(toolCall.toolCallId);
  screen.line(`The agent asks: ${toolCall.title ?? known?.title ?? toolCall.toolCallId}`);
  // What was shown before need not be shown again.
  if (known === undefined || known.content.length === 0)
    showContent(screen, toolCall.content ?? []);
  options.forEach(({ name }, index) => screen.line(`  ${index + 1}) ${name}`));
  for (;;) {
    const answer = await screen.ask("Your choice: ", signal);
    const chosen = answer === undefined ? rejection(options) : options[Number(answer) - 1];
    if (chosen !== undefined) return select(chosen.optionId);
    if (answer === undefined) return CANCELLED;
    screen.line(`Please answer with a number from 1 to ${options.length}.`);
  }
}

/** Returns the option that rejects: the end of the input is not consent. */
function rejection(
  options: readonly received.PermissionOption[],
): received.PermissionOption | undefined {
  return options.find(({ kind }) => kind === "reject_once" || kind === "reject_always");
}
