import { Contrast, type LucideIcon, Moon, Sun } from "lucide-react";
import type { Scheme } from "../state/view.js";

export interface SchemeChoice {
  readonly value: Scheme;
  readonly label: string;
  readonly icon: LucideIcon;
}

export const SCHEMES: readonly [SchemeChoice, ...SchemeChoice[]] = [
  { value: "light", label: "Light", icon: Sun },
  { value: "dark", label: "Dark", icon: Moon },
  { value: "forced-dark", label: "Forced dark", icon: Contrast },
];

export function schemeChoice(scheme: Scheme): SchemeChoice {
  return SCHEMES.find(({ value }) => value === scheme) ?? SCHEMES[0];
}
