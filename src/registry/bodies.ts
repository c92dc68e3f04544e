import path from "node:path";
import type { CompileResult } from "../project/template.js";
import { HEADER } from "./generate.js";

/** A TypeScript file with a template's bodies, which the registry loads on first use. */
export interface BodiesFile {
  /** Absolute path. */
  readonly file: string;
  readonly text: string;
}

export interface BodiesFileOptions {
  /** The compiled templates; those with errors are omitted. */
  readonly results: readonly CompileResult[];
  /** The generated registry, absolute. */
  readonly registryFile: string;
  /** The base URL of the images that the templates were compiled with. */
  readonly assets: string | undefined;
  /** The paths below it of the images of a templates root. */
  readonly imagesOf: (root: string) => readonly string[];
}

/** The folder of the bodies: `templates.gen.bodies` next to `templates.gen.ts`. */
export function bodiesFolder(registryFile: string): string {
  const { dir, name } = path.parse(registryFile);
  return path.join(dir, `${name}.bodies`);
}

/**
 * The import specifiers that the registry uses for the bodies.
 *
 * @param ending The ending of the project's imports of TypeScript files.
 */
export function bodiesSpecifier(registryFile: string, ending: string): (name: string) => string {
  const folder = path.basename(bodiesFolder(registryFile));
  return (name) => `./${folder}/${name}${ending}`;
}

/** Whether a registry on disk loads bodies. */
export function hasBodies(registry: string): boolean {
  return /^ {6}bodies: \(\) => import\(/m.test(registry);
}

/**
 * The files with the templates' bodies. Image URLs are inserted when a message is filled, because they differ between
 * environments.
 *
 * @example
 * generateBodies(options)[0]?.text; // … export const html = (assets: string): string => `<img src="${assets}/logo.png">`;
 */
export function generateBodies({
  results,
  registryFile,
  assets = "assets",
  imagesOf,
}: BodiesFileOptions): BodiesFile[] {
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
    return [{ file, text: `${sections.join("\n\n")}\n` }];
  });
}

const IMAGE = "${assets}/";

/** Matches the beginning of an image URL, with its path in the first group; the path is absent if sections decide part of it. */
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

/** Keeps line breaks, so that diffs are readable. */
function printTemplateLiteral(text: string, images: RegExp | undefined): string {
  if (images === undefined) return `\`${escapeLiteral(text)}\``;
  // Every second part is what `split` captured in the pattern's group.
  const parts = text.split(images).map((part, index) => (index % 2 === 1 ? IMAGE : "") + escapeLiteral(part));
  return `\`${parts.join("")}\``;
}

/** Invisible characters are escaped, so that no tool that handles source files changes them. */
function escapeLiteral(text: string): string {
  return text
    .replaceAll(/[\\`]|\$(?=\{)/g, String.raw`\$&`)
    .replaceAll(/[^\P{C}\n\t]|[\u2028\u2029]/gu, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`);
}
