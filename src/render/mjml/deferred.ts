import { createRequire, Module } from "node:module";

/**
 * Packages that mjml-core loads for inline styles, for minifying and for its own parser. Together they take two thirds
 * of its time to load, and most templates need none of them. Each is a function, or has functions as members.
 */
const RARELY_NEEDED = ["juice", "cheerio", "htmlnano", "js-beautify", "mjml-parser-xml", "cssnano-preset-lite"];

/**
 * Loads modules, with the packages that mjml-core rarely needs to be loaded when they are first called.
 *
 * @param core A module of mjml-core, absolute: where the packages are looked for.
 */
export function loadDeferring<Result>(core: string, load: () => Result): Result {
  const require = createRequire(core);
  const files = RARELY_NEEDED.flatMap((name) => tryToResolve(require, name) ?? []).filter(
    (file) => require.cache[file] === undefined,
  );
  for (const file of files) require.cache[file] = standIn(file, require);
  try {
    return load();
  } finally {
    for (const file of files) delete require.cache[file];
  }
}

function tryToResolve(require: NodeJS.Require, name: string): string | undefined {
  try {
    return require.resolve(name);
  } catch {
    return undefined; // a version of MJML that does not use it
  }
}

function standIn(file: string, require: NodeJS.Require): NodeJS.Module {
  const module = new Module(file);
  module.filename = file;
  module.loaded = true;
  module.exports = deferred(() => require(file));
  return module;
}

/** Stands for a value that is a function or has functions as members, and is asked for when one is called. */
function deferred(get: () => unknown): object {
  return new Proxy(function standsForAFunction() {}, {
    // Compiled modules ask whether this one is compiled, too.
    get: (_target, name) => (name === "__esModule" ? undefined : deferred(() => Reflect.get(Object(get()), name))),
    apply: (_target, self, given: unknown[]) => {
      const called = get();
      if (typeof called !== "function") throw new TypeError("MJML calls something that is no function.");
      return Reflect.apply(called, self, given);
    },
  });
}
