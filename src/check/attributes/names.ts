import { nearest } from "../../nearest.js";

function listOf(names: string): readonly string[] {
  return names.split(" ");
}

/** What an email is mostly written with: what a misspelt name most likely was to be. */
const COMMON = listOf(
  "align alt background bgcolor border cellpadding cellspacing charset class color colspan content dir face height href hspace " +
    "lang media name role rowspan scope size src style summary target title type valign vspace width",
);

/** All other attributes that html has, or once had. */
const OTHERS: ReadonlySet<string> = new Set(
  listOf(
    "abbr accept accesskey action allow alink allowfullscreen archive as async autocapitalize autocomplete autofocus autoplay axis " +
      "bottommargin cache capture challenge char charoff checked cite classid clear code codebase codetype cols colorscheme command " +
      "commandfor compact contenteditable contextmenu controls coords crossorigin data datafld dataformatas datapagesize datasrc " +
      "datetime declare decoding default defer dirname disabled download draggable enctype enterkeyhint event exportparts " +
      "fetchpriority for form formaction formenctype formmethod formnovalidate formtarget frame frameborder headers hidden high " +
      "hreflang icon id imagesizes imagesrcset inert inputmode integrity is isindex ismap itemid itemprop itemref itemscope itemtype " +
      "keytype kind label language leftmargin link list loading longdesc loop low lowsrc manifest marginheight marginwidth max " +
      "maxlength menu method methods min minlength multiple muted noresize noshade novalidate nowrap nohref nonce object open " +
      "optimum part pattern ping placeholder playsinline popover popovertarget poster preload profile prompt property radiogroup " +
      "readonly referrerpolicy rel required rev reversed rightmargin rows rules sandbox scheme scoped scrolling selected " +
      "shadowrootmode shape sizes slot span spellcheck srcdoc srclang srcset standby start step tabindex text topmargin " +
      "translate truespeed typemustmatch urn usemap value valuetype version vlink wrap xmlns",
  ),
);

/** https://www.w3.org/TR/wai-aria-1.3/#state_prop_def */
const ARIA: ReadonlySet<string> = new Set(
  listOf(
    "activedescendant atomic autocomplete braillelabel brailleroledescription busy checked colcount colindex colindextext " +
      "colspan controls current describedby description details disabled dropeffect errormessage expanded flowto grabbed " +
      "haspopup hidden invalid keyshortcuts label labelledby level live modal multiline multiselectable orientation owns " +
      "placeholder posinset pressed readonly relevant required roledescription rowcount rowindex rowindextext rowspan selected " +
      "setsize sort valuemax valuemin valuenow valuetext",
  ).map((name) => `aria-${name}`),
);

/**
 * The attribute that a misspelt one was to be; undefined of what html knows, and of names of one's own.
 *
 * @example
 * attributeMeant("stlye"); // "style"
 * attributeMeant("aria-lable"); // "aria-label"
 * attributeMeant("data-id"); // undefined
 */
export function attributeMeant(name: string): string | undefined {
  if (name.startsWith("aria-")) return ARIA.has(name) ? undefined : nearest(name, ARIA, 2);
  if (!/^[a-z]{3,}$/.test(name) || name.startsWith("on") || OTHERS.has(name) || COMMON.includes(name)) return undefined;
  // What React has no attribute for is printed as it is.
  if (name === "classname") return "class";
  return COMMON.find((each) => isSlip(name, each));
}

/** Whether one letter is missing, doubled, swapped with its neighbour or, in a longer name, another one. */
function isSlip(written: string, meant: string): boolean {
  if (nearest(written, [meant], 1) === undefined) return false;
  const [letters, wanted] = [written, meant].map((name) => name.split("").toSorted().join(""));
  return letters === wanted || meant.length > (written.length === meant.length ? 4 : 3);
}
