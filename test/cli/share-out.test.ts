import * as fc from "fast-check";
import { expect, it } from "vitest";
import { shareOut } from "../../src/cli/report/plan/markdown.js";

it("meets small needs, gives the others equal shares, and wastes no space", () => {
  expect(shareOut([10, 500, 70], 180)).toEqual([10, 100, 70]);
  expect(shareOut([], 10)).toEqual([]);
  fc.assert(
    fc.property(fc.array(fc.nat(1000)), fc.nat(5000), (needs, room) => {
      const shares = shareOut(needs, room);
      const total = shares.reduce((sum, share) => sum + share, 0);
      expect(total).toBeLessThanOrEqual(room);
      expect(shares.every((share, index) => share <= (needs[index] ?? 0))).toBe(true);
      const cut = shares.filter((share, index) => share < (needs[index] ?? 0));
      if (cut.length === 0) return;
      expect(room - total).toBeLessThan(needs.length);
      expect(Math.max(...shares) - Math.min(...cut)).toBeLessThanOrEqual(1);
    }),
  );
});
