/**
 * The style sheet of all pages. It loads no fonts, images or scripts. Text has five sizes, and the
 * space between things has six. There are two greys, for quiet text and for lines, one accent for
 * links and whatever stands out, tints of these, and a pair of colours for each kind of equipment.
 *
 * Other lengths are widths of columns, and those of drawings: a map has its own units, and a
 * timeline is laid out in pixels.
 */
export const STYLE = /* css */ `
:root {
  color-scheme: light dark;
  --largest: 1.5rem; --large: 1.1rem; --normal: 1rem; --small: .87rem; --smallest: .8rem;
  /* Monospaced text looks larger than the text beside it. */
  --mono: .9em;
  --space-1: .2rem; --space-2: .4rem; --space-3: .7rem; --space-4: 1rem; --space-5: 1.5rem; --space-6: 2rem;
  --page: #fff; --text: #1b1f24; --quiet: #57606a; --line: #d5dae0; --accent: #0b57b0;
  --soft: color-mix(in srgb, var(--line) 28%, var(--page)); --shown: color-mix(in srgb, var(--accent) 14%, var(--page));
  --receiver: #cfe3f7; --receiver-odd: #93bfe9; --antenna: #fbe3bd; --antenna-odd: #f0bd6c;
  --sensor: #e5dcf3; --sensor-odd: #c3aee2; --clock: #d3ece2; --clock-odd: #93cdb5;
}
@media screen and (prefers-color-scheme: dark) {
  :root {
    --page: #14171b; --text: #e4e8ec; --quiet: #a3adb8; --line: #363d46; --accent: #7db6f5;
    --receiver: #1f3c5a; --receiver-odd: #2f6298; --antenna: #55401a; --antenna-odd: #86642a;
    --sensor: #3d3156; --sensor-odd: #5f4c88; --clock: #1f4438; --clock-odd: #306a57;
  }
}
* { box-sizing: border-box; }
html { font: 15px/1.45 system-ui, sans-serif; background: var(--page); color: var(--text); -webkit-text-size-adjust: 100%; }
body { margin: 0 auto; padding: 0 var(--space-4) var(--space-6); max-width: 110rem; }
a { color: var(--accent); }
a:focus-visible, button:focus-visible, input:focus-visible, select:focus-visible, summary:focus-visible, .scroll:focus-visible { outline: 2px solid var(--accent); outline-offset: 1px; }
.skip { position: absolute; left: -99rem; }
.skip:focus { position: static; }
.top { display: flex; flex-wrap: wrap; gap: var(--space-1) var(--space-5); align-items: baseline; padding: var(--space-3) 0 var(--space-2); border-bottom: 1px solid var(--line); }
.top .name { font-weight: 600; color: inherit; text-decoration: none; }
.top .network { overflow-wrap: anywhere; }
.top nav a { margin-right: var(--space-4); }
.top [aria-current] { color: inherit; font-weight: 600; text-decoration: none; }
html { overflow-x: clip; }
h1 { font-size: var(--largest); line-height: 1.2; margin: var(--space-4) 0 var(--space-3); overflow-wrap: anywhere; white-space: pre-wrap; }
h2 { font-size: var(--large); margin: var(--space-5) 0 var(--space-2); }
h3 { font-size: var(--normal); margin: 0; }
p { margin: var(--space-2) 0; max-width: 75ch; }
ul { margin: var(--space-2) 0; padding-left: var(--space-4); }
small, caption, figcaption, footer { color: var(--quiet); font-size: var(--small); }
code, pre { font: var(--mono)/1.4 ui-monospace, monospace; }
code { overflow-wrap: anywhere; }
.url { overflow-wrap: break-word; }
.id, .level { white-space: nowrap; }
th.what { font-weight: inherit; }
.type { display: inline-block; max-width: 100%; font: var(--mono)/1.5 ui-monospace, monospace; font-weight: inherit; white-space: pre; vertical-align: baseline; }
.type.long { white-space: pre-wrap; overflow-wrap: anywhere; }
a.type:not(:hover) { text-decoration: none; }
.fold summary { color: var(--quiet); }
.fold .start { color: var(--text); }
.fold[open].text > summary .start { display: none; }
.fold[open].text > summary .verb { font-size: 0; }
.fold[open].text > summary .verb::after { content: 'Less'; font-size: var(--normal); }
.rows .fold summary { color: inherit; }
.members { columns: 20rem; list-style: none; padding: 0; margin: 0; }
.number { text-align: right; font-variant-numeric: tabular-nums; }
time { white-space: nowrap; }
time, .period { font-variant-numeric: tabular-nums; }

.search { display: flex; flex-wrap: wrap; gap: var(--space-1) var(--space-2); align-items: flex-end; margin: var(--space-2) 0; }
@supports selector(::details-content) {
  @media (min-width: 40rem) {
    .controls > summary { display: none; }
    .controls::details-content { content-visibility: visible; display: block; }
  }
}
.search .field { margin-right: var(--space-2); max-width: 100%; }
.search .field label { display: block; color: var(--quiet); font-size: var(--small); line-height: 1.2; }
.search small { flex-basis: 100%; order: 1; line-height: 1.25; }
.search .controls { flex-basis: 100%; }
.controls .field { display: inline-block; vertical-align: bottom; }
.controls small { display: block; }
@supports selector(::details-content) {
  @media (min-width: 40rem) { .search .controls, .search .controls::details-content { display: contents; } }
}
input, button, select { font: inherit; color: inherit; background: var(--page); border: 1px solid var(--quiet); border-radius: 3px; padding: var(--space-1) var(--space-2); max-width: 100%; }
button { background: var(--soft); cursor: pointer; }

table { border-collapse: collapse; width: 100%; margin: var(--space-2) 0; }
caption { text-align: left; padding-bottom: var(--space-2); }
th, td { text-align: left; vertical-align: top; padding: var(--space-1) var(--space-3) var(--space-1) 0; border-bottom: 1px solid var(--line); overflow-wrap: anywhere; }
th.number, td.number { padding-right: var(--space-5); }
thead th { position: sticky; top: 0; background: var(--page); white-space: nowrap; }
thead th a { color: inherit; }
@media screen and (min-width: 40.01rem) { .orders { display: none; } }
thead [aria-sort] a::after { content: ' \\2191'; }
thead [aria-sort='descending'] a::after { content: ' \\2193'; }
tbody th { font-weight: 600; }
tbody tr:hover { background: var(--soft); }
tr.shown, tr.shown:hover { background: var(--shown); }
tr.shown td:first-child { border-left: 4px solid var(--text); padding-left: var(--space-2); }
.sites tbody th { white-space: nowrap; }
.sites { font-size: var(--small); }
.sites :is(.country, .status, .systems) { overflow-wrap: normal; }
.sites .status { color: var(--quiet); }
.sites a:focus-visible { outline-offset: -2px; }
.types { max-width: 60rem; }
.codes td { overflow-wrap: normal; }
.equipment { margin-bottom: var(--space-4); }
.equipment caption { color: var(--text); font-weight: 600; font-size: var(--normal); padding: 0; }
.equipment caption small { font-weight: 400; margin-left: var(--space-3); }
.equipment thead th { color: var(--quiet); font-weight: 400; font-size: var(--small); position: static; padding-bottom: 0; }
.equipment tr:has(+ .findings) > * { border-bottom: 0; }
.equipment .findings p { margin: 0; }
.equipment :is(th, td) { overflow-wrap: break-word; }
.equipment th { font-weight: inherit; }
.equipment .type { font-weight: 600; }
.marks { list-style: none; display: flex; flex-wrap: wrap; gap: var(--space-1) var(--space-2); margin: 0; padding: 0; }
.marks li { border: 1px solid var(--line); border-radius: 3px; padding: 0 var(--space-2); background: var(--soft); }
.summary { margin: calc(-1 * var(--space-2)) 0 var(--space-4); max-width: none; }
.finding { border-left: 4px solid var(--accent); padding-left: var(--space-3); }
.pages { display: flex; flex-wrap: wrap; gap: var(--space-1) var(--space-4); margin: var(--space-3) 0; }

figure { margin: var(--space-3) 0; }
.scroll { overflow-x: auto; }
.map { display: block; width: 100%; aspect-ratio: 2; font-size: 16px; background: var(--soft); border: 1px solid var(--line); }
.land { fill: var(--line); }
.borders { fill: none; stroke: var(--quiet); stroke-dasharray: 8 3; }
.graticule path { fill: none; stroke: var(--line); stroke-width: .7; }
.graticule text { fill: var(--quiet); }
.scale path { fill: none; stroke: var(--quiet); }
.scale text { fill: var(--text); }
.targets circle { fill: var(--accent); stroke: transparent; stroke-width: 6; pointer-events: all; }
.targets a:is(:hover, :focus-visible) circle { stroke: var(--text); stroke-width: 2.5; }
.targets text { display: none; fill: var(--text); font-weight: 600; paint-order: stroke; stroke: var(--page); stroke-width: 4px; pointer-events: none; }
.targets .count { display: block; fill: var(--page); stroke: none; text-anchor: middle; dominant-baseline: central; }
.targets a:hover text { display: block; }
@media (min-width: 40.01rem) {
  .targets.narrow { display: none; }
  .local .map { font-size: 22px; }
}
@media (max-width: 40rem) {
  .targets:not(.narrow), .graticule text { display: none; }
  .map { font-size: 30px; }
}
@media (max-width: 71.99rem) { .most { display: none; } }
.most .countries { columns: 2; }
@media (min-width: 72rem) {
  .mapped figure { display: grid; grid-template-columns: minmax(0, 48rem) minmax(0, 1fr); gap: var(--space-1) var(--space-5); }
  .every { grid-column: 1 / -1; }
}
@media screen and (max-width: 30rem) {
  .sites :is(.status, .type-of, .systems) { font-size: var(--smallest); }
  .sites .type-of + .type-of { flex-grow: 6; }
  /* The page of each kind says what it means. */
  #codes:has(.labelled) .main { display: none; }
}
@media (min-width: 60rem) {
  .located:has(figure) { display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 28rem); gap: var(--space-6); align-items: start; }
  .located .facts { grid-template-columns: minmax(0, 1fr); }
}
.local { margin-top: 0; max-width: 40rem; }
.targets .shown { display: block; }
.local .targets a:last-child circle { stroke: var(--page); stroke-width: 2; }
.zoom { display: flex; flex-wrap: wrap; gap: var(--space-1) var(--space-4); margin: var(--space-1) 0; }
.countries { columns: 11rem; list-style: none; padding: 0; }

.facts { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(28rem, 100%), 1fr)); gap: var(--space-1) var(--space-6); margin: var(--space-2) 0; }
.facts .wide { grid-column: 1 / -1; }
.facts div { display: flex; gap: var(--space-3); }
.facts dt { flex: 0 0 9.5rem; color: var(--quiet); }
.facts dd { margin: 0; min-width: 0; overflow-wrap: break-word; }
.unknown { color: var(--quiet); }
.notes { font-style: italic; }

@media screen and (max-width: 53.99rem) {
  /* From right to left, so that it shows the present first. */
  .frame { overflow-x: auto; overflow-y: hidden; padding: 0 6px; direction: rtl; }
  .frame .timeline { width: 150%; direction: ltr; }
  .frame:has(:is(.item, .spot):is(:hover, :focus-visible)) { padding-bottom: 10rem; }
}
@media screen and (max-width: 40rem) { .frame .timeline { width: 300%; } }
@media print, screen and (min-width: 54rem) { .not-wide { display: none; } }
@media screen and (min-width: 40.01rem) and (max-width: 53.99rem) { .not-middle { display: none; } }
@media screen and (max-width: 40rem) { .not-narrow { display: none; } }
.timeline { position: relative; z-index: 1; display: block; overflow: visible; font-size: var(--smallest); }
.timeline text { fill: var(--text); }
.timeline .heading { font-weight: 600; font-size: var(--small); }
.timeline .below { font-weight: 400; font-size: var(--smallest); fill: var(--quiet); }
/* It fits the circle around it. */
.timeline .count { text-anchor: middle; font-size: 10px; font-weight: 600; }
.timeline .grid { stroke: var(--line); }
.timeline .axis text { fill: var(--quiet); }
.timeline .at { overflow: visible; }
.mark { fill: none; stroke: var(--text); stroke-width: 1.6; }
.mark.replaced { fill: var(--text); stroke: none; }
.mark:is(.firmware, .reconfigured, .count) { fill: var(--page); }
.run .name { font-weight: 600; white-space: pre; }
.run text { paint-order: stroke; stroke: color-mix(in srgb, var(--device) 45%, var(--page)); stroke-width: 4px; }
.run .name { stroke: var(--device); }
.gnss-receiver { --even: var(--receiver); --odd: var(--receiver-odd); }
.gnss-antenna { --even: var(--antenna); --odd: var(--antenna-odd); }
.clock { --even: var(--clock); --odd: var(--clock-odd); }
:is(.humidity-sensor, .pressure-sensor, .temperature-sensor, .water-vapor-sensor, .other-instrument) { --even: var(--sensor); --odd: var(--sensor-odd); }
.run { --device: var(--even); }
.run.odd { --device: var(--odd); }
.run .device { fill: var(--device); stroke: var(--text); stroke-width: 1; }
.run .configured { fill: var(--device); fill-opacity: .45; stroke: var(--text); stroke-width: 1; }
.run .edge { fill: var(--text); }
:is(.item, .spot):focus-visible { outline: none; }
.hit { fill: transparent; stroke: none; pointer-events: all; }
.hit.narrow { stroke: transparent; stroke-width: 7; }
:is(.item, .spot):hover .hit { stroke: var(--text); stroke-width: 2; }
.item:hover .hit.narrow { stroke-width: 7; stroke-opacity: .6; }
:is(.item, .spot):focus-visible .hit { stroke: var(--accent); stroke-width: 4; }
.gap { fill: url(#hatch); stroke: var(--quiet); stroke-width: 1; }
#hatch rect { fill: var(--page); }
#hatch path { stroke: var(--quiet); stroke-width: 3; }
.assumed { fill: url(#assumption); }
#assumption path { stroke: var(--text); stroke-width: 1; }
.overlap { fill: var(--text); }
.differing { fill: var(--accent); }
.timeline .cursor line { stroke: var(--accent); stroke-width: 2; stroke-dasharray: 6 3; }
.timeline .cursor text { fill: var(--accent); font-weight: 600; paint-order: stroke; stroke: var(--page); stroke-width: 4px; }
.timeline .cursor { pointer-events: none; }
.hint { color: var(--quiet); font-size: var(--small); }
.details { display: none; overflow: visible; pointer-events: none; }
.details div { width: fit-content; max-width: 100%; padding: var(--space-2); font: var(--small)/1.35 system-ui, sans-serif; color: var(--text); background: var(--soft); border: 1px solid var(--quiet); overflow-wrap: anywhere; }
.details.end div { margin-left: auto; }
.item:focus-visible .details, .spot:focus-visible .details, .item:hover .details, .spot:hover .details { display: block; }
.timeline:has(:is(.item, .spot):hover) :is(.item, .spot):not(:hover) .details { display: none; }
.legend { list-style: none; padding: 0; display: flex; flex-wrap: wrap; gap: var(--space-1) var(--space-4); color: var(--quiet); font-size: var(--small); }
.legend svg { vertical-align: -2px; }
.path line { stroke: var(--line); }
.path rect { fill: var(--odd); stroke: var(--text); stroke-width: 1; }
.path rect.assumed { fill: url(#assumption); }
.path rect.conflicting { fill: var(--text); }
.path { min-width: 10rem; }
.devices td:nth-of-type(2) { width: 35%; }
.devices ul { list-style: none; padding: 0; margin: 0; }
.conflict { font-weight: 600; white-space: normal; }
.conflict path { fill: var(--accent); }

.entry { border-top: 1px solid var(--line); padding: var(--space-1) 0; }
.entry summary { cursor: pointer; overflow-wrap: break-word; }
.entry summary code { font-weight: 600; }
.parameters td:nth-of-type(1) { width: 25%; }
.parameters th code { overflow-wrap: break-word; }
.compared { width: auto; min-width: 100%; }
.compared td, .compared th { min-width: 9rem; }
.compared .group th { padding-top: var(--space-4); color: var(--quiet); }
.compared tbody th { font-weight: 400; }
.differences { table-layout: fixed; }
.differences :is(td, th) { overflow-wrap: anywhere; }
.differences thead th:nth-child(-n+2) { width: 17%; }
.differences pre { margin: 0; overflow-x: auto; }
.differs, .differs:hover { background: var(--shown); }
.sign { font-size: var(--small); font-weight: 600; white-space: nowrap; }
.multiples { list-style: none; padding: 0; display: grid; grid-template-columns: repeat(auto-fill, minmax(min(16rem, 100%), 1fr)); gap: var(--space-4); }
.multiples .firmware, .years .firmware { overflow-wrap: anywhere; }
.columns { display: block; }
.chart .columns { grid-column: 2 / 4; grid-row: 1 / 3; }
.patterns { position: absolute; }
.chart .assumed { fill: url(#assumption); stroke: var(--accent); }
.chart { display: grid; grid-template-columns: auto 1fr auto; gap: 0 var(--space-2); color: var(--quiet); font-size: var(--smallest); line-height: 1; }
.chart > :nth-child(3) { align-self: end; grid-row: 2; }
.chart > :nth-child(4) { grid-column: 2; }
.columns line { stroke: var(--quiet); }
.chart rect:not(.assumed) { fill: var(--accent); }
.figures { list-style: none; padding: 0; display: flex; flex-wrap: wrap; gap: var(--space-2) var(--space-6); margin: var(--space-3) 0; color: var(--quiet); }
.figures strong { display: block; color: var(--text); font-size: var(--largest); line-height: 1.2; }
.figures + p { max-width: none; }
.panels { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(32rem, 100%), 1fr)); gap: 0 var(--space-6); }
.panels > section { min-width: 0; }
.panels > :is(#systems, #findings, #latest, #map) { grid-column: 1 / -1; }
.panels > #changes { grid-row: span 2; }
.panels img { display: block; width: 100%; height: auto; border: 1px solid var(--line); }
.beside { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(26rem, 100%), 1fr)); gap: 0 var(--space-6); align-items: start; }
.beside > * { min-width: 0; }
.plain :is(th, td):not(:last-child) { padding-right: var(--space-3); }
.plain .number:last-child { padding-right: 0; }
.plain thead th { position: static; white-space: normal; vertical-align: bottom; }
.plain tbody th { font-weight: 400; }
.plain :is(th, td) { overflow-wrap: normal; }
@media (max-width: 30rem) {
  .plain { font-size: var(--smallest); }
  .plain :is(th, td):not(:last-child) { padding-right: var(--space-2); }
  .wide .bar { display: none; }
}
.plain .bar { width: 35%; vertical-align: middle; }
.amount { display: block; }
.amount rect, .columns.alone rect:not(.assumed) { fill: var(--accent); }
.columns.alone text { fill: var(--text); font-size: var(--smallest); text-anchor: middle; }
.columns.alone .label { fill: var(--quiet); }
.multiples.small { grid-template-columns: repeat(auto-fit, minmax(7rem, 1fr)); margin: var(--space-2) 0; }
.stacked { display: grid; grid-template-columns: minmax(0, 1fr) auto; gap: 0 var(--space-2); }
.stacked .hint { grid-column: 1 / -1; }
.stacked .columns { grid-column: 1; grid-row: 1; }
.stacked text { fill: var(--text); font-size: var(--smallest); }
.stacked .label { fill: var(--quiet); }
.stacked .end { text-anchor: end; }
.stacked g rect { stroke: var(--accent); stroke-width: 1; }
.class4 rect { fill: var(--accent); }
.class3 rect { fill: url(#class3); }
.class2 rect { fill: url(#class2); }
.class1 rect { fill: url(#class1); }
.class0 rect { fill: var(--page); }
.paper { fill: var(--page); }
.ink { fill: var(--accent); }
.years { width: auto; font-size: var(--small); }
.years :is(td, thead th + th) { padding-right: var(--space-2); min-width: 2.4rem; text-align: right; }
.years thead th { position: static; }

.lines { background: var(--soft); border: 1px solid var(--line); padding: var(--space-2) 0; }
.lines > div { display: grid; grid-template-columns: 4rem minmax(0, 1fr); gap: 0 var(--space-3); padding-right: var(--space-2); }
.lines > div > a { color: var(--quiet); font: var(--mono)/1.4 ui-monospace, monospace; text-align: right; text-decoration: none; user-select: none; }
.lines code { white-space: pre-wrap; tab-size: 8; }
.lines .found { background: var(--shown); }
.lines .found > a { color: var(--text); }
.lines ul { grid-column: 2; list-style: none; margin: 0; padding: 0; font-size: var(--small); }
.lines div:is(:target, :has(:target)) { outline: 2px solid var(--accent); outline-offset: -2px; }
@media (min-width: 72rem) {
  .lines > div { grid-template-columns: 4rem minmax(0, 1fr) 26rem; }
  .lines ul { grid-column: 3; }
  .lines > :not(.found) > code { grid-column: 2 / 4; }
}
.forms { display: flex; flex-wrap: wrap; gap: var(--space-1) var(--space-4); list-style: none; padding: 0; margin: 0; }
tr.warning td:nth-child(2), tr.error td:nth-child(2) { font-weight: 600; }
.hash { font-size: var(--smallest); }
summary { cursor: pointer; }
footer { margin-top: var(--space-6); border-top: 1px solid var(--line); }
footer h2 { font-size: var(--small); margin-top: var(--space-3); }

@media screen and (max-width: 60rem) {
  .compared, .compared :is(caption, thead, tbody) { display: block; }
  .compared tr { display: grid; grid-template-columns: repeat(2, minmax(0, 1fr)); column-gap: var(--space-3); border-bottom: 1px solid var(--line); }
  .compared :is(td, th) { min-width: 0; border: 0; overflow-wrap: anywhere; white-space: normal; }
  .compared tbody th, .compared td:empty { grid-column: 1 / -1; }
  .compared .type { white-space: pre-wrap; }
  .compared td[data-label]::before { content: attr(data-label); display: block; color: var(--quiet); font-size: var(--smallest); }
  :is(.stack, .rows, .sites) thead { position: absolute; left: -99rem; }
  :is(.stack, .rows, .sites), :is(.stack, .rows, .sites) :is(tbody, caption) { display: block; }
  .stack tr { display: grid; grid-template-columns: minmax(0, 1fr); padding: var(--space-2) 0; border-bottom: 1px solid var(--line); }
  .stack th, .stack td { display: flow-root; border: 0; padding: 0 0 0 7.6rem; min-height: 1.5em; }
  .stack :is(th, td).number { text-align: left; }
  .stack .none { display: none; }
  .stack .findings td { padding-left: 0; }
  .stack :is(th, td)::before { content: attr(data-label); float: left; width: 7.2rem; margin-left: -7.6rem; font-weight: 400; color: var(--quiet); white-space: normal; }
  .rows tr { display: flex; flex-wrap: wrap; column-gap: var(--space-3); padding: var(--space-2) 0; border-bottom: 1px solid var(--line); font-size: var(--small); }
  .rows :is(th, td) { border: 0; padding: 0; }
  .rows .none { display: none; }
  .rows tr::before { content: ''; flex-basis: 100%; order: 1; }
  .rows .main { order: 1; flex: 1 0 100%; min-width: 0; }
  .rows .second { order: 2; }
  .rows .labelled::before { content: attr(data-label) ' '; color: var(--quiet); }
  .sites tr { display: flex; flex-wrap: wrap; column-gap: var(--space-3); padding: var(--space-2) 0; border-bottom: 1px solid var(--line); }
  .sites :is(th, td) { border: 0; padding: 0; }
  .sites :is(.name, .status, .type-of, .systems) { overflow: hidden; white-space: nowrap; text-overflow: ellipsis; }
  .sites .name { flex: 1 1 0; min-width: 5rem; }
  .sites td:has(> .nothing) { display: none; }
  /* The equipment is on the second line, in columns. */
  .sites tr::before { content: ''; flex-basis: 100%; order: 1; }
  .sites :is(.status, .type-of, .systems) { order: 2; flex: 5 1 0; min-width: 0; }
  .sites .status { display: flex; flex: 9 1 0; gap: var(--space-1); }
  .sites .warnings { order: 2; }
  .sites .status::before { content: 'Log'; }
  .sites .last::before { content: 'Changed '; }
  .sites .type-of .type { display: inline; white-space: inherit; }
  .sites .type-of .type:not(:first-child) { margin-left: .6em; }
  .sites :is(.type-of, .status) br { display: none; }
  .sites .conflict { white-space: inherit; }
}
/* Two lines for each row. What they leave out appears while the row is pointed at. */
@media screen and (max-width: 40rem) {
  .rows tr:not(:hover, :focus-within, :has([open])) :is(.main, .type-of, .main .fold summary, .visits summary) { overflow: hidden; white-space: nowrap; text-overflow: ellipsis; }
  .rows tr:not(:hover, :focus-within) :is(.aside, .rest, .main > br, .type-of > :is(br, .fold)), .rows :is(.second br, th small) { display: none; }
  .rows .main { font-size: var(--smallest); }
  .rows .main::first-letter { text-transform: uppercase; }
  .visits .conflict { white-space: inherit; }
  .rows .type { display: inline; white-space: inherit; }
  .rows :is(.type-of, .visits) { flex: 1 1 0; min-width: 0; }
  .path { display: block; margin: var(--space-1) 0; }
}
@supports selector(::details-content) {
  @media screen and (min-width: 40.01rem) {
    .visits .fold > summary { display: none; }
    .visits .fold::details-content { content-visibility: visible; display: block; }
  }
}
/* The small tables of equipment have room for their columns sooner than others. */
@media screen and (min-width: 44rem) and (max-width: 60rem) {
  .stack.equipment, .stack.equipment :is(caption, tbody, tr, th, td) { display: revert; }
  .stack.equipment thead { position: static; }
  .stack.equipment tr:has(+ .findings) { border: 0; }
  .stack.equipment tr:not(.findings) { font-size: var(--small); }
  .stack.equipment .type { white-space: pre-wrap; }
  .stack.equipment :is(th, td) { padding: var(--space-1) var(--space-3) var(--space-1) 0; }
  .stack.equipment :is(th, td)::before { content: none; }
}
/* So does the table of types. */
@media screen and (min-width: 40.01rem) and (max-width: 60rem) {
  .rows.types, .rows.types :is(caption, tbody, tr, th, td) { display: revert; }
  .rows.types thead { position: static; }
  .rows.types :is(tr, .labelled)::before { content: none; }
  .rows.types :is(th, td) { padding: var(--space-1) var(--space-3) var(--space-1) 0; border-bottom: 1px solid var(--line); }
  .rows.types :is(th, td).number { padding-right: var(--space-5); }
}
@media (min-width: 120rem) { html { font-size: 16px; } }
@media print {
  :root { color-scheme: light; --small: 7.5pt; --smallest: 7pt; }
  html { font-size: 10pt; }
  body { max-width: none; padding: 0; }
  .top nav, .search, .skip, .orders, .figures + p, .how, .pages, .zoom, .most, .every, .downloads, #downloads, #logs, footer, #setups :is(th, td):nth-child(2) { display: none; }
  #setups td:nth-child(5) { width: 60%; }
  .facts, .legend, table, caption, main p { font-size: var(--small); line-height: 1.2; }
  th, td { padding-top: 0; padding-bottom: 0; }
  h2 { margin-top: var(--space-3); }
  :is(#timeline, #timelines) details:not([open]), .fold:not(.text, .rows .fold, #setups .fold, #instruments .fold, .differences .fold):not([open]), #setups .during-gap { display: none; }
  :is(.text, .rows .fold, #setups .fold, #instruments .fold, .differences .fold)::details-content { content-visibility: visible; display: block; }
  :is(.text, .visits .fold, #setups .fold, #instruments .fold, .differences .fold):not([open]) > summary { display: none; }
  a { color: inherit; text-decoration: none; }
  tr, figure, .timeline { break-inside: avoid; }
  h2 { break-after: avoid; }
  .local { max-width: 7cm; }
  thead th { position: static; }
  .sites thead th { overflow-wrap: normal; white-space: normal; }
  .sites .name { min-width: 7rem; }
  .run, .gap, .assumed, .differing, .land, .map, .amount, .columns, .path, tr.shown { print-color-adjust: exact; }
}
@media (forced-colors: active) {
  .timeline, .map, .path { forced-color-adjust: none; }
}
`;

/** The icon of the pages: an antenna on a marker. */
export const ICON = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><path fill="#0b57b0" d="M5 12a11 11 0 0 1 22 0zM14.5 12h3l3 16h-9z"/></svg>`;
