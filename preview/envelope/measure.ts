import type { Measure } from "./cut.js";

const context = document.createElement("canvas").getContext("2d");

export const measureText: Measure = (text, font) => {
  if (!context) return text.length * 7;
  context.font = font;
  return context.measureText(text).width;
};
