import {
  allFeatures,
  alternativeTo,
  clientsOf,
  type Feature,
  lossOf,
  pageOf,
  supportData,
} from "../../../check/client-support/data.js";
import { type Use, usesIn, wording, Written } from "../../../check/client-support/uses.js";
import { plainNote, supportOf, type Verdict } from "../../../check/client-support/verdict.js";
import type { EmailDocument } from "../../../check/document/email-document.js";
import type { SourcePosition } from "../../../diagnostic.js";
import type { ClientFeature, ClientSupport } from "../../contract.js";
import type { Places } from "./places.js";
import type { ShownPath } from "./problems.js";

interface Where {
  readonly places: Places;
  readonly shownPath: ShownPath;
}

/**
 * Every feature of compiled HTML that some clients do not support, however minor, whether written by a user or added by
 * the compiler. Unlike `client-unsupported`, it gives no advice.
 *
 * @param patterns Patterns of clients, as for `clientsOf`. If empty: the most common ones.
 */
export function clientSupportOf(document: EmailDocument, patterns: readonly string[], where: Where): ClientSupport {
  const clients = clientsOf(patterns);
  const support = supportOf(clients);
  const lostByClient = new Map(clients.map((client) => [client, new Map<Feature, ClientFeature>()]));
  const written = new Written(document);
  const seen = new Set<string>();
  const lacking = allFeatures().filter((feature) => isLost(support.atWorst(feature), clients));
  for (const use of usesIn(document, new Set(lacking))) {
    const key = [use.feature, use.element.name, wording(use), ...(use.requires ?? [])].join("\n");
    if (use.hasFallback || seen.size === seen.add(key).size) continue;
    const verdict = support.of(use);
    let at: { readonly found: SourcePosition | undefined } | undefined;
    for (const [client, lost] of lostByClient) {
      const lack = lost.has(use.feature) ? undefined : lackOf(client, verdict);
      if (!lack) continue;
      at ??= { found: written.find(use)?.at };
      const notes = lack === "partial" ? support.notesOn(use, client).map(plainNote) : [];
      lost.set(use.feature, featureOf(use, lack, notes, at.found, where));
    }
  }
  const { date, clients: names } = supportData();
  return {
    date,
    clients: Array.from(lostByClient, ([id, lost]) => ({ id, name: names[id] ?? id, features: [...lost.values()] })),
  };
}

/** The first use of a feature that a client does not support. */
function featureOf(
  { feature, element }: Use,
  support: ClientFeature["support"],
  notes: readonly string[],
  at: SourcePosition | undefined,
  { places, shownPath }: Where,
): ClientFeature {
  const loss = lossOf(feature);
  const instead = loss === "expected" ? undefined : alternativeTo(feature);
  const note = [...notes, ...(instead === undefined ? [] : [instead])].join(" ");
  const place = places.indexOf(element);
  return {
    name: supportData().features[feature].title,
    support,
    loss: loss === "expected" ? "extra" : loss,
    page: pageOf(feature),
    ...(note !== "" && { note }),
    ...(place !== undefined && { place }),
    ...(at?.line !== undefined && { at: { file: shownPath(at.file), line: at.line, column: at.column ?? 1 } }),
  };
}

function lackOf(client: string, { unsupported, partial, known }: Verdict): ClientFeature["support"] | undefined {
  if (unsupported.includes(client)) return "none";
  if (partial.includes(client)) return "partial";
  return known.includes(client) ? undefined : "unknown";
}

/** Whether a client may lack support for a feature, or its support is unknown. */
function isLost({ unsupported, partial, known }: Verdict, clients: readonly string[]): boolean {
  return unsupported.length + partial.length > 0 || known.length < clients.length;
}
