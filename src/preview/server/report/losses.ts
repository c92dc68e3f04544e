import type { SourcePosition } from "../../../diagnostic.js";
import type { EmailDocument } from "../../../check/document/email-document.js";
import { clientsOf } from "../../../check/client-support/clients.js";
import { allFeatures, type Feature, supportData } from "../../../check/client-support/data.js";
import { type Loss, lossOf } from "../../../check/client-support/loss.js";
import { type Use, wording } from "../../../check/client-support/use.js";
import { usesIn } from "../../../check/client-support/uses.js";
import { supportOf, type Verdict } from "../../../check/client-support/verdict.js";
import { Written } from "../../../check/client-support/written.js";

/** What a client does not take of a compiled html, be it written by a person or by a compiler. */
export interface ClientLosses {
  /** `outlook.windows` */
  readonly id: string;
  /** For a person: `Outlook (Windows)`. */
  readonly client: string;
  /** In the order of the document. */
  readonly lost: readonly LostFeature[];
}

export interface LostFeature {
  /** For a person: `border-radius`. */
  readonly title: string;
  readonly loss: Loss;
  /** Nobody may have tried it: that is no support. */
  readonly support: "none" | "partial" | "unknown";
  /** What caniemail says of how the client takes it, in Markdown. */
  readonly notes: readonly string[];
  /** The first that the client does not take. */
  readonly use: Use;
  /** Where a person wrote it; undefined of what a compiler adds. */
  readonly at: SourcePosition | undefined;
}

/**
 * All that some clients don't take of a compiled html, however small: a table, and no advice as `client-unsupported` gives it.
 *
 * @example
 * lossesIn(document, ["outlook.windows"])[0]?.lost[0]?.title; // "border-radius"
 *
 * @param patterns Of clients, as `clientsOf` takes them.
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
      const found = lost.has(use.feature) ? undefined : lackOf(client, verdict);
      if (!found) continue;
      at ??= { found: written.find(use)?.at };
      const notes = found === "partial" ? support.notesOn(use, client) : [];
      lost.set(use.feature, { title, loss: lossOf(use.feature), support: found, notes, use, at: at.found });
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

/** Whether a client may lack a feature, or nobody knows. */
function isLost({ unsupported, partial, known }: Verdict, clients: readonly string[]): boolean {
  return unsupported.length + partial.length > 0 || known.length < clients.length;
}
