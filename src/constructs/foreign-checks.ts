/** Checks of values whose types are of other libraries. */
import { type Duration, type Size, SizeRoundingBehavior } from 'cdk8s';
import { dataCheck } from './data-checks';
import { type Check, right, type Wrong, wrong } from './type-mistakes';
import { isBare, isObject, isRecord, withArticle } from './value-kinds';

/** Classes of other libraries. Their instances are recognized by a method, since each copy of a library has its own classes. */
const foreign: Readonly<Record<string, { readonly does: string; readonly remedy: string }>> = {
  Size: { does: 'toKibibytes', remedy: 'use Size.gibibytes(…) or Size.mebibytes(…) of cdk8s' },
  Duration: { does: 'toSeconds', remedy: 'use Duration.seconds(…) or Duration.minutes(…) of cdk8s' },
  JsonPatch: { does: '_toJson', remedy: 'use JsonPatch.add(…) or JsonPatch.replace(…) of cdk8s' },
};

/** Checks types of other libraries: `#Size` is a class, `@Affinity` any other object. */
export function foreignCheck(type: string): Check | undefined {
  const name = type.slice(1);
  const named = withArticle(name);
  if (type.startsWith('@')) {
    return (value, at) =>
      isRecord(value) ? dataCheck(value, at, []) : wrong(at, value, named, `see what ${name} takes`);
  }
  if (!type.startsWith('#')) return undefined;
  const { does, remedy } = foreign[name] ?? { does: 'constructor', remedy: `pass ${named}` };
  return (value, at) =>
    isObject(value) && !isBare(value) && typeof (value as Record<string, unknown>)[does] === 'function'
      ? (wholes[name]?.(value as never, at) ?? right)
      : wrong(at, value, named, remedy, name);
}

/** Amounts without a fraction of the smallest unit: cdk8s throws for others, without saying of what. */
const wholes: Readonly<Record<string, (value: never, at: string) => readonly Wrong[]>> = {
  Duration: durationCheck,
  Size: sizeCheck,
};

function durationCheck(duration: Duration, at: string): readonly Wrong[] {
  const amount = duration.toMilliseconds({ integral: false });
  if (Number.isInteger(amount)) return right;
  const must = `${amount} ms is not a whole number of milliseconds`;
  const remedy = Number.isFinite(amount) ? `round it: Duration.millis(${Math.max(1, Math.round(amount))})` : CALCULATED;
  return [{ at, must, got: undefined, remedy, rule: 'duration-whole' }];
}

const CALCULATED = 'check how it is calculated';

function sizeCheck(size: Size, at: string): readonly Wrong[] {
  const kibibytes = size.toKibibytes({ rounding: SizeRoundingBehavior.NONE });
  if (Number.isInteger(kibibytes)) return right;
  const must = `${kibibytes} KiB is not a whole number of KiB`;
  const rounded = Math.max(1, Math.round(kibibytes / 1024));
  const remedy = Number.isFinite(kibibytes) ? `round it: Size.mebibytes(${rounded})` : CALCULATED;
  return [{ at, must, remedy, rule: 'size-whole' }];
}
