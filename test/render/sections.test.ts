import { describe, expect, it } from "vitest";
import { token, tokensIn } from "../../src/mustache/tokens.js";

describe("tokensIn", () => {
  it("finds each token and its position", () => {
    expect(tokensIn(`a${token(0)}b${token(12)}`)).toEqual([
      { tag: 0, offset: 1 },
      { tag: 12, offset: 5 },
    ]);
  });

  it.each(["\uE00012", "\uE000\uE001", "\uE000a\uE001", "1\uE001"])("takes %j for no token", (text) => {
    expect(tokensIn(text)).toEqual([]);
  });

  it("finds a token after an incomplete one", () => {
    expect(tokensIn(`\uE0001 ${token(2)}`)).toEqual([{ tag: 2, offset: 3 }]);
  });
});
