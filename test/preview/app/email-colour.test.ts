import { wcagContrast } from "culori";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { CANVAS, darkened, lightened } from "../../../preview/email/colour.js";

const channel = fc.integer({ min: 0, max: 255 });
const colour = fc.tuple(channel, channel, channel).map(([r, g, b]) => `rgb(${r}, ${g}, ${b})`);

const hueOf = (text: string) => {
  const [r = 0, g = 0, b = 0] = (text.match(/[\d.]+/g) ?? []).map(Number);
  const most = Math.max(r, g, b);
  return { r, g, b, strongest: [r, g, b].indexOf(most), spread: most - Math.min(r, g, b) };
};

describe("colours in forced dark mode", () => {
  it("stay as readable as the original colours", () => {
    fc.assert(
      fc.property(colour, colour, (text, background) => {
        fc.pre(wcagContrast(text, background) >= 4.5);
        expect(wcagContrast(lightened(text) ?? text, darkened(background) ?? background)).toBeGreaterThanOrEqual(4.5);
      }),
      // The hardest case: magenta on a green that becomes the lightest of the darkened colours.
      { numRuns: 500, examples: [["rgb(178, 0, 160)", "rgb(32, 255, 0)"]] },
    );
  });

  it("turn light backgrounds dark and dark text light, and keep all others", () => {
    fc.assert(
      fc.property(colour, (any) => {
        expect(wcagContrast(darkened(any) ?? any, "white")).toBeGreaterThan(4.5);
        expect(wcagContrast(lightened(any) ?? any, "black")).toBeGreaterThan(6);
      }),
    );
    expect(darkened("rgb(18, 24, 38)")).toBeUndefined();
    expect(lightened("rgb(255, 255, 255)")).toBeUndefined();
    expect(wcagContrast(darkened(CANVAS.light) ?? "", CANVAS.dark)).toBeLessThan(1.1);
  });

  it("keep a brand's hue", () => {
    for (const brand of ["rgb(30, 107, 74)", "rgb(224, 36, 27)", "rgb(42, 85, 214)", "rgb(255, 212, 0)"]) {
      for (const shown of [darkened(brand) ?? brand, lightened(brand) ?? brand]) {
        const [was, is] = [hueOf(brand), hueOf(shown)];
        expect(is.strongest, `${brand} as ${shown}`).toBe(was.strongest);
        expect(is.spread, `${brand} as ${shown}`).toBeGreaterThan(20);
      }
    }
  });

  it("keep transparent colours and keywords such as currentcolor", () => {
    for (const none of ["rgba(0, 0, 0, 0)", "transparent", "currentcolor", "inherit", ""]) {
      expect(darkened(none)).toBeUndefined();
      expect(lightened(none)).toBeUndefined();
    }
  });
});
