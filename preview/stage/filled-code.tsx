import type { ReactNode } from "react";
import { CodeView } from "../code/later-code-view.js";
import { MessageText } from "../ui/message-text.js";
import { useFilled } from "../variables/filled.js";
import { type Pane, versionWord } from "../state/view.js";
import { useView } from "../state/view-store.js";
import { classes } from "../ui/classes.js";
import { EmptyState } from "../ui/empty-state.js";
import styles from "./pane.module.css";
import { Trouble } from "./trouble.js";
import { hasVersion, VersionBar } from "./version-bar.js";

/** A filled body, as the service sends it. */
export function FilledCode({
  pane,
  index,
  part,
  children,
}: {
  readonly pane: Pane;
  readonly index: number;
  readonly part: "html" | "text";
  readonly children?: ReactNode;
}) {
  const { template = "", panes } = useView();
  const version = useFilled(pane);
  const { message, trouble, isOfFixture } = version;
  return (
    <section className={classes(styles.pane, trouble && styles.dimmed)} aria-label={part === "html" ? "HTML" : "Text"}>
      {panes.some(hasVersion) && <VersionBar {...{ pane, index, version }} />}
      {message ? (
        <CodeView
          text={message[part]}
          language={part === "html" ? "html" : "text"}
          label={part === "html" ? "HTML" : "Text"}
          name={`${template}.${part === "html" ? "html" : "txt"}`}
        >
          {children}
        </CodeView>
      ) : (
        <EmptyState title={trouble ? "Couldn't fill the template" : "Nothing to show yet"}>
          {trouble && <MessageText text={trouble} />}
        </EmptyState>
      )}
      {message && trouble && <Trouble isOfFixture={isOfFixture}>{trouble}</Trouble>}
    </section>
  );
}

/** One pane for each distinct filled body. Panes that differ only in how they show the email share their bodies. */
export function panesByFill(
  panes: readonly Pane[],
  fixtureOf: (pane: Pane) => string,
): readonly { readonly pane: Pane; readonly index: number }[] {
  const seen = new Set<string>();
  return panes.flatMap((pane, index) => {
    const key = JSON.stringify([fixtureOf(pane), pane.locale, pane.timeZone, versionWord(pane)]);
    if (seen.has(key)) return [];
    seen.add(key);
    return [{ pane, index }];
  });
}
