import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { newPattern } from "../../../src/mustache/expression/pattern.js";
import { Run } from "../../../src/mustache/expression/run.js";

const long = process.env["MODE"] === "long";
const runs = long ? 100_000 : 400;

function bounded(source: string, flags: string, spent = 0): RegExp {
  const run = new Run({ locale: "en-GB", timeZone: "UTC" });
  run.spend(spent);
  return newPattern(run, source, flags);
}

/** JavaScript's own, but without V8's short cuts: "😀".replace(/|()/gu, …) gets a group that did not match. */
class Native extends RegExp {
  override exec(input: string): RegExpExecArray | null {
    return super.exec(input);
  }
}

/** All that the methods of strings and of regular expressions do with a pattern. */
function uses(pattern: RegExp, text: string): unknown {
  const fresh = (flags: string): RegExp => Reflect.construct(pattern.constructor, [pattern, flags]);
  const flags = pattern.flags;
  return {
    exec: [pattern.exec(text), pattern.lastIndex, pattern.exec(text), pattern.lastIndex],
    test: [fresh(flags).test(text), text.search(fresh(flags))],
    match: text.match(fresh(flags)),
    matchAll: [...text.matchAll(fresh(`${flags.replace("g", "")}g`))],
    replace: [text.replace(fresh(flags), "[$&$1$`]"), text.replace(fresh(flags), (...all) => JSON.stringify(all))],
    split: [text.split(fresh(flags)), text.split(fresh(flags), 2)],
  };
}

function usesWithin(pattern: RegExp, text: string): unknown {
  try {
    return uses(pattern, text);
  } catch (error) {
    expect(error).toMatchObject({ code: "limit" });
    return undefined;
  }
}

const atom = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom("a", "b", "A", "é", "ß", "1", " ", "-", "_", "\\n", "😀", "ſ", "K") },
  {
    weight: 3,
    arbitrary: fc.constantFrom(".", "\\d", "\\w", "\\W", "\\s", "\\S", "[ab]", "[^a]", "[a-cé]", "[\\w-]", "[^]", "[]"),
  },
  { weight: 1, arbitrary: fc.constantFrom("\\x41", "\\u00e9", "\\.", "\\/", "\\1", "\\2", "\\cJ", "[\\]a]", "\\0") },
  { weight: 1, arbitrary: fc.constantFrom("^", "$", "\\b", "\\B", "") },
);
const onlyUnicode = fc.constantFrom("\\p{L}", "\\P{Lu}", "\\u{1F600}", "\\ud83d\\ude00", "[\\p{Lu}😀]", "\\ud83d");
const onlyOld = fc.constantFrom("{", "}", "]", "\\a", "\\8", "\\12", "\\c", "\\k", "\\u{2}", "\\ud83d", "a{,2}", "\\-");

function sourceOf(extra: fc.Arbitrary<string>): fc.Arbitrary<string> {
  return fc.letrec<{ source: string; part: string }>((tie) => ({
    source: fc
      .array(fc.array(tie("part"), { maxLength: 4 }), { minLength: 1, maxLength: 3 })
      .map((options) => options.map((parts) => parts.join("")).join("|")),
    part: fc.oneof(
      { maxDepth: 4, withCrossShrink: true },
      { weight: 6, arbitrary: fc.oneof({ weight: 6, arbitrary: atom }, { weight: 1, arbitrary: extra }) },
      {
        weight: 4,
        arbitrary: fc
          .tuple(
            fc.constantFrom("(", "(", "(?:", "(?=", "(?!", "(?<=", "(?<!"),
            tie("source"),
            fc.constantFrom("", "*", "+", "?", "*?", "+?", "??", "{2}", "{0,2}", "{1,}?", "{0}"),
          )
          .map(([opening, source, quantifier]) => `${opening}${source})${/[=!]$/.test(opening) ? "" : quantifier}`),
      },
      {
        weight: 3,
        arbitrary: fc
          .tuple(
            fc.constantFrom("a", "b", ".", "[ab]", "\\w", "é", "😀"),
            fc.constantFrom("*", "+", "?", "*?", "{2}", "{1,2}?"),
          )
          .map(([one, quantifier]) => one + quantifier),
      },
    ),
  })).source;
}

const CHARACTERS = ["a", "b", "A", "B", "é", "É", "ß", "1", " ", "-", "_", "\n", "s", "k", "ab"];

function textOf(characters: readonly string[]): fc.Arbitrary<string> {
  return fc.array(fc.constantFrom(...characters), { maxLength: 9 }).map((all) => all.join(""));
}

function hasNoReference(source: string): boolean {
  return !/\\[12]/.test(source);
}

function isValid(source: string, flags: string): boolean {
  try {
    return new RegExp(source, flags) instanceof RegExp;
  } catch {
    return false;
  }
}

describe("a regular expression of an expression", () => {
  it.each([
    ["", sourceOf(onlyOld), textOf([...CHARACTERS, "😀", "\ud83d"])],
    ["u", sourceOf(onlyUnicode), textOf(CHARACTERS)],
    // V8 itself errs by looking for matches inside of pairs, which it doesn't with `y`, and with groups before pairs.
    ["uy", sourceOf(onlyUnicode).filter(hasNoReference), textOf([...CHARACTERS, "😀", "\ud83d"])],
  ])("matches as JavaScript's own does, with the flags %j and others", (mode, sources, text) => {
    const flags = fc.subarray(["g", "i", "m", "s"]).map((all) => all.join("") + mode);
    fc.assert(
      fc.property(sources, flags, text, (source, all, input) => {
        fc.pre(isValid(source, all));
        const own = usesWithin(bounded(source, all, 995_000), input);
        fc.pre(own !== undefined); // JavaScript's own may not end either.
        expect(own).toEqual(uses(new Native(source, all), input));
      }),
      { numRuns: runs, ...(!long && { seed: 28 }) },
    );
  });

  it.each([
    [String.raw`(?<year>\d{4})-(?<month>\d\d)`, "", "on 2024-02-03"],
    [String.raw`(?<a>x)|(?<b>y)\k<b>`, "g", "xyy"],
    [String.raw`\k<a>(?<a>x)\k<a>`, "u", "xxx"],
    [String.raw`(z)((a+)?(b+)?(c))*`, "", "zaacbbbcac"],
    [String.raw`(?=(a+))a*b\1`, "", "baaabac"],
    [String.raw`(.*?)a(?!(a+)b\2c)\2(.*)`, "", "baaabaac"],
    [String.raw`(?<=(\d+)(\d+))$`, "", "1053"],
    [String.raw`(?<=\1(a))b`, "", "aab"],
    [String.raw`(?:a|ab)(?:c|bcd)(?:d*)`, "", "abcd"],
    [String.raw`(a*)*`, "", "b"],
    [String.raw`(?:a?)*?$`, "", "aab"],
    [String.raw`\B(?=(\d{3})+(?!\d))`, "g", "1234567"],
    [String.raw`^\s+|\s+$`, "gm", "  a \n b  "],
    [String.raw`[\u{1F600}-\u{1F64F}]`, "gu", "a😀b😁"],
    [String.raw`[[a-z]--[aeiou]]+`, "gv", "hello world"],
    [String.raw`([^@]+)@(.+)\.(\w+)`, "", "ada@example.com"],
    [String.raw`(?:)`, "g", "😀"],
    [String.raw`(?:)`, "gu", "😀"],
    [String.raw`\cc\c`, "", "\u0003\\c"],
  ])("matches /%s/%s in %j as JavaScript's own does", (source, flags, input) => {
    expect(uses(bounded(source, flags), input)).toEqual(uses(new Native(source, flags), input));
  });

  it.each([
    ["(a+)+$", `${"a".repeat(50)}!`],
    ["(?:a|a)*b", "a".repeat(100)],
    ["(x+x+)+y", "x".repeat(60)],
    [String.raw`\s+$`, `${" ".repeat(100_000)}!`],
    ["(?:){1000000000}", ""],
    ["(?:a{0,1000}){0,1000}b", "a".repeat(1000)],
    ["(?:a|(?:b))*c", "ab".repeat(400_000)],
  ])("ends with a limit where /%s/ would take too long", (source, input) => {
    expect(() => bounded(source, "", 900_000).exec(input)).toThrow(expect.objectContaining({ code: "limit" }));
  });

  it("matches groups in a long text without filling the stack", () => {
    const input = `${"ab".repeat(50_000)}c`;
    expect(bounded("^(?:a(b))*c$", "").exec(input)?.[1]).toBe("b");
  });

  it.each([
    ["a", "d"],
    [String.raw`[\q{ab}]`, "v"],
    [String.raw`\p{RGI_Emoji}`, "v"],
  ])("does not know /%s/%s", (source, flags) => {
    expect(() => bounded(source, flags).exec("")).toThrow(expect.objectContaining({ code: "unknown" }));
  });
});
