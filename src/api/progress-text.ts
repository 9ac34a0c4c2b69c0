/** Texts that show how far a transfer of bytes is. Pure, except for the time that their caller gives. */

const UNITS = ['B', 'KiB', 'MiB', 'GiB', 'TiB'];

/** Bytes for people: `1.5 GiB`. */
export function bytesText(bytes: number): string {
  const unit = Math.min(UNITS.length - 1, Math.floor(Math.log2(Math.max(1, bytes)) / 10));
  const value = bytes / 1024 ** unit;
  return `${unit === 0 ? Number(value.toFixed(2)) : value.toFixed(1)} ${UNITS[unit]}`;
}

export function durationText(seconds: number): string {
  const whole = Math.ceil(seconds);
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor((whole % 3600) / 60)];
  if (hours > 0) return `${hours} h ${minutes} min`;
  return minutes > 0 ? `${minutes} min ${whole % 60} s` : `${whole} s`;
}

/** Percentage, rate and remaining time of a transfer that began at byte `from`; `total` is NaN if it is not known. */
export function progressText(done: number, total: number, from: number, elapsedMs: number): string {
  const pace = paceText(done, total, from, elapsedMs);
  if (Number.isNaN(total)) return `${bytesText(done)}${pace}`;
  const percent = total === 0 ? 100 : (100 * done) / total;
  return `${percent.toFixed(1)} % of ${bytesText(total)}${pace}`;
}

/** Rate and remaining time with a comma before each; empty without a rate. */
export function paceText(done: number, total: number, from: number, elapsedMs: number): string {
  const rate = elapsedMs > 0 ? ((done - from) * 1000) / elapsedMs : 0;
  if (rate <= 0) return '';
  const rest = done < total ? `, ${durationText((total - done) / rate)} left` : '';
  return `, ${bytesText(rate)}/s${rest}`;
}
