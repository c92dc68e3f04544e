import { createRequire, Module } from "node:module";

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
  for (const [file, exports] of files) require.cache[file] = deferredModule(file, exports);
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
    return undefined; // This version of MJML does not use it.
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
