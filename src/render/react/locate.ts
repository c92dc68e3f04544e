import type { SourcePosition } from "../../diagnostic.js";
import type { Tokenised } from "../tokenised.js";
import { TOKEN } from "../../mustache/tokens.js";
import type { Steps } from "./leaves.js";
import type { Failure, Trial } from "./trial.js";
import { usesOf } from "./uses.js";

/**
 * The most likely source position of a difference: where the variable that causes it is passed to something that decides,
 * near the tags around the difference.
 */
export async function locate(
  failure: Extract<Failure, { kind: "differs" }>,
  { trial, html, file, culprit }: { trial: Trial; html: Tokenised; file: string; culprit: Steps | undefined },
): Promise<SourcePosition> {
  const near = nearestTag(failure, trial, html) ?? { file };
  const name = culprit?.findLast((step) => typeof step === "string");
  if (name === undefined) return near;
  const uses = await usesOf(file, name);
  const handedOn = uses.filter(({ isPassedOn }) => isPassedOn);
  const places = (handedOn.length > 0 ? handedOn : uses).map(({ at }) => at);
  const { line = 0 } = near;
  return places.find((at) => at.file === near.file && (at.line ?? 0) >= line) ?? places[0] ?? near;
}

/** The position of the last tag before the difference. */
function nearestTag(
  { example, difference }: Extract<Failure, { kind: "differs" }>,
  trial: Trial,
  { text, tags }: Tokenised,
): SourcePosition | undefined {
  const marked = text.replace(TOKEN, (_token, number: string) => `\uE004${number}\uE005${tags[Number(number)]?.text}`);
  let plain = 0;
  let nearest: SourcePosition | undefined;
  for (const [piece, number] of trial.fill(marked, example).matchAll(/\uE004(\d+)\uE005|[^\uE004]+/g)) {
    if (plain > difference.at) break;
    if (number === undefined) plain += piece.length;
    else nearest = tags[Number(number)]?.at ?? nearest;
  }
  return nearest;
}
