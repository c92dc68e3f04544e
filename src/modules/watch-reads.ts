import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import path from "node:path";
import { fileURLToPath } from "node:url";
import type { Caller } from "./bundle-maps.js";
import { ALL_NAMES, type ReadLog } from "./reads.js";

/**
 * Records what user code in this thread reads from its environment, from now on.
 *
 * @param currentLog The log to record to.
 * @param callerIn The caller on a stack. Reads of files, the time and random numbers count only in own modules; packages have their
 *   own reasons for them.
 */
export function watchReads(currentLog: () => ReadLog, callerIn: (stack: string) => Caller): void {
  const caller = (): Caller => callerIn(new Error().stack ?? "");
  watchEnvironment((name, isSet) => {
    const by = caller();
    if (by.kind !== "node") currentLog().noteEnvironment({ name, isSet, ...(by.kind === "own" && { at: by.at }) });
  });
  watchFiles((file) => {
    if (caller().kind === "own") currentLog().noteFile(file);
  });
  watchMoments(() => {
    const by = caller();
    if (by.kind === "own") currentLog().noteMoment(by.at);
  });
  // For `import { readFileSync } from "node:fs"`, which would keep the original function.
  syncBuiltinESMExports();
}

function watchEnvironment(note: (name: string, isSet: boolean) => void): void {
  const noteName = (name: string | symbol): void => {
    // NODE_ENV is constant.
    if (typeof name === "string" && name !== "NODE_ENV") note(name, name in real);
  };
  // oxlint-disable node/no-process-env -- user code's reads are recorded
  const real = process.env;
  let listed: ReadonlySet<string | symbol> = new Set();
  process.env = new Proxy(real, {
    get(target, name) {
      noteName(name);
      return Reflect.get(target, name);
    },
    // Otherwise the proxy would define the property, which Node.js refuses for a variable that is set.
    set: (target, name, value) => Reflect.set(target, name, value),
    has(target, name) {
      noteName(name);
      return Reflect.has(target, name);
    },
    ownKeys(target) {
      note(ALL_NAMES, true);
      const names = Reflect.ownKeys(target);
      listed = new Set(names);
      return names;
    },
    getOwnPropertyDescriptor(target, name) {
      // Listing names also checks each name's descriptor, which is not a read of the variable.
      if (!listed.has(name)) noteName(name);
      return Reflect.getOwnPropertyDescriptor(target, name);
    },
  });
}

function watchFiles(note: (file: string) => void): void {
  const noteFile = (file: unknown): void => {
    if (typeof file === "string") note(path.resolve(file));
    else if (file instanceof URL && file.protocol === "file:") note(fileURLToPath(file));
  };
  const watched = <F extends (...args: never[]) => unknown>(read: F): F =>
    new Proxy(read, {
      apply(target, self, args: unknown[]) {
        noteFile(args[0]);
        return Reflect.apply(target, self, args);
      },
    });
  fs.readFileSync = watched(fs.readFileSync);
  fs.readFile = watched(fs.readFile);
  fs.promises.readFile = watched(fs.promises.readFile);
}

function watchMoments(note: () => void): void {
  const watched = <F extends (...args: never[]) => unknown>(query: F): F =>
    new Proxy(query, {
      apply(target, self, args) {
        note();
        return Reflect.apply(target, self, args);
      },
    });
  Math.random = watched(Math.random);
  crypto.randomUUID = watched(crypto.randomUUID.bind(crypto));
  crypto.getRandomValues = watched(crypto.getRandomValues.bind(crypto));
  performance.now = watched(performance.now.bind(performance));
  const now = watched(Date.now);
  globalThis.Date = new Proxy(Date, {
    construct(target, args, newTarget) {
      if (args.length === 0) note();
      return Reflect.construct(target, args, newTarget);
    },
    apply(target) {
      note();
      return target();
    },
    get: (target, name) => (name === "now" ? now : Reflect.get(target, name)),
  });
}
