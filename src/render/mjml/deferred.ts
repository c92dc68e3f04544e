import { createRequire, Module } from "node:module";

/**
 * Packages that mjml-core loads for inline styles, for minifying and for its own parser. Together they take two thirds
 * of its time to load, and most templates need none of them. Each is a function, or has functions as members.
 */
const RARELY_NEEDED = ["juice", "cheerio", "htmlnano", "js-beautify", "mjml-parser-xml", "cssnano-preset-lite"];

/** Takes a third of what is left. Components make a function with it while they load, for background images alone. */
const MAKES_FUNCTIONS = "lodash/fp";

/**
 * Loads modules, with the packages that mjml-core rarely needs to be loaded when they are first called.
 *
 * @param core A module of mjml-core, absolute: where the packages are looked for.
 */
export function loadDeferring<Result>(core: string, load: () => Result): Result {
  const require = createRequire(core);
  let isLoading = true;
  const files = new Map<string, object>();
  for (const name of [...RARELY_NEEDED, MAKES_FUNCTIONS]) {
    const file = tryToResolve(require, name);
    if (file === undefined || require.cache[file]) continue;
    files.set(
      file,
      deferred(
        () => require(file),
        () => isLoading && name === MAKES_FUNCTIONS,
      ),
    );
  }
  for (const [file, exports] of files) require.cache[file] = standIn(file, exports);
  try {
    return load();
  } finally {
    isLoading = false;
    for (const file of files.keys()) delete require.cache[file];
  }
}

function tryToResolve(require: NodeJS.Require, name: string): string | undefined {
  try {
    return require.resolve(name);
  } catch {
    return undefined; // a version of MJML that does not use it
  }
}

function standIn(file: string, exports: object): NodeJS.Module {
  const module = new Module(file);
  module.filename = file;
  module.loaded = true;
  module.exports = exports;
  return module;
}

/** What stands for something else, and how to get that. */
const originals = new WeakMap<object, () => unknown>();

/**
 * Stands for a value that is a function or has functions as members, and is asked for when one is called.
 *
 * @param makesFunctions Whether what such a call gives is a function, which need not be made before it is called.
 */
function deferred(get: () => unknown, makesFunctions: () => boolean): object {
  const standsFor = new Proxy(function standsForAFunction() {}, {
    // Compiled modules ask whether this one is compiled, too.
    get: (_target, name) =>
      name === "__esModule" ? undefined : deferred(() => Reflect.get(Object(get()), name), makesFunctions),
    apply: (_target, self, given: unknown[]) => {
      const call = once(() => callFunction(get(), self, given.map(original)));
      return makesFunctions() ? deferred(call, makesFunctions) : call();
    },
  });
  originals.set(standsFor, get);
  return standsFor;
}

function callFunction(called: unknown, self: unknown, given: unknown[]): unknown {
  if (typeof called !== "function") throw new TypeError("MJML calls something that is no function.");
  return Reflect.apply(called, self, given);
}

function original(value: unknown): unknown {
  const get = typeof value === "function" ? originals.get(value) : undefined;
  return get ? get() : value;
}

function once(get: () => unknown): () => unknown {
  let got: { readonly value: unknown } | undefined;
  return () => (got ??= { value: get() }).value;
}
