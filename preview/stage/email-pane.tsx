import {
  type RefObject,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
  type KeyboardEvent as ReactKeyboardEvent,
  type PointerEvent,
} from "react";
import { CANVAS } from "../email/colour.js";
import { EmailFrame, useSize } from "../email/email-frame.js";
import { MessageText } from "../ui/text.js";
import { useReport } from "../state/data.js";
import { currentView, useView } from "../state/view-store.js";
import { classes } from "../ui/classes.js";
import { EmptyState } from "../ui/empty-state.js";
import { focusPane, schemeChoice, useFocusedPane, usePane, useZoomedPane, widthWithin } from "./panes.js";
import { Inspector, boxesOf, Outline } from "./inspector.js";
import { PaneBar, type ShownInPane } from "./pane-bar.js";
import { PaneWarning, showsOtherVersion, VersionBar } from "./version.js";
import { useRemoteImages } from "./remote-images.js";
import { usePaneHtml } from "./use-pane-html.js";
import { paneWidth } from "../state/view.js";
import styles from "./pane.module.css";

/** Space next to the email in pixels, with room for the handles if the pane is wide. */
const GUTTER = { wide: 24, narrow: 8 };
const NARROW = 260;

export function EmailPane() {
  const { pane, index, count } = usePane();
  const { place, zoom, isInspecting, panes } = useView();
  const remoteImages = useRemoteImages();
  const report = useReport();
  const version = usePaneHtml(pane);
  const { html, trouble, isOfFixture } = version;
  const isAltHeld = useAltKey();
  const scroller = useRef<HTMLDivElement>(null);
  const room = useSize(scroller);
  const [shown, setShown] = useState<ShownInPane>();

  const layout = useEmailLayout(shown);
  const hasHandles = room.width >= NARROW;
  const gutter = hasHandles ? GUTTER.wide : GUTTER.narrow;
  const fitting = room.width > 0 ? Math.min(1, (room.width - 2 * gutter) / pane.width) : 1;
  const scale = zoom === undefined ? fitting : zoom / 100;
  useZoomedPane(index, scale);
  useLayoutEffect(() => (scroller.current ? scrollWithOthers(scroller.current) : undefined), []);
  const isFocused = useFocusedPane(count) === index && count > 1;
  return (
    <section
      className={classes(styles.pane, isFocused && styles.focused)}
      aria-label={`Pane ${index + 1}`}
      aria-current={isFocused || undefined}
      onFocus={() => focusPane(index)}
      onPointerDown={() => focusPane(index)}
    >
      <PaneBar scale={scale} contentWidth={layout?.width ?? 0} shown={shown} />
      {panes.some(showsOtherVersion) && <VersionBar version={version} />}
      <div
        ref={scroller}
        role="group"
        tabIndex={0}
        aria-label={`Email in pane ${index + 1} (scrollable)`}
        className={styles.scroller}
        data-scroller
      >
        {html === undefined ? (
          <EmptyState title={trouble ? "Couldn't show this version" : "Nothing to show yet"}>
            {trouble ? <MessageText text={trouble} /> : pane.commit && `Compiling the files of ${pane.commit}…`}
          </EmptyState>
        ) : (
          <div
            className={classes(styles.bed, trouble && styles.dimmed)}
            style={{ paddingInline: hasHandles ? 0 : GUTTER.narrow }}
          >
            {hasHandles && <WidthHandle side="left" scale={scale} />}
            <div className={styles.screen} style={{ background: pane.scheme === "light" ? CANVAS.light : CANVAS.dark }}>
              <EmailFrame
                html={html}
                title={`Email in pane ${index + 1}: ${schemeChoice(pane.scheme).label}, ${pane.width} pixels`}
                width={pane.width}
                scale={scale}
                leastHeight={room.height / scale}
                showsRemoteImages={remoteImages.areShown}
                look={pane}
                onShow={(email, withheldImages) => setShown({ email, withheldImages })}
              >
                {layout && place !== undefined && <PlaceOutline {...{ layout, place, scale, scroller }} />}
                {(isInspecting || isAltHeld) && layout && report && (
                  <Inspector email={layout.email} places={report.places} scale={scale} />
                )}
              </EmailFrame>
            </div>
            {hasHandles && <WidthHandle side="right" scale={scale} />}
          </div>
        )}
      </div>
      {html !== undefined && trouble && <PaneWarning isOfFixture={isOfFixture}>{trouble}</PaneWarning>}
    </section>
  );
}

/** Whether Alt is held down, wherever the focus is. */
function useAltKey(): boolean {
  const [isHeld, setIsHeld] = useState(false);
  useEffect(() => {
    const listening = new AbortController();
    const set = (event: KeyboardEvent) => setIsHeld(event.altKey);
    for (const type of ["keydown", "keyup"] as const) window.addEventListener(type, set, { signal: listening.signal });
    window.addEventListener("blur", () => setIsHeld(false), { signal: listening.signal });
    return () => listening.abort();
  }, []);
  return isHeld;
}

/** Outlines the element that the view points at and scrolls it into view. */
function PlaceOutline({
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

/** A new object after each layout of the email, with the width it needs. */
interface EmailLayout {
  readonly email: Document;
  /** In the email's pixels. Larger than the frame if the email does not fit. */
  readonly width: number;
}

function useEmailLayout(shown: { readonly email: Document } | undefined): EmailLayout | undefined {
  const [layout, setLayout] = useState<EmailLayout>();
  useEffect(() => {
    if (!shown) return undefined;
    const { email } = shown;
    const measure = () => setLayout({ email, width: email.documentElement.scrollWidth });
    const observer = new ResizeObserver(measure);
    observer.observe(email.documentElement);
    if (email.body) observer.observe(email.body);
    measure();
    return () => observer.disconnect();
  }, [shown]);
  return layout;
}

/** Panes that scroll together, each by the same fraction of its height, with their scroll positions. */
const scrollers = new Map<HTMLElement, number>();

function scrollWithOthers(scroller: HTMLElement): () => void {
  scrollers.set(scroller, scroller.scrollTop);
  const onScroll = () => {
    const expected = scrollers.get(scroller);
    scrollers.set(scroller, scroller.scrollTop);
    // Caused by our own scrolling. Browsers round the position, so the values may differ slightly.
    if (currentView().scrollsApart || (expected !== undefined && Math.abs(scroller.scrollTop - expected) < 1)) return;
    const way = scroller.scrollHeight - scroller.clientHeight;
    const part = way > 0 ? scroller.scrollTop / way : 0;
    for (const other of scrollers.keys()) {
      if (other === scroller) continue;
      other.scrollTop = part * (other.scrollHeight - other.clientHeight);
      scrollers.set(other, other.scrollTop);
    }
  };
  scroller.addEventListener("scroll", onScroll, { passive: true });
  return () => {
    scroller.removeEventListener("scroll", onScroll);
    scrollers.delete(scroller);
  };
}

/**
 * Changes a pane's width by dragging or with arrow keys. The email stays centred, so each side moves by half the
 * change.
 */
function WidthHandle({ side, scale }: { readonly side: "left" | "right"; readonly scale: number }) {
  const { pane, change } = usePane();
  const { width } = pane;
  const drag = useRef<{ x: number; width: number; scale: number }>(undefined);
  const outwards = side === "right" ? 1 : -1;
  const set = (wanted: number) => change({ width: widthWithin(wanted) });

  const onPointerMove = ({ clientX }: PointerEvent) => {
    const { current: from } = drag;
    if (from) set(from.width + (2 * outwards * (clientX - from.x)) / from.scale);
  };
  const onKeyDown = (event: ReactKeyboardEvent) => {
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
