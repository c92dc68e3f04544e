import { Check, type LucideIcon } from "lucide-react";
import { type KeyboardEvent, type ReactNode, useId, useRef, useState } from "react";
import { Button, IconButton } from "./button.js";
import { KeyHint } from "./keys.js";
import styles from "./popover.module.css";

/** Moves an open panel to a position, as far as it fits into the window. */
function place(panel: HTMLElement, left: number, top: number): void {
  panel.style.left = `${Math.max(8, Math.min(left, window.innerWidth - panel.offsetWidth - 8))}px`;
  panel.style.top = `${Math.max(8, Math.min(top, window.innerHeight - panel.offsetHeight - 8))}px`;
}

/** A button that opens a small panel of settings below it. */
export function Popover({
  label,
  icon,
  text,
  isActive = false,
  children,
}: {
  readonly label: string;
  readonly icon: LucideIcon;
  /** Shown in the button, next to its icon. */
  readonly text?: string;
  /** Whether a setting in it differs from its default. */
  readonly isActive?: boolean;
  readonly children: ReactNode;
}) {
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <Button
        ref={button}
        kind="quiet"
        icon={icon}
        popoverTarget={id}
        aria-label={label}
        aria-haspopup="dialog"
        title={label}
        className={isActive ? styles.active : styles.button}
      >
        {text}
      </Button>
      <div
        id={id}
        popover="auto"
        role="dialog"
        aria-label={label}
        className={styles.panel}
        onToggle={({ newState, currentTarget: panel }) => {
          setIsOpen(newState === "open");
          const at = button.current?.getBoundingClientRect();
          // The buttons are at the end of their bars, so the panel is aligned to the right.
          if (newState === "open" && at) place(panel, at.right - panel.offsetWidth, at.bottom + 4);
        }}
      >
        {isOpen && children}
      </div>
    </>
  );
}

interface MenuItem {
  readonly label: string;
  /** Shown next to the label: a reason or a description. */
  readonly note?: string;
  readonly icon?: LucideIcon;
  readonly keys?: string;
  /** Set if the items are alternatives. */
  readonly isChosen?: boolean;
  readonly isDisabled?: boolean;
  readonly onChoose: () => void;
}

/** A button that opens a list of actions or choices. The button shows its children, or else its icon. */
export const Menu = ({
  label,
  icon,
  items,
  children,
}: {
  readonly label: string;
  readonly icon?: LucideIcon;
  readonly items: readonly MenuItem[];
  readonly children?: ReactNode;
}) => {
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  const menu = useRef<HTMLDivElement>(null);
  const isChoice = items.some(({ isChosen }) => isChosen !== undefined);

  const onOpen = (panel: HTMLElement) => {
    const at = button.current?.getBoundingClientRect();
    if (!at) return;
    const { offsetWidth: width, offsetHeight: height } = panel;
    const isBelow = at.bottom + 4 + height <= window.innerHeight || at.top < height;
    const left = at.left > window.innerWidth / 2 ? at.right - width : at.left;
    place(panel, left, isBelow ? at.bottom + 4 : at.top - height - 4);
    const chosen = panel.querySelector<HTMLElement>("[aria-checked=true]");
    (chosen ?? panel.querySelector<HTMLElement>("[role^=menuitem]"))?.focus();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const all = [...(menu.current?.querySelectorAll<HTMLElement>("[role^=menuitem]") ?? [])];
    const at = all.findIndex((item) => item === document.activeElement);
    const next = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: -1 }[event.key];
    if (event.key === "Tab") menu.current?.hidePopover();
    if (next === undefined) return;
    event.preventDefault();
    all[(next + all.length) % all.length]?.focus();
  };
  const shared = {
    ref: button,
    popoverTarget: id,
    "aria-haspopup": "menu" as const,
    onKeyDown: (event: KeyboardEvent) => {
      if (event.key !== "ArrowDown") return;
      event.preventDefault();
      menu.current?.showPopover();
    },
  };

  return (
    <>
      {icon && !children ? (
        <IconButton icon={icon} label={label} {...shared} />
      ) : (
        <Button kind="quiet" icon={icon} title={label} {...shared}>
          {children ?? label}
        </Button>
      )}
      <div
        ref={menu}
        id={id}
        popover="auto"
        role="menu"
        aria-label={label}
        className={styles.menu}
        onKeyDown={onKeyDown}
        onToggle={(event) => event.newState === "open" && onOpen(event.currentTarget)}
      >
        {items.map(({ icon: Icon, ...item }) => (
          <button
            key={item.label}
            type="button"
            role={isChoice ? "menuitemradio" : "menuitem"}
            aria-checked={isChoice ? item.isChosen === true : undefined}
            aria-disabled={item.isDisabled}
            tabIndex={-1}
            className={styles.item}
            onClick={() => {
              if (item.isDisabled) return;
              menu.current?.hidePopover();
              item.onChoose();
            }}
          >
            {Icon && <Icon size={16} aria-hidden />}
            <span className={styles.text}>{item.label}</span>
            {item.note && <span className="soft">{item.note}</span>}
            {item.keys && <KeyHint keys={item.keys} />}
            {isChoice && <Check size={14} aria-hidden style={{ visibility: item.isChosen ? "visible" : "hidden" }} />}
          </button>
        ))}
      </div>
    </>
  );
};
