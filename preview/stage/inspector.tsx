import { type KeyboardEvent, type MouseEvent, useState, type CSSProperties } from "react";
import type { ElementPlace } from "../../src/preview/contract.js";
import { changeView } from "../state/view-store.js";
import { announce } from "../ui/notice.js";
import { classes } from "../ui/classes.js";
import styles from "./pane.module.css";

/** An overlay for inspecting elements: highlights the element under the pointer and opens its line in the source. */
export function Inspector({
  email,
  places,
  scale,
}: {
  readonly email: Document;
  readonly places: readonly ElementPlace[];
  readonly scale: number;
}) {
  const [place, setPlace] = useState<number>();
  const hovered = place === undefined ? undefined : places[place];

  const at = ({ currentTarget, clientX, clientY }: MouseEvent) => {
    const { left, top } = currentTarget.getBoundingClientRect();
    return placeAt(email, (clientX - left) / scale, (clientY - top) / scale);
  };
  const open = (chosen: number | undefined) => {
    const target = chosen === undefined ? undefined : places[chosen];
    if (chosen === undefined || !target) return;
    const { file, line, column } = target;
    changeView({ mode: "source", source: { file, line, column }, place: chosen }, "push");
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const all = placesIn(email);
    const index = place === undefined ? -1 : all.indexOf(place);
    const next = all[(index + step + all.length) % all.length];
    setPlace(next);
    const target = next === undefined ? undefined : places[next];
    if (next === undefined || !target) return;
    email.querySelector(`[data-place="${next}"]`)?.scrollIntoView({ block: "nearest" });
    announce(`${nameOf(email, next)}, ${target.file} line ${target.line}`);
  };

  return (
    <>
      <button
        type="button"
        aria-label="Elements: arrow keys move between them, Enter opens the source"
        className={styles.inspector}
        onPointerMove={(event) => setPlace(at(event))}
        onPointerLeave={() => setPlace(undefined)}
        onClick={(event) => open(event.detail === 0 ? place : at(event))}
        onKeyDown={onKeyDown}
      />
      {place !== undefined && hovered && (
        <Outline
          isHovered
          boxes={boxesOf(email, place)}
          scale={scale}
          label={`${nameOf(email, place)} · ${hovered.file.split("/").at(-1)}:${hovered.line}`}
        />
      )}
    </>
  );
}

function nameOf(email: Document, place: number): string {
  return email.querySelector(`[data-place="${place}"]`)?.localName ?? "";
}

/** Outlines around elements of an email, in an overlay, so that nothing in the email moves. */
export function Outline({
  boxes,
  scale,
  isHovered = false,
  label,
}: {
  readonly boxes: readonly Box[];
  /** The email's zoom factor. Lines and label are not scaled with the email. */
  readonly scale: number;
  readonly isHovered?: boolean;
  readonly label?: string;
}) {
  const unscaled: CSSProperties & Record<"--unscaled", number> = { "--unscaled": 1 / scale };
  return boxes.map((box, index) => (
    <div key={index} className={classes(styles.outline, isHovered && styles.hovered)} style={{ ...box, ...unscaled }}>
      {label && index === 0 && <span className={styles.label}>{label}</span>}
    </div>
  ));
}

/** Position and size of an element of the email, in the email's pixels. */
interface Box {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

/** Maximum number of copies of one element that are highlighted. */
const MOST = 60;

/** The boxes of all elements that come from one place in the source: a section repeats its elements for each item. */
export function boxesOf(email: Document, place: number): readonly Box[] {
  const { scrollX = 0, scrollY = 0 } = email.defaultView ?? {};
  return [...email.querySelectorAll(`[data-place="${place}"]`)].slice(0, MOST).flatMap((element) => {
    const { left, top, width, height } = element.getBoundingClientRect();
    return width + height > 0 ? [{ left: left + scrollX, top: top + scrollY, width, height }] : [];
  });
}

/** The innermost element at a point that comes from a source. */
function placeAt(email: Document, x: number, y: number): number | undefined {
  return placeOf(email.elementFromPoint(x, y)?.closest("[data-place]"));
}

function placesIn(email: Document): readonly number[] {
  const places = [...email.querySelectorAll("body [data-place]")].flatMap((element) => placeOf(element) ?? []);
  return [...new Set(places)].filter((place) => boxesOf(email, place).length > 0);
}

function placeOf(element: Element | null | undefined): number | undefined {
  const written = element?.getAttribute("data-place");
  return written ? Number(written) : undefined;
}
