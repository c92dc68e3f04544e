import type { VariablesContract } from "../mustache/variables.js";
import type { DeliveryDefaults } from "../project/registry-types.js";

/** A template's entry in a registry. */
export interface WrittenEntry {
  readonly hash: string;
  readonly subject: string;
  readonly delivery: DeliveryDefaults;
  readonly contract: VariablesContract;
  /** Whether it uses a schema or `derive` from a module. */
  readonly hasModule: boolean;
}

/**
 * A template's entry in an existing registry; undefined if there is none, or if it was edited.
 *
 * @example
 * readEntry(await readFile(project.registryFile, "utf8"), "receipt")?.subject;
 */
export function readEntry(registry: string, name: string): WrittenEntry | undefined {
  const lines = registry.split(/\r?\n/);
  const start = lines.indexOf(`    ${JSON.stringify(name)}: {`);
  const end = lines.indexOf("    },", start);
  if (start < 0 || end < 0) return undefined;
  const members = new Map<string, string>();
  for (const line of lines.slice(start + 1, end)) {
    const [, key = line.trim(), value = ""] = /^ {6}(\w+): (.*),$/.exec(line) ?? [];
    members.set(key, value);
  }
  const read = (key: string): unknown => parse(members.get(key));
  const [hash, subject, contract] = [read("hash"), read("subject"), read("contract")];
  if (typeof hash !== "string" || typeof subject !== "string" || !isContract(contract)) return undefined;
  // All its keys and values are plain words.
  const delivery = parse(members.get("delivery")?.replaceAll(/(\w+): /g, '"$1": ') ?? "{}");
  const hasModule = members.has(`...modules[${JSON.stringify(name)}],`);
  return isDelivery(delivery) ? { hash, subject, delivery, contract, hasModule } : undefined;
}

function parse(written = ""): unknown {
  try {
    return JSON.parse(written);
  } catch {
    return undefined;
  }
}

function isContract(value: unknown): value is VariablesContract {
  return typeof value === "object" && value !== null && "input" in value && "conditions" in value;
}

function isDelivery(value: unknown): value is DeliveryDefaults {
  return typeof value === "object" && value !== null;
}
