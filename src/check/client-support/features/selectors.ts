import { type Selector, SelectorType } from "css-what";
import { memoizeByString } from "../../memoize.js";
import { isClassOrId, parseSelector } from "../../styles/selectors.js";
import { type Feature, isFeature } from "../data.js";

const FEATURES: Readonly<Partial<Record<SelectorType, Feature>>> = {
  [SelectorType.Attribute]: "css-selector-attribute",
  [SelectorType.Adjacent]: "css-selector-adjacent-sibling",
  [SelectorType.Child]: "css-selector-child",
  [SelectorType.Descendant]: "css-selector-descendant",
  [SelectorType.Sibling]: "css-selector-general-sibling",
  [SelectorType.Tag]: "css-selector-type",
  [SelectorType.Universal]: "css-selector-universal",
};

/**
 * The features that a selector needs; none if it is not valid.
 *
 * @example
 * featuresOfSelector("a:hover > .icon"); // css-selector-type, css-pseudo-class-hover, css-selector-child, css-selector-class
 */
export const featuresOfSelector = memoizeByString(10_000, (selector): readonly Feature[] => [
  ...new Set(featuresOfList(parseSelector(selector)).filter(isFeature)),
]);

function featuresOfList(selectors: readonly (readonly Selector[])[]): (string | undefined)[] {
  const features = selectors.flatMap((tokens) =>
    tokens.flatMap((token, index) => {
      if (token.type === SelectorType.PseudoElement) return `css-pseudo-element-${token.name}`;
      if (token.type === SelectorType.Pseudo)
        return [`css-pseudo-class-${token.name}`, ...(Array.isArray(token.data) ? featuresOfList(token.data) : [])];
      if (token.type !== SelectorType.Attribute || !isClassOrId(token)) return FEATURES[token.type];
      return [`css-selector-${token.name}`, isClassOrId(tokens[index - 1]) ? "css-selector-chaining" : undefined];
    }),
  );
  return selectors.length > 1 ? ["css-selector-grouping", ...features] : features;
}
