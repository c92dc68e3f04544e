import { type ReactNode, Fragment } from "react";
import { CopyCode } from "./copy.js";
import type { FrameLine } from "../../src/preview/contract.js";
import { classes } from "./classes.js";
import styles from "./text.module.css";

export const Spoken = ({ children }: { readonly children: ReactNode }) => <span className="spoken">{children}</span>;

/**
 * Control characters and characters that change the text direction. Other white space is rendered as a space anyway.
 */
export const ACTING = /(?![\t\n\r])[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu;

/**
 * A line of an email, or of its sender, in which control characters have no effect: each is shown as an escape
 * sequence.
 *
 * @example
 * visible("Invoice \u202efdp.exe"); // "Invoice \\u202efdp.exe"
 */
export function visible(text: string): string {
  return text.replace(ACTING, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

/** The same as an element that is isolated from the text direction around it. */
export const Visible = ({ text }: { readonly text: string }) => <bdi>{visible(text)}</bdi>;

/** Parts of a text. */
export type Ranges = readonly (readonly [from: number, to: number])[];

export const Highlight = ({ text, ranges }: { readonly text: string; readonly ranges: Ranges }) => (
  <bdi>
    {ranges.flatMap(([from, to], at) => [
      visible(text.slice(ranges[at - 1]?.[1] ?? 0, from)),
      <mark key={from} className={styles.mark}>
        {visible(text.slice(from, to))}
      </mark>,
    ])}
    {visible(text.slice(ranges.at(-1)?.[1] ?? 0))}
  </bdi>
);

/** Number of characters at the end that stay visible. */
const END = 12;

/**
 * Text that is cut in the middle when there is no room for it: names often differ at their ends, and a place has its
 * line number there.
 *
 * @param whole Read by screen readers instead of the text.
 */
export const MiddleCut = ({
  text,
  whole = text,
  ranges = [],
}: {
  readonly text: string;
  readonly whole?: string;
  readonly ranges?: Ranges;
}) => {
  if (whole === text && text.length <= END) return <Highlight text={text} ranges={ranges} />;
  const at = Math.max(0, text.length - END);
  return (
    <>
      <Spoken>{whole}</Spoken>
      <span aria-hidden className={styles.name}>
        <span className={styles.start}>
          <Highlight text={text.slice(0, at)} ranges={rangesWithin(ranges, 0, at)} />
        </span>
        <span className={styles.end}>
          <Highlight text={text.slice(at)} ranges={rangesWithin(ranges, at, text.length)} />
        </span>
      </span>
    </>
  );
};

/** The parts of ranges that are within a part of the text, relative to its start. */
export const rangesWithin = (ranges: Ranges, from: number, to: number): Ranges =>
  ranges.flatMap(([start, end]) =>
    Math.max(start, from) < Math.min(end, to)
      ? [[Math.max(start, from) - from, Math.min(end, to) - from] as const]
      : [],
  );

/** The text of a finding: backticks mark code, and URLs become links. Code in a hint can be copied. */
export const MessageText = ({
  text,
  isHint = false,
  hasLinks = isHint,
}: {
  readonly text: string;
  readonly hasLinks?: boolean;
  readonly isHint?: boolean;
}) => (
  <>
    {text
      .replace(LONG_DATA, "$1…")
      .split("`")
      .map((part, at) => (
        <Fragment key={at}>
          {at % 2 === 1 ? <code>{part}</code> : hasLinks ? linked(part) : part}
          {at % 2 === 1 && isHint && <CopyCode code={part} />}
        </Fragment>
      ))}
  </>
);

/** The type of an image in a data URL is enough. */
const LONG_DATA = /(data:[\w/+.-]+;base64,)[\w+/=…]{24,}/g;

/** A URL, or a Markdown link. Links to other pages of the documentation would lead nowhere here. */
const LINK = /\[([^\]]+)\]\(([^)\s]+)\)|(https?:\/\/[^\s)]+[^\s).,:;])/g;

const linked = (text: string): ReactNode[] => {
  const parts: ReactNode[] = [];
  let from = 0;
  for (const { 0: whole, 1: label, 2: target, 3: address = target ?? "", index } of text.matchAll(LINK)) {
    parts.push(text.slice(from, index));
    from = index + whole.length;
    const shown = label ?? address.replace(/^https?:\/\/(?:www\.)?|\/$/g, "");
    parts.push(
      address.startsWith("http") ? (
        <a key={index} href={address} target="_blank" rel="noreferrer">
          {shown}
        </a>
      ) : (
        shown
      ),
    );
  }
  return [...parts, text.slice(from)];
};

export const Moment = ({ at }: { readonly at: string }) => (
  <time dateTime={at}>{new Date(at).toLocaleString("en-GB", { dateStyle: "medium", timeStyle: "short" })}</time>
);

/** Scrolls sideways, and only the frame: a problem late in a long line would be out of view. */
const bringIntoSight = (mark: HTMLElement | null) => {
  const frame = mark?.closest<HTMLElement>("[role=group]");
  if (!mark || !frame) return;
  const middle = frame.getBoundingClientRect().left + frame.clientWidth / 2;
  const beyond = mark.getBoundingClientRect().left - middle;
  if (beyond > frame.clientWidth / 2 - 48) frame.scrollLeft += beyond;
};

/** The lines around a problem, if it has any, with a mark below its column. */
export const CodeFrame = ({
  lines = [],
  column,
}: {
  readonly lines?: readonly FrameLine[] | undefined;
  readonly column?: number | undefined;
}) =>
  lines.length > 0 && (
    // Long lines scroll sideways, which must be possible with the keyboard.
    <div role="group" className={styles.frame} tabIndex={0} aria-label="Code around the problem">
      {lines.map(({ line, text, isAt }) => (
        <div key={line} className={classes(styles.line, isAt && styles.at)}>
          <span className={styles.number}>{line}</span>
          <div>
            {text}
            {isAt && column !== undefined && (
              <div aria-hidden className={styles.caret}>
                {text.slice(0, column - 1).replace(/\S/g, " ")}
                <span ref={bringIntoSight}>^</span>
              </div>
            )}
          </div>
        </div>
      ))}
    </div>
  );
