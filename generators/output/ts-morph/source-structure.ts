import type {
  FunctionDeclarationStructure,
  InterfaceDeclarationStructure,
  OptionalKind,
} from "ts-morph";
import type { Code } from "../code.js";

/** A TypeScript module as data, for ts-morph to print. */
export interface SourceStructure {
  /** Imports and other leading code. */
  readonly head: Code;
  readonly interfaces?: readonly OptionalKind<InterfaceDeclarationStructure>[];
  readonly functions?: readonly OptionalKind<FunctionDeclarationStructure>[];
  /** Trailing code. */
  readonly tail?: Code;
}
