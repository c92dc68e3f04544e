import type { SourcePosition } from "../../../diagnostic.js";
import type { EmailDocument } from "../../../check/document/email-document.js";
import {
  clientsOf,
  allFeatures,
  supportData,
  lossOf,
  type Feature,
  type Loss,
} from "../../../check/client-support/data.js";
import { wording, usesIn, Written, type Use } from "../../../check/client-support/uses.js";
import { supportOf, type Verdict } from "../../../check/client-support/verdict.js";

/** Features of compiled HTML that a client does not support, whether written by a user or added by the compiler. */
export interface ClientLosses {
  /** `outlook.windows` */
  readonly id: string;
  /** The client's display name: `Outlook (Windows)`. */
  readonly client: string;
  /** In document order. */
  readonly lost: readonly LostFeature[];
}

export interface LostFeature {
  /** The feature's display name: `border-radius`. */
  readonly title: string;
  readonly loss: Loss;
  /** `unknown` if nobody has tested it; it counts as not supported. */
  readonly support: "none" | "partial" | "unknown";
  /** Notes from caniemail about the client's support, in Markdown. */
  readonly notes: readonly string[];
  /** The first use that the client does not support. */
  readonly use: Use;
  /** Where it was written. Undefined if the compiler added it. */
  readonly at: SourcePosition | undefined;
}

/**
 * Every feature of compiled HTML that some clients do not support, however minor. Unlike
 * `client-unsupported`, it gives no advice.
 *
 * @example
 * lossesIn(document, ["outlook.windows"])[0]?.lost[0]?.title; // "border-radius"
 *
 * @param patterns Patterns of clients, as for `clientsOf`.
 */
export function lossesIn(document: EmailDocument, patterns: readonly string[]): readonly ClientLosses[] {
  const clients = clientsOf(patterns);
  const support = supportOf(clients);
  const losses = new Map(clients.map((client) => [client, new Map<Feature, LostFeature>()]));
  const written = new Written(document);
  const seen = new Set<string>();
  const lacking = allFeatures().filter((feature) => isLost(support.atWorst(feature), clients));
  for (const use of usesIn(document, new Set(lacking))) {
    const key = [use.feature, use.element.name, wording(use), ...(use.requires ?? [])].join("\n");
    if (use.hasFallback || seen.size === seen.add(key).size) continue;
    const { title } = supportData().features[use.feature];
    const verdict = support.of(use);
    let at: { readonly found: SourcePosition | undefined } | undefined;
    for (const [client, lost] of losses) {
      const lack = lost.has(use.feature) ? undefined : lackOf(client, verdict);
      if (!lack) continue;
      at ??= { found: written.find(use)?.at };
      const notes = lack === "partial" ? support.notesOn(use, client) : [];
      lost.set(use.feature, { title, loss: lossOf(use.feature), support: lack, notes, use, at: at.found });
    }
  }
  return Array.from(losses, ([client, lost]) => ({
    id: client,
    client: supportData().clients[client] ?? client,
    lost: [...lost.values()],
  }));
}

function lackOf(client: string, { unsupported, partial, known }: Verdict): LostFeature["support"] | undefined {
  if (unsupported.includes(client)) return "none";
  if (partial.includes(client)) return "partial";
  return known.includes(client) ? undefined : "unknown";
}

/** Whether a client may lack support for a feature, or its support is unknown. */
function isLost({ unsupported, partial, known }: Verdict, clients: readonly string[]): boolean {
  return unsupported.length + partial.length > 0 || known.length < clients.length;
}
