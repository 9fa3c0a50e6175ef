import { relative } from "node:path";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import { readDurations } from "./durations.js";
import { ROOT } from "./paths.js";

/** How many quick files a project starts with. */
const FIRST = 10;

/** Starts each project with its quickest files, so that a run soon has results; the longest ones follow, so that no worker waits at the end. */
export class TestOrder extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const durations = readDurations();
    const timeOf = ({ moduleId }: TestSpecification): number =>
      durations[relative(ROOT, moduleId).replaceAll("\\", "/")]?.wallMs ?? 0;
    return this.ctx.projects.flatMap((project) => {
      const sorted = files
        .filter((file) => file.project === project)
        .sort((a, b) => timeOf(b) - timeOf(a));
      return [...sorted.splice(-FIRST).reverse(), ...sorted];
    });
  }
}
