import type { Finding } from "./rule.js";

/**
 * Findings without those that say the same about the same place: compilers write one address, style or tag of the source
 * into several places of the html.
 */
export function onceEach<Each extends Finding & { readonly rule?: string }>(findings: readonly Each[]): Each[] {
  const seen = new Set<string>();
  return findings.filter(({ rule, severity, message, template, at }) => {
    const key = JSON.stringify([rule, severity, message, template, at?.file, at?.line, at?.column]);
    return seen.size < seen.add(key).size;
  });
}
