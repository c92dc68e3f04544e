// @ts-check
import path from "node:path";
import { setTimeout } from "node:timers/promises";
import { compileTemplate, createModuleHost, loadTemplates } from "../../dist/render/index.js";

/** How often it is compiled before it counts. */
const WARM = 5;
/** Milliseconds between two times, as between two saves: after a pause, a machine is slower. */
const PAUSE = 2000;

/**
 * Compiles a template again and again, in a process that has done so before, and gives the milliseconds of each time.
 *
 * @param {string} folder
 * @param {string} name
 * @param {number} times
 */
export async function compileAlone(folder, name, times) {
  const host = createModuleHost({ cacheFolder: path.join(folder, ".lettershop", "alone"), env: {} });
  const took = [];
  try {
    for (let time = 0; time < WARM + times; time += 1) {
      if (time >= WARM) await setTimeout(PAUSE);
      const [template] = loadTemplates([path.join(folder, "templates")], [name]).templates;
      if (template === undefined) throw new Error(`There is no template ${name}.`);
      const began = performance.now();
      const { compiled } = await compileTemplate(template, { host, folder, locale: "en", timeZone: "UTC" });
      if (compiled === undefined) throw new Error(`${name} does not compile.`);
      if (time >= WARM) took.push(performance.now() - began);
    }
  } finally {
    await host.close();
  }
  return took;
}
