import type { InitOptions } from "../../run/init/init.js";
import type { AddCommand } from "../context.js";
import { parseFolder, parseOnce } from "../flags.js";

export const addInit: AddCommand = (program, { terminal }) => {
  program
    .command("init")
    .description("write a commented configuration, or a whole project to start from")
    .argument("[folder]", "the folder of the project (default: this one)", parseFolder)
    .option("--starter <name>", "a project that runs: agent, client or adapter", parseOnce)
    .option("--language <name>", "the language of the project (default: typescript)", parseOnce)
    .option("--name <name>", "its name (default: that of the folder)", parseOnce)
    .option("--force", "overwrite files that exist")
    .option("--dry-run", "print the files without writing them")
    .helpOption("-h, --help", "print this help")
    .action(async (folder: string | undefined, flags: InitOptions) => {
      const [{ init }, { printProject }] = await Promise.all([
        import("../../run/init/init.js"),
        import("../print/project.js"),
      ]);
      terminal.writeOut(printProject(await init(folder, flags), flags.dryRun === true));
    });
};
