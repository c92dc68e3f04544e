// @ts-check
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { compileAll, createModuleHost, loadTemplates } from "../../../dist/render/index.js";

const repository = fileURLToPath(new URL("../../..", import.meta.url));
const COMPUTED = 20;

/** A registry with a receipt that computes 20 values from the same order as `../receipt.mjs`. */
export async function compiledRegistry() {
  const cacheFolder = mkdtempSync(path.join(tmpdir(), "lettershop-bench-"));
  const host = createModuleHost({ cacheFolder });
  try {
    const { templates } = loadTemplates([fileURLToPath(new URL(".", import.meta.url))]);
    const [result] = await compileAll(templates, { host, folder: repository, locale: "en-US", timeZone: "UTC" });
    const { contract, subject } = result?.compiled ?? {};
    const computed = contract?.conditions.filter(({ test }) => test.kind === "computed");
    if (!contract || subject === undefined || computed?.length !== COMPUTED)
      throw new Error(`The receipt computes ${computed?.length} values.`);
    return { environments: {}, templates: { receipt: { hash: "", subject, contract } } };
  } finally {
    await host.close();
    rmSync(cacheFolder, { recursive: true, force: true });
  }
}
