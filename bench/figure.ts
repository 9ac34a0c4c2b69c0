/** One measured figure, as `--json` writes it. */
export interface Figure {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
  /** The value that it must not exceed. */
  readonly target: number;
  readonly met: boolean;
  /** Description of the measurement in one sentence, with related figures that have no target. */
  readonly method: string;
}

export function figure(name: string, value: number, unit: string, target: number, method: string): Figure {
  const rounded = Number(value.toFixed(3));
  return { name, value: rounded, unit, target, met: rounded <= target, method };
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}
