import type { Loss } from "./convert/run.js";
import type { StateLosses } from "./convert/table.js";

/** Something that the bridge could not pass on as it was, and the message that had it. */
export interface BridgeLoss extends Loss {
  /** The method of the message, or of the request that it answers. */
  readonly method: string;
  readonly sessionId?: string;
}

/** The message to which a loss belongs. */
export interface LossContext {
  readonly method: string;
  readonly sessionId?: string | undefined;
}

/** Reports losses to the program. */
export interface Losses {
  /** Reports the losses of a conversion. */
  report(losses: readonly Loss[], context: LossContext): void;
  /** Reports a loss that depends on the state of the conversation, by its id in the mapping. */
  state(id: string, context: LossContext): void;
}

export function createLosses(declared: StateLosses, onLoss: (loss: BridgeLoss) => void): Losses {
  const emit = (loss: Loss, { method, sessionId }: LossContext): void =>
    onLoss({ ...loss, method, ...(sessionId !== undefined && { sessionId }) });
  return {
    report: (losses, context) => {
      for (const loss of losses) emit(loss, context);
    },
    state: (id, context) => {
      const { kind, to, text } = declared[id]!;
      emit({ kind, to, place: id, when: "state", text, path: "" }, context);
    },
  };
}
