import { packageUrl, type Component, type PackageManifest } from "./components.js";

/**
 * The software bill of materials of a package, as CycloneDX 1.5 JSON. It has
 * neither a serial number nor a time (both optional there): the same package
 * gives the same bytes.
 */
export function printSbom(manifest: PackageManifest, components: readonly Component[]): string {
  const own = describe(manifest);
  const needed = new Set(Object.keys(manifest.dependencies ?? {}));
  const direct = components.filter(
    ({ name, version }) => needed.has(name) && manifest.dependencies![name] === version,
  );
  const document = {
    $schema: "http://cyclonedx.org/schema/bom-1.5.schema.json",
    bomFormat: "CycloneDX",
    specVersion: "1.5",
    version: 1,
    metadata: { component: own },
    components: components.map((component) => ({
      ...describe(component),
      scope: component.isOptional ? "optional" : "required",
      hashes: [{ alg: "SHA-512", content: toHex(component.integrity) }],
    })),
    dependencies: [
      {
        ref: own["bom-ref"],
        dependsOn: direct.map(({ name, version }) => packageUrl(name, version)),
      },
      ...components.map(({ name, version, dependsOn }) => ({
        ref: packageUrl(name, version),
        dependsOn,
      })),
    ],
  };
  return `${JSON.stringify(document, null, 2)}\n`;
}

/** The licenses of what is installed with a package, as a Markdown table. */
export function printLicenses(
  { name, version }: PackageManifest,
  components: readonly Component[],
): string {
  const rows = components.map((one) => `| ${one.name} | ${one.version} | ${one.license} |`);
  return `# Dependencies of ${name} ${version}

npm installs these packages beside it; none of them is part of it. Those for other machines are left out there.

| package | version | license |
|---|---|---|
${rows.join("\n")}
`;
}

function describe({ name, version, license }: Pick<Component, "name" | "version" | "license">): {
  readonly "bom-ref": string;
} {
  const url = packageUrl(name, version);
  return {
    "bom-ref": url,
    ...{ type: "library", name, version, licenses: [licenseOf(license)], purl: url },
  };
}

/** Several licenses are an expression. */
function licenseOf(license: string): object {
  return /^[\w.+-]+$/.test(license) ? { license: { id: license } } : { expression: license };
}

function toHex(integrity: string): string {
  return Buffer.from(integrity.replace("sha512-", ""), "base64").toString("hex");
}
