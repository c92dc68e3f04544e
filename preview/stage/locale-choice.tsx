import { useState } from "react";
import { useProject } from "../state/data.js";
import type { Pane } from "../state/view.js";
import { Field, Input } from "../ui/field.js";
import { Select } from "../ui/select.js";

const LOCALES =
  "en-GB en-US de-DE fr-FR es-ES it-IT pt-BR nl-NL pl-PL sv-SE tr-TR ja-JP zh-CN ko-KR hi-IN ar-EG he-IL".split(" ");

/** The locale and time zone passed to `derive`. They only affect templates with a `derive` function. */
export function LocaleChoice({
  pane,
  onChange,
}: {
  readonly pane: Pane;
  readonly onChange: (change: Partial<Pane>) => void;
}) {
  const project = useProject();
  const [trouble, setTrouble] = useState<string>();
  const choose = (written: string) => {
    const [locale] = canonical(written);
    setTrouble(written !== "" && !locale ? "Not a valid locale. Use one such as en-GB or de." : undefined);
    if (written === "" || locale) onChange({ locale: locale === project.locale ? undefined : locale });
  };
  return (
    <>
      <Field label="Locale" {...(trouble && { error: trouble })}>
        {(control) => (
          <>
            <Input
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
            onChange={(timeZone) => onChange({ timeZone: timeZone === project.timeZone ? undefined : timeZone })}
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
