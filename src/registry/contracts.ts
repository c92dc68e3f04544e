import { readFileSync } from "node:fs";
import type { VariablesContract } from "../mustache/variables.js";

/** What applications pass, by the template's name in the project: the contracts at the time the registry was written. */
export function passedBy({ registryFile }: { readonly registryFile: string }): Map<string, VariablesContract> {
  let text = "";
  try {
    text = readFileSync(registryFile, "utf8");
  } catch {
    // The project has no registry.
  }
  return readContracts(text);
}

/**
 * Each template's contract, from the lines that `generateRegistry` writes. Edited lines are ignored.
 *
 * @example
 * readContracts(await readFile(project.registryFile, "utf8")).get("receipt")?.input;
 */
export function readContracts(text: string): Map<string, VariablesContract> {
  const contracts = new Map<string, VariablesContract>();
  let name: string | undefined;
  for (const line of text.split(/\r?\n/)) {
    name = /^ {4}"([^"]+)": \{$/.exec(line)?.[1] ?? name;
    const written = /^ {6}contract: (\{.*\}),$/.exec(line)?.[1];
    if (name === undefined || written === undefined) continue;
    const contract = parseContract(written);
    if (contract !== undefined) contracts.set(name, contract);
  }
  return contracts;
}

function parseContract(written: string): VariablesContract | undefined {
  try {
    const contract: Partial<VariablesContract> = JSON.parse(written);
    const { input, derived, conditions = [] } = contract;
    if (input === undefined) return undefined;
    return { input, conditions, ...(derived === undefined ? {} : { derived }) };
  } catch {
    return undefined;
  }
}
