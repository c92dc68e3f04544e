/*
 * What components compute, as a grammar: for each kind of expression, the forms it may have.
 *
 * - `@number` stands for any expression of that kind; `@flag($x:item)` for one in which also `$x` is in scope, of that kind.
 * - `$x` is a new name, the same throughout the form.
 */

/** The kinds of expressions; `child` is a child of a JSX element. */
export type Kind =
  | "text"
  | "number"
  | "flag"
  | "date"
  | "texts"
  | "numbers"
  | "items"
  | "item"
  /** May be null or undefined. */
  | "maybeText"
  | "maybeNumber"
  | "child";

/** Literals and operands that have no operands themselves. */
const WORDS = ["literal", "digits", "index", "size", "locale", "currency", "pattern", "iso", "zone"] as const;
export type Word = (typeof WORDS)[number];

export const LITERALS: Readonly<Record<Word, readonly string[]>> = {
  literal: ['"a"', '""', '"b"', '" "', '"two words"', '"-"', '"ÄÖß"', '"this & <that>"', '"😀"'],
  digits: ["2", "0", "1", "3"],
  index: ["0", "1", "2", "-1", "-2", "5"],
  size: ["3", "0", "8", "12"],
  locale: ['"en-US"', '"de-DE"', '"fr"', '"tr"', '"ar-EG"', '"hi"', "undefined"],
  currency: ['"EUR"', '"USD"', '"JPY"', "p.currency"],
  pattern: [
    "/a/",
    "/a/g",
    "/[aeiou]/gi",
    "/\\s+/g",
    "/^\\w/",
    "/\\b\\w/g",
    "/(\\w)(\\w*)/",
    "/(?<head>\\w)(?<tail>\\w*)/g",
    "/[^a-z0-9]+/gi",
    "/\\d+/g",
    "/\\p{L}/u",
    "/./gsu",
    "/$/",
    "/(?:)/g",
    "/[&<>]/g",
    "/(\\d)(?=(\\d{3})+$)/g",
  ],
  iso: ["p.sentAt", "p.dueAt", "p.day", "p.local"],
  zone: ['"UTC"', '"Europe/Berlin"', '"America/New_York"', '"Asia/Kathmandu"', '"Australia/Lord_Howe"'],
};

/** The simplest expressions of each kind, which need no other name than `p`. */
export const LEAVES: Readonly<Record<Kind, readonly string[]>> = {
  text: ["p.name", '"a"', "p.title", "p.status", "p.order.id"],
  number: ["p.count", "(1)", "p.cents", "p.rate", "p.order.total", "(0)", "(100)"],
  flag: ["p.vip", "true"],
  date: ["new Date(p.sentAt)", "new Date(p.dueAt)", "new Date(p.day)", "new Date(p.local)", "new Date(p.time)"],
  texts: ["p.tags", "p.lines", "[]"],
  numbers: ["p.scores", "p.amounts", "[]"],
  items: ["p.items", "p.gifts"],
  item: ["p.main"],
  maybeText: ["p.note", "p.nick", "p.main.hint", "p.customer?.city", "p.customer?.address?.street"],
  maybeNumber: ["p.rank", "p.level", "p.customer?.points", "p.customer?.address?.zip"],
  child: ['{"a"}', "text"],
};

const NUMBER_OPTIONS = [
  '{ style: "currency", currency: @currency }',
  "{ minimumFractionDigits: @digits }",
  "{ minimumFractionDigits: 2, maximumFractionDigits: 2 }",
  '{ style: "percent" }',
  '{ notation: "compact" }',
  '{ style: "unit", unit: "kilobyte", unitDisplay: "short" }',
  '{ style: "currency", currency: @currency, currencyDisplay: "name" }',
  "{ maximumSignificantDigits: 3 }",
];

const DATE_OPTIONS = [
  '{ dateStyle: "long" }',
  '{ dateStyle: "medium", timeStyle: "short" }',
  '{ weekday: "long", month: "short", day: "numeric" }',
  '{ month: "long", day: "numeric", year: "numeric" }',
  '{ dateStyle: "full", timeZone: @zone }',
  '{ hour: "2-digit", minute: "2-digit", timeZone: @zone }',
  '{ hour: "numeric", hour12: true }',
  '{ timeZoneName: "short", hour: "numeric" }',
  '{ year: "2-digit", ...(@flag ? { month: "2-digit" } : {}) }',
];

const withOptions = (form: string, options: readonly string[]): string[] =>
  options.map((each) => form.replace("OPTIONS", () => each));

const FORMATS_OF_NUMBERS = [
  "@number.toFixed(@digits)",
  "(@number / 100).toFixed(2)",
  "`$${(@number / 100).toFixed(2)}`",
  "@number.toString()",
  "@number.toString(16)",
  "@number.toPrecision(3)",
  "@number.toExponential(1)",
  "String(@number)",
  '("" + @number)',
  "@number.toLocaleString()",
  "@number.toLocaleString(@locale)",
  ...withOptions("@number.toLocaleString(@locale, OPTIONS)", NUMBER_OPTIONS),
  ...withOptions("new Intl.NumberFormat(@locale, OPTIONS).format(@number)", NUMBER_OPTIONS),
  "new Intl.NumberFormat().format(@number)",
  "Intl.NumberFormat(@locale).format(@number)",
  'new Intl.NumberFormat(@locale).formatToParts(@number).map(($x) => $x.type + $x.value).join("|")',
  "euros.format(@number)",
  "money(@number)",
  "money(@number, @currency)",
  "ordinal(@number)",
  'plural(@number, "item")',
  'plural(@number, "box", "boxes")',
  "padded(@number)",
  "new Intl.PluralRules(@locale).select(@number)",
  'new Intl.PluralRules("en", { type: "ordinal" }).select(@number)',
  'new Intl.RelativeTimeFormat(@locale, { numeric: "auto" }).format(whole(@number), "day")',
  'new Intl.RelativeTimeFormat(@locale).format(whole(@number), @flag ? "month" : "hours")',
];

/** Those marked `zone` name the time zone, which computed values do in English, and V8 in the language of the machine. */
const FORMATS_OF_DATES = [
  "@date.toISOString()",
  "@date.toJSON()",
  "@date.toDateString()",
  "@date.toTimeString(/* zone */)",
  "@date.toString(/* zone */)",
  "`${@date /* zone */}`",
  "String(@date /* zone */)",
  "@date.toUTCString()",
  "@date.toLocaleDateString()",
  "@date.toLocaleTimeString()",
  "@date.toLocaleString()",
  "@date.toLocaleDateString(@locale)",
  "@date.toLocaleTimeString(@locale, { timeZone: @zone })",
  '@date.toLocaleDateString([], { month: "long" })',
  ...withOptions("@date.toLocaleString(@locale, OPTIONS)", DATE_OPTIONS),
  ...withOptions("new Intl.DateTimeFormat(@locale, OPTIONS).format(@date)", DATE_OPTIONS),
  "new Intl.DateTimeFormat(@locale).format(@date.getTime())",
  'new Intl.DateTimeFormat(@locale, { dateStyle: "medium" }).formatRange(@date, @date)',
  'new Intl.DateTimeFormat("en", { dateStyle: "long" }).formatToParts(@date).find(($x) => $x.type === "month")?.value',
  "day.format(@date)",
  "formatted(@date)",
  "@date.toISOString().slice(0, 10)",
  'iso(@date).split("T")[0]',
  'iso(@date).replace("T", " ").slice(0, -5)',
  "WEEKDAYS[@date.getDay()]",
];

export const FORMS: Readonly<Record<Kind, readonly string[]>> = {
  text: [
    ...FORMATS_OF_NUMBERS,
    ...FORMATS_OF_DATES,
    "(@text + @text)",
    "(@text + @number)",
    "(@number + @text)",
    "`${@text}: ${@number}`",
    '`${@text}${@flag ? @text : ""}`',
    "`${@maybeText}`",
    "@text.toUpperCase()",
    "@text.toLowerCase()",
    "@text.toLocaleUpperCase(@locale)",
    "@text.trim()",
    "@text.trimStart()",
    "@text.trimEnd()",
    "@text.slice(@index)",
    "@text.slice(@index, @index)",
    "@text.slice(0, @number)",
    "@text.substring(@index, @index)",
    "@text.substr(@index, @size)",
    "@text.charAt(@index)",
    "(@text.at(@index) ?? @literal)",
    "(@text[0] ?? @literal)",
    "@text.padStart(@size, @literal)",
    '@text.padEnd(@size, "·")',
    "@text.repeat(@digits)",
    '@text.normalize("NFD")',
    "@text.concat(@text, @number)",
    "@text.replace(@pattern, @literal)",
    "@text.replace(@literal, @text)",
    "@text.replace(@pattern, @text)",
    "@text.replaceAll(@literal, @literal)",
    '@text.replace(@pattern, "[$&$1$<tail>$$]")',
    "@text.replace(@pattern, ($x) => $x.toUpperCase())",
    "@text.replace(/(\\w)(\\w*)/g, ($w, $x, $y) => $x.toUpperCase() + @text($w:text,$y:text).toLowerCase())",
    "@text.replace(/[&<>]/g, ($c) => ENTITIES[$c])",
    "@text.replace(/a/g, ($c, $i) => `${$i}`)",
    '@text.split("").reverse().join("")',
    '@text.split(" ").map(($x) => @text($x:text)).join(" ")',
    '@text.split(" ").map(($x) => $x[0]).join("")',
    '@text.split(@literal).length + "."',
    '@text.split(@pattern).join("|")',
    '[...@text].reverse().join("")',
    "Array.from(@text).length + @literal",
    '(@text.match(@pattern)?.[0] ?? "none")',
    '(@text.match(/\\w+/g) ?? []).join("|")',
    'Array.from(@text.matchAll(/(\\w)(\\d)?/g), ($m) => $m[1]).join("")',
    '[...@text.matchAll(/(?<n>\\d+)/g)].map(($m) => $m.groups.n).join("+")',
    '(/(\\d+)-?/.exec(@text)?.[1] ?? "")',
    "encodeURIComponent(p.name + p.order.id)",
    "`/search?q=${encodeURIComponent(p.title)}&n=${@number}`",
    "JSON.stringify(@text)",
    "JSON.stringify(@texts)",
    "JSON.stringify({ total: @number, flag: @flag, list: @numbers })",
    "(@flag ? @text : @text)",
    "(@text || @text)",
    "(@text && @text)",
    "(@maybeText ?? @text)",
    "(@maybeText || @text)",
    '(@maybeText?.toUpperCase() ?? "none")',
    "(@maybeText?.slice(0, 3) || @text)",
    "(@maybeText ?? @maybeText ?? @text).trim()",
    "(typeof @maybeText)",
    "(typeof @maybeNumber)",
    "(LABELS[@text] ?? @text)",
    '({ a: @text, b: "B" }[p.status] ?? "none")',
    "label(p.status, @number)",
    "initials(@text)",
    "truncate(@text)",
    "truncate(@text, @size)",
    "capitalize(@text)",
    "fullName({ first: @text, last: @maybeText })",
    "firstWord(@text)",
    "kebab(@text)",
    "orDefault(@maybeText)",
    "summary(@items)",
    "between(@number, @number)",
    "compose(@text)",
    "safely(@text)",
    "addressOf({ street: @text, zip: @maybeNumber })",
    "grade(@number)",
    "grouped(@items)",
    '["zero", "one", "two"][@number % 3]',
    "@texts.join(@literal)",
    "@texts.join()",
    '@numbers.join(" + ")',
    '(@texts[0] ?? "none")',
    '(@texts.at(-1) ?? "none")',
    '(@texts[@number] ?? "none")',
    '(@texts.find(($x) => @flag($x:text)) ?? "none")',
    '(@items.find(($x) => @flag($x:item))?.label ?? "none")',
    '(@items.findLast(($x) => @flag($x:item))?.label ?? "none")',
    '(@items[0]?.label.toUpperCase() ?? "none")',
    '@items.map(($x) => @text($x:item)).join(", ")',
    '@items.map(($x, $i) => `${$i + 1}. ${@text($x:item,$i:number)}`).join("; ")',
    '@items.reduce(($s, $x) => $s + @text($x:item), "")',
    '@texts.reduce(($s, $x, $i) => $s + ($i > 0 ? ", " : "") + $x, "")',
    '@texts.reduceRight(($s, $x) => $s + $x, "<")',
    'new Intl.ListFormat(@locale, { type: @flag ? "conjunction" : "disjunction" }).format(@texts)',
    'Object.entries(p.prices).map(([$k, $v]) => `${$k}=${@text($k:text,$v:number)}`).join("&")',
    'Object.keys(p.prices).join("/")',
    '[...new Set(@texts)].join(",")',
    '[...@texts.entries()].map(([$i, $x]) => `${$i}${@text($x:text,$i:number)}`).join("|")',
    'Array.from(new Map(@items.map(($x) => [@text($x:item), $x.price])).entries(), ([$k, $v]) => `${$k}=${$v}`).join("&")',
    '[...new Set(@texts).values(), ...@texts.keys()].join("+")',
    '(Object.fromEntries(@items.map(($x) => [@text($x:item), $x.label]))[@text] ?? "none")',
    "new URLSearchParams([[@text, @text], [@text, @text]]).toString()",
    "(({ label, price = 0 }) => `${label} ${price}`)(@item)",
    "(([first, ...others]) => `${first} ${others.length}`)(@texts)",
    "@item.label",
    '[@text, @maybeText, @flag && @text].filter(Boolean).join(" ")',
    '(() => { let $s = ""; for (const $x of @texts) $s += ($s ? @literal : "") + $x; return $s; })()',
    "(() => { let $s = @text; @items.forEach(($x, $i) => { if (@flag($s:text,$x:item,$i:number)) $s += @text($x:item); }); return $s; })()",
    "(() => { let $s = @literal; for (const $c of @text) { $s = $c + $s; } return $s; })()",
    "(() => { let $s = @literal; for (const [$i, $x] of @texts.entries()) { if (!$x) continue; $s += `${$i}${$x}`; } return $s; })()",
    "(() => { let $s = @literal; for (let $i = 0; $i < whole(@number) % 5; $i++) { $s += @text($i:number); } return $s; })()",
    "(() => { let $a = @text, $b = @literal; for (const $x of @items) { if (@flag($a:text,$x:item)) [$a, $b] = [$b, $a]; else $a += $x.label; } return $a + $b; })()",
    "(() => { let $a = @text; for (const $x of @items) { switch ($x.label) { case @literal: $a += 1; break; case @text: { $a = @text($x:item); break; } default: if ($x.gift) $a += $x.quantity; } } return $a; })()",
    "(@items.reduce(($a, $x) => (typeof $a === 'number' ? @text($x:item) : $a + @number($x:item)), 0) + @text)",
    "Object.entries(@items.reduce(($a, $x) => ({ ...$a, [@text($x:item)]: ($a[@text($x:item)] ?? 0) + 1 }), {})).join()",
    "(() => { try { const $u = new URL(p.name + @literal, 'https://a.test/' + p.title); $u.searchParams.set(p.title, p.name); if (p.vip) $u.hash = p.name; else $u.searchParams.append('z', p.title); return $u.href; } catch { return p.title; } })()",
    "(() => { try { const $l = decodeURIComponent(p.name + @literal).split(@literal); if (p.vip) $l.push(p.title); $l.reverse(); return $l.join(); } catch { return @literal; } })()",
    "(() => { try { const $d = new Date(p.name + @literal); $d.setUTCDate(p.count); const $f = ($k) => { if (p.vip) $d.setUTCHours($k); }; $f(3); return $d.toISOString(); } catch { return p.title; } })()",
    "(() => { try { const $d = new Date(p.day + @literal); $d.setUTCDate(p.rank); return $d.toISOString() + $d.getTime(); } catch { return p.title; } })()",
    "(() => { let $l = [@text]; for (const $x of @items) { const $c = [...$l]; if (@flag($x:item)) $c.push(@text($x:item)); else $c.reverse(); $l = $c; } return $l.join(); })()",
    "(() => { const $o = {}; for (const $x of @items) $o[@text($x:item)] = ($o[@text($x:item)] ?? 0) + @number($x:item); return JSON.stringify($o); })()",
    "(() => { const $o = { n: 0, t: @text }; @items.forEach(($x) => { if (@flag($x:item)) { $o.n += $x.quantity; return; } $o.t += $x.label; }); return $o.t + $o.n; })()",
    "(() => { const $m = new Map(); for (const $x of @texts) $m.set($x, ($m.get($x) ?? 0) + 1); return [...$m].join() + $m.size; })()",
    "(() => { const $s = new Set(), $l = [@literal]; for (const $x of @items) { const $t = @text($x:item); if ($s.has($t)) continue; $s.add($t); $l.push($t); } return $l.join() + $s.size; })()",
    "(() => { const $l = [], $k = [@text]; for (const $x of @items) { if (@flag($x:item)) $l.push($x.label); else $k.unshift(@text($x:item)); } return $l.join() + $k.join(); })()",
    "(() => { const $o = {}; let $n = 0; for (const $x of @items) for (const $y of $x.marks) { $n += 1; $o[$y] = $n; } return JSON.stringify([$o, $n]); })()",
    "JSON.stringify(@items.reduce(($a, $x) => { $a[@text($x:item)] = ($a[@text($x:item)] ?? @literal) + @text($x:item); return $a; }, {}))",
    "@items.reduce(($a, $x) => { if (@flag($x:item)) return $a; $a.push(@text($x:item)); return $a; }, []).join()",
    "(({ n: $n, t: $t }) => $t + $n)(@items.reduce(($a, $x) => { $a.n++; if (@flag($x:item)) $a.t = @text($x:item); return $a; }, { n: 0, t: @literal }))",
    "[...@texts.reduce(($a, $x) => $a.set($x, @text($x:text)), new Map())].join()",
    '(() => { let $u = new URL("https://shop.test/"); for (const $x of @texts) { const $v = new URL($u); $v.searchParams.append(@text, $x); $u = $v; } return $u.href; })()',
    "linkTo(@text)",
    "linkTo(@text, @maybeText)",
    "lines(@texts, @text)",
    '(() => { const $u = new URL("https://shop.test/a?b=1"); $u.searchParams.set(@text, @text); if (@flag) $u.searchParams.append("c", @number); $u.hash = @text; return $u.href; })()',
    '(() => { const $u = new URL("/x?a=1&b=2", p.status === "a" ? "https://a.test" : "https://b.test"); const { searchParams: $q } = $u; $q.delete(@literal); $q.set("n", @number); $u.pathname = @text; return $u.toString() + $q.size + ($u.searchParams.get(@literal) ?? @text); })()',
    "(() => { const $q = new URLSearchParams({ a: @text }); $q.append(@text, @text); $q.sort(); return $q.toString(); })()",
    '(() => { const $p = @text.split("a"); const $l = $p.pop(); $p.unshift(@text); return $p.join("/") + $l; })()',
    '(() => { const $l = [...@texts]; const $b = $l.length; const $f = $l.shift(); $l.push(@text, $f ?? "none"); return $l.join("|") + $b + $l.length; })()',
    '(() => { const $l = @texts.slice(@index); const $m = $l; $l.reverse(); $m.push(@text); return $l.join(",") + $m.indexOf(@text); })()',
    '(() => { const $l = [@text, ...@texts]; $l[0] = @text; const $r = $l.splice(@index, 1); return $l.join("+") + $r.join("-"); })()',
    '(() => { const $l = @items.map(($x) => @text($x:item)); $l.push("end"); $l.sort(); return $l.join(";"); })()',
    '(() => { const $s = new Set(@texts); $s.add(@text); $s.delete(@text); return [...$s].join("/") + $s.size; })()',
    '(() => { const $u = new URL("https://shop.test/a?b=1"); const $f = ($k, $v) => { if ($v) $u.searchParams.set($k, $v); else $u.searchParams.delete("b"); }; $f("a", @maybeText); $f(@text, @flag && @text); return $u.href; })()',
    '(() => { const $l = [@text]; const $f = ($v) => { if ($v) $l.push($v); else $l.shift(); }; $f(@maybeText); $f(@text); return $l.join("-") + $l.length; })()',
    "(() => { const $l = [...@texts]; const $n = @flag ? $l.push(@text) : $l.pop(); return $l.join() + $n; })()",
    '(() => { const $o = { a: @text }; const $f = () => { if (@flag) $o.b = @text; else $o.a = "z"; }; $f(); return JSON.stringify($o) + $o.a; })()',
    "(() => { const $o = { a: 1 }; $o[@text] = @number; return JSON.stringify($o) + $o.a; })()",
    '(() => { const $m = new Map([["a", @text]]); const $f = ($k) => { if (@flag) $m.set($k, @text); }; $f(@text); $f("b"); return [...$m.keys()].join() + $m.get("a"); })()',
    '(() => { const $s = new Set(@texts); const $f = ($v) => { $v ? $s.add($v) : $s.clear(); return $s.size; }; return $f(@maybeText) + [...$s].join("/"); })()',
    '(() => { const $m = new Map([["a", @text]]); $m.set(@text, @text); return ($m.get(@text) ?? "none") + [...$m.keys()].join(); })()',
  ],
  number: [
    "(@number + @number)",
    "(@number - @number)",
    "(@number * @number)",
    "(@number / @number)",
    "(@number / 100)",
    "(@number % @number)",
    "(@number ** 2)",
    "(-@number)",
    "(+@text)",
    "(~@number)",
    "(@number & 255)",
    "(@number | 0)",
    "(@number ^ @number)",
    "(@number << 2)",
    "(@number >> 1)",
    "(@number >>> 0)",
    "(@maybeNumber * 2)",
    "(@maybeNumber + 1)",
    "(@maybeNumber ?? @number)",
    "(@maybeNumber || @number)",
    "(@flag ? @number : @number)",
    "(@number || @number)",
    "(@number && @number)",
    ...["round", "floor", "ceil", "trunc", "abs", "sign", "sqrt", "cbrt", "log10"].map(
      (name) => `Math.${name}(@number)`,
    ),
    "Math.max(@number, @number)",
    "Math.min(@number, 100)",
    "Math.max(...@numbers)",
    "Math.min(0, ...@items.map(($x) => $x.price))",
    "Math.pow(@number, 2)",
    "Math.hypot(@number, @number)",
    "(Math.round(@number * 100) / 100)",
    "Number(@text)",
    "Number(@number.toFixed(@digits))",
    "Number.parseFloat(@text)",
    "parseInt(@text, 10)",
    "parseInt(@text)",
    "parseFloat(@text)",
    "Number(@flag)",
    "@text.length",
    "@text.trim().length",
    "[...@text].length",
    "@text.indexOf(@text)",
    "@text.lastIndexOf(@literal)",
    "@text.search(@pattern)",
    "@text.charCodeAt(0)",
    "(@text.codePointAt(0) ?? 0)",
    "@text.localeCompare(@text)",
    "@text.localeCompare(@text, @locale)",
    "@texts.length",
    "@items.length",
    "@numbers.length",
    "@texts.indexOf(@text)",
    "@numbers.indexOf(@number)",
    "@items.findIndex(($x) => @flag($x:item))",
    "@items.filter(($x) => @flag($x:item)).length",
    "@numbers.reduce(($a, $b) => $a + $b, 0)",
    "@numbers.reduce(($a, $b) => Math.max($a, $b), -Infinity)",
    "@items.reduce(($s, $x) => $s + $x.price * $x.quantity, 0)",
    "@items.reduce(($s, $x) => $s + @number($x:item), 0)",
    "@items.flatMap(($x) => $x.marks).length",
    "(@numbers[0] ?? 0)",
    "(@numbers.at(-1) ?? -1)",
    "@item.price",
    "new Set(@texts).size",
    "Object.keys(p.prices).length",
    "Object.values(p.prices).reduce(($a, $b) => $a + $b, 0)",
    "total(@items)",
    "total(@items, 0.19)",
    "percent(@number, @number)",
    "clamp(@number)",
    "clamp(@number, -5, @number)",
    "daysBetween(@date, @date)",
    "rounded(@number)",
    "loopTotal(@items)",
    "(+@date)",
    "(@date - @date)",
    "Math.ceil((@date - @date) / 86_400_000)",
    ...["Time", "FullYear", "Month", "Date", "Day", "Hours", "Minutes", "TimezoneOffset", "UTCHours", "UTCDate"].map(
      (name) => `@date.get${name}()`,
    ),
    "(@date.getMonth() + 1)",
    "Date.parse(@iso)",
    "Date.UTC(2024, @digits, 29)",
    "(@date.getHours() % 12 || 12)",
    "(() => { let $n = @number; for (const $x of @items) $n += @number($n:number,$x:item); return $n; })()",
    "(() => { let $n = 0; for (const { price, quantity: $q = 1 } of @items) { const $c = price * $q; if (@flag($n:number,$c:number)) $n += $c; else $n -= 1; } return $n; })()",
    "(() => { let $n = -Infinity; @numbers.forEach(($x) => { if ($x > $n) $n = $x; }); return $n; })()",
    "(() => { let $a = 0, $b = @number; for (const $x of @items) { if (@flag($x:item,$a:number)) continue; $a++; $b += $a * $x.price; } return $a + $b; })()",
    "(() => { const $l = @items; let $n = 0; for (let $i = 0; $i < $l.length; $i++) $n += $l[$i].price * @number($i:number); return $n; })()",
    "(() => { let $n = 0; for (let $i = 1; $i <= @numbers.length; $i += 1) { $n = $n * 2 + $i; } return $n; })()",
    "(() => { let $n = 0; for (const $x of @items) for (const $y of $x.marks) if (@flag($x:item,$y:text)) $n += $y.length; return $n; })()",
    "(() => { let $n = 0; for (const $x of @items) { let $m = @number($x:item); $x.parts.forEach(($y) => { $m -= $y.size; }); if ($m > $n) $n = $m; } return $n; })()",
    "(() => { let $n = 0; for (const $x of @items) { for (const $y of @numbers) { if (@flag($x:item,$y:number,$n:number)) ++$n; } } return $n; })()",
    "(() => { const $l = [...@numbers]; const $r = $l.pop(); $l.push(@number); return $l.reduce(($a, $b) => $a + $b, $r ?? 0); })()",
    "(() => { const $l = [...@items]; $l.sort(($a, $b) => $b.price - $a.price); $l.shift(); return $l.length + ($l[0]?.price ?? 0); })()",
    "(() => { const $d = new Date(@date); return $d.setDate(@number) + $d.getTime(); })()",
    "(() => { const $s = new Set(@numbers); if (@flag) $s.add(@number); $s.clear(); $s.add(@number); return $s.size; })()",
  ],
  flag: [
    "(!@flag)",
    "(@flag && @flag)",
    "(@flag || @flag)",
    "(@number > @number)",
    "(@number > 0)",
    "(@number <= @number)",
    "(@number === @number)",
    "(@number !== 1)",
    "(@number == @text)",
    "(@number % 2 === 0)",
    "(@number >= 100)",
    "(@text === @text)",
    "(@text !== @literal)",
    "(@text < @text)",
    '(@text.toLowerCase() === "a")',
    "@text.includes(@literal)",
    "@text.includes(@text)",
    "@text.startsWith(@literal)",
    "@text.endsWith(@text)",
    "(@text.length > 3)",
    '(@text.trim() !== "")',
    "/^[a-z]+$/i.test(@text)",
    "/\\d/.test(@text)",
    "Boolean(@text.trim())",
    "(!!@number)",
    "isNaN(@number)",
    "Number.isNaN(@number)",
    "Number.isInteger(@number)",
    "Number.isFinite(@maybeNumber)",
    "Number.isSafeInteger(@number)",
    "isFinite(@text)",
    "(@maybeText != null)",
    "(@maybeText === undefined)",
    "(@maybeText === @text)",
    "(@maybeNumber == null)",
    "(@maybeNumber > @number)",
    "(@maybeNumber < 5)",
    "(@maybeText?.length > 2)",
    "@texts.includes(@text)",
    "@numbers.includes(@number)",
    "@texts.some(($x) => @flag($x:text))",
    "@texts.every(($x) => @flag($x:text))",
    "@numbers.some(($x) => @flag($x:number))",
    "@items.some(($x) => @flag($x:item))",
    "@items.every(($x) => @flag($x:item))",
    "(@items.length > @number)",
    "(@texts.length === 2)",
    "(@items.filter(($x) => @flag($x:item)).length > 0)",
    "new Set(@texts).has(@text)",
    "(new Set(@texts).size < @texts.length)",
    '["a", "b"].includes(@text)',
    "(@text in LABELS)",
    "@item.gift",
    "(@date > @date)",
    "(@date.getTime() === @date.getTime())",
    "(@date.toDateString() === @date.toDateString())",
    "isWeekend(@date)",
    "(@date.getFullYear() === 2024)",
    "isNaN(@date)",
    "Object.is(@number, -0)",
    "Array.isArray(@texts)",
    "(() => { let $f = @flag; for (const $x of @items) { if (@flag($x:item)) $f = !$f; } return $f; })()",
    "(() => { let $f = false; @texts.forEach(($x) => { $f ||= @flag($x:text); }); return $f; })()",
  ],
  date: [
    "new Date(@iso)",
    "new Date(@date.getTime() + 86_400_000)",
    "new Date(@date.getTime() - @number * 1000)",
    "new Date(@date)",
    "new Date(2024, @digits, 29)",
    "new Date(@date.getFullYear(), @date.getMonth() + 1, 0)",
    "new Date(Date.UTC(2024, @digits, 31, 23, 59))",
    'new Date(p.day + "T12:00:00Z")',
    "new Date(`${p.day}T00:00`)",
    'new Date("2024-03-31T02:30:00")',
    "(@flag ? @date : @date)",
    "startOfDay(@date)",
    "endOfMonth(@date)",
    "later(@date, @number)",
    ...[
      "Date(@number)",
      "Month(13, @digits)",
      "FullYear(2024, 1, 30)",
      "Hours(@digits, 30, 15, 999)",
      "Minutes(@number)",
      "UTCDate(@index)",
      "UTCHours(25)",
      "Time(@number * 1000)",
    ].map((change) => `(() => { const $d = new Date(@date); $d.set${change}; return $d; })()`),
    "(() => { const $d = new Date(@date); const $f = () => { if (@flag) $d.setUTCDate(@digits); else $d.setHours(@digits); }; $f(); return $d; })()",
    "(() => { const $d = new Date(@date); const $e = @flag ? $d : new Date(0); $e.setUTCMonth(@digits); return @flag ? $d : $e; })()",
    "(() => { const $d = new Date(@date); const $e = new Date($d); $d.setDate($d.getDate() + @digits); $e.setHours(0, 0, 0, 0); if (@flag) $e.setMonth($d.getMonth()); return @flag ? $d : $e; })()",
  ],
  texts: [
    "@texts.filter(Boolean)",
    "@texts.filter(($x) => @flag($x:text))",
    "@texts.map(($x) => @text($x:text))",
    "@texts.map(($x, $i) => `${$i}${$x}`)",
    "@texts.slice(@index)",
    "@texts.slice(0, @number)",
    "[...@texts].sort()",
    "@texts.toSorted()",
    "@texts.toSorted(($a, $b) => $a.localeCompare($b))",
    "[...@texts].sort(($a, $b) => $b.length - $a.length)",
    "[...@texts].reverse()",
    "@texts.toReversed()",
    "@texts.concat(@texts)",
    "[...@texts, ...@texts]",
    "[@text, ...@texts]",
    '@text.split(",")',
    '@text.split(" ")',
    "@text.split(/\\s+/)",
    "Object.keys(p.prices)",
    "[...new Set(@texts)]",
    "Array.from(new Set(@texts))",
    "@items.map(($x) => $x.label)",
    "@items.map(($x) => @text($x:item))",
    "@items.flatMap(($x) => $x.marks)",
    "@items.flatMap(($x) => ($x.gift ? [$x.label] : []))",
    "@items.map(($x) => $x.marks).flat()",
    "@texts.filter(($x, $i, $l) => $l.indexOf($x) === $i)",
    "@numbers.map(String)",
    "@numbers.map(($x) => @text($x:number))",
    "Array.from({ length: @digits }, (_, $i) => @text($i:number))",
    "(@flag ? @texts : @texts)",
    "withoutEmpty(@texts)",
    "(() => { const $l = [...@texts]; $l.push(@text); if (@flag) $l.pop(); return $l; })()",
    "(() => { const $l = @texts.slice(); [@text, @maybeText].forEach(($x) => { if ($x) $l.push($x); }); return $l; })()",
    "(() => { const $l = @texts.filter(($x) => @flag($x:text)); $l.unshift(@text, @text); return $l; })()",
    "(() => { const $l = [...@texts]; const $m = [...$l]; $l.sort(); $m.push(...$l); return $m; })()",
  ],
  numbers: [
    "@numbers.filter(($x) => @flag($x:number))",
    "@numbers.map(($x) => @number($x:number))",
    "[...@numbers].sort()",
    "[...@numbers].sort(($a, $b) => $a - $b)",
    "@numbers.toSorted(($a, $b) => $b - $a)",
    "@numbers.slice(@index)",
    "[...@numbers].reverse()",
    "[...@numbers, @number]",
    "@items.map(($x) => $x.price)",
    "@items.map(($x) => @number($x:item))",
    "Object.values(p.prices)",
    "@texts.map(Number)",
    "@texts.map(($x) => $x.length)",
    "[1, 2, 3].map(($x) => $x * @number)",
    "Array.from(new Set(@numbers))",
    "[...Array(3).keys()]",
    "Object.entries(p.prices).filter(([, $v]) => $v > 0).map(([, $v]) => $v)",
    "(() => { const $l = [@number, 2, 3]; $l.sort(($a, $b) => $a - $b); $l.push(@number); return $l; })()",
    "(() => { const $l = [...@numbers]; $l.splice(@index, 1, @number); $l.fill(0, 2); return $l; })()",
  ],
  items: [
    "@items.filter(($x) => @flag($x:item))",
    "@items.filter(($x) => $x.gift)",
    "@items.filter(({ price }) => price > 0)",
    "@items.slice(@index)",
    "@items.slice(0, 2)",
    "[...@items].sort(($a, $b) => $a.price - $b.price)",
    "@items.toSorted(($a, $b) => $a.label.localeCompare($b.label))",
    "@items.toSorted(($a, $b) => @number($a:item,$b:item))",
    "[...@items].reverse()",
    "[...@items, ...@items]",
    "@items.concat(@items)",
    "@items.map(($x) => ({ ...$x, price: @number($x:item) }))",
    "@items.map(($x) => ({ ...$x, label: @text($x:item), gift: @flag($x:item) }))",
    "@items.flatMap(($x) => ($x.gift ? [$x, $x] : []))",
    "(@flag ? @items : @items)",
    "cheapest(@items)",
    "byLabel(@items)",
    "[@item, ...@items]",
    "(() => { const $l = [...@items]; $l.push(@item); $l.sort(($a, $b) => $a.price - $b.price); return $l; })()",
    "(() => { const $l = @items.slice(0, 3); $l.shift(); $l.unshift(@item); return $l; })()",
  ],
  item: [
    "(@items[0] ?? p.main)",
    "(@items.at(-1) ?? p.main)",
    "(@items.find(($x) => @flag($x:item)) ?? p.main)",
    "({ ...@item, label: @text })",
    "({ ...p.main, price: @number, quantity: @number })",
    "(@flag ? @item : @item)",
    "@items.reduce(($a, $x) => ($x.price > $a.price ? $x : $a), @item)",
    "(() => { let $a = @item; for (const $x of @items) if (@flag($a:item,$x:item)) $a = $x; return $a; })()",
  ],
  maybeText: [
    "@maybeText?.toUpperCase()",
    "@maybeText?.trim()",
    "(@flag ? @text : null)",
    "(@flag ? undefined : @text)",
    "@texts.find(($x) => @flag($x:text))",
    "@items.find(($x) => @flag($x:item))?.label",
    "@items[0]?.hint",
    "@texts[1]",
    "@texts.at(-1)",
    "@text.match(/\\d+/)?.[0]",
    "emptyToNull(@text)",
    "(() => { let $a; for (const $x of @items) { if (@flag($x:item)) $a = $x.hint; } return $a; })()",
    "(() => { let $a = null; @texts.forEach(($x) => { if (!$a || $x.length > $a.length) $a = $x; }); return $a; })()",
    "@items.reduce(($a, $x) => ($a?.price > $x.price ? $a : $x), null)?.label",
  ],
  maybeNumber: [
    "(@flag ? @number : null)",
    "@numbers[0]",
    "@numbers.find(($x) => $x > 1)",
    "@items.at(-1)?.price",
    "@maybeText?.length",
    "@items.find(($x) => @flag($x:item))?.quantity",
  ],
  child: [
    "{@text}",
    "{@number}",
    "{@maybeText}",
    "{@maybeNumber}",
    "{@flag}",
    "{@texts}",
    "{@numbers}",
    " words ",
    "<p>{@text}</p>",
    "<p>Total: {@number} of {@text}</p>",
    "<b title={@text}>@child</b>",
    "<i title={@maybeText}>@child</i>",
    "<a href={@text}>@child</a>",
    "<a href={`https://shop.test/?q=${encodeURIComponent(p.order.id)}&n=${@number}`}>@child</a>",
    "<u className={@text}>@child</u>",
    '<u className={["k", @flag && "y", @text].filter(Boolean).join(" ")}>@child</u>',
    "<table width={@number}><tbody><tr><td>@child</td></tr></tbody></table>",
    '<div style={{ width: `${@number}%`, color: @flag ? "red" : "blue" }}>@child</div>',
    "<div style={{ padding: @number }}>@child</div>",
    "<div style={{ lineHeight: @number, marginTop: @maybeNumber }}>@child</div>",
    "{@flag && <b>@child</b>}",
    "{@number && <b>@child</b>}",
    "{@text && <b>@child</b>}",
    "{@maybeText && <b>@child</b>}",
    "{@maybeNumber && <b>@child</b>}",
    "{@flag ? <b>@child</b> : <i>@child</i>}",
    "{@flag ? @text : <i>@child</i>}",
    '{@number > 0 ? <b>{@number}</b> : "free"}',
    "{@texts.length > 0 && <ul>@child</ul>}",
    '{@items.length === 0 ? "none" : <ul>@child</ul>}',
    "{@items.map(($x, $i) => <li key={$i}>@child($x:item,$i:number)@child($x:item,$i:number)</li>)}",
    "{@items.map(($x) => <li key={$x.label}>@child($x:item)</li>)}",
    '{@items.map(($x, $i) => <li key={$i} className={$i % 2 === 0 ? "even" : "odd"}>{$i + 1}. @child($x:item,$i:number)</li>)}',
    '{@items.map(({ label, price, hint = "no hint" }, $i) => <li key={$i}>{label.toUpperCase()} {price * 2} {hint.trim()}</li>)}',
    "{@items.map(($x, $i) => <ul key={$i}>{$x.parts.map(($y, $j) => <li key={$j}>{$y.size * $x.quantity}@child($x:item,$i:number,$y:part,$j:number)</li>)}</ul>)}",
    '{@items.map(($x, $i) => <ul key={$i}>{$x.marks.filter(($y) => @flag($x:item,$y:text)).map(($z, $j) => <li key={$j}>{$z}{$j < $x.marks.length - 1 && ", "}@child($x:item,$z:text)</li>)}</ul>)}',
    "{@items.map(($x, $i) => { const cost = $x.price * $x.quantity; if (cost > 5) return null; return <li key={$i}>{cost.toFixed(2)}@child($x:item)</li>; })}",
    "{@items.map(($x, $i) => @flag($x:item,$i:number) && <li key={$i}>@child($x:item)</li>)}",
    "{@texts.map(($x, $i) => <i key={$i}>{@text($x:text,$i:number)}</i>)}",
    '{@texts.map(($x, $i) => <i key={$i}>{$i > 0 && ", "}{$x}</i>)}',
    "{@numbers.map(($x, $i) => <i key={$i}>@child($x:number,$i:number)</i>)}",
    "{Object.entries(p.prices).map(([$k, $v]) => <i key={$k}>{$k}: {@text($k:text,$v:number)}</i>)}",
    "{Array.from({ length: Math.min(5, Math.abs(whole(@number))) }, (_, $i) => <i key={$i}>{@text($i:number)}</i>)}",
    "{@items.slice(0, 2).map(($x, $i) => <li key={$i}>@child($x:item)</li>)}",
    "{@items.length > 2 && <p>and {@items.length - 2} more</p>}",
    "<Money cents={@number} currency={@currency} />",
    "<Row item={@item}>@child</Row>",
    "<Badge tone={@text} count={@number} />",
    "<Dated at={@date} />",
    "<List of={@texts} />",
    "<Totals of={@items} rate={@number} />",
    '<p dangerouslySetInnerHTML={{ __html: @text.replace(/\\s/g, "<br>") }} />',
    '{(() => { const Tag = @flag ? "b" : "i"; return <Tag>@child</Tag>; })()}',
    '{(() => { if (@flag) return null; const $a = @text; switch ($a) { case "": return "empty"; case "a": return <b>A</b>; default: return <i>{$a}</i>; } })()}',
    "<Tone.Provider value={@text}><Toned /></Tone.Provider>",
    "{Object.entries(@items.reduce(($a, $x) => ({ ...$a, [@text($x:item)]: [...($a[@text($x:item)] ?? []), $x] }), {})).map(([$k, $l]) => <ul key={$k}>{$k}{$l.map(($y, $i) => <li key={$i}>{$y.label}{@text($y:item,$k:text)}</li>)}</ul>)}",
    "{(() => { let $n = 0, $t = ''; for (const $x of @items) { $n += $x.price; if (@flag($x:item)) $t = $x.label; } return <p>{$n.toFixed(2)} {$t}{$n > 10 && <b>@child($n:number,$t:text)</b>}</p>; })()}",
    "{(() => { const $l = @items, $r = []; for (let $i = 0; $i < $l.length; $i++) { const $x = $l[$i]; if (@flag($x:item)) $r.push(<li key={$i}>{$i}@child($x:item)</li>); } return $r; })()}",
    "{(() => { const $a = @number; const $b = $a * 0.19; return <p>{($a + $b).toFixed(2)} {$b > 1 && <b>@child</b>}</p>; })()}",
    "{(() => { const $l = @items.map(($x) => <li key={$x.label}>@child($x:item)</li>); $l.push(<li key='last'>{@text}</li>); return <ul>{$l}</ul>; })()}",
    "{(() => { const $l = []; const $f = ($k, $v) => { if (!$v) return; $l.push(<li key={$k}>{$v}</li>); }; $f('a', @maybeText); $f('b', @text); return <ul>{$l}</ul>; })()}",
    "{(() => { const $l = [...@texts]; const $e = <ul>{$l.map(($x) => <li key={$x}>{$x}</li>)}</ul>; $l.push(@text); return <p>{$e}{$l.join()}{$l.length}</p>; })()}",
    "{(() => { let $a = @text; if (@flag) $a = $a + @text; return <p>{$a}</p>; })()}",
    '{(() => { const [head, ...tail] = @texts; return <p>{head} {tail.length} {tail.join("/")}</p>; })()}',
    "{(() => { const { label: $a, price: $b, hint: $c = @text } = @item; return <p>{$a}{$b.toFixed(1)}{$c}</p>; })()}",
  ],
};

/** What a variable in scope offers, by its kind: expressions of each kind. */
export const OFFERS: Readonly<Record<Kind | "part", readonly (readonly [Kind, string])[]>> = {
  text: [["text", "X"]],
  number: [["number", "X"]],
  item: [
    ["item", "X"],
    ["text", "X.label"],
    ["number", "X.price"],
    ["number", "X.quantity"],
    ["flag", "X.gift"],
    ["maybeText", "X.hint"],
    ["maybeText", "X.box?.title"],
    ["maybeNumber", "X.box?.size"],
    ["maybeNumber", "X.box?.marks.length"],
    ["flag", "(X.box?.size === 1)"],
    ["texts", "X.marks"],
    ["date", "new Date(X.at)"],
  ],
  part: [
    ["text", "X.title"],
    ["number", "X.size"],
    ["flag", "X.big"],
  ],
  flag: [],
  date: [],
  texts: [],
  numbers: [],
  items: [],
  maybeText: [],
  maybeNumber: [],
  child: [],
};

/** Helpers as projects have them, and components that compute. */
export const PRELUDE = `import { createContext, useContext, useMemo } from "react";
const LABELS = { a: "Alpha", b: "Beta", paid: "Paid in full" };
const ENTITIES = { "&": "and", "<": "lt", ">": "gt" };
const WEEKDAYS = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"];
const euros = new Intl.NumberFormat("de-DE", { style: "currency", currency: "EUR" });
const day = new Intl.DateTimeFormat("en-GB", { dateStyle: "long", timeZone: "UTC" });
const money = (cents, currency = "USD") => new Intl.NumberFormat("en-US", { style: "currency", currency }).format(cents / 100);
const whole = (n) => (Number.isFinite(n) ? Math.round(n) : 0);
function ordinal(n) {
  const rules = new Intl.PluralRules("en-US", { type: "ordinal" });
  const suffixes = { one: "st", two: "nd", few: "rd", other: "th" };
  return \`\${n}\${suffixes[rules.select(n)]}\`;
}
const plural = (n, one, many = one + "s") => (n === 1 ? \`1 \${one}\` : \`\${n} \${many}\`);
const padded = (n, length = 2) => String(n).padStart(length, "0");
function label(status, count) {
  switch (status.toLowerCase()) {
    case "a": return "first";
    case "b": return count > 1 ? "seconds" : "second";
    default: return status.toUpperCase();
  }
}
const initials = (name) => name.split(" ").map((part) => part.charAt(0)).join("").toUpperCase();
function truncate(text, length = 10) {
  if (text.length <= length) return text;
  return text.slice(0, length).trimEnd() + "…";
}
const capitalize = (text) => text.charAt(0).toUpperCase() + text.slice(1).toLowerCase();
const fullName = ({ first, last = "?" }) => [first, last].filter(Boolean).join(" ");
const firstWord = (text) => { const [word] = text.split(" "); return word; };
const kebab = (text) => text.toLowerCase().replace(/[^a-z0-9]+/g, "-").replace(/^-|-$/g, "");
const orDefault = (text = "default") => text?.trim() || "empty";
const emptyToNull = (text) => (text.trim() === "" ? null : text);
const summary = (items) => {
  if (items.length === 0) return "nothing";
  const [first, ...others] = items;
  return others.length === 0 ? first.label : \`\${first.label} and \${others.length} more\`;
};
function between(a, b) { if (a < b) return \`\${a}–\${b}\`; if (a === b) return String(a); return \`\${b}–\${a}\`; }
const suffix = (end) => (text) => text + end;
const compose = (text) => suffix("!")(suffix("?")(text));
const total = (items, tax = 0) => items.reduce((sum, { price, quantity }) => sum + price * quantity, 0) * (1 + tax);
const percent = (part, all) => (all === 0 ? 0 : Math.round((part / all) * 100));
const clamp = (n, low = 0, high = 100) => Math.min(Math.max(n, low), high);
const rounded = (n, digits = 2) => Math.round(n * 10 ** digits) / 10 ** digits;
const DAY = 24 * 60 * 60 * 1000;
function daysBetween(a, b) { return Math.floor((b.getTime() - a.getTime()) / DAY); }
const formatted = (date) => \`\${padded(date.getDate())}.\${padded(date.getMonth() + 1)}.\${date.getFullYear()}\`;
const iso = (date) => new Date(date).toISOString();
const isWeekend = (date) => [0, 6].includes(date.getDay());
const startOfDay = (date) => new Date(date.getFullYear(), date.getMonth(), date.getDate());
const withoutEmpty = (texts) => texts.map((text) => text.trim()).filter((text) => text.length > 0);
const cheapest = (items) => [...items].sort((a, b) => a.price - b.price).slice(0, 2);
const safely = (text) => { try { return new Date(text).toISOString(); } catch { return "not a date"; } };
function addressOf({ street, zip }) {
  const lines = [];
  if (street) lines.push(street);
  if (zip) lines.push("zip " + zip);
  return lines.join(", ");
}
function grade(points) {
  if (points >= 90) return "A";
  if (points >= 50) return "B";
  let grade = "C";
  if (points < 0) grade = "D";
  return grade;
}
const grouped = (items) => {
  const groups = items.reduce((all, item) => ({ ...all, [item.label]: [...(all[item.label] ?? []), item.price] }), {});
  return Object.entries(groups).map(([label, prices]) => \`\${label}: \${prices.join("+")}\`).join("; ");
};
function loopTotal(items) {
  let sum = 0;
  for (const item of items) sum += item.price * item.quantity;
  return sum;
}
function byLabel(items) {
  const copy = [...items];
  copy.sort((a, b) => a.label.localeCompare(b.label));
  return copy;
}
const endOfMonth = (date) => { const end = new Date(date); end.setMonth(end.getMonth() + 1, 0); end.setHours(23, 59, 59, 999); return end; };
function later(date, days) {
  const due = new Date(date.getTime());
  due.setDate(due.getDate() + Math.round(days % 100));
  return due;
}
function linkTo(name, ref) {
  const url = new URL("/u", "https://shop.test");
  url.searchParams.set("name", name);
  if (ref) url.searchParams.append("ref", ref);
  return url.toString();
}
function lines(texts, last) {
  const all = [];
  for (const text of texts) all.push(text);
  if (last) all.push(last);
  all.reverse();
  return all.join(" / ");
}
const Tone = createContext("plain");
const Toned = () => <q className={useContext(Tone).toLowerCase()}>{useContext(Tone)}</q>;
function Totals({ of, rate }) {
  const { sum, tax } = useMemo(() => {
    const sum = of.reduce((all, { price, quantity }) => all + price * quantity, 0);
    return { sum, tax: sum * rate };
  }, [of, rate]);
  return <p>{sum.toFixed(2)} + {tax.toFixed(2)} = {(sum + tax).toFixed(2)}</p>;
}
const Money = ({ cents, currency }) => <span className={cents < 0 ? "minus" : undefined}>{money(Math.abs(cents), currency)}</span>;
const Row = ({ item: { label, price, hint, marks = [] }, children }) => (
  <section title={hint}>{label}: {price.toFixed(2)} {marks.length > 1 ? marks.toSorted().join("/") : null}{children}</section>
);
function Badge({ tone, count = 1 }) {
  if (count <= 0) return null;
  return <em className={\`badge-\${tone.toLowerCase()}\`}>{count > 99 ? "99+" : count}</em>;
}
const Dated = ({ at }) => <time dateTime={at.toISOString()}>{at.toLocaleDateString("en-US", { month: "long", day: "numeric" })}</time>;
const List = ({ of }) => of.length === 0 ? <p>none</p> : <ol>{of.map((each, index) => <li key={index}>{index + 1}/{of.length} {each}</li>)}</ol>;
`;
