import { isRecord } from "../../rpc/messages.js";
import { hasPlanDetails, MAIN_PLAN, planOf } from "../convert/plans.js";

type PlanLoss = "plan-kind" | "plan-replaced" | "details-left-out";

type Update = Readonly<Record<string, unknown>>;

/** The plan of a session for a client of version 1 that shows one, as a list of entries. */
export class ShownPlan {
  readonly #convert: (update: Update) => Update | undefined;
  readonly #lose: (loss: PlanLoss) => void;
  /** The id of the plan that the client shows. */
  #planId: unknown;

  /** @param convert converts an update; undefined for one that version 1 cannot say */
  constructor(convert: (update: Update) => Update | undefined, lose: (loss: PlanLoss) => void) {
    this.#convert = convert;
    this.#lose = lose;
  }

  /** Returns the update to send for a `plan_update`, if the client can show it. */
  update(update: Update): Update | undefined {
    const { type, planId } = isRecord(update["plan"]) ? update["plan"] : {};
    if (type !== "items") {
      this.#lose("plan-kind");
      return undefined;
    }
    const own = this.#convert(update);
    if (own === undefined || !isRecord(own["plan"])) return undefined;
    if (planId !== MAIN_PLAN && this.#planId !== undefined && planId !== this.#planId)
      this.#lose("plan-replaced");
    this.#planId = planId;
    if (hasPlanDetails(own["plan"])) this.#lose("details-left-out");
    return { ...planOf(own, own["plan"], own["plan"]["entries"]), sessionUpdate: "plan" };
  }

  /** Returns the update to send for a `plan_removed`, if the client shows that plan. */
  remove({ planId, ...rest }: Update): Update | undefined {
    if (planId === undefined || planId !== this.#planId) return undefined;
    this.#planId = undefined;
    return { ...rest, sessionUpdate: "plan", entries: [] };
  }
}
