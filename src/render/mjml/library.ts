import { createRequire, Module } from "node:module";
import { ConfigurationError } from "../../errors.js";
import type { Template } from "../../project/template.js";
import type { CompileContext } from "../engine.js";
import { attempt } from "../../files.js";
import { resolvePeer } from "../peer.js";
import { isRecord } from "../../values.js";
import { SITE_ATTRIBUTE } from "../../text/markup/scan.js";
import { siteAttribute } from "../source/mapped-text.js";
import { type Component, printCases } from "./empty-values.js";

/** An element in MJML's JSON form, which avoids its own parser. */
export interface MjmlJson {
  readonly tagName: string;
  readonly attributes: Readonly<Record<string, string | boolean>>;
  readonly children?: readonly MjmlJson[];
  readonly content?: string;
  /** Represents a tag between elements, which MJML must not count as one. */
  readonly isBareTag?: true;
  /** The sections in which the wrapper's gap is above this element; absent if MJML decides. */
  readonly gapIn?: readonly SectionTags[];
}

/** The tokens of a section's two tags, or of several nested sections. */
export interface SectionTags {
  readonly opening: string;
  readonly closing: string;
}

/** What MJML declares about an element. */
export interface MjmlComponent {
  /** Its content is HTML, not elements. */
  readonly endingTag?: boolean;
  /** Types by attribute, such as `unit(px,%){1,4}`. */
  readonly allowedAttributes?: Readonly<Record<string, string>>;
}

export interface MjmlLibrary {
  render(tree: MjmlJson): Promise<string>;
  readonly components: Readonly<Record<string, MjmlComponent | undefined>>;
  /** The elements allowed in an element; a regular expression allows what it matches. */
  readonly dependencies: Readonly<Record<string, readonly (string | RegExp)[] | undefined>>;
  /** Whether a value is valid for an attribute's type. */
  isValid(type: string, value: string): boolean;
}

const loaded = new Map<string, MjmlLibrary>();

/**
 * Loads the project's installed MJML. If the context has a thread for it, that thread renders.
 *
 * @throws {MissingPeerError} It is not installed.
 */
export function loadMjml(template: Template, context: CompileContext): MjmlLibrary {
  const library = mjmlOf(mjmlFile(template, context));
  return context.mjml ? { ...library, render: context.mjml.render } : library;
}

/** @throws {MissingPeerError} It is not installed. */
export function mjmlFile({ name }: Template, { folder }: CompileContext): string {
  return resolvePeer("mjml", folder, `the MJML template "${name}"`);
}

/** @param file The main module of the `mjml` package. */
export function mjmlOf(file: string): MjmlLibrary {
  const library = loaded.get(file) ?? requireMjml(file);
  loaded.set(file, library);
  return library;
}

/*
 * While loading, mjml-core reads `.mjmlconfig` in the working directory and runs the packages listed there. To prevent
 * that, the function that reads it is replaced until loading is complete, which works because `require` is synchronous.
 */
function requireMjml(file: string): MjmlLibrary {
  const require = createRequire(file);
  const configReader: unknown = require("mjml-core/lib/helpers/mjmlconfig");
  if (!isRecord(configReader) || typeof configReader["default"] !== "function") throw unsupported(file);
  const readConfig = configReader["default"];
  Object.assign(configReader, { default: () => undefined });
  try {
    const mjml: unknown = loadDeferring(require.resolve("mjml-core"), () => require(file));
    const core: unknown = require("mjml-core");
    const validator: unknown = require("mjml-validator");
    if (!isMjml(mjml) || !isCore(core) || !isValidator(validator)) throw unsupported(file);
    printSites(core.components);
    countElements(core.components);
    return {
      components: core.components,
      dependencies: validator.dependencies,
      isValid: memoised((type, value) => new (core.initializeType(type))(toMjmlValue(value)).isValid()),
      render: async (tree) => (await mjml(tree, { validationLevel: "skip" })).html,
    };
  } finally {
    Object.assign(configReader, { default: readConfig });
  }
}

/** Cached: the same values occur in every template, and MJML creates several objects to check one. */
function memoised(isValid: MjmlLibrary["isValid"]): MjmlLibrary["isValid"] {
  const results = new Map<string, boolean>();
  return (type, value) => {
    const key = `${type} ${value}`;
    const result = results.get(key) ?? isValid(type, value);
    if (results.size < MAX_RESULTS) results.set(key, result);
    return result;
  };
}

const MAX_RESULTS = 10_000;

/** Converts an attribute's value as MJML's own parser does. */
export function toMjmlValue(value: string): string | boolean {
  if (value === "true") return true;
  return value === "false" ? false : value;
}

function unsupported(file: string): ConfigurationError {
  return new ConfigurationError(`The installed mjml (${file}) is not a supported version.`, {
    hint: "Run: npm install --save-dev mjml@5",
  });
}

type Mjml = (tree: MjmlJson, options: { validationLevel: "skip" }) => Promise<{ html: string }>;

interface Core extends Pick<MjmlLibrary, "components"> {
  initializeType(type: string): new (value: string | boolean) => { isValid(): boolean };
}

function isMjml(value: unknown): value is Mjml {
  return typeof value === "function";
}

function isCore(value: unknown): value is Core {
  return isRecord(value) && isRecord(value["components"]) && typeof value["initializeType"] === "function";
}

function isValidator(value: unknown): value is Pick<MjmlLibrary, "dependencies"> {
  return isRecord(value) && isRecord(value["dependencies"]);
}

/**
 * Packages that mjml-core loads for inline styles, minifying and its own parser. Together they take two thirds of its
 * loading time, and most templates need none of them. Each is a function, or has functions as members.
 */
const RARELY_NEEDED = ["juice", "cheerio", "htmlnano", "js-beautify", "mjml-parser-xml", "cssnano-preset-lite"];

/** Takes a third of the remaining time. While loading, components only create a function with it, for background images. */
const MAKES_FUNCTIONS = "lodash/fp";

/**
 * Loads modules, deferring the packages that mjml-core rarely needs until their first call.
 *
 * @param core A module of mjml-core, absolute, from which the packages are resolved.
 */
function loadDeferring<Result>(core: string, load: () => Result): Result {
  const require = createRequire(core);
  let isLoading = true;
  const files = new Map<string, object>();
  for (const name of [...RARELY_NEEDED, MAKES_FUNCTIONS]) {
    // Undefined if this version of MJML does not use it.
    const file = attempt(() => require.resolve(name));
    if (file === undefined || require.cache[file]) continue;
    files.set(
      file,
      deferred(
        () => require(file),
        () => isLoading && name === MAKES_FUNCTIONS,
      ),
    );
  }
  for (const [file, exports] of files) require.cache[file] = deferredModule(file, exports);
  try {
    return load();
  } finally {
    isLoading = false;
    for (const file of files.keys()) delete require.cache[file];
  }
}

function deferredModule(file: string, exports: object): NodeJS.Module {
  const module = new Module(file);
  module.filename = file;
  module.loaded = true;
  module.exports = exports;
  return module;
}

/** The deferred values of proxies. */
const originals = new WeakMap<object, () => unknown>();

/**
 * A proxy for a function, or for an object with functions, which is loaded when a function is called.
 *
 * @param makesFunctions Whether such a call returns a function, which can be deferred, too.
 */
function deferred(get: () => unknown, makesFunctions: () => boolean): object {
  const proxy = new Proxy(function deferredFunction() {}, {
    // Compiled modules check whether this one is compiled, too.
    get: (_target, name) =>
      name === "__esModule" ? undefined : deferred(() => Reflect.get(Object(get()), name), makesFunctions),
    apply: (_target, self, given: unknown[]) => {
      const call = once(() => callFunction(get(), self, given.map(original)));
      return makesFunctions() ? deferred(call, makesFunctions) : call();
    },
  });
  originals.set(proxy, get);
  return proxy;
}

function callFunction(called: unknown, self: unknown, given: unknown[]): unknown {
  if (typeof called !== "function") throw new TypeError("MJML calls something that is not a function.");
  return Reflect.apply(called, self, given);
}

function original(value: unknown): unknown {
  const get = typeof value === "function" ? originals.get(value) : undefined;
  return get ? get() : value;
}

function once(get: () => unknown): () => unknown {
  let result: { readonly value: unknown } | undefined;
  return () => (result ??= { value: get() }).value;
}

/**
 * Makes MJML's components print the tags between their children without counting them as elements: the first element after
 * a tag is still the first.
 */
function countElements(components: MjmlLibrary["components"]): void {
  for (const owner of ownersOf<Owner>(components, "renderChildren")) {
    if (changed.has(owner)) continue;
    changed.add(owner);
    const { renderChildren: print } = owner;
    owner.renderChildren = function printTags(given, options = {}) {
      const children = given ?? this.props.children;
      const { renderer: renderPlainly = (component: Component) => component.render() } = options;
      const renderer = (component: Component) => printCases(component, renderPlainly);
      if (!children.some(({ isBareTag, gapIn }) => isBareTag || gapIn))
        return print.call(this, children, { ...options, renderer });
      const { elements, before, after } = apart(children);
      const withTags = (component: Component): string => {
        const { index } = component.props;
        return (before[index] ?? "") + printGap(component, elements[index]?.gapIn, renderer);
      };
      return print.call(this, elements, { ...options, renderer: withTags }) + after;
    };
  }
}

/** Several modules may export the same components. */
const changed = new WeakSet<Owner>();

/** The children that are elements, what is printed before each of them, and after the last one. */
function apart(children: readonly MjmlJson[]): { elements: MjmlJson[]; before: string[]; after: string } {
  const elements: MjmlJson[] = [];
  const before: string[] = [];
  let after = "";
  for (const child of children) {
    if (child.isBareTag) {
      after += child.content ?? "";
      continue;
    }
    elements.push(child);
    before.push(after);
    after = "";
  }
  return { elements, before, after };
}

/** Prints an element with the gap above it only in the sections that need one. */
function printGap(component: Component, gapIn: MjmlJson["gapIn"], render: Render): string {
  const { gap } = component.context;
  if (!gapIn || typeof gap !== "string" || gap === "") return render(component);
  // As the first element, it would have no gap.
  component.props = { ...component.props, index: 1 };
  component.context = { ...component.context, gap: GAP };
  const within = (declaration: string) =>
    gapIn.map(({ opening, closing }) => opening + declaration.replace(GAP, gap) + closing).join("");
  return render(component).replaceAll(DECLARATION, within);
}

const GAP = "\uE002";
const DECLARATION = /(?:margin|padding)-top:\uE002;/g;

type Render = (component: Component) => string;

interface Options {
  readonly renderer?: Render;
}

/** The object that prints a component's children: the prototype of a class. */
interface Owner {
  props: { readonly children: readonly MjmlJson[] };
  renderChildren: (this: Owner, children?: readonly MjmlJson[] | null, options?: Options) => string;
}

/**
 * Makes MJML's components print the site of their element in every tag to which they write its attributes. Elements
 * without a site are unchanged.
 */
function printSites(components: MjmlLibrary["components"]): void {
  for (const printer of ownersOf<Printer>(components, "htmlAttributes")) {
    const { htmlAttributes: print } = printer;
    printer.htmlAttributes = function printSite(given) {
      const site = this.attributes?.[SITE_ATTRIBUTE];
      return print.call(this, given) + (typeof site === "string" ? siteAttribute(site) : "");
    };
  }
}

/** The object that prints the attributes of a component's tags: the prototype of a class. */
interface Printer {
  attributes?: Readonly<Record<string, unknown>>;
  htmlAttributes: (this: Printer, given: unknown) => string;
}

/** The objects that have a method: most components inherit it from one class. */
function ownersOf<Holder extends object>(
  components: MjmlLibrary["components"],
  method: keyof Holder & string,
): Set<Holder> {
  const isOwner = (value: unknown): value is Holder => isRecord(value) && typeof value[method] === "function";
  const owners = Object.values(components).map((component: unknown) => {
    let owner: unknown = typeof component === "function" ? component.prototype : undefined;
    while (isRecord(owner) && !Object.hasOwn(owner, method)) owner = Object.getPrototypeOf(owner);
    return owner;
  });
  return new Set(owners.filter(isOwner));
}
