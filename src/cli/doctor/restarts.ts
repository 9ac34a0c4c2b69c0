/** Time for which the end of a program is reported. */
const RECENT_MS = 10 * 60_000;
/** Line of the supervisor in the engine's log. */
const ENDED = /^(\S+) ended \(.*\); starting it again/;

/** Counts the recent ends of programs in the engine's log, whose lines are JSON. The first line may be cut off. Pure. */
export function restartsIn(log: string, now: number): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const line of log.split('\n')) {
    const { time, message } = parse(line);
    const program = ENDED.exec(message ?? '')?.[1];
    if (program === undefined || !(now - Date.parse(time ?? '') < RECENT_MS)) continue;
    counts[program] = (counts[program] ?? 0) + 1;
  }
  return counts;
}

function parse(line: string): { time?: string; message?: string } {
  try {
    return (JSON.parse(line) as { time?: string; message?: string } | null) ?? {};
  } catch {
    return {};
  }
}
