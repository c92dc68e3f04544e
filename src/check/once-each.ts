import type { Finding } from "./rule.js";

/**
 * Drops findings that repeat the same message for the same place: compilers copy one URL, style or tag of the source
 * into several places of the html.
 */
export function onceEach<Each extends Finding & { readonly rule?: string }>(findings: readonly Each[]): Each[] {
  const seen = new Set<string>();
  return findings.filter(({ rule, severity, message, template, at }) => {
    const key = JSON.stringify([rule, severity, message, template, at?.file, at?.line, at?.column]);
    return seen.size < seen.add(key).size;
  });
}
