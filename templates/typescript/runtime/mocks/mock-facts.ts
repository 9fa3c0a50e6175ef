import type { MethodDescriptor } from "../methods.js";

/** The data that a mock is created from. */
export interface MockFacts {
  readonly role: "agent" | "client";
  readonly methods: readonly MethodDescriptor[];
  /** Valid values by definition, which contain the results. */
  readonly samples: object;
  /** One session update of every variant, by its tag, which the agent streams during a prompt. */
  readonly updates: object;
  /** The property of the role's initialize message for each of the role's options. */
  readonly fields: { readonly [option: string]: string };
  /** The default options of the role. */
  readonly options: object;
  /** The options of a role that advertises everything. */
  readonly all: object;
  /** The kinds of options in permission requests, for a client whose user answers them. */
  readonly permissionKinds?: readonly string[];
}

/** The options of a mock besides those of its role. */
export interface MockOptions {
  readonly capabilities?: unknown;
  readonly handlers?: object;
  readonly user?: object;
}
