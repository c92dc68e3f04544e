import { describe, expect, it } from "vitest";
import { redactFolders } from "../../../src/preview/write-copy.js";

describe("text with the project's folder", () => {
  const clean = redactFolders({ "/home/ada/my shop": "", "/home/ada": "~", "C:\\Users\\Ada\\shop": "" });

  it.each([
    ["/home/ada/my shop/templates/a.mjml: nothing", "templates/a.mjml: nothing"],
    ["at file:///home/ada/my%20shop/a.ts:3", "at a.ts:3"],
    ["in (/home/ada/my shop)", "in (.)"],
    ["/home/ada/.npm/x and /home/ada", "~/.npm/x and ~"],
    ["C:\\Users\\Ada\\shop\\a.ts and C:/Users/Ada/shop/b.ts", "a.ts and b.ts"],
    ["https://example.com/home/ada/my shop/x", "https://example.com/home/ada/my shop/x"],
    ["/home/adam/x", "/home/adam/x"],
  ])("%s", (text, expected) => {
    expect(clean(text)).toBe(expected);
  });
});
