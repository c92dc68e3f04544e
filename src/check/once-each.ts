import type { Finding } from "./rule.js";

/**
 * Findings without those that say the same about the same place: compilers write one address, style or tag of the source
 * into several places of the html.
 */
export function onceEach(findings: readonly Finding[]): Finding[] {
  const seen = new Set<string>();
  return findings.filter(({ message, at }) => {
    const key = JSON.stringify([message, at?.file, at?.line, at?.column]);
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}
