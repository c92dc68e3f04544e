import * as fc from "fast-check";
import { expect, test } from "vitest";
import { readTimestamp } from "../../src/api/timestamp.js";

/** Whole seconds that all formats can express: milliseconds are distinguishable from seconds from March 1973. */
const moments = fc
  .date({ min: new Date("1973-04-01T00:00:00Z"), max: new Date("5000-01-01T00:00:00Z"), noInvalidDate: true })
  .map((date) => new Date(Math.floor(date.getTime() / 1000) * 1000));

/** An offset as both documents write it. */
const offsets = fc.record({
  sign: fc.constantFrom("+", "-"),
  hours: fc.integer({ min: 0, max: 14 }),
  minutes: fc.constantFrom(0, 30, 45),
});

const two = (value: number) => String(value).padStart(2, "0");

test("reads the same time from every format", () => {
  fc.assert(
    fc.property(moments, offsets, (moment, { sign, hours, minutes }) => {
      const iso = moment.toISOString();
      const shift = (hours * 60 + minutes) * 60_000 * (sign === "+" ? 1 : -1);
      const local = new Date(moment.getTime() + shift);
      const zone = `${sign}${two(hours)}${two(minutes)}`;
      for (const form of [
        iso,
        iso.replace(".000", ""),
        `${local.toISOString().slice(0, 19)}${sign}${two(hours)}:${two(minutes)}`,
        moment.getTime(),
        moment.getTime() / 1000,
        `${iso.slice(0, 10)} ${iso.slice(11, 19)}+0000`,
        `${local.toISOString().slice(0, 10)} ${local.toISOString().slice(11, 19)}${zone}`,
        moment.toUTCString(),
        local.toUTCString().replace("GMT", zone),
        `${local.toUTCString().replace("GMT", zone).slice(5)} (somewhere)`,
      ]) {
        expect(readTimestamp(form), String(form)).toEqual(moment);
      }
    }),
  );
});

test("keeps fractions of a second to the millisecond", () => {
  expect(readTimestamp("2026-08-12T09:30:00.123Z").getTime() % 1000).toBe(123);
  expect(readTimestamp("2026-08-12T09:30:00.123456Z").getTime() % 1000).toBe(123);
  expect(readTimestamp(1_786_527_000_123).getTime() % 1000).toBe(123);
});

test.each([
  "",
  "yesterday",
  "2026-08-12",
  "2026-08-12 09:30:00",
  "2026-08-12T09:30:00",
  "2026-02-30T09:30:00Z",
  "2026-08-12T24:30:00Z",
  "Wed, 12 Foo 2026 09:30:00 +0000",
  "31 Feb 2026 09:30:00 GMT",
  "1786527000000x",
  Number.NaN,
  Number.POSITIVE_INFINITY,
  1e20,
])("refuses %j as a timestamp", (value) => {
  expect(() => readTimestamp(value)).toThrow(RangeError);
});

test("returns a valid date or throws a RangeError for any string", () => {
  fc.assert(
    fc.property(
      fc.oneof(fc.string(), fc.stringMatching(/^\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(Z|[+-]\d{4})$/)),
      (text) => {
        let date: Date;
        try {
          date = readTimestamp(text);
        } catch (error) {
          expect(error).toBeInstanceOf(RangeError);
          return;
        }
        expect(Number.isNaN(date.getTime())).toBe(false);
      },
    ),
  );
});
