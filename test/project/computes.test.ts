import { expect, test } from "vitest";
import { computes } from "../../src/project/variables-module.js";

test.each([
  ["export const derive = ({ name }) => ({ name: name.toUpperCase() });", true],
  ['export { derive } from "./totals.js";', true],
  ["export default z.object({ name: z.string().trim() });", true],
  ["export default z.object({ at: z.coerce.date() });", true],
  ["export default z.object({ name: z.string().transform((name) => name + 1) });", true],
  ["export default z.object({ name: z.string().min(1), map: z.record(z.string(), z.string()) });", false],
  ["", false],
])("%s", (code, expected) => {
  expect(computes(code)).toBe(expected);
});
