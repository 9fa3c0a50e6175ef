import { readFileSync } from "node:fs";
import { schemas } from "acp-bindings/v1";

const [file = ""] = process.argv.slice(2);
for (const [index, line] of readFileSync(file, "utf8").trim().split("\n").entries()) {
  const { method, params } = JSON.parse(line) as {
    readonly method?: string;
    readonly params?: unknown;
  };
  if (method === undefined || !(method in schemas.byMethod)) continue;
  const decoded = schemas.byMethod[method as keyof typeof schemas.byMethod].params.decode(params);
  for (const { pointer, rule } of decoded.ok ? decoded.notes : decoded.issues)
    console.log(
      `${file}:${index + 1}: ${decoded.ok ? "note" : "error"}: ${method}${pointer}: ${rule}`,
    );
}
