import { Copy, Minus, Plus, SlidersHorizontal, X } from "lucide-react";
import { useState } from "react";
import { mostPanes } from "../state/address.js";
import { useProject, useTemplate } from "../state/data.js";
import { desktop, paneTextSize, paneWidth, type Pane } from "../state/view.js";
import { Button, IconButton } from "../ui/button.js";
import { Segmented, Toggle, Field, TextInput, Select } from "../ui/field.js";
import {
  closePane,
  duplicatePane,
  iconOfWidth,
  SCHEMES,
  textSizeAfter,
  usePane,
  WIDTHS,
  widthWithin,
} from "./panes.js";
import { Popover } from "../ui/popover.js";
import { VersionChoice } from "./version.js";
import styles from "./pane-options.module.css";

export function PaneOptions() {
  const { pane, index, count, change } = usePane();
  const { detail } = useTemplate();
  const changes = changedOptions(pane);
  return (
    <Popover label={["Pane options", ...changes].join(", ")} icon={SlidersHorizontal} isActive={changes.length > 0}>
      <div className={styles.choices}>
        <VersionChoice />
        <div className={styles.row}>
          Scheme
          <Segmented label="Scheme" value={pane.scheme} options={SCHEMES} onChange={(scheme) => change({ scheme })} />
        </div>
        <div className={styles.row}>
          Text size
          <TextSize />
        </div>
        <Toggle
          label="Block images"
          isOn={pane.areImagesBlocked}
          onChange={(areImagesBlocked) => change({ areImagesBlocked })}
        />
        <Toggle
          label="Right to left"
          isOn={pane.isRightToLeft}
          onChange={(isRightToLeft) => change({ isRightToLeft })}
        />
        {detail?.derives && <LocaleChoice />}
        <div className={styles.end}>
          <Button icon={Copy} disabled={count === mostPanes} onClick={() => duplicatePane(index)}>
            Duplicate
          </Button>
          {count > 1 && (
            <Button icon={X} onClick={() => closePane(index)}>
              Close
            </Button>
          )}
        </div>
      </div>
    </Popover>
  );
}

function TextSize() {
  const { pane, change } = usePane();
  const { textSize } = pane;
  return (
    <div className={styles.stepper}>
      <IconButton
        icon={Minus}
        label="Smaller text"
        disabled={textSize <= paneTextSize.least}
        onClick={() => change({ textSize: textSizeAfter(textSize, -25) })}
      />
      <output className={styles.value}>{textSize}%</output>
      <IconButton
        icon={Plus}
        label="Larger text"
        disabled={textSize >= paneTextSize.most}
        onClick={() => change({ textSize: textSizeAfter(textSize, 25) })}
      />
    </div>
  );
}

/** The options that differ from their defaults. */
function changedOptions(pane: Pane): readonly string[] {
  return [
    ...(pane.deployedTo === undefined ? [] : [`deployed to ${pane.deployedTo}`]),
    ...(pane.commit === undefined ? [] : [`at commit ${pane.commit}`]),
    ...(pane.client === undefined ? [] : [`as ${pane.client}`]),
    ...(pane.areImagesBlocked ? ["images blocked"] : []),
    ...(pane.textSize === desktop.textSize ? [] : [`text at ${pane.textSize}%`]),
    ...(pane.isRightToLeft ? ["right to left"] : []),
    ...(pane.locale === undefined ? [] : [pane.locale]),
    ...(pane.timeZone === undefined ? [] : [pane.timeZone]),
  ];
}

const LOCALES =
  "en-GB en-US de-DE fr-FR es-ES it-IT pt-BR nl-NL pl-PL sv-SE tr-TR ja-JP zh-CN ko-KR hi-IN ar-EG he-IL".split(" ");

/** The locale and time zone passed to `derive`. They only affect templates with a `derive` function. */
function LocaleChoice() {
  const { pane, change } = usePane();
  const project = useProject();
  const [trouble, setTrouble] = useState<string>();
  const choose = (written: string) => {
    const [locale] = canonical(written);
    setTrouble(written !== "" && !locale ? "Not a valid locale. Use one such as en-GB or de." : undefined);
    if (written === "" || locale) change({ locale: locale === project.locale ? undefined : locale });
  };
  return (
    <>
      <Field label="Locale" error={trouble}>
        {(control) => (
          <>
            <TextInput
              {...control}
              list={`${control.id}-list`}
              placeholder={project.locale}
              defaultValue={pane.locale ?? ""}
              onChange={({ target: { value } }) => {
                // Typed input is applied when it is finished, a choice from the list at once.
                if (LOCALES.includes(value)) choose(value);
              }}
              onBlur={({ target }) => choose(target.value.trim())}
              onKeyDown={(event) => {
                if (event.key === "Enter") choose(event.currentTarget.value.trim());
              }}
            />
            <datalist id={`${control.id}-list`}>
              {LOCALES.map((locale) => (
                <option key={locale} value={locale} />
              ))}
            </datalist>
          </>
        )}
      </Field>
      <Field label="Time zone">
        {(control) => (
          <Select
            control={control}
            value={pane.timeZone ?? project.timeZone}
            options={zones(project.timeZone, pane.timeZone)}
            onChange={(timeZone) => change({ timeZone: timeZone === project.timeZone ? undefined : timeZone })}
          />
        )}
      </Field>
    </>
  );
}

function canonical(locale: string): readonly string[] {
  try {
    return Intl.getCanonicalLocales(locale);
  } catch {
    return [];
  }
}

function zones(...named: readonly (string | undefined)[]): { value: string; label: string }[] {
  const all = new Set([...named.filter((zone) => zone !== undefined), "UTC", ...Intl.supportedValuesOf("timeZone")]);
  return [...all].map((zone) => ({ value: zone, label: zone.replaceAll("_", " ") }));
}

export function WidthChoice({ scale }: { readonly scale: number }) {
  const { pane, change } = usePane();
  const { width } = pane;
  const changeWidth = (value: number) => change({ width: Number.isNaN(value) ? width : widthWithin(value) });
  const shown = scale !== 1 ? `, shown at ${Math.round(scale * 100)}%` : "";
  return (
    <Popover label={`Width: ${width} pixels${shown}`} icon={iconOfWidth(width)} text={String(width)}>
      <div className={styles.choices}>
        <ul className={styles.list}>
          {WIDTHS.map((choice) => (
            <li key={choice.id}>
              <Button
                kind="quiet"
                icon={choice.icon}
                aria-pressed={choice.width === width}
                onClick={() => change({ width: choice.width })}
              >
                <span className={styles.name}>{choice.name}</span>
                {choice.width}
              </Button>
            </li>
          ))}
        </ul>
        <Field label="Pixels">
          {(control) => (
            <TextInput
              {...control}
              type="number"
              min={paneWidth.least}
              max={paneWidth.most}
              defaultValue={width}
              key={width}
              onBlur={(event) => changeWidth(event.target.valueAsNumber)}
              onKeyDown={(event) => {
                if (event.key === "Enter") changeWidth(event.currentTarget.valueAsNumber);
              }}
            />
          )}
        </Field>
      </div>
    </Popover>
  );
}
