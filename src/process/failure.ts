import { inspect, types } from "node:util";
import type { BundleMaps } from "./bundle-maps.js";
import { missingExport } from "./near-names.js";
import type { Failure } from "./protocol.js";

const lettershop = new URL("../", import.meta.url).href;

/** Converts a thrown value to a `Failure`. */
export function failureOf(thrown: unknown, maps: BundleMaps): Failure {
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
    ...(at === undefined ? {} : { at }),
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
