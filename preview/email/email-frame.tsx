import {
  type CSSProperties,
  type ReactNode,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
  type RefObject,
} from "react";
import { type Look, ShownEmail } from "./shown-email.js";
import { inIdle } from "../state/window.js";
import styles from "./email-frame.module.css";

interface EmailFrameProps {
  readonly html: string;
  /** Names the frame for screen readers. */
  readonly title: string;
  /** In CSS pixels. */
  readonly width: number;
  readonly showsRemoteImages: boolean;
  /** Settings that are left out have their defaults. */
  readonly look?: Partial<Look>;
  /** URLs of the email's embedded images by Content-ID. Pass the same object while they are unchanged. */
  readonly contentIds?: Readonly<Record<string, string>>;
  /** Zoom factor. Default 1. */
  readonly scale?: number;
  /** Minimum height in email pixels, for emails with shorter content. */
  readonly leastHeight?: number;
  /** Called after each change is on the screen. */
  readonly onShow?: (email: Document, withheldImages: number) => void;
  /** An overlay, positioned in email pixels. */
  readonly children?: ReactNode;
}

const usual: Partial<Look> = {};
const none: Readonly<Record<string, string>> = {};

/** An email as a client shows it. The frame is as high as its content, so the page around it scrolls. */
export function EmailFrame(props: EmailFrameProps): ReactNode {
  const { html, title, width, showsRemoteImages, look = usual, contentIds = none, scale = 1, leastHeight = 0 } = props;
  const { scheme = "light", areImagesBlocked = false, textSize = 100, isRightToLeft = false } = look;
  const host = useRef<HTMLDivElement>(null);
  const shown = useRef<ShownEmail>(undefined);
  const latest = useRef(props.onShow);
  const [height, setHeight] = useState(0);

  useLayoutEffect(() => {
    latest.current = props.onShow;
  });
  useLayoutEffect(() => {
    if (!host.current) return undefined;
    const email = new ShownEmail(host.current, { height: setHeight, shown: (...args) => latest.current?.(...args) });
    shown.current = email;
    return () => {
      leaveTurn(email);
      email.close();
    };
  }, []);
  useEffect(() => {
    const { current: email } = shown;
    if (!email) return;
    const whole = { scheme, areImagesBlocked, textSize, isRightToLeft };
    takeTurn(email, () => email.show({ html, title, look: whole, showsRemoteImages, contentIds }));
  }, [html, title, scheme, areImagesBlocked, textSize, isRightToLeft, showsRemoteImages, contentIds]);

  const shownHeight = Math.max(height, leastHeight);
  const size: CSSProperties & Record<"--least-height", string> = {
    width,
    height: shownHeight,
    "--least-height": `${leastHeight}px`,
    ...(scale !== 1 && { transform: `scale(${scale})` }),
  };
  return (
    <div style={{ width: width * scale, height: shownHeight * scale }}>
      <div className={styles.email} style={size}>
        <div ref={host} />
        {props.children}
      </div>
    </div>
  );
}

/** The inner size of an element in CSS pixels; 0 until it is mounted. */
export function useSize(element: RefObject<HTMLElement | null>): { readonly width: number; readonly height: number } {
  const [size, setSize] = useState({ width: 0, height: 0 });
  useLayoutEffect(() => {
    const { current } = element;
    if (!current) return undefined;
    const measure = () => setSize({ width: current.clientWidth, height: current.clientHeight });
    const observer = new ResizeObserver(measure);
    observer.observe(current);
    measure();
    return () => observer.disconnect();
  }, [element]);
  return size;
}

const waiting = new Map<object, () => void>();
let isBusy = false;
let typedAt = Number.NEGATIVE_INFINITY;

/** Maximum time in ms between two key presses of continuous typing. */
const TYPING_MS = 300;
/** Maximum delay in ms, so that someone who types without a pause still sees updates. */
const PATIENCE_MS = 200;

document.addEventListener("input", () => (typedAt = performance.now()), true);

/**
 * Runs the first caller's work at once and queues the others, so that the first pane changes before the last one is
 * done. While the user types, all work waits for a pause. A caller that asks again while it waits runs once, with its
 * latest work.
 */
function takeTurn(who: object, work: () => void): void {
  const isTyping = performance.now() - typedAt < TYPING_MS;
  if (isBusy || isTyping) waiting.set(who, work);
  if (isBusy) return;
  isBusy = true;
  if (isTyping) {
    inIdle(next, PATIENCE_MS);
  } else {
    setTimeout(next);
    work();
  }
}

function leaveTurn(who: object): void {
  waiting.delete(who);
}

function next(): void {
  const [entry] = waiting;
  isBusy = entry !== undefined;
  if (!entry) return;
  const [who, work] = entry;
  waiting.delete(who);
  setTimeout(next);
  work();
}
