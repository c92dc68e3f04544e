import { type KeyboardEvent, type MouseEvent, useState } from "react";
import type { ElementPlace } from "../../src/preview/contract.js";
import { changeView } from "../state/view-store.js";
import { announce } from "../ui/notice.js";
import { boxesOf, placeAt, placesIn } from "./element-boxes.js";
import { Outline } from "./outline.js";
import styles from "./outline.module.css";

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
