// @ts-check
import path from "node:path";
import { setTimeout } from "node:timers/promises";
import { compileTemplate, createModuleHost, loadTemplates } from "../../dist/render/index.js";

/** Uncounted compilations at the start. */
const WARM_UP = 5;
/** Between two compilations, as between two saves: after a pause, a machine is slower. */
const PAUSE_MS = 2000;

/**
 * Compiles a template repeatedly in a warmed-up process and returns the duration of each compilation in ms.
 *
 * @param {string} folder
 * @param {string} name
 * @param {number} times
 */
export async function compileAlone(folder, name, times) {
  const host = createModuleHost({ cacheFolder: path.join(folder, ".lettershop", "alone"), env: {} });
  const durations = [];
  try {
    for (let time = 0; time < WARM_UP + times; time += 1) {
      if (time >= WARM_UP) await setTimeout(PAUSE_MS);
      const [template] = loadTemplates([path.join(folder, "templates")], [name]).templates;
      if (template === undefined) throw new Error(`There is no template ${name}.`);
      const start = performance.now();
      const { compiled } = await compileTemplate(template, { host, folder, locale: "en", timeZone: "UTC" });
      if (compiled === undefined) throw new Error(`${name} does not compile.`);
      if (time >= WARM_UP) durations.push(performance.now() - start);
    }
  } finally {
    await host.close();
  }
  return durations;
}
