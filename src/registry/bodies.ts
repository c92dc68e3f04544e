import path from "node:path";
import type { CompileResult } from "../template/template.js";
import { HEADER } from "./generate.js";

/** A template's bodies as TypeScript, which the registry loads when they are first asked for. */
export interface BodiesFile {
  readonly template: string;
  /** Absolute path. */
  readonly file: string;
  readonly text: string;
}

export interface BodiesOptions {
  /** The compiled templates; those with errors are left out. */
  readonly results: readonly CompileResult[];
  /** The generated registry, absolute. */
  readonly registryFile: string;
  /** Where the templates were compiled to have their images. */
  readonly assets: string | undefined;
  /** The addresses below it of a templates root's images. */
  readonly imagesOf: (root: string) => readonly string[];
}

/** Where the bodies lie: `templates.gen.bodies` beside `templates.gen.ts`. */
export function bodiesFolder(registryFile: string): string {
  const { dir, name } = path.parse(registryFile);
  return path.join(dir, `${name}.bodies`);
}

/**
 * From where the registry imports them.
 *
 * @param ending What the project's imports of TypeScript files end with.
 */
export function bodiesSpecifier(registryFile: string, ending: string): (name: string) => string {
  const folder = path.basename(bodiesFolder(registryFile));
  return (name) => `./${folder}/${name}${ending}`;
}

/** Whether a registry, as it lies on the disk, loads bodies. */
export function hasBodies(registry: string): boolean {
  return /^ {6}bodies: \(\) => import\(/m.test(registry);
}

/** Whether a file is one of these, so that it may be deleted when its template is gone. */
export function isBodiesFile(text: string): boolean {
  return text.startsWith(HEADER);
}

/**
 * The files with the templates' bodies. Images have their address put in when a message is filled, as it is another one in
 * each environment.
 *
 * @example
 * generateBodies(options)[0]?.text; // … export const html = (assets: string): string => `<img src="${assets}/logo.png">`;
 */
export function generateBodies({ results, registryFile, assets = "assets", imagesOf }: BodiesOptions): BodiesFile[] {
  const folder = bodiesFolder(registryFile);
  return results.flatMap(({ compiled, template }) => {
    if (compiled === undefined) return [];
    const images = imagesOf(template.root);
    const print = (name: string, body: string): string => {
      const text = printTemplateLiteral(body, imagePattern(assets, images));
      const parameter = text.includes(IMAGE) ? "assets: string" : "";
      return `export const ${name} = (${parameter}): string => ${text};`;
    };
    const sections = [
      `${HEADER}\n/* eslint-disable */`,
      print("html", compiled.html_body),
      print("text", compiled.text_body),
    ];
    const file = path.join(folder, `${compiled.name}${path.extname(registryFile)}`);
    return [{ template: compiled.name, file, text: `${sections.join("\n\n")}\n` }];
  });
}

const IMAGE = "${assets}/";

/** Matches the beginning of an image's address, with its path in the first group: none where sections decide a part of it. */
function imagePattern(assets: string, images: readonly string[]): RegExp | undefined {
  if (images.length === 0) return undefined;
  const longestFirst = images.map((image) => encodeURI(image)).sort((a, b) => b.length - a.length);
  const base = `${assets.replace(/\/+$/, "")}/`;
  return new RegExp(
    `(?<![\\w/.-])${escapePattern(base)}((?:${longestFirst.map(escapePattern).join("|")})(?![\\w%/-])|(?=[\\w%./-]*\\{\\{[#^]))`,
    "g",
  );
}

function escapePattern(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, String.raw`\$&`);
}

/** Lines stay lines, so that a change can be read. */
function printTemplateLiteral(text: string, images: RegExp | undefined): string {
  if (images === undefined) return `\`${escapeLiteral(text)}\``;
  // What `split` takes from the pattern's group is every second part.
  const parts = text.split(images).map((part, index) => (index % 2 === 1 ? IMAGE : "") + escapeLiteral(part));
  return `\`${parts.join("")}\``;
}

/** What is invisible is written as its number: nothing that handles a source file may change it. */
function escapeLiteral(text: string): string {
  return text
    .replaceAll(/[\\`]|\$(?=\{)/g, String.raw`\$&`)
    .replaceAll(/[^\P{C}\n\t]|[\u2028\u2029]/gu, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`);
}
