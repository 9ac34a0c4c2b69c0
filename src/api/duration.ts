/** Durations as Go writes them: `1h30m`, `500ms`. */
const unit: Readonly<Record<string, number>> = {
  ns: 1e-6,
  us: 1e-3,
  µs: 1e-3,
  μs: 1e-3,
  ms: 1,
  s: 1e3,
  m: 6e4,
  h: 36e5,
};

/** Parses a duration into milliseconds; undefined for other text. */
export function parseDuration(text: string): number | undefined {
  const [, sign, rest] = /^([+-]?)(.*)$/su.exec(text) ?? [];
  if (rest === '0') return 0;
  // unambiguous, because backtracking would take quadratic time for a long text
  const part = /(\d+(?:\.\d*)?|\.\d+)(ns|us|µs|μs|ms|s|m|h)/gy;
  let sum = 0;
  let end = 0;
  for (const [whole, number, name] of rest.matchAll(part)) {
    sum += Number(number) * unit[name];
    end += whole.length;
  }
  if (end === 0 || end !== rest.length) return undefined;
  return sign === '-' ? -sum : sum;
}
