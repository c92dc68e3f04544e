import { createRequire } from "node:module";
import { describe, expect, it } from "vitest";
import { mjmlOf } from "../../../src/render/mjml/library.js";
import { useProjects } from "../project.js";

const { compile } = useProjects();
const { components } = mjmlOf(createRequire(import.meta.url).resolve("mjml"));

/** The required ancestors of an element that isn't a column, and the content that makes all of its output visible. */
const PLACES: Record<string, { readonly within?: string; readonly children?: string }> = {
  "mj-body": { within: "mjml" },
  "mj-section": { within: "mjml mj-body", children: "<mj-column></mj-column>" },
  "mj-wrapper": { within: "mjml mj-body", children: "<mj-section></mj-section>" },
  "mj-hero": { within: "mjml mj-body", children: "<mj-text>a</mj-text>" },
  "mj-column": { within: "mjml mj-body mj-section", children: '<mj-image src="a" alt="" />' },
  "mj-group": { within: "mjml mj-body mj-section", children: "<mj-column></mj-column>" },
  "mj-social": { children: '<mj-social-element href="a">b</mj-social-element>' },
  "mj-social-element": { within: "mjml mj-body mj-section mj-column mj-social" },
  "mj-navbar": { children: '<mj-navbar-link href="a">b</mj-navbar-link>' },
  "mj-navbar-link": { within: "mjml mj-body mj-section mj-column mj-navbar" },
  "mj-accordion": { children: "<mj-accordion-element></mj-accordion-element>" },
  "mj-accordion-element": { within: "mjml mj-body mj-section mj-column mj-accordion" },
  "mj-accordion-title": { within: "mjml mj-body mj-section mj-column mj-accordion mj-accordion-element" },
  "mj-accordion-text": { within: "mjml mj-body mj-section mj-column mj-accordion mj-accordion-element" },
  "mj-carousel": { children: '<mj-carousel-image src="a" />' },
  "mj-carousel-image": { within: "mjml mj-body mj-section mj-column mj-carousel" },
  "mj-font": { within: "mjml mj-head" },
  "mj-style": { within: "mjml mj-head", children: "a { color: red }" },
  "mj-breakpoint": { within: "mjml mj-head" },
};

function documentWith(tagName: string, attribute: string): string {
  const place = PLACES[tagName];
  const within = (place?.within ?? "mjml mj-body mj-section mj-column").split(" ");
  const children = place?.children ?? (components[tagName]?.endingTag ? "a" : "");
  const element = `\n<${tagName} ${attribute}>${children}</${tagName}>`;
  const written = within.reduceRight((inner, name) => `<${name}>${inner}</${name}>`, element);
  return within.includes("mj-head") ? written.replace("</mjml>", "<mj-body></mj-body></mjml>") : written;
}

const all = Object.entries(components).flatMap(([tagName, component]) =>
  Object.keys(component?.allowedAttributes ?? {}).map((attribute) => [tagName, attribute] as const),
);
/** Every second attribute of an element, and the first element with each attribute; over time all of them. */
const uses = all.filter(
  ([, attribute], index) =>
    process.env["MODE"] === "long" || index % 2 === 0 || all.findIndex(([, other]) => other === attribute) === index,
);

describe("a tag as the value of any attribute", () => {
  it("finds MJML's elements and attributes", () => {
    expect(all.length).toBeGreaterThan(300);
  });

  it("is kept, or is reported at the attribute", async () => {
    const files = Object.fromEntries(
      uses.map(([tagName, attribute]) => [
        `${tagName}-${attribute}.mjml`,
        documentWith(tagName, `${attribute}="{{value}}"`),
      ]),
    );
    const outcomes = (await compile(files)).map(({ name, compiled, diagnostics }) => {
      const [first] = diagnostics;
      if (compiled?.html_body.includes("{{value}}") && !/NaN|undefined/.test(compiled.html_body)) return "kept";
      const isAtAttribute = first?.rule === "mjml-attribute-tag" && first.at?.line === 2;
      const isReported = isAtAttribute && (!compiled || first.message.includes("is not printed"));
      return isReported ? "reported" : `${name}: ${first?.rule} ${first?.message}`;
    });
    expect(outcomes.filter((outcome) => outcome !== "kept" && outcome !== "reported")).toEqual([]);
    expect(outcomes.filter((outcome) => outcome === "kept").length).toBeGreaterThan(uses.length / 2);
  });
});
