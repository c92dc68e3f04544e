import type { Feature } from "./data.js";

/**
 * What a reader loses where a feature is not supported:
 * - `content`: layout or content breaks, or the styles that hang on it; one client is enough to say so,
 * - `style`: it looks otherwise; that matters where many clients lack it,
 * - `extra`: what is written for the clients that know it and missed by nobody else; only worth knowing where most lack it,
 * - `expected`: every good email has it, for the clients that know it; nothing is to be done about the others.
 */
export type Loss = "content" | "style" | "extra" | "expected";

export function lossOf(feature: string): Loss {
  return BY_FEATURE.get(feature) ?? "style";
}

/** What to do instead, of features that many templates try. */
export function insteadOf(feature: Feature): string | undefined {
  return INSTEAD.find(([pattern]) => pattern.test(feature))?.[1];
}

/** The names of features by what is lost with them; that of all others is style. */
export const FEATURES: Readonly<Record<Exclude<Loss, "style">, string>> = {
  content: `
    css-column-count css-column-layout-properties css-comments css-display-flex css-display-grid css-display-none
    css-float css-grid-template css-left-right-top-bottom css-nesting css-position css-rgb css-variables html-audio
    html-base html-button-reset html-button-submit html-dialog html-form html-hidden html-image-maps
    html-input-checkbox html-input-radio html-input-reset html-input-submit html-input-text html-link html-marquee
    html-meter html-object html-popover html-progress html-select html-svg html-textarea html-video css-at-import
    image-apng image-avif image-base64 image-bmp image-hdr image-heif image-ico image-mp4 image-svg image-tiff
    image-webp
  `,
  extra: `
    css-accent-color css-animation css-at-font-face css-at-keyframes css-at-media-device-pixel-ratio
    css-at-media-hover css-at-media-orientation css-at-media-prefers-reduced-motion css-at-supports
    css-backdrop-filter css-border-radius css-border-radius-logical css-box-shadow css-box-sizing css-empty-cells
    css-font-kerning css-font-size-adjust css-height css-font-stretch css-font-weight css-hyphenate-character
    css-hyphenate-limit-chars css-hyphens css-inert-attribute css-opacity css-orphans css-outline css-outline-offset
    css-pseudo-class-active css-pseudo-class-default css-pseudo-class-focus css-pseudo-class-focus-visible
    css-pseudo-class-focus-within css-pseudo-class-hover css-pseudo-class-link css-pseudo-class-target
    css-pseudo-class-visited css-resize css-scroll-snap css-sytem-ui css-tab-size css-text-decoration-color
    css-text-decoration-skip-ink css-text-decoration-style css-text-decoration-thickness css-text-overflow
    css-text-shadow css-text-underline-offset css-text-underline-position css-text-wrap css-transition css-user-select
    css-widows html-abbr html-acronym html-bdi html-loading-attribute html-picture html-required html-rp html-rt
    html-ruby html-semantics html-srcset html-wbr
  `,
  expected: `
    css-at-media css-at-media-prefers-color-scheme css-color-scheme css-cursor css-important css-overflow-wrap
    css-word-break css-word-wrap html-aria-describedby html-aria-hidden html-aria-label html-aria-labelledby
    html-aria-live html-body html-doctype html-lang html-meta-color-scheme html-role html-target
  `,
};

const LOSSES = ["content", "extra", "expected"] as const;
const BY_FEATURE: ReadonlyMap<string, Loss> = new Map(
  LOSSES.flatMap((loss) => Array.from(FEATURES[loss].matchAll(/\S+/g), ([name]) => [name, loss] as const)),
);

const INSTEAD: readonly (readonly [RegExp, string])[] = [
  [/^css-at-import$|^html-link$/, "Write the styles into the template."],
  [/^css-comments$/, "Write it before the rule: between declarations, it costs the rule or the whole attribute."],
  [/^css-(?:display-flex|display-grid|grid-template)$/, "Lay it out with tables: they work everywhere."],
  [/^css-float$/, "Use cells of a table, or the attribute align."],
  [/^css-(?:position|left-right-top-bottom)$/, "Place it with tables and padding."],
  [/^css-rgb$/, "Write `rgb(0, 128, 0)` with commas, or `#008000`."],
  [/^css-rgba$/, "Write a colour that is not transparent: `#008000`."],
  [/^css-variables$/, "Write the value itself."],
  [/^css-unit-rem$/, "Write pixels; with React Email's Tailwind, its `pixelBasedPreset` does."],
  [/^css-unit-calc$/, "Write a fixed length or a percentage."],
  [/^html-(?:audio|form)$/, "Link to a page that has it."],
  [/^html-video$/, "Link a picture to a page that has it."],
  [/^html-svg$|^image-(?!gif|jpg|mp4|png)/, "Use a PNG or JPEG with an https address."],
];
