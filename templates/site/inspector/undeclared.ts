import type { Check } from "../../typescript/runtime/validate/check.js";
import { own } from "../../typescript/runtime/validate/diagnosis.js";
import { OutgoingWalk } from "../../typescript/runtime/validate/encode.js";

/** A property that a definition does not declare, or a tag that it does not list. */
export interface Undeclared {
  /** JSON pointer (RFC 6901) into the value. */
  readonly pointer: string;
  /** The name of the property, or the tag. */
  readonly name: string;
  /** Whether it is the value of a tag. */
  readonly isTag: boolean;
  /** The names that are declared in the same object, or the tags that are listed. */
  readonly declared: readonly string[];
}

/** Returns the undeclared properties and tags of a value; none for a value that a receiver cannot use. */
export function findUndeclared(check: Check, value: unknown): readonly Undeclared[] {
  const walk = new UndeclaredWalk("keep");
  walk.run(check, value);
  return walk.failures === 0 ? walk.undeclared() : [];
}

/** Records the tags that unions do not list, too. */
class UndeclaredWalk extends OutgoingWalk {
  readonly #tags: Undeclared[] = [];

  override attempt(
    ...attempt: Parameters<OutgoingWalk["attempt"]>
  ): ReturnType<OutgoingWalk["attempt"]> {
    const { length } = this.#tags;
    const errors = super.attempt(...attempt);
    if (errors !== undefined || attempt[2]) this.#tags.length = length;
    return errors;
  }

  override passTag(declared: readonly string[]): void {
    const name = String(own(this.holder.source, this.key));
    this.#tags.push({ pointer: this.pointer(), name, isTag: true, declared });
  }

  /** Returns the undeclared properties and tags of all objects that were read. */
  undeclared(): readonly Undeclared[] {
    const properties = this.tracked.flatMap((tracked) => {
      if (tracked.isSuperseded || tracked.isOpen) return [];
      const { declared } = tracked;
      const names = Object.keys(tracked.source).filter((name) => !declared.includes(name));
      return names.map((name): Undeclared => {
        this.moveTo(tracked, name);
        return { pointer: this.pointer(), name, isTag: false, declared };
      });
    });
    return [...properties, ...this.#tags];
  }
}
