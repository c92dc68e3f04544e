import { type KeyboardEvent, type ReactNode, useEffect, useRef } from "react";
import { Badge, type Tone } from "./badge.js";
import { bringIntoSight } from "./bring-into-sight.js";
import styles from "./tabs.module.css";

export interface Tab<Id extends string> {
  readonly id: Id;
  readonly label: string;
  /** Shown next to the label. Nothing is shown if undefined. */
  readonly count?: number;
  readonly tone?: Tone;
}

/** Connects a tab with its panel: spread on the element that contains the content. */
export const tabPanel = (base: string, id: string) => ({
  id: `${base}-${id}-panel`,
  role: "tabpanel" as const,
  "aria-labelledby": `${base}-${id}-tab`,
});

/**
 * Tabs that arrow keys move between. `base` is the prefix of the ids of tabs and panels. If no tab has to be open,
 * clicking the open one closes it.
 */
export const Tabs = <Id extends string>({
  base,
  label,
  tabs,
  value,
  onChange,
  onClose,
  children,
}: {
  readonly base: string;
  readonly label: string;
  readonly tabs: readonly Tab<Id>[];
  readonly value: Id | undefined;
  readonly onChange: (id: Id) => void;
  readonly onClose?: () => void;
  /** Shown inside a tab, after its label. */
  readonly children?: (tab: Tab<Id>) => ReactNode;
}) => {
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const { current } = list;
    if (!current) return undefined;
    // Immediately, and whenever the available width changes.
    const observer = new ResizeObserver(() => bringIntoSight(current.querySelector("[aria-selected=true]"), current));
    observer.observe(current);
    return () => observer.disconnect();
  }, [value]);
  const onKeyDown = (event: KeyboardEvent) => {
    const all = [...(list.current?.querySelectorAll<HTMLElement>("[role=tab]") ?? [])];
    const at = all.findIndex((tab) => tab === document.activeElement);
    const next = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: -1 }[event.key];
    if (next === undefined || at < 0) return;
    event.preventDefault();
    const target = (next + all.length) % all.length;
    all[target]?.focus();
    const tab = tabs[target];
    if (tab && value !== undefined) onChange(tab.id);
  };
  const focusable = value ?? tabs[0]?.id;
  return (
    <div ref={list} role="tablist" aria-label={label} className={styles.tabs} onKeyDown={onKeyDown}>
      {tabs.map((tab) => (
        <button
          key={tab.id}
          type="button"
          role="tab"
          id={`${base}-${tab.id}-tab`}
          aria-selected={tab.id === value}
          aria-controls={tab.id === value ? `${base}-${tab.id}-panel` : undefined}
          tabIndex={tab.id === focusable ? 0 : -1}
          className={styles.tab}
          onClick={() => (tab.id === value && onClose ? onClose() : onChange(tab.id))}
        >
          {tab.label}
          {tab.count !== undefined && <Badge tone={tab.tone}>{tab.count}</Badge>}
          {children?.(tab)}
        </button>
      ))}
    </div>
  );
};
