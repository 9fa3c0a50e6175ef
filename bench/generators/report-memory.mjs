// Preloaded into a process that is measured: leaves its peak of memory, in KiB, in a file.
import { writeFileSync } from "node:fs";

process.on("exit", () =>
  writeFileSync(process.env["PEAK_FILE"], String(process.resourceUsage().maxRSS)),
);
