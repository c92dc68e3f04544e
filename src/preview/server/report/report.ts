import { checkedTemplate, type HasSitedHtml, readingOnce, type ReadText } from "../../../check/checked-template.js";
import type { CheckSettings } from "../../../check/settings.js";
import type { Diagnostic } from "../../../diagnostic.js";
import type { CompiledTemplate, CompileResult } from "../../../template/template.js";
import type { TemplateReport } from "../../contract.js";
import { imagesOf, linksOf } from "./addresses.js";
import { clientSupportOf } from "./clients.js";
import { placeFinder } from "./place-at.js";
import { type Places, placesOf } from "./places.js";
import { problemsOf } from "./problems.js";
import { shownFrom } from "./shown-path.js";
import { sizesOf } from "./sizes.js";
import { variablesOf } from "./variables.js";

export interface ReportInput extends HasSitedHtml {
  readonly name: string;
  readonly revision: number;
  /** Whether rules have yet to run. */
  readonly isPartial: boolean;
  /** The project's folder, absolute. */
  readonly folder: string;
  /** Diagnostics of the newest sources, after silences and configured severities. */
  readonly diagnostics: readonly Diagnostic[];
  /** The result whose bodies the page shows, if any. `sited` belongs to its HTML. */
  readonly shown?: CompileResult | undefined;
  /** Whether the newest sources did not compile, so that the shown version is older than the diagnostics. */
  readonly isBroken?: boolean | undefined;
  readonly settings: CheckSettings;
  /** Reads a source's text with normalised line ends. Default: from disk. */
  readonly read?: ReadText | undefined;
}

/**
 * A template's report, which the page's panels show.
 *
 * @example
 * reportOf({ name: "hi", revision: 1, isPartial: true, folder, diagnostics, shown: result, sited, settings });
 */
export function reportOf(input: ReportInput): TemplateReport {
  const { name, revision, isPartial, isBroken = false, folder, diagnostics, shown, settings } = input;
  const read = input.read ?? readingOnce();
  const head = { name, revision, isPartial, isBroken };
  const compiled = shown?.compiled;
  if (!shown || !compiled) {
    return {
      ...head,
      problems: problemsOf(diagnostics, { folder, read }),
      places: [],
      links: [],
      images: [],
      clients: clientSupportOf(undefined, settings.clients, { places: NOWHERE, shownPath: shownFrom(folder) }),
      sizes: [],
      variables: [],
    };
  }
  return { ...head, ...reportOfCompiled({ ...shown, compiled }, { ...input, read }) };
}

const NOWHERE: Places = { list: [], indexOf: () => undefined };

function reportOfCompiled(
  shown: CompileResult & { readonly compiled: CompiledTemplate },
  { folder, diagnostics, isBroken, sited, settings, read }: ReportInput & { readonly read: ReadText },
): Omit<TemplateReport, "name" | "revision" | "isPartial" | "isBroken"> {
  const checked = checkedTemplate(shown, { sited }, { settings, read });
  const { document, compiled } = checked;
  const shownPath = shownFrom(folder);
  const places = placesOf(shown, document, shownPath);
  // Positions in newer sources say nothing about this HTML.
  const placeAt = isBroken ? undefined : placeFinder(document, places);
  const current = isBroken ? [] : diagnostics;
  return {
    problems: problemsOf(diagnostics, { folder, read, ...(placeAt && { placeAt }) }),
    places: places.list,
    links: linksOf(checked, places, current),
    images: imagesOf(checked, places, current),
    clients: clientSupportOf(document, settings.clients, { places, shownPath }),
    sizes: sizesOf(compiled),
    variables: variablesOf(checked, places, shownPath),
  };
}
