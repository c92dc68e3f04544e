import * as fc from "fast-check";
import { anyString } from "../any-string.js";
import type { Member } from "../contract/members.js";

/* Generators for fuzzing: values, bodies, queries and paths, some of them almost valid. */

export const anyText = fc.oneof(
  fc.string(),
  anyString(),
  fc.constantFrom("{{a}}", "{{#a}}", "{{", "a@b.de", "ada@example.com", "receipt", "YQ==", "", "*", "/^(a+)+$/"),
  fc.constantFrom("https://example.com/hook", "a@b.de,c@d.de", "example.test", "(((", "1 + 1 == 2", "matches('a')"),
);

export const anyValue = fc.oneof(
  { weight: 3, arbitrary: anyText },
  { weight: 1, arbitrary: fc.jsonValue() },
  { weight: 1, arbitrary: fc.array(anyText) },
  { weight: 1, arbitrary: fc.double() },
);

/** Any value as a body. */
export const anyBody = fc.oneof(
  fc.json(),
  anyString(),
  fc.constantFrom('{"__proto__":{"a":1}}', '{"name":"a","name":"b"}', "[".repeat(5_000), '{"a":1e999}', "", "null"),
);

/** A body with valid member names and any values; lists of entries have several. */
export function bodyOf(members: readonly Member[]): fc.Arbitrary<string> {
  return objectOf(members, "").map((body) => JSON.stringify(body));
}

function objectOf(members: readonly Member[], within: string): fc.Arbitrary<object> {
  const inside = members.filter(({ path }) => path.startsWith(within));
  const own = inside.filter(({ path }) => !path.slice(within.length).includes("."));
  const values = own.map(({ path, values: allowed }) => {
    const isOuter = inside.some((other) => other.path.startsWith(`${path}.`));
    const inner = isOuter ? objectOf(inside, `${path}.`) : undefined;
    const fitting = [
      ...(allowed.length > 0 ? [fc.constantFrom(...allowed), fc.subarray([...allowed])] : []),
      ...(inner
        ? [inner, fc.array(fc.oneof({ weight: 5, arbitrary: inner }, { weight: 1, arbitrary: anyValue }))]
        : []),
    ];
    const name = path.slice(within.length);
    return [
      name,
      fitting.length > 0
        ? fc.oneof({ weight: 4, arbitrary: fc.oneof(...fitting) }, { weight: 1, arbitrary: anyValue })
        : anyValue,
    ] as const;
  });
  return fc.record(Object.fromEntries(values), { requiredKeys: [] });
}

export const method = fc.constantFrom("GET", "POST", "PUT", "DELETE", "PATCH", "OPTIONS");

export const segment = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.constantFrom(
      ..."account whitelabels domains example.test verify check aliases aliases-all batch bulk ada 1".split(" "),
      ..."rules rules-all logs count search credentials emails outbound templates receipt".split(" "),
    ),
  },
  { weight: 1, arbitrary: fc.string().map(encodeURIComponent) },
  { weight: 1, arbitrary: fc.constantFrom("%", "%zz", "%00", "%2f", "..", "a%5Cb", "%f0%9f") },
);

const parameterValue = fc.oneof(
  anyText,
  fc.double().map(String),
  fc.bigInt().map(String),
  fc.constantFrom("null", "true", "created_asc", "QUEUED,", "1", "2026-11-20T10:00:00Z", "275760-09-13T00:00:00Z"),
  fc.constantFrom("+010000-01-01T00:00:00Z", "0000-01-01T00:00:00Z", "9007199254740993", "1e3", "-0"),
);

/** A query with some of these parameters, or others. */
export function queryOf(names: readonly string[]): fc.Arbitrary<string> {
  const name = fc.oneof({ weight: 6, arbitrary: fc.constantFrom(...names) }, { weight: 1, arbitrary: anyText });
  return fc
    .array(fc.tuple(name, parameterValue), { maxLength: 5 })
    .map((pairs) => pairs.map((pair) => pair.map((part) => encodeURIComponent(wellFormed(part))).join("=")).join("&"));
}

/** Any string that can be sent as UTF-8. */
export function wellFormed(text: string): string {
  return Buffer.from(text).toString();
}
