import { pageOf, supportData } from "../../../check/client-support/data.js";
import { insteadOf } from "../../../check/client-support/loss.js";
import { type LostFeature, lossesIn } from "./losses.js";
import { plainNote } from "../../../check/client-support/notes.js";
import type { EmailDocument } from "../../../check/document/email-document.js";
import type { ClientFeature, ClientSupport } from "../../contract.js";
import type { Places } from "./places.js";
import type { ShownPath } from "./shown-path.js";

/** @param patterns Patterns of clients. If empty: the most common ones. */
export function clientSupportOf(
  document: EmailDocument | undefined,
  patterns: readonly string[],
  where: Where,
): ClientSupport {
  const losses = document ? lossesIn(document, patterns) : [];
  return {
    date: supportData().date,
    clients: losses.map(({ id, client, lost }) => ({
      id,
      name: client,
      features: lost.map((feature) => featureOf(feature, where)),
    })),
  };
}

interface Where {
  readonly places: Places;
  readonly shownPath: ShownPath;
}

function featureOf({ title, loss, support, notes, use, at }: LostFeature, { places, shownPath }: Where): ClientFeature {
  const instead = loss === "expected" ? undefined : insteadOf(use.feature);
  const note = [...notes.map(plainNote), ...(instead === undefined ? [] : [instead])].join(" ");
  const place = places.indexOf(use.element);
  return {
    name: title,
    support,
    loss: loss === "expected" ? "extra" : loss,
    page: pageOf(use.feature),
    ...(note !== "" && { note }),
    ...(place !== undefined && { place }),
    ...(at?.line !== undefined && { at: { file: shownPath(at.file), line: at.line, column: at.column ?? 1 } }),
  };
}
