// @ts-check
/*
 * The templates that all tools compile: the starters, with different text and up to six additional sections, with and without
 * loops.
 *
 * The work is the same for each. The MJML files are identical: a section's tags are in mj-raw where mjml would otherwise lose
 * them, and mjml is allowed to read includes. The React files differ in one line: lettershop uses `PreviewProps` as the example
 * that its oracle renders, while `email export` renders components without props, so its copies export a component that renders
 * the same one with these props.
 */
import { cpSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { mjmlTemplate, reactTemplate, STARTERS } from "./template.mjs";

const bench = fileURLToPath(new URL("..", import.meta.url));
const repository = path.dirname(STARTERS);

/**
 * @typedef {object} CorpusOptions
 * @property {number} mjml How many templates of each kind.
 * @property {number} react
 * @property {boolean} [schemas] Whether each has a `variables.ts`, whose schema and `derive` lettershop then also runs.
 */

/**
 * The files by their paths in the corpus, identical each time: `templates/` for lettershop and mjml, `emails/` for
 * `email export`.
 *
 * @example
 * corpusFiles({ mjml: 100, react: 100 }).get("templates/mjml-001/mjml-001.mjml");
 *
 * @param {CorpusOptions} options
 */
export function corpusFiles({ mjml, react, schemas = false }) {
  /** @type {Map<string, string>} */
  const files = new Map();
  for (let index = 0; index < mjml; index += 1) {
    const name = numbered("mjml", index);
    const template = mjmlTemplate(index);
    files.set(`templates/${name}/${name}.mjml`, template.body);
    addSurroundings(name, template);
    if (!schemas) files.set(`templates/${name}/fixtures/default.json`, json(template.received));
  }
  for (let index = 0; index < react; index += 1) {
    const name = numbered("react", index);
    const template = reactTemplate(index, schemas);
    files.set(`templates/${name}/${name}.tsx`, template.body);
    addSurroundings(name, template);
    files.set(`emails/${name}/${name}.tsx`, template.exported);
  }
  return files;

  /**
   * @param {string} name
   * @param {import("./template.mjs").CorpusTemplate} template
   */
  function addSurroundings(name, { metadata, variables, passed }) {
    files.set(`templates/${name}/template.json`, metadata);
    if (!schemas) return;
    files.set(`templates/${name}/variables.ts`, variables);
    files.set(`templates/${name}/fixtures/default.json`, json(passed));
  }
}

/**
 * Writes a corpus as a separate project with lettershop and the packages of `bench/`.
 *
 * @param {string} folder
 * @param {CorpusOptions} options
 */
export function writeCorpus(folder, options) {
  for (const [name, text] of corpusFiles(options)) write(path.join(folder, name), text);
  for (const parts of ["_shared", "_assets"]) {
    cpSync(path.join(STARTERS, parts), path.join(folder, "templates", parts), { recursive: true });
    cpSync(path.join(STARTERS, parts), path.join(folder, "emails", parts), { recursive: true });
  }
  write(path.join(folder, "package.json"), json({ private: true, type: "module" }));
  write(path.join(folder, "lettershop.config.ts"), CONFIG);
  const packages = path.join(bench, "node_modules");
  mkdirSync(path.join(folder, "node_modules"));
  for (const name of readdirSync(packages)) link(path.join(packages, name), path.join(folder, "node_modules", name));
  link(repository, path.join(folder, "node_modules", "lettershop"));
}

const CONFIG = `import { defineConfig } from "lettershop/config";

export default defineConfig({ defaultEnvironment: "local" });
`;

/**
 * The name of the first, second, … template of a kind.
 *
 * @param {"mjml" | "react"} kind
 * @param {number} index
 */
export function numbered(kind, index) {
  return `${kind}-${String(index + 1).padStart(3, "0")}`;
}

/** @param {unknown} value */
function json(value) {
  return `${JSON.stringify(value, null, 2)}\n`;
}

/**
 * @param {string} file
 * @param {string} text
 */
function write(file, text) {
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, text);
}

/**
 * @param {string} target
 * @param {string} file
 */
function link(target, file) {
  symlinkSync(target, file, "junction");
}
