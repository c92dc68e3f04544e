import { Monitor, Smartphone, Tablet, type LucideIcon } from "lucide-react";
import { desktop } from "../state/pane.js";

export interface Width {
  readonly id: string;
  readonly name: string;
  readonly width: number;
  readonly icon: LucideIcon;
}

/** In CSS pixels, as wide as clients show an email there. */
export const WIDTHS: readonly [Width, ...Width[]] = [
  { id: "desktop", name: "Desktop", width: desktop.width, icon: Monitor },
  { id: "tablet", name: "Tablet", width: 768, icon: Tablet },
  { id: "phone", name: "Phone", width: 390, icon: Smartphone },
  { id: "small-phone", name: "Small phone", width: 320, icon: Smartphone },
];

export const PHONE_WIDTH = 390;

export function iconOfWidth(width: number): LucideIcon {
  if (width < 500) return Smartphone;
  return width < desktop.width ? Tablet : Monitor;
}
