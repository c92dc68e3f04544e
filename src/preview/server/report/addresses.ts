import { checkedTemplate } from "../../../check/checked-template.js";
import type { CheckedTemplate, CheckSettings } from "../../../check/rule.js";
import { probeUrls, type ProbeOptions } from "../../../check/lib/probed-urls.js";
import { addressesIn, isImage, type EmailUrl } from "../../../check/lib/addresses.js";
import { accessibleName } from "../../../check/lib/texts.js";
import type { Diagnostic, SourcePosition } from "../../../diagnostic.js";
import type { CompiledTemplate, CompileResult } from "../../../project/template.js";
import type { ImageReport, LinkReport, RowProblem, UrlRequest } from "../../contract.js";
import type { Places } from "./places.js";

/** The links of a compiled template, with their problems. */
export function linksOf(
  checked: CheckedTemplate,
  places: Places,
  diagnostics: readonly Diagnostic[],
): readonly LinkReport[] {
  const about = finder(diagnostics, /link|address|anchor|host|domain|phone/);
  return addressesIn(checked)
    .filter(({ use }) => use === "link")
    .map((address): LinkReport => {
      const { element, written } = address;
      return {
        href: written,
        text: accessibleName(element),
        place: places.indexOf(element),
        problems: about(address, []),
      };
    });
}

/** The images of a compiled template with their problems, including background images. */
export function imagesOf(
  checked: CheckedTemplate,
  places: Places,
  diagnostics: readonly Diagnostic[],
): readonly ImageReport[] {
  const about = finder(diagnostics, /image|address/);
  return addressesIn(checked)
    .filter(isImage)
    .map((address): ImageReport => {
      const { element, written, use } = address;
      const [alt, width, height] =
        use === "image" ? ["alt", "width", "height"].map((name) => element.attribute(name)) : [];
      return {
        src: written,
        alt,
        width,
        height,
        place: places.indexOf(element),
        problems: about(address, ["alt", "width", "height"]),
      };
    });
}

/**
 * Finds the problems of a URL: those at the URL itself, and those at its element from rules that are only about URLs.
 */
function finder(diagnostics: readonly Diagnostic[], rules: RegExp) {
  const byPlace = new Map<string, Diagnostic[]>();
  for (const diagnostic of diagnostics) {
    const key = keyOf(diagnostic.at);
    if (key === undefined) continue;
    const others = byPlace.get(key);
    if (others) others.push(diagnostic);
    else byPlace.set(key, [diagnostic]);
  }
  return ({ element, at }: EmailUrl, attributes: readonly string[]): RowProblem[] => {
    if (byPlace.size === 0) return [];
    const diagnosticsAt = (position: SourcePosition) => byPlace.get(keyOf(position) ?? "") ?? [];
    const atElement = diagnosticsAt(element.at()).filter(({ rule }) => rules.test(rule));
    const atParts = [at(), ...attributes.map((name) => element.at(name))]
      .filter((position) => keyOf(position) !== keyOf(element.at()))
      .flatMap(diagnosticsAt);
    const all = [...atParts, ...atElement].map(({ severity, message }): RowProblem => ({ severity, message }));
    return [...new Map(all.map((problem) => [problem.message, problem])).values()];
  };
}

function keyOf(at: SourcePosition | undefined): string | undefined {
  return at?.line === undefined ? undefined : `${at.file}:${at.line}:${at.column ?? 1}`;
}

/** Requests the public URLs of a template's links and images, each once. */
export async function requestUrls(
  shown: CompileResult & { readonly compiled: CompiledTemplate },
  { settings, probe: options }: { readonly settings: CheckSettings; readonly probe: ProbeOptions },
): Promise<readonly UrlRequest[]> {
  const results = await probeUrls([checkedTemplate(shown, undefined, { settings })], options);
  const requests = results.map(({ address: { written }, form: url, probe }): UrlRequest => {
    if (probe.kind === "failed") return { written, url, failure: probe.reason };
    const { status, movedTo, bytes } = probe;
    return { written, url, status, ...(movedTo !== undefined && { movedTo }), ...(bytes !== undefined && { bytes }) };
  });
  return [...new Map(requests.map((request) => [`${request.written} ${request.url}`, request])).values()];
}
