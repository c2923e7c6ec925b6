// The style sheet of the reference page: light and dark, one column on small screens.

export const style = `:root {
  color-scheme: light dark;
  --text: #1b1f24; --soft: #57606a; --back: #ffffff; --panel: #f4f6f8; --line: #d5dae0; --link: #0a53b8;
}
@media (prefers-color-scheme: dark) {
  :root {
    --text: #e6e9ed; --soft: #a3adb8; --back: #12161b; --panel: #1c2229; --line: #343c46; --link: #82b4ff;
  }
}
* { box-sizing: border-box; }
html { scroll-padding-top: 1rem; -webkit-text-size-adjust: 100%; text-size-adjust: 100%; }
body {
  margin: 0; color: var(--text); background: var(--back);
  font: 1rem/1.55 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif;
}
a { color: var(--link); }
a:focus-visible, summary:focus-visible, pre:focus-visible { outline: 3px solid var(--link); outline-offset: 2px; }
.skip { position: absolute; left: -100vw; padding: .5rem 1rem; background: var(--panel); }
.skip:focus { left: 0; top: 0; z-index: 1; }
main { max-width: 54rem; padding: 1rem; overflow-wrap: anywhere; }
nav { padding: .5rem 1rem; background: var(--panel); border-bottom: 1px solid var(--line); overflow-wrap: anywhere; }
nav summary { font-weight: 600; padding: .4rem 0; }
nav ul { list-style: none; margin: 0; padding: 0 0 .5rem; }
nav a { display: block; padding: .35rem 0; text-decoration: none; font-size: .9rem; }
nav a:hover { text-decoration: underline; }
h1 { font-size: 1.7rem; line-height: 1.2; margin: .5rem 0 1rem; }
h2 { font-size: 1.35rem; line-height: 1.25; margin: 0 0 .5rem; padding-top: 1.5rem; border-top: 2px solid var(--line); }
h3 { font-size: 1.05rem; margin: 1.5rem 0 .4rem; }
main > section { margin-top: 2rem; }
code, pre { font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; font-size: .88em; }
code { background: var(--panel); border-radius: .25rem; padding: .1em .3em; }
pre { background: var(--panel); border: 1px solid var(--line); border-radius: .4rem; padding: .8rem;
  overflow: auto; max-height: 32rem; line-height: 1.4; }
pre code { background: none; padding: 0; }
.route { font-size: 1.05rem; }
.method { font: 600 .78rem/1 ui-monospace, Menlo, Consolas, monospace; border: 1px solid var(--line);
  border-radius: .25rem; padding: .2em .45em; color: var(--soft); }
.type, .note { color: var(--soft); font-size: .92em; }
dl, dd, ul.plain { margin: 0; padding: 0; }
ul.plain { list-style: none; }
dd p, .row p, li p { margin: .2rem 0; }
.row { padding: .6rem 0; border-top: 1px solid var(--line); }
table { border-collapse: collapse; width: 100%; margin: 1rem 0; }
th, td { text-align: left; vertical-align: top; padding: .4rem .6rem .4rem 0; border-top: 1px solid var(--line); }
th { font-size: .92em; color: var(--soft); border-top: 0; overflow-wrap: normal; }
td:first-child { width: 45%; }
.number { text-align: right; padding-right: 1.2rem; font-variant-numeric: tabular-nums; white-space: nowrap; }
.call { margin: .3rem 0; }
[role="search"] label { display: block; font-weight: 600; padding: .4rem 0 .2rem; }
[role="search"] input { width: 100%; font: inherit; padding: .4rem .6rem; color: var(--text); background: var(--back);
  border: 1px solid var(--soft); border-radius: .4rem; }
[role="search"] input:focus-visible { outline: 3px solid var(--link); outline-offset: 1px; }
[role="search"] p { margin: .3rem 0; }
#found { max-height: 50vh; overflow: auto; border-bottom: 1px solid var(--line); }
.row:target, tr:target, li:target { background: var(--panel); }
details { margin: .5rem 0; }
main summary { cursor: pointer; padding: .3rem 0; }
@media (min-width: 64rem) {
  nav details::details-content { content-visibility: visible; block-size: auto; }
  nav summary { list-style: none; }
  body { display: grid; grid-template-columns: 20rem minmax(0, 1fr); }
  nav { position: sticky; top: 0; height: 100vh; overflow: auto; border-bottom: 0; border-right: 1px solid var(--line); }
  main { padding: 1rem 2.5rem 4rem; }
}
@media print {
  nav, .skip { display: none; }
}
`;
