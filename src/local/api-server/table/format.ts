/** Durations as kubectl prints them: `45s`, `2m30s`, `3h5m`, `2d4h`, `400d`. */
export function humanDuration(ms: number): string {
  const seconds = Math.floor(ms / 1000);
  if (seconds < -1) return '<invalid>';
  if (seconds < 0) return '0s';
  if (seconds < 120) return `${seconds}s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 10) return seconds % 60 === 0 ? `${minutes}m` : `${minutes}m${seconds % 60}s`;
  if (minutes < 180) return `${minutes}m`;
  const hours = Math.floor(minutes / 60);
  if (hours < 8) return minutes % 60 === 0 ? `${hours}h` : `${hours}h${minutes % 60}m`;
  if (hours < 48) return `${hours}h`;
  const days = Math.floor(hours / 24);
  if (hours < 192) return hours % 24 === 0 ? `${days}d` : `${days}d${hours % 24}h`;
  if (hours < 24 * 365 * 2) return `${days}d`;
  const years = Math.floor(hours / 24 / 365);
  if (hours < 24 * 365 * 8) return days % 365 === 0 ? `${years}y` : `${years}y${days % 365}d`;
  return `${years}y`;
}

/** Time since a timestamp, as the AGE column shows it. */
export function age(timestamp: string | undefined | null, now: number): string {
  if (!timestamp) return '<unknown>';
  return humanDuration(now - Date.parse(timestamp));
}

/** `a=b,c=d`, sorted; `<none>` when empty. */
export function labels(map: Record<string, string> | undefined): string {
  const pairs = Object.entries(map ?? {}).sort(([a], [b]) => (a < b ? -1 : 1));
  return pairs.length ? pairs.map(([key, value]) => `${key}=${value}`).join(',') : '<none>';
}

/** A label selector as kubectl prints it: `a=b,c in (d,e)`. */
export function selector(
  value:
    | {
        matchLabels?: Record<string, string>;
        matchExpressions?: { key: string; operator: string; values?: string[] }[];
      }
    | undefined,
): string {
  if (!value) return '<none>';
  const parts = [
    ...Object.entries(value.matchLabels ?? {}).map(([key, v]) => ({ key, text: `${key}=${v}` })),
    ...(value.matchExpressions ?? []).map(({ key, operator, values = [] }) => {
      const set = `(${[...values].sort().join(',')})`;
      if (operator === 'In') return { key, text: `${key} in ${set}` };
      if (operator === 'NotIn') return { key, text: `${key} notin ${set}` };
      return { key, text: operator === 'Exists' ? key : `!${key}` };
    }),
  ];
  parts.sort((a, b) => (a.key < b.key ? -1 : 1));
  return parts.length ? parts.map((part) => part.text).join(',') : '<none>';
}
