import { expect, test } from "vitest";
import { localName } from "../../src/cli/deploy/local-side.js";

test("removes affixes, and excludes names without them", () => {
  const staging = { namePrefix: "stg-", nameSuffix: "-x" };
  expect(localName("stg-receipt-x", staging, [])).toBe("receipt");
  expect(localName("receipt", staging, [])).toBeUndefined();
  expect(localName("stg-x", staging, []), "the same hyphen can't be both").toBeUndefined();
  expect(localName("stg--x", staging, [])).toBeUndefined();
  expect(localName("receipt", {}, [])).toBe("receipt");
});

test("assigns a name to the environment with the longest affixes", () => {
  const [eu, all] = [{ namePrefix: "stg-eu-" }, { namePrefix: "stg-" }];
  expect(localName("stg-eu-receipt", eu, [all, {}])).toBe("receipt");
  expect(localName("stg-eu-receipt", all, [eu, {}])).toBeUndefined();
  expect(localName("stg-eu-receipt", {}, [all, eu])).toBeUndefined();
  expect(localName("stg-receipt", all, [eu, {}])).toBe("receipt");
});
