import { type KeyboardEvent, type PointerEvent, useRef } from "react";
import { paneWidth } from "../state/view.js";
import styles from "./pane.module.css";

/**
 * Changes a pane's width by dragging or with arrow keys. The email stays centred, so each side moves by half the
 * change.
 */
export function WidthHandle({
  side,
  width,
  scale,
  onChange,
}: {
  readonly side: "left" | "right";
  readonly width: number;
  readonly scale: number;
  readonly onChange: (width: number) => void;
}) {
  const drag = useRef<{ x: number; width: number; scale: number }>(undefined);
  const outwards = side === "right" ? 1 : -1;
  const set = (wanted: number) => onChange(Math.round(Math.min(paneWidth.most, Math.max(paneWidth.least, wanted))));

  const onPointerMove = ({ clientX }: PointerEvent) => {
    const { current: from } = drag;
    if (from) set(from.width + (2 * outwards * (clientX - from.x)) / from.scale);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = event.shiftKey ? 10 : 1;
    const next = {
      ArrowRight: width + step * outwards,
      ArrowLeft: width - step * outwards,
      ArrowUp: width + step,
      ArrowDown: width - step,
      PageUp: width + 50,
      PageDown: width - 50,
      Home: paneWidth.least,
      End: paneWidth.most,
    }[event.key];
    if (next === undefined) return;
    event.preventDefault();
    set(next);
  };

  return (
    <div
      role="slider"
      tabIndex={0}
      aria-label={`Width, ${side} side`}
      aria-orientation="horizontal"
      aria-valuemin={paneWidth.least}
      aria-valuemax={paneWidth.most}
      aria-valuenow={width}
      aria-valuetext={`${width} pixels`}
      className={styles.handle}
      onKeyDown={onKeyDown}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        drag.current = { x: event.clientX, width, scale };
      }}
      onPointerMove={onPointerMove}
      onLostPointerCapture={() => {
        drag.current = undefined;
      }}
    />
  );
}
