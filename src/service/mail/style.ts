/** The pages' stylesheet: one type scale, one spacing scale, light and dark as the user prefers. */
export const STYLE = `
:root {
  color-scheme: light dark;
  --page: light-dark(#f6f6f4, #16171a);
  --surface: light-dark(#ffffff, #1e2024);
  --text: light-dark(#1c1d1f, #e8e8e6);
  --quiet: light-dark(#62656b, #a0a4ab);
  --line: light-dark(#e2e2de, #33363c);
  --accent: light-dark(#3557c4, #92abf7);
  --good: light-dark(#176b3a, #7fd6a2);
  --good-back: light-dark(#e3f3e9, #1c3527);
  --bad: light-dark(#a3261c, #f4a199);
  --bad-back: light-dark(#fbe7e5, #45211e);
  --waiting: light-dark(#6b5410, #e2c877);
  --waiting-back: light-dark(#f7f0d9, #383017);
  --small: 0.8125rem;
  --mono: ui-monospace, "SF Mono", "Cascadia Mono", Menlo, Consolas, monospace;
}
* { box-sizing: border-box; }
body {
  margin: 0;
  background: var(--page);
  color: var(--text);
  font: 0.9375rem/1.5 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif;
}
a { color: var(--accent); text-underline-offset: 0.15em; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; border-radius: 3px; }
h1 { margin: 0; font-size: 1.25rem; line-height: 1.3; font-weight: 600; overflow-wrap: anywhere; }
h2 { margin: 1.5rem 0 0; font-size: 0.9375rem; font-weight: 600; overflow-wrap: anywhere; }
h2:first-child { margin-top: 0; }
p { margin: 0; }
.quiet { color: var(--quiet); font-size: var(--small); }
.number { font-variant-numeric: tabular-nums; white-space: nowrap; }

body > header { background: var(--surface); border-bottom: 1px solid var(--line); }
.bar { display: flex; align-items: baseline; gap: 0.5rem; max-width: 70rem; margin: 0 auto; padding: 0.75rem 1.5rem; }
.brand { color: inherit; font-weight: 600; text-decoration: none; }
main { max-width: 70rem; margin: 0 auto; padding: 1.5rem; }

.mails { list-style: none; margin: 1rem 0 0; padding: 0; background: var(--surface); border: 1px solid var(--line); border-radius: 8px; overflow: hidden; }
.mails li + li { border-top: 1px solid var(--line); }
.mails a { display: grid; grid-template-columns: minmax(0, 16rem) minmax(0, 1fr) auto 6rem; gap: 0 1.5rem; align-items: center; padding: 0.625rem 1rem; color: inherit; text-decoration: none; }
.mails a:hover { background: color-mix(in srgb, var(--accent) 6%, transparent); }
.mails a:focus-visible { outline-offset: -2px; border-radius: 8px; }
.who, .who > span, .subject { display: block; min-width: 0; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.to { font-weight: 600; }
.when { white-space: nowrap; font-variant-numeric: tabular-nums; }
.state { justify-self: end; }
.more { margin-top: 1rem; text-align: center; }

.chip { display: inline-block; padding: 0 0.5rem; border-radius: 1rem; font-size: var(--small); font-weight: 500; line-height: 1.4rem; white-space: nowrap; vertical-align: 0.1em; }
.chip.good { color: var(--good); background: var(--good-back); }
.chip.bad { color: var(--bad); background: var(--bad-back); }
.chip.waiting { color: var(--waiting); background: var(--waiting-back); }
.button { display: inline-block; padding: 0.25rem 0.75rem; border: 1px solid var(--line); border-radius: 6px; background: var(--surface); text-decoration: none; }
.button:hover { border-color: var(--accent); }

.back { display: inline-block; margin-bottom: 0.5rem; font-size: var(--small); text-decoration: none; }
.back:hover { text-decoration: underline; }
.envelope dl { margin: 0.75rem 0 0; }
.envelope dl > div { display: flex; gap: 1rem; }
.envelope dt { flex: 0 0 4rem; color: var(--quiet); }
.envelope dd { margin: 0; overflow-wrap: anywhere; }
.tabs { display: flex; gap: 0.25rem 1.25rem; margin-top: 1rem; overflow-x: auto; border-bottom: 1px solid var(--line); }
.tabs a { padding: 0.5rem 0; color: var(--quiet); text-decoration: none; white-space: nowrap; border-bottom: 2px solid transparent; }
.tabs a:hover { color: var(--text); }
.tabs a[aria-current] { color: var(--text); font-weight: 600; border-bottom-color: var(--accent); }
.tabs a:focus-visible { outline-offset: -2px; }
.view { margin-top: 1rem; }

pre { margin: 0; padding: 1rem; background: var(--surface); border: 1px solid var(--line); border-radius: 8px; font: var(--small)/1.6 var(--mono); overflow-x: auto; tab-size: 2; }
pre.prose { white-space: pre-wrap; overflow-wrap: anywhere; }
.actions { margin-bottom: 1rem; }
pre + .quiet { margin-top: 0.5rem; }
table { width: 100%; margin: 0; border-collapse: separate; border-spacing: 0; background: var(--surface); border: 1px solid var(--line); border-radius: 8px; }
th, td { padding: 0.5rem 1rem; text-align: left; vertical-align: baseline; overflow-wrap: anywhere; }
tr + tr > *, thead + tbody > tr:first-child > * { border-top: 1px solid var(--line); }
th { font-weight: 500; color: var(--quiet); }
.headers th { width: 14rem; white-space: nowrap; overflow-wrap: normal; }
.headers td { font: var(--small)/1.6 var(--mono); }
.events { margin-top: 0.5rem; }
.events td:nth-child(3) { width: 100%; }
.events td:last-child { white-space: nowrap; }
.attachments td:first-child { width: 60%; }

.note { margin-bottom: 0.75rem; color: var(--quiet); font-size: var(--small); }
iframe { display: block; width: 100%; border: 1px solid var(--line); border-radius: 8px; background: light-dark(#fff, #121212); }
.filling { display: flex; flex-direction: column; min-height: 100dvh; }
.filling main { flex: 1; display: flex; flex-direction: column; width: 100%; }
.filling .view { flex: 1; display: flex; flex-direction: column; }
.filling iframe { flex: 1; min-height: 30rem; }

.empty { max-width: 32rem; margin: 15vh auto 0; }
.empty p { margin-top: 0.75rem; color: var(--quiet); }
.empty pre { margin-top: 0.5rem; }

@media (max-width: 60rem) {
  .mails a { grid-template-columns: minmax(0, 1fr) auto; gap: 0.25rem 1rem; }
  .state { grid-column: 2; grid-row: 1; align-self: start; }
}

@media (max-width: 44rem) {
  .bar { padding: 0.75rem 1rem; }
  main { padding: 1rem; }
  .subject, .when { grid-column: 1 / -1; }
  .tabs { flex-wrap: wrap; border-bottom: 0; }
  .tabs a { padding: 0.25rem 0; }
  th, td { padding: 0.5rem 0.75rem; }
  .headers tr, .headers th, .headers td { display: block; width: auto; }
  .headers th { padding-bottom: 0; }
  .headers tr > td { padding-top: 0; border-top: 0; }
  .attachments thead { display: none; }
  .attachments tr, .events tr { display: grid; grid-template-columns: auto 1fr; }
  .attachments tr + tr, .events tr + tr { border-top: 1px solid var(--line); }
  .attachments tbody > tr > td, .events tbody > tr > td { border-top: 0; }
  .attachments td:first-child { grid-column: 1 / -1; width: auto; padding-bottom: 0; }
  .attachments td + td { padding-top: 0; color: var(--quiet); font-size: var(--small); }
  .events tr { grid-template-columns: auto auto 1fr; }
  .events td:last-child { grid-column: 1 / -1; padding-top: 0; }
}
`;
