import type { Feature } from "../../../src/check/client-support/data.js";

/** Features that compiled HTML does not reveal, with the reason. */
export const NOT_DETECTED: Partial<Record<Feature, string>> = {
  bimi: "a record in the sender's DNS",
  "html-comments": "clients keep or remove them; nothing is lost either way",
  "html-doctype": "every HTML document needs one, and a separate rule checks for it",
};

/** HTML with features that their name alone does not describe. */
export const SAMPLES: Partial<Record<Feature, string>> = {
  amp: "<html ⚡4email><body></body></html>",
  "css-at-font-face": css("@font-face { font-family: A; src: url(a.woff2) }"),
  "css-at-import": css("@import url(a.css);"),
  "css-at-keyframes": css("@keyframes a { from { top: 0 } }"),
  "css-at-media": css("@media (max-width: 600px) { p { color: red } }"),
  "css-at-media-device-pixel-ratio": css("@media (-webkit-min-device-pixel-ratio: 2) { p { color: red } }"),
  "css-at-media-hover": css("@media (hover: hover) { p { color: red } }"),
  "css-at-media-orientation": css("@media (orientation: portrait) { p { color: red } }"),
  "css-at-media-prefers-color-scheme": css("@media (prefers-color-scheme: dark) { p { color: red } }"),
  "css-at-media-prefers-reduced-motion": css("@media (prefers-reduced-motion) { p { color: red } }"),
  "css-at-supports": css("@supports (display: grid) { p { color: red } }"),
  "css-block-inline-size": style("block-size: 1px"),
  "css-border": style("border-left-width: 1px"),
  "css-border-inline-block": style("border-inline: 1px solid"),
  "css-border-inline-block-individual": style("border-block-start: 1px solid"),
  "css-border-inline-block-longhand": style("border-inline-end-color: red"),
  "css-border-radius": style("border-top-left-radius: 1px"),
  "css-border-radius-logical": style("border-start-end-radius: 1px"),
  "css-column-layout-properties": style("columns: 2"),
  "css-comments": css("p { /* a */ color: red }"),
  "css-conic-gradient": style("background: conic-gradient(red, blue)"),
  "css-display": style("display: flow-root"),
  "css-display-flex": style("display: inline-flex"),
  "css-display-grid": style("display: grid"),
  "css-display-none": style("display: none"),
  "css-flex-direction": style("flex-flow: column wrap"),
  "css-flex-wrap": style("flex-wrap: wrap"),
  "css-function-clamp": style("width: clamp(1px, 2px, 3px)"),
  "css-function-light-dark": style("color: light-dark(red, blue)"),
  "css-function-max": style("width: max(1px, 2px)"),
  "css-function-min": style("width: min(1px, 2px)"),
  "css-gap": style("row-gap: 1px"),
  "css-grid-template": style("grid-template-columns: 1fr 1fr"),
  "css-inert-attribute": "<div inert>a</div>",
  "css-important": style("color: red !important"),
  "css-intrinsic-size": style("width: max-content"),
  "css-left-right-top-bottom": style("top: 1px"),
  "css-linear-gradient": style("background: repeating-linear-gradient(red, blue)"),
  "css-margin-block-start-end": style("margin-block-end: 1px"),
  "css-margin-inline-block": style("margin-inline: auto"),
  "css-margin-inline-start-end": style("margin-inline-start: 1px"),
  "css-modern-color": style("color: oklch(40% 0.2 30)"),
  "css-nesting": css("p { a { color: red } }"),
  "css-padding-block-start-end": style("padding-block-start: 1px"),
  "css-padding-inline-block": style("padding-block: 1px"),
  "css-padding-inline-start-end": style("padding-inline-end: 1px"),
  "css-pseudo-class-has": css("p:has(a) { color: red }"),
  "css-pseudo-class-lang": css("p:lang(de) { color: red }"),
  "css-pseudo-class-not": css("p:not(.a) { color: red }"),
  "css-pseudo-class-nth-child": css("p:nth-child(2n + 1) { color: red }"),
  "css-pseudo-class-nth-last-child": css("p:nth-last-child(2) { color: red }"),
  "css-pseudo-class-nth-last-of-type": css("p:nth-last-of-type(2) { color: red }"),
  "css-pseudo-class-nth-of-type": css("p:nth-of-type(2) { color: red }"),
  "css-pseudo-element-before": css("p:before { content: 'a' }"),
  "css-radial-gradient": style("background-image: radial-gradient(red, blue)"),
  "css-rgb": style("color: rgb(0, 0, 0)"),
  "css-rgba": style("color: rgba(0, 0, 0, 0.5)"),
  "css-scroll-snap": style("scroll-snap-type: x"),
  "css-selector-adjacent-sibling": css("p + a { color: red }"),
  "css-selector-attribute": css("p[title] { color: red }"),
  "css-selector-chaining": css(".a.b { color: red }"),
  "css-selector-child": css("p > a { color: red }"),
  "css-selector-class": css(".a { color: red }"),
  "css-selector-descendant": css("p a { color: red }"),
  "css-selector-general-sibling": css("p ~ a { color: red }"),
  "css-selector-grouping": css("p, a { color: red }"),
  "css-selector-id": css("#a { color: red }"),
  "css-selector-type": css("p { color: red }"),
  "css-selector-universal": css("* { color: red }"),
  "css-sytem-ui": style("font-family: system-ui, sans-serif"),
  "css-unit-calc": style("width: calc(100% - 1px)"),
  "css-unit-initial": style("color: initial"),
  "css-unit-percent": style("width: 50%"),
  "css-variables": css("p { --a: red; color: var(--a) }"),
  "html-anchor-links": '<a href="#a">a</a><p id="a">b</p>',
  "html-button-reset": '<button type="reset">a</button>',
  "html-button-submit": "<button>a</button>",
  "html-h1-h6": "<h3>a</h3>",
  "html-image-maps": '<img usemap="#a"><map name="a"></map>',
  "html-input-checkbox": '<input type="checkbox">',
  "html-input-hidden": '<input type="hidden">',
  "html-input-radio": '<input type="radio">',
  "html-input-reset": '<input type="reset">',
  "html-input-submit": '<input type="submit">',
  "html-input-text": "<input>",
  "html-link": '<link rel="stylesheet" href="a.css">',
  "html-lists": "<ul><li>a</li></ul>",
  "html-loading-attribute": '<img loading="lazy">',
  "html-mailto-links": '<a href="mailto:a@example.com">a</a>',
  "html-meta-color-scheme": '<meta name="color-scheme" content="light dark">',
  "html-object": "<embed>",
  "html-semantics": "<article>a</article>",
  "html-srcset": '<img srcset="a.png 2x">',
  "image-base64": '<img src="data:image/png;base64,AAAA">',
  "image-heif": '<img src="a.heic">',
  "image-jpg": '<td background="https://example.com/a.JPEG?b=c"></td>',
  "image-svg": style("background: url('a.svg')"),
  "image-tiff": '<img src="a.tif#b">',
  "image-webp": '<picture><source srcset="a.webp 1x, b.png 2x"></picture>',
};

/** The features that are named after an attribute. */
const ATTRIBUTES =
  "align aria-describedby aria-hidden aria-label aria-labelledby aria-live background cellpadding cellspacing dir height hidden lang popover required role target valign width";

/** HTML that uses a feature, derived from its name if there is no sample above. */
export function sampleOf(feature: Feature): string {
  const [kind, ...rest] = feature.split("-");
  const name = rest.join("-");
  const sample = SAMPLES[feature];
  if (sample !== undefined) return sample;
  if (kind === "image") return `<img src="https://example.com/a.${name}">`;
  if (kind === "html") return ATTRIBUTES.split(" ").includes(name) ? `<td ${name}="a"></td>` : `<${name}>`;
  if (name.startsWith("pseudo-class-")) return css(`p:${name.slice("pseudo-class-".length)} { color: red }`);
  if (name.startsWith("pseudo-element-")) return css(`p::${name.slice("pseudo-element-".length)} { color: red }`);
  if (name.startsWith("unit-")) return style(`width: 1.5${name.slice("unit-".length)}`);
  return style(`${name}: auto`);
}

function css(text: string): string {
  return `<style>${text}</style>`;
}

function style(text: string): string {
  return `<td style="${text}"></td>`;
}
