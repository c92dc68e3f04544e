import { isNotFound } from "../../api/errors.js";
import { readMarker } from "../../text/marker.js";
import { contractChanges } from "../../mustache/contract-changes.js";
import { contractId } from "../../mustache/contract-id.js";
import { MustacheSyntaxError } from "../../mustache/fill.js";
import type { VariablesContract } from "../../mustache/variables.js";
import { nearest } from "../../text/nearest.js";
import type { ServiceClient } from "../delivery/connection.js";
import type { Check } from "./verify.js";

/** A template that a mailer uses by its name. */
export interface NamedTemplate {
  /** In the project. */
  readonly name: string;
  /** On the service. */
  readonly remoteName: string;
  readonly contract: VariablesContract;
}

/** Maximum bodies to read, one request each, if the list does not tell. */
const READ_MAX = 20;
/** Maximum variables that a message names. */
const SHOWN_MAX = 3;

/**
 * Checks whether the templates are deployed and fit what applications pass. A template's description names its
 * contract; if it is missing or different, the variables in its tags are compared.
 *
 * @throws {CallError} The list could not be read.
 */
export async function templateChecks(
  service: ServiceClient,
  templates: readonly NamedTemplate[],
  signal?: AbortSignal,
): Promise<Check[]> {
  if (templates.length === 0) return [];
  const { client, domain } = service;
  const list = await client.templates.list(domain, { signal });
  const contracts = new Map(list.map(({ name, description }) => [name, readMarker(description).marker?.contract]));
  let read = 0;
  return Promise.all(
    templates.map(async (template): Promise<Check> => {
      const { name, remoteName, contract } = template;
      const check = { name: "template", template: name } as const;
      if (!contracts.has(remoteName)) return { ...check, ...notDeployed(template, [...contracts.keys()]) };
      if (contracts.get(remoteName) === contractId(contract))
        return { ...check, ok: true, message: `${name} is deployed with the same contract.` };
      read += 1;
      if (read > READ_MAX) return { ...check, ok: true, message: `${name} is deployed; its contract was not checked.` };
      return { ...check, ...(await compareBodies(service, template, signal)) };
    }),
  );
}

type Finding = Pick<Check, "ok" | "message" | "hint">;

function notDeployed({ name, remoteName }: NamedTemplate, others: readonly string[]): Finding {
  const as = remoteName === name ? "" : ` as ${remoteName}`;
  const near = nearest(remoteName, others);
  const hint = `Run: templates sync${near === undefined ? "" : `. Did you mean ${near}?`}`;
  return { ok: false, message: `${name} is not deployed${as}.`, hint };
}

async function compareBodies(
  { client, domain }: ServiceClient,
  template: NamedTemplate,
  signal?: AbortSignal,
): Promise<Finding> {
  const { name, remoteName, contract } = template;
  const stored = await client.templates.get(domain, remoteName, { signal }).catch((error: unknown) => {
    if (isNotFound(error)) return undefined;
    throw error;
  });
  if (stored === undefined) return notDeployed(template, []);
  const texts = [stored.subject, stored.text_body, stored.html_body];
  const changes = changesFor(contract, texts);
  if (changes === undefined)
    return { ok: false, message: `The deployed ${name} is not valid Mustache.`, hint: "Run: templates sync" };
  if (changes.length === 0)
    return { ok: true, message: `${name} is deployed, and applications pass all variables that it reads.` };
  const summaries = changes.slice(0, SHOWN_MAX).map(({ variable, effect }) => `${variable} ${effect}`);
  if (changes.length > SHOWN_MAX) summaries.push(`${changes.length - SHOWN_MAX} more`);
  return {
    ok: false,
    message: `The deployed ${name} does not fit the variables that applications pass: ${summaries.join("; ")}.`,
    hint: "Run: templates sync. If the deployed template is newer, deploy the application with the matching registry.",
  };
}

/** Undefined if the texts cannot be parsed. */
function changesFor(contract: VariablesContract, texts: readonly string[]) {
  try {
    return contractChanges({ texts: [], contract }, { texts });
  } catch (error) {
    if (error instanceof MustacheSyntaxError) return undefined;
    throw error;
  }
}
