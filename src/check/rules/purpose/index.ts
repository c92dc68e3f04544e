import type { Rule } from "../../rule.js";
import { listWording } from "./list-wording.js";
import { marketingWording } from "./marketing-wording.js";

export const purposeRules: readonly Rule[] = [marketingWording, listWording];
