import { type RefObject, useEffect } from "react";
import { boxesOf } from "./element-boxes.js";
import { Outline } from "./outline.js";
import type { EmailLayout } from "./use-email-layout.js";

/** Outlines the element that the view points at and scrolls it into view. */
export function PlaceOutline({
  layout: { email },
  place,
  scale,
  scroller,
}: {
  readonly layout: EmailLayout;
  readonly place: number;
  readonly scale: number;
  readonly scroller: RefObject<HTMLElement | null>;
}) {
  const boxes = boxesOf(email, place);
  const [first] = boxes;
  const isThere = first !== undefined;
  useEffect(() => {
    const { current: around } = scroller;
    if (!first || !around) return;
    const middle = (first.top + first.height / 2) * scale;
    const isCalm = matchMedia("(prefers-reduced-motion: reduce)").matches;
    around.scrollTo({ top: middle - around.clientHeight / 2, behavior: isCalm ? "auto" : "smooth" });
    // Scrolls when the element changes, not when only the layout does.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [place, isThere]);
  return <Outline boxes={boxes} scale={scale} />;
}
