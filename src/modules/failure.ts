import { inspect, types } from "node:util";
import type { BundleMaps } from "./bundle-maps.js";
import { missingExport } from "./near-names.js";
import type { Failure } from "./protocol.js";

const lettershop = new URL("../", import.meta.url).href;

/** What becomes of something that was thrown in the worker. */
export function failureOf(thrown: unknown, maps: BundleMaps): Failure {
  if (!isError(thrown)) return { message: `${inspect(thrown)} was thrown.`, inUserCode: true };
  const name = text(thrown.name);
  const message = text(thrown.message);
  const stack = text(thrown.stack);
  const [module = "", missing] = missingExport(message) ?? [];
  const at = missing === undefined ? maps.positionIn(stack) : maps.positionOfImport(missing, stack);
  return {
    message:
      missing === undefined
        ? maps.readable(sentence(name, withoutRequireStack(message)))
        : `${packageOf(module)} has no export "${missing}".`,
    stack,
    inUserCode: at !== undefined || !innermostFile(stack)?.startsWith(lettershop),
    ...(at === undefined ? {} : { at }),
  };
}

function sentence(name: string, message: string): string {
  if (message === "") return `${name} was thrown, without a message.`;
  return name === "Error" ? message : `${name}: ${message}`;
}

/** Node.js lists the files that led to a missing one below its message; the first of them says whose package lacks it. */
function withoutRequireStack(message: string): string {
  const [problem = "", needing] = message.split(/\nRequire stack:\n- (.*)[^]*/);
  return needing?.includes("/node_modules/") === true ? `${problem}, which ${packageOf(needing)} needs.` : problem;
}

/** The package that a module's address is in, as it is imported. */
function packageOf(address: string): string {
  return /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(address)?.[1] ?? address;
}

/** Of an Error's members: user code may have put anything into them. */
function text(value: unknown): string {
  return typeof value === "string" ? value : "";
}

function isError(thrown: unknown): thrown is Error {
  return thrown instanceof Error || types.isNativeError(thrown);
}

function innermostFile(stack: string): string | undefined {
  return /file:\/\/\S+/.exec(stack)?.[0];
}
