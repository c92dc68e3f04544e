import { Monitor, Smartphone, Tablet, type LucideIcon } from "lucide-react";
import type { Keys } from "../palette/all-keys.js";
import { desktop } from "../state/view.js";

export interface Width {
  readonly id: string;
  readonly name: string;
  readonly keys: Keys;
  readonly width: number;
  readonly icon: LucideIcon;
}

/** In CSS pixels: how wide clients on these devices show an email. */
export const WIDTHS: readonly [Width, ...Width[]] = [
  { id: "desktop", name: "Desktop", keys: "w d", width: desktop.width, icon: Monitor },
  { id: "tablet", name: "Tablet", keys: "w t", width: 768, icon: Tablet },
  { id: "phone", name: "Phone", keys: "w p", width: 390, icon: Smartphone },
  { id: "small-phone", name: "Small phone", keys: "w s", width: 320, icon: Smartphone },
];

export const PHONE_WIDTH = 390;

export function iconOfWidth(width: number): LucideIcon {
  if (width < 500) return Smartphone;
  return width < desktop.width ? Tablet : Monitor;
}
