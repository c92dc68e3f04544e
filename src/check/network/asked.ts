import type { CheckedProject, CheckedTemplate } from "../rule.js";
import { hostOf, isExampleDomain, schemeOf } from "../rules/links/address-parts.js";
import { type Address, addressesIn, isImage } from "../rules/links/addresses.js";
import { isMalformed } from "../rules/links/malformed-address.js";
import { whyPrivate } from "../rules/links/private-hosts.js";
import { createProber, type Probe, type ProbeOptions } from "./probe.js";

/** An address of a template, and what became of asking for it. */
export interface Asked {
  readonly checked: CheckedTemplate;
  readonly address: Address;
  /** The form that was asked for, whole. */
  readonly form: string;
  readonly probe: Probe;
}

/** How many addresses are asked for at the same time. */
const AT_ONCE = 8;

/** Asks for every address of a project, each once; the same for all rules of one run. */
export type AskProject = (project: CheckedProject) => Promise<readonly Asked[]>;

export function askingOnce(options: ProbeOptions): AskProject {
  const runs = new WeakMap<CheckedProject, Promise<readonly Asked[]>>();
  return (project) => {
    const run = runs.get(project) ?? askAddresses(project.checked, options);
    runs.set(project, run);
    return run;
  };
}

/** Asks for every address of templates, each once. */
export async function askAddresses(
  checked: readonly CheckedTemplate[],
  options: ProbeOptions,
): Promise<readonly Asked[]> {
  const wanted = checked.flatMap((each) =>
    addressesIn(each).flatMap((address) =>
      address.forms.filter(isAskable).map((form) => ({ checked: each, address, form })),
    ),
  );
  const images = new Set(wanted.filter(({ address }) => isImage(address)).map(({ form }) => bare(form)));
  const addresses = [...new Set(wanted.map(({ form }) => bare(form)))];
  const probes = new Map<string, Probe>();
  const prober = await createProber(options);
  const work = async (): Promise<void> => {
    for (let next = addresses.shift(); next !== undefined; next = addresses.shift())
      probes.set(next, await prober.probe(next, images.has(next)));
  };
  try {
    await Promise.all(Array.from({ length: AT_ONCE }, work));
  } finally {
    await prober.close();
  }
  return wanted.flatMap((each) => {
    const probe = probes.get(bare(each.form));
    return probe ? [{ ...each, probe }] : [];
  });
}

/** Whole, public, and not one that other rules report anyway. */
function isAskable(form: string): boolean {
  if (form.includes("{{") || !/^https?$/.test(schemeOf(form) ?? "") || isMalformed(form)) return false;
  const host = hostOf(form);
  return host !== undefined && whyPrivate(host) === undefined && !isExampleDomain(host) && !host.endsWith(".example");
}

/** Servers never get to see what follows `#`. */
function bare(form: string): string {
  return form.replace(/#.*$/s, "");
}
