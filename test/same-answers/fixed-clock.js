// Stops the clock of a process, so that what it records and shows is the same whenever it runs:
//   node --import=file:///…/fixed-clock.js?at=2026-01-01T00:00:00Z …
// Timers and performance.now() go on. Threads get it too, as Node passes them the flags of the process.

const NOW = Date.parse(new URL(import.meta.url).searchParams.get('at') ?? '');
if (Number.isNaN(NOW)) throw new Error('fixed-clock.js needs ?at= with an instant');

globalThis.Date = new Proxy(Date, {
  construct: (target, args, newTarget) => Reflect.construct(target, args.length === 0 ? [NOW] : args, newTarget),
  apply: (target) => new target(NOW).toString(),
  get: (target, name) => (name === 'now' ? () => NOW : Reflect.get(target, name)),
});
Date.prototype.constructor = Date;
