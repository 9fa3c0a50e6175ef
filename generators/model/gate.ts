/** A condition on negotiated capabilities or session state for using an item. */
export type Gate =
  | {
      /** No capability is needed: it is part of the baseline, optional to honor, or not gated. */
      readonly kind: "always";
      readonly reason: "baseline" | "optional" | "ungated";
    }
  | {
      /** A capability that one side advertised, or that the live state of the session has. */
      readonly kind: "capability";
      /** The side that advertises it in its initialize message; `session`: the live state of the session. */
      readonly side: "agent" | "client" | "session";
      /** The path of the capability in that message or state. */
      readonly path: readonly string[];
      /** `true`: the flag must be true. `filled`: the list must not be empty. `present`: anything but absent and null counts. */
      readonly test: "true" | "filled" | "present";
      readonly strength: GateStrength;
    }
  | {
      /** A list that must have a matching entry. */
      readonly kind: "entry";
      /** The side of the initialize message, or the live state of the session. */
      readonly side: "agent" | "client" | "session";
      readonly path: readonly string[];
      /** Properties of the entry, and the message paths whose values they must equal. */
      readonly entry: { readonly [property: string]: string };
      /** Entries with these properties do not count. */
      readonly except: { readonly [property: string]: string };
      readonly strength: GateStrength;
    }
  | {
      /** A capability that the message itself names. */
      readonly kind: "key";
      readonly side: "agent" | "client";
      readonly path: readonly string[];
      /** The message path that holds the name. */
      readonly key: string;
      readonly strength: GateStrength;
    };

/** The requirement level of a gate. */
export type GateStrength = "must" | "should" | "implicit";
