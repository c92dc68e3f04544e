import type { CheckedTemplate } from "../rule.js";
import { hostOf, isExampleDomain, schemeOf } from "../rules/links/address-parts.js";
import { type Address, addressesIn, isImage } from "../rules/links/addresses.js";
import { isMalformed } from "../rules/links/malformed-address.js";
import { whyPrivate } from "../rules/links/private-hosts.js";
import { type Probe, probeAll, type ProbeOptions } from "./probe.js";

/** A URL in a template, and the result of requesting it. */
export interface ProbedUrl {
  readonly checked: CheckedTemplate;
  readonly address: Address;
  /** The URL that was requested. */
  readonly form: string;
  readonly probe: Probe;
}

/** Requests every URL of templates, each once. */
export async function askAddresses(
  checked: readonly CheckedTemplate[],
  options: ProbeOptions,
): Promise<readonly ProbedUrl[]> {
  const wanted = checked.flatMap((each) =>
    addressesIn(each).flatMap((address) =>
      address.forms.filter(isAskable).map((form) => ({ checked: each, address, form })),
    ),
  );
  const images = new Set(wanted.filter(({ address }) => isImage(address)).map(({ form }) => withoutFragment(form)));
  const probes = await probeAll(
    new Map(wanted.map(({ form }) => [withoutFragment(form), images.has(withoutFragment(form))])),
    options,
  );
  return wanted.flatMap((each) => {
    const probe = probes.get(withoutFragment(each.form));
    return probe ? [{ ...each, probe }] : [];
  });
}

/** Whether a URL is absolute, public and not reported by other rules anyway. */
function isAskable(form: string): boolean {
  if (form.includes("{{") || !/^https?$/.test(schemeOf(form) ?? "") || isMalformed(form)) return false;
  const host = hostOf(form);
  return host !== undefined && whyPrivate(host) === undefined && !isExampleDomain(host) && !host.endsWith(".example");
}

/** The URL without its fragment, which servers never see. */
function withoutFragment(form: string): string {
  return form.replace(/#.*$/s, "");
}
