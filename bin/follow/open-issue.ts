// `.github/workflows/upstream.yml`: opens an issue when a release is newer than the one that is followed.
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { findNews } from "./find-news.js";

const root = fileURLToPath(new URL("../..", import.meta.url));
const read = (path: string): string => readFileSync(join(root, path), "utf8");
const run = (command: string, ...args: readonly string[]): string =>
  execFileSync(command, args, {
    cwd: root,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "inherit"],
  });

const { upstream } = JSON.parse(read("schema/v1/protocol.json")) as {
  upstream: { release: string };
};
const { devDependencies } = JSON.parse(read("package.json")) as {
  devDependencies: { [name: string]: string };
};
const known = { crate: upstream.release, npm: devDependencies["@agentclientprotocol/sdk"]! };
const news = await findNews(known, {
  read: async (url) => {
    const response = await fetch(url);
    if (!response.ok) throw new Error(`${url}: ${response.status}`);
    return response.text();
  },
  fetchSchemas: async (source, release) => {
    if (source === "crate") {
      const manifest = "test/reference/upstream-schemas/Cargo.toml";
      writeFileSync(join(root, manifest), read(manifest).replace(`=${known.crate}`, `=${release}`));
      run("cargo", "update", "--manifest-path", manifest);
      run("npm", "run", "reference");
      return join(root, "test/reference", release);
    }
    const folder = mkdtempSync(join(tmpdir(), "acp-sdk-"));
    const name = `@agentclientprotocol/sdk@${release}`;
    const tarball = run("npm", "pack", "--silent", "--pack-destination", folder, name).trim();
    run("tar", "-xzf", join(folder, tarball), "-C", folder);
    return join(folder, "package/schema");
  },
});
if (news === undefined) console.log("no release is newer");
else {
  const open = run("gh", "issue", "list", "--state", "open", "--json", "title");
  const titles = (JSON.parse(open) as { title: string }[]).map(({ title }) => title);
  const file = join(mkdtempSync(join(tmpdir(), "acp-issue-")), "body.md");
  writeFileSync(file, news.body);
  if (titles.includes(news.title)) console.log(`the issue "${news.title}" is open`);
  else console.log(run("gh", "issue", "create", "--title", news.title, "--body-file", file));
}
