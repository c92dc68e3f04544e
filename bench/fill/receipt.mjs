// @ts-check
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { compileAll, createModuleHost, loadTemplates } from "../../dist/render/index.js";

const repository = fileURLToPath(new URL("../..", import.meta.url));

/**
 * The starter's receipt, compiled, with the variables for an order with this number of lines.
 *
 * @param {number} lines
 */
export async function compileReceipt(lines) {
  const cacheFolder = mkdtempSync(path.join(tmpdir(), "lettershop-bench-"));
  const host = createModuleHost({ cacheFolder });
  try {
    const { templates } = loadTemplates([path.join(repository, "templates")]);
    const receipt = templates.filter(({ name }) => name === "receipt");
    const context = { host, folder: repository, locale: "en-US", timeZone: "UTC" };
    const [result] = await compileAll(receipt, context);
    const compiled = result?.compiled;
    const variables = compiled?.fixtures.find(({ name }) => name === "many-items")?.variables;
    const few = variables?.["lines"];
    if (!compiled || !Array.isArray(few)) throw new Error("The starter's receipt was not compiled.");
    const many = Array.from({ length: lines }, (_, index) => few[index % few.length]);
    return { compiled, variables: { ...variables, lines: many } };
  } finally {
    await host.close();
    rmSync(cacheFolder, { recursive: true, force: true });
  }
}
