import { paneWidth } from "../state/view.js";
import { Button } from "../ui/button.js";
import { Field, Input } from "../ui/field.js";
import styles from "./choices.module.css";
import { Popover } from "./popover.js";
import { iconOfWidth, WIDTHS } from "./widths.js";

export function WidthChoice({
  width,
  scale,
  onChange,
}: {
  readonly width: number;
  readonly scale: number;
  readonly onChange: (width: number) => void;
}) {
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
                onClick={() => onChange(choice.width)}
              >
                <span className={styles.name}>{choice.name}</span>
                {choice.width}
              </Button>
            </li>
          ))}
        </ul>
        <Field label="Pixels">
          {(control) => (
            <Input
              {...control}
              type="number"
              min={paneWidth.least}
              max={paneWidth.most}
              defaultValue={width}
              key={width}
              onBlur={(event) => onChange(within(event.target.valueAsNumber, width))}
              onKeyDown={(event) => {
                if (event.key === "Enter") onChange(within(event.currentTarget.valueAsNumber, width));
              }}
            />
          )}
        </Field>
      </div>
    </Popover>
  );
}

function within(value: number, fallback: number): number {
  return Number.isNaN(value) ? fallback : Math.min(paneWidth.most, Math.max(paneWidth.least, Math.round(value)));
}
