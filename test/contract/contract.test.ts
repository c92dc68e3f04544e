import { describe, expect, test } from "vitest";
import { type Exchange, itemsNamed, unseen } from "./inventory.js";
import { localWorlds } from "./local.js";
import { reasonAgainstRemote, remoteWorld } from "./remote.js";
import { sentences } from "./sentences/index.js";

describe("the local service", () => {
  const world = localWorlds(sentences.length);
  test.for(sentences.map((each, index) => [each.quotation, each, index] as const))(
    "%s",
    async ([, { covers, run, writesLog }, index]) => {
      const exchanges: Exchange[] = [];
      await run(await world(index, (exchange) => exchanges.push(exchange), writesLog));
      // The calls of a test must show what it claims to cover.
      expect(unseen(covers.flatMap(itemsNamed), exchanges)).toEqual([]);
    },
  );
});

const reason = reasonAgainstRemote();
/** Long enough to wait for a real account's rate limits. */
const REMOTE_TIMEOUT_MS = 15 * 60_000;

describe(`a real account${reason === undefined ? "" : ` (skipped: ${reason})`}`, () => {
  test.skipIf(reason !== undefined).for(sentences.map((each) => [each.quotation, each] as const))(
    "%s",
    { timeout: REMOTE_TIMEOUT_MS },
    async ([, { run }], { skip }) => {
      await run(await remoteWorld(() => undefined, skip));
    },
  );
});
