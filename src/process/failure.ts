import { inspect, types } from "node:util";
import type { BundleMaps } from "./loader.js";
import type { SourcePosition } from "../diagnostic.js";
import { nearest } from "../text/nearest.js";

const lettershop = new URL("../", import.meta.url).href;

/** An error sent from the worker. */
export interface WorkerFailure {
  readonly message: string;
  readonly hint?: string;
  /** Environment variables that the user's code had read and that are not set, if it threw while it was loaded. */
  readonly unset?: readonly string[];
  readonly stack?: string;
  /** Whether the user's code is to blame rather than lettershop. */
  readonly inUserCode: boolean;
  /** The position in the user's own modules, if the stack shows one. */
  readonly at?: SourcePosition;
}

/** Converts a thrown value to a `WorkerFailure`. */
export function failureOf(thrown: unknown, maps: BundleMaps): WorkerFailure {
  if (!isError(thrown)) return { message: `${inspect(thrown)} was thrown.`, inUserCode: true };
  const name = text(thrown.name);
  const message = text(thrown.message);
  const stack = text(thrown.stack);
  const isComputed = COMPUTED_IMPORT.test(message);
  const [module = "", missing] = missingExport(message) ?? [];
  const at = missing === undefined ? maps.positionIn(stack) : maps.positionOfImport(missing, stack);
  return {
    message: isComputed
      ? "An import() with a computed path found no module."
      : missing === undefined
        ? maps.readable(sentence(name, withoutImporters(message)))
        : `${packageOf(module)} has no export "${missing}".`,
    ...(isComputed && { hint: 'Write the whole path, `import("./name.js")`, so that the module is bundled.' }),
    stack,
    inUserCode: at !== undefined || !innermostFile(stack)?.startsWith(lettershop),
    at,
  };
}

/** Imports with static paths are resolved when bundling; imports inside packages are not covered here. */
const COMPUTED_IMPORT = /^Cannot find module '[^]*' imported from (?!.*\/node_modules\/)/;

function sentence(name: string, message: string): string {
  if (message === "") return `${name} was thrown, without a message.`;
  return name === "Error" ? message : `${name}: ${message}`;
}

/** After the message, Node.js lists the files that required a missing one; the first shows which package lacks it. */
function withoutImporters(message: string): string {
  const [problem = "", needing] = message.split(
    /(?:\nRequire stack:\n- |(?<=^Cannot find package '.*') imported from )(.*)[^]*/,
  );
  return needing?.includes("/node_modules/") === true ? `${problem}, which ${packageOf(needing)} needs.` : problem;
}

/** The package that contains a module, as it is imported. */
function packageOf(address: string): string {
  return /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(address)?.[1] ?? address;
}

/** For members of an Error: user code may have assigned any value. */
function text(value: unknown): string {
  return typeof value === "string" ? value : "";
}

function isError(thrown: unknown): thrown is Error {
  return thrown instanceof Error || types.isNativeError(thrown);
}

function innermostFile(stack: string): string | undefined {
  return /file:\/\/\S+/.exec(stack)?.[0];
}

/** Node's message for importing a name that a module doesn't export. */
const NO_EXPORT = /'(.+)' does not provide an export named '(.+)'/;

/** The module's URL and the missing name, if a message reports a missing export. */
function missingExport(message: string): readonly [module: string, name: string] | undefined {
  const [, module, name] = NO_EXPORT.exec(message) ?? [];
  return module === undefined || name === undefined ? undefined : [module, name];
}

/** Suggests the name that was most likely meant. */
export async function withNearName(failure: WorkerFailure, thrown: unknown): Promise<WorkerFailure> {
  const [module = "", name = ""] = (thrown instanceof Error && missingExport(thrown.message)) || [];
  if (!module.startsWith("file:")) return failure;
  // The failed import had loaded it already.
  const exported = await import(module).then(
    (all: object) => Object.keys(all),
    () => [],
  );
  const near = nearest(name, exported);
  return near === undefined ? failure : { ...failure, hint: `Did you mean ${near}?` };
}
