import { createRequire } from "node:module";
import { Writable } from "node:stream";
import type { SourcePosition } from "../../diagnostic.js";
import { attempt } from "../../files.js";
import { readJavaScript } from "../../mustache/javascript-values.js";
import type { Variables, VariablesContract } from "../../mustache/variables.js";
import type { Bundle } from "../../process/bundle.js";
import type { Place } from "../../mustache/expression/localised.js";
import type { TaskContext } from "../../process/host.js";
import { enterPlace } from "../../process/localise-globals.js";
import { htmlOf, withoutReactMarks } from "../computed/component-html.js";

/** The required parts of the project's own React, resolved from the template's folder. */
export interface ReactLibrary {
  readonly createElement: (type: unknown) => object;
  readonly renderToPipeableStream: (element: unknown, options: StreamOptions) => { pipe(to: Writable): unknown };
  readonly renderToStaticMarkup: (element: unknown) => string;
}

interface StreamOptions {
  readonly progressiveChunkSize: number;
  readonly onAllReady: () => void;
  readonly onError: (error: unknown) => void;
}

/**
 * Renders an element like React on a server, waiting for suspended parts (Tailwind suspends), without React's additions for
 * hydration in a browser.
 */
export function renderHtml(element: unknown, { renderToPipeableStream }: ReactLibrary): Promise<string> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    const target = new Writable({
      write(chunk: Buffer, _encoding, done) {
        chunks.push(chunk);
        done();
      },
      final(done) {
        resolve(withoutReactMarks(Buffer.concat(chunks).toString()));
        done();
      },
    });
    const stream = renderToPipeableStream(element, {
      // Larger parts would be streamed later, with a script that inserts them.
      progressiveChunkSize: Number.POSITIVE_INFINITY,
      onAllReady: () => stream.pipe(target),
      onError: reject,
    });
  });
}

/** Renders an element as when an email is filled; undefined if it throws. */
export function renderAlone(element: unknown, { renderToStaticMarkup }: ReactLibrary): string | undefined {
  return attempt(() => htmlOf(element, renderToStaticMarkup));
}

/** An element with exactly these props: `createElement` would copy their visible properties. */
export function elementOf(component: unknown, props: unknown, { createElement }: ReactLibrary): object {
  return { ...createElement(component), props };
}

/** React Email's doctype, which replaces React's. */
const DOCTYPE =
  '<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Transitional//EN" "http://www.w3.org/TR/xhtml1/DTD/xhtml1-transitional.dtd">';

export function withDoctype(html: string): string {
  return DOCTYPE + withoutDoctype(html);
}

export function withoutDoctype(html: string): string {
  return html.replace(/<!DOCTYPE[^>]*>/gi, "");
}

export function loadReact(file: string): ReactLibrary {
  const require = createRequire(file);
  return { ...require("react"), ...require("react-dom/server") };
}

/** What a component renders with real variables, or the error that it threw. */
export type RenderedExample = { readonly html: string } | { readonly error: string; readonly at?: SourcePosition };

export interface ExamplesInput {
  readonly bundle: Bundle;
  /** Says which of the variables are dates and bigints: the examples are JSON. */
  readonly contract: Pick<VariablesContract, "input" | "derived">;
  readonly examples: readonly PlacedExample[];
  /** The place where the component's modules are loaded. Default: the project's. */
  readonly loadedIn?: "project's" | "example's";
}

export interface PlacedExample {
  readonly variables: Variables;
  /** Default: that of the project. */
  readonly place?: Place | undefined;
}

/** Renders the unmodified component with real variables, in a worker. */
export async function renderExamples(
  { bundle, contract, examples, loadedIn }: ExamplesInput,
  context: TaskContext,
): Promise<RenderedExample[]> {
  const { default: component } = await context.load(bundle);
  const react = loadReact(bundle.file);
  const render = async ({ variables, place }: PlacedExample): Promise<RenderedExample> => {
    const leave = place && enterPlace(place);
    try {
      const loaded = loadedIn === "example's" ? (await context.loadAgain(bundle))["default"] : component;
      const element = elementOf(loaded, readJavaScript(variables, contract), react);
      return { html: withDoctype(await renderHtml(element, react)) };
    } catch (thrown) {
      const error = thrown instanceof Error ? thrown : new Error(String(thrown));
      const at = context.positionOf(error);
      return { error: error.message, ...(at && { at }) };
    } finally {
      leave?.();
    }
  };
  const rendered: RenderedExample[] = [];
  for (const example of examples) rendered.push(await render(example));
  return rendered;
}

export function escapeLikeReact(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ESCAPES[character] ?? character);
}

const ESCAPES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#x27;",
};

const DECODED: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'", nbsp: "\u00A0" };

/** Decodes HTML text: the entities that React writes, and numeric ones. */
export function decodeReactEntities(html: string): string {
  return html.replace(/&(?:#x([\da-f]+)|#(\d+)|(\w+));/gi, (whole, hex?: string, decimal?: string, name = "") => {
    if (hex !== undefined) return String.fromCodePoint(Number.parseInt(hex, 16));
    if (decimal !== undefined) return String.fromCodePoint(Number(decimal));
    return DECODED[name] ?? whole;
  });
}

/**
 * Removes insignificant differences between React's and Mustache's HTML before both sides of the oracle are compared:
 *
 * - Mustache escapes more than React, and writes an apostrophe differently; `<`, `>`, `&` and `"` are escaped alike.
 * - `Preview` truncates its text, and the title made of it, and pads it with invisible characters, to a length in which a
 *   variable counts with its value on one side and with its tag on the other.
 * - Tailwind writes rules for screens and themes into the head, for all classes that a body may use.
 * - React omits an empty `src` and `href`, and styles with an empty value, and trims the spaces around a value; an empty
 *   `class` is insignificant.
 */
export function normalise(html: string): string {
  const text = withPlainTexts(html);
  return withoutUnusedRules(withoutPreviewEnds(text))
    .replace(/ (?:src|href|class)=""/g, "")
    .replace(/ style="([^"]*)"/g, (style, css: string) => (UNTIDY.test(css) ? styleOf(css) : style));
}

/** The first steps, which suffice for most bodies: plain characters where none need escaping, and no padding. */
export function withPlainTexts(html: string): string {
  return html.replace(ESCAPED, (entity) => PLAIN[entity.toLowerCase()] ?? entity).replace(PADDING, "");
}

/** A style that React may write differently: with spaces around a value, without a value, or empty. */
const UNTIDY = /[:;]\s|\s;|^\s|\s$|[:;];|[:;]$|^;|^$/;

function styleOf(css: string): string {
  const declarations = css
    .split(";")
    .filter((each) => !/:\s*$/.test(each))
    .map((each) => each.trim().replace(/:\s+/, ":"));
  const tidied = declarations.filter(Boolean).join(";");
  return tidied === "" ? "" : ` style="${tidied}"`;
}

const PLAIN: Readonly<Record<string, string>> = {
  "&#x27;": "'",
  "&#39;": "'",
  "&#x2f;": "/",
  "&#x60;": "`",
  "&#x3d;": "=",
};
const ESCAPED = /&#(?:x27|39|x2f|x60|x3d);/gi;
const PADDING = /(?:<div>)?(?:\u00A0[\u200B-\u200F\uFEFF]{4,6})+(?:<\/div>)?/g;

/** More than any inbox shows of a preview, and less than `Preview` keeps. */
const PREVIEW_SHOWN = 120;

function withoutPreviewEnds(html: string): string {
  const cut: string[] = [];
  const previews = html.replace(PREVIEW, (_whole, tag: string, text: string) => {
    if (text.length > PREVIEW_SHOWN) cut.push(text);
    return tag + text.slice(0, PREVIEW_SHOWN);
  });
  return previews.replace(/<title>([^<]*)/g, (whole, text: string) =>
    cut.includes(text) ? `<title>${text.slice(0, PREVIEW_SHOWN)}` : whole,
  );
}

const PREVIEW = /(<div\b[^>]*\bdata-skip-in-text="true"[^>]*>)([^<]*)/g;

function withoutUnusedRules(html: string): string {
  if (!html.includes("<style")) return html;
  const used = new Set(Array.from(html.matchAll(/ class="([^"]*)"/g), ([, names = ""]) => names.split(/\s+/)).flat());
  return html.replace(/(<style\b[^>]*>)([\s\S]*?)<\/style>/g, (_whole, tag: string, css: string) => {
    const rules = css.replace(/\.((?:[\w-]|\\.)+)[^{},]*\{[^{}]*\}/g, (rule, name: string) =>
      used.has(name.replaceAll("\\", "")) ? rule : "",
    );
    const kept = rules.replace(/@media[^{}]*\{\s*\}/g, "");
    return kept.trim() === "" ? "" : `${tag}${kept}</style>`;
  });
}

/** The texts around the first difference of two strings, and its offset in the right one. */
export interface TextDifference {
  readonly left: string;
  readonly right: string;
  readonly at: number;
  /** The same for differences that look the same, wherever they are. */
  readonly key: string;
}

const BEFORE = 40;
const AFTER = 60;
const KEY = 12;

/** @returns Undefined if they are equal. */
export function firstDifference(left: string, right: string): TextDifference | undefined {
  if (left === right) return undefined;
  let at = 0;
  while (left[at] === right[at]) at += 1;
  const around = (text: string): string =>
    `${at > BEFORE ? "…" : ""}${text.slice(Math.max(0, at - BEFORE), at + AFTER)}${text.length > at + AFTER ? "…" : ""}`;
  const key = JSON.stringify([left, right].map((text) => text.slice(at, at + KEY)));
  return { left: around(left), right: around(right), at, key };
}
