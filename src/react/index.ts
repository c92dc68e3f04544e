export { Each, type EachProps } from "./each.js";
export { If, Unless, type IfProps } from "./if.js";
export { raw, type RawHtml } from "./raw.js";
