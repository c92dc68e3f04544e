import { MoveHorizontal, X, ImageOff, type LucideIcon, PilcrowLeft } from "lucide-react";
import { useMemo } from "react";
import { hasOwnText } from "../email/shown-email.js";
import { useTemplate } from "../state/data.js";
import { changeView, useView } from "../state/view-store.js";
import { Bar } from "../ui/bar.js";
import { IconButton } from "../ui/button.js";
import { Segmented, Select } from "../ui/field.js";
import { PaneOptions, WidthChoice } from "./pane-options.js";
import { closePane, schemeChoice, SCHEMES, usePane } from "./panes.js";
import { classes } from "../ui/classes.js";
import { Spoken } from "../ui/text.js";
import { useRemoteImages } from "./remote-images.js";
import styles from "./pane.module.css";

export function PaneBar({
  scale,
  contentWidth,
  shown,
}: {
  readonly scale: number;
  readonly contentWidth: number;
  readonly shown: ShownInPane | undefined;
}) {
  const { pane, index, count, change } = usePane();
  const scheme = schemeChoice(pane.scheme);
  const overflow =
    contentWidth > pane.width ? `The email is ${contentWidth} pixels wide, so it scrolls sideways here` : "";
  return (
    <Bar label={`Pane ${index + 1}`}>
      <FixtureChoice />
      <PaneNotes shown={shown} />
      {scale !== 1 && <span className="figure">{Math.round(scale * 100)}%</span>}
      {overflow && (
        <span role="img" aria-label={overflow} title={overflow} className={styles.overflow}>
          <MoveHorizontal size={14} aria-hidden />
        </span>
      )}
      <span className={styles.width}>
        <WidthChoice scale={scale} />
      </span>
      {/* Instead of the choice that follows, where there is no room for it. */}
      <span role="img" aria-label={scheme.label} title={scheme.label} className={styles.mark}>
        <scheme.icon size={16} aria-hidden />
      </span>
      <span className={styles.scheme}>
        <Segmented
          label="Scheme"
          value={pane.scheme}
          options={SCHEMES}
          onChange={(value) => change({ scheme: value })}
        />
      </span>
      <PaneOptions />
      {count > 1 && (
        <IconButton icon={X} label="Close pane" className={styles.close} onClick={() => closePane(index)} />
      )}
    </Bar>
  );
}

/** A single pane shows the view's fixture. With several panes, each can pin its own, or follow the view's. */
export function FixtureChoice() {
  const { pane, count, change } = usePane();
  const { fixture } = useView();
  const { detail } = useTemplate();
  const names = detail?.fixtures.map(({ name }) => name) ?? [];
  const chosen = fixture ?? names[0] ?? "";
  if (names.length === 0) return null;
  const isAlone = count === 1;
  return (
    <Select
      label="Fixture"
      isQuiet
      value={pane.fixture ?? chosen}
      options={names.map((name) => ({ value: name, label: name }))}
      onChange={(name) => {
        change({ fixture: isAlone || name === chosen ? undefined : name });
        if (isAlone) changeView({ fixture: name });
      }}
    />
  );
}

/**
 * Effects of the pane's settings that could be mistaken for a bug in the email. They are in the pane's bar, where they
 * don't move the email.
 */
function PaneNotes({ shown }: { readonly shown: ShownInPane | undefined }) {
  const { isRightToLeft, areImagesBlocked } = usePane().pane;
  const remote = useRemoteImages();
  const missingImages = areImagesBlocked ? 0 : (shown?.withheldImages ?? 0);
  const keepsDirection = useMemo(
    () => isRightToLeft && shown !== undefined && setsDirection(shown.email),
    [shown, isRightToLeft],
  );
  const images = missingImages === 1 ? "1 remote image" : `${missingImages} remote images`;
  return (
    <div className={styles.notes}>
      {keepsDirection && <Note icon={PilcrowLeft}>The body sets its own direction, so it isn't mirrored</Note>}
      {missingImages > 0 && (
        <>
          <Note icon={ImageOff}>{`${images} not loaded`}</Note>
          <button
            type="button"
            className={styles.show}
            title="In this template, until you leave the page"
            onClick={remote.toggle}
          >
            Show<Spoken> remote images</Spoken>
          </button>
          {remote.showAlways && (
            <button
              type="button"
              className={classes(styles.show, styles.always)}
              title="In all templates, remembered for this project"
              onClick={remote.showAlways}
            >
              Always show<Spoken> remote images</Spoken>
            </button>
          )}
        </>
      )}
    </div>
  );
}

function Note({ icon: Icon, children }: { readonly icon: LucideIcon; readonly children: string }) {
  return (
    <span className={styles.note} title={children}>
      <Icon size={14} aria-hidden />
      <span className={styles.words}>{children}</span>
    </span>
  );
}

export interface ShownInPane {
  readonly email: Document;
  readonly withheldImages: number;
}

/** Whether text of the email sets its own direction and therefore stays left to right in a right-to-left preview. */
function setsDirection(email: Document): boolean {
  const { defaultView: view, body } = email;
  if (!view) return false;
  return [...body.querySelectorAll("[style*='direction' i], [style*='direction' i] *")].some(
    (element) => hasOwnText(element) && view.getComputedStyle(element).direction === "ltr",
  );
}
