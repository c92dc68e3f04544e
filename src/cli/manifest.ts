import { createRequire } from "node:module";

interface PackageManifest {
  readonly engines: { readonly node: string };
  readonly peerDependencies: Readonly<Record<string, string>>;
  readonly dependencies: Readonly<Record<string, string>>;
}

/** lettershop's own package.json. */
export const packageManifest: PackageManifest = createRequire(import.meta.url)("../../package.json");
