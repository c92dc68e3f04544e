import { type CSSProperties, type ReactNode, useEffect, useLayoutEffect, useRef, useState } from "react";
import styles from "./email-frame.module.css";
import { type Look, ShownEmail } from "./shown-email.js";
import { leaveTurn, takeTurn } from "./turns.js";

export interface EmailFrameProps {
  readonly html: string;
  /** Names the frame for screen readers. */
  readonly title: string;
  /** CSS pixels. */
  readonly width: number;
  readonly showsRemoteImages: boolean;
  /** What is not given is as usual. */
  readonly look?: Partial<Look>;
  /** The addresses of the images that the email carries with it, by Content-ID. The same object as long as they are. */
  readonly contentIds?: Readonly<Record<string, string>>;
  /** Of the size at which it is shown. Default 1. */
  readonly scale?: number;
  /** Email pixels that it fills even where its content is shorter. */
  readonly leastHeight?: number;
  /** After each change that is on the screen. */
  readonly onShow?: (email: Document, withheldImages: number) => void;
  /** Lies over the email, in its pixels. */
  readonly children?: ReactNode;
}

const usual: Partial<Look> = {};
const none: Readonly<Record<string, string>> = {};

/** An email as a client shows it, as high as its content: what is around it scrolls. */
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
    const email = new ShownEmail(host.current, { height: setHeight, shown: (...given) => latest.current?.(...given) });
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
