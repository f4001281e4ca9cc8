#!/bin/sh
# Node.js 22.22.0, 24.21.0 and 26.10.0: if garbage is collected soon after the start, while no
# `process.nextTick` waits, every tick costs three to five times as much until the process ends. A tick is
# an object with computed keys. V8 drops its hidden class with the last object of it, and the place that
# makes them goes through the runtime from then on. So a server that rests for a moment after its start is
# slower for good. If one such object is kept, all is as before: `executionAsyncResource()` returns the
# object of the tick that runs.
set -eu

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
cat > ticks.js <<'JS'
const { executionAsyncResource } = require('node:async_hooks');
const [, , when, keep] = process.argv;
const COUNT = 200_000;
const nothing = () => {};
let kept;
if (keep === 'kept') process.nextTick(() => (kept = executionAsyncResource()));
for (let index = 0; index < 50; index++) process.nextTick(nothing);

/** The processor time of each tick, in nanoseconds. */
async function measure() {
  const before = process.cpuUsage();
  for (let count = 0; count < COUNT; count += 100) {
    for (let index = 0; index < 100; index++) process.nextTick(nothing);
    await new Promise(setImmediate);
  }
  const { user, system } = process.cpuUsage(before);
  return ((user + system) * 1000) / COUNT;
}

setTimeout(async () => {
  if (when === 'early') gc();
  await measure();
  if (when === 'late') gc();
  console.log(await measure());
}, 20);
JS
cat > compare.js <<'JS'
const { execFileSync } = require('node:child_process');
const ask = (...args) => Number(execFileSync('node', ['--expose-gc', 'ticks.js', ...args]));
const cases = [['never', 'lost'], ['late', 'lost'], ['early', 'lost'], ['early', 'kept']];
const times = cases.map(() => []);
for (let round = 0; round < 5; round++) cases.forEach((each, index) => times[index].push(ask(...each)));
const [never, ...others] = times.map((each) => each.sort((a, b) => a - b)[2]);
const [late, early, kept] = others.map((each) => each / never);
const show = (ratio) => `${ratio.toFixed(1)} times`;
console.log(`${process.version}: collected late ${show(late)}, early ${show(early)}, early with one kept ${show(kept)}`);
process.exitCode = late < 1.4 && early > 1.7 && kept < 1.4 ? 0 : 1;
JS
for version in 22.22.0 24.21.0 26.10.0; do
  mkdir "$version"
  npm install --silent --no-audit --no-fund --prefix "$version" "node@$version" >&2
  PATH="$work/$version/node_modules/.bin:$PATH" node compare.js
done
