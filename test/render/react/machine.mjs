import { mkdir, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { elementOf, loadReact, renderHtml } from "../../../dist/render/react/react-html.js";

/*
 * A process with a language of its own: LC_ALL is set. It renders components with React, and replaces nothing of the language or
 * the clock.
 */

let imported = 0;

/** Each time in a folder of its own: a formatter of the module keeps the time zone in which it was made. */
async function load({ code, shared = [] }, folder) {
  imported += 1;
  const own = path.join(folder, `machine-${process.pid}-${imported}`);
  await mkdir(own, { recursive: true });
  for (const part of shared) await writeFile(path.join(own, part.name), part.code);
  const file = path.join(own, "entry.mjs");
  await writeFile(file, code);
  const exports = await import(pathToFileURL(file).href);
  await rm(own, { recursive: true });
  return exports;
}

async function render(component, variables, react) {
  try {
    return { html: await renderHtml(elementOf(component, variables, react), react) };
  } catch (error) {
    return { error: String(error) };
  }
}

process.on("message", (message) => void answer(message));

async function answer({ id, bundle, folder, timeZone, examples }) {
  process.env.TZ = timeZone;
  try {
    const react = loadReact(bundle.file);
    const { default: component } = await load(bundle, folder);
    const rendered = [];
    for (const variables of examples) rendered.push(await render(component, variables, react));
    process.send({ id, rendered });
  } catch (error) {
    process.send({ id, error: String(error?.stack ?? error) });
  }
}
