import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createGoContext, isPrinted } from "../../generators/emit/go/context.js";
import { packageOf } from "../../generators/emit/go/names.js";
import type { Protocol } from "../../generators/model/protocol.js";
import { ROOT } from "../support/paths.js";
import { buildProgram } from "./toolchain.js";

const PATH = "github.com/acp-codegen/acp-codegen/out/go";

/**
 * Builds a program that is the generated module as a codec, for the definitions of some profiles.
 *
 * @returns its path
 */
export function buildCodec(
  folder: string,
  protocols: readonly Protocol[],
  module?: string,
): string {
  const packages = protocols.map((protocol) => [packageOf(protocol.profile), protocol] as const);
  const tested = packages.map(
    ([name, { profile }]) => `\t${JSON.stringify(profile)}: ${name}.Tested,\n`,
  );
  const main = `package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"

${packages.map(([name]) => `\t"${PATH}/${name}"\n`).join("")}
	"${PATH}/internal/codec"
)

var profiles = map[string]func(string) codec.Tested{
${tested.join("")}}

func main() {
	in, out := bufio.NewReaderSize(os.Stdin, 1<<20), bufio.NewWriterSize(os.Stdout, 1<<20)
	for {
		line, err := in.ReadBytes('\\n')
		if err != nil {
			return
		}
		var request struct {
			ID                             int
			Op, Profile, Definition, Input string
		}
		if err := json.Unmarshal(line, &request); err != nil {
			panic(err)
		}
		answer := "\\"verdict\\":\\"unsupported\\""
		if tested := profiles[request.Profile](request.Definition); tested != nil {
			answer = tested.Answer(request.Op, request.Input)
		}
		fmt.Fprintf(out, "{\\"id\\":%d,%s}\\n", request.ID, answer)
		if in.Buffered() == 0 {
			out.Flush()
		}
	}
}
`;
  const files = { ...testedFiles(protocols), "corpus/main.go": main };
  return buildProgram(folder, files, "corpus", module);
}

/** Returns the definitions that have types in Go. */
export function testedDefinitions(protocol: Protocol): readonly string[] {
  const context = createGoContext(protocol);
  const names = protocol.definitions.map(({ name }) => name);
  return names.filter((name) => isPrinted(name, context));
}

/** Returns the files that add a function to each package, with the codec of a definition by its name. */
export function testedFiles(protocols: readonly Protocol[]): { readonly [path: string]: string } {
  const files = protocols.map((protocol) => {
    const name = packageOf(protocol.profile);
    const { names } = createGoContext(protocol);
    const cases = testedDefinitions(protocol).map(
      (one) => `\tcase ${JSON.stringify(one)}:\n\t\treturn schema${names.typeOf(one)}\n`,
    );
    const text = `package ${name}

import "${PATH}/internal/codec"

func Tested(name string) codec.Tested {
	switch name {
${cases.join("")}	}
	return nil
}
`;
    return [`${name}/tested.go`, text] as const;
  });
  const codec = readFileSync(join(ROOT, "test/go/tested.go.txt"), "utf8");
  return { ...Object.fromEntries(files), "internal/codec/tested.go": codec };
}
