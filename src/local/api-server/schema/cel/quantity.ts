const PATTERN = /^([+-]?)(\d+(?:\.\d*)?|\.\d+)(Ki|Mi|Gi|Ti|Pi|Ei|n|u|m|k|M|G|T|P|E|[eE][+-]?\d+)?$/;

const BINARY = ['Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei'];
const DECIMAL: Readonly<Record<string, number>> = { n: -9, u: -6, m: -3, k: 3, M: 6, G: 9, T: 12, P: 15, E: 18 };

/** Digits after the point that a quantity keeps: nano. */
const SCALE = 9;
const ONE = 10n ** BigInt(SCALE);

/** A Kubernetes quantity, exact to a billionth. */
export class Quantity {
  private constructor(private readonly nanos: bigint) {}

  /** Parses a quantity. Throws if the text is not valid. */
  public static parse(text: string): Quantity {
    const [, sign, digits = '', suffix = ''] = PATTERN.exec(text) ?? [];
    if (sign === undefined)
      throw new Error(`quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'`);
    const [whole = '', fraction = ''] = digits.split('.');
    const binary = BINARY.indexOf(suffix);
    const exponent = /^[eE]/.test(suffix) && suffix.length > 1 ? Number(suffix.slice(1)) : (DECIMAL[suffix] ?? 0);
    const mantissa = BigInt(whole + fraction) * (binary >= 0 ? 1024n ** BigInt(binary + 1) : 1n);
    const shift = SCALE - fraction.length + (binary >= 0 ? 0 : exponent);
    const nanos = shift >= 0 ? mantissa * 10n ** BigInt(shift) : roundUp(mantissa, 10n ** BigInt(-shift));
    return new Quantity(sign === '-' ? -nanos : nanos);
  }

  public static isValid(text: string): boolean {
    return PATTERN.test(text);
  }

  public static of(value: bigint): Quantity {
    return new Quantity(value * ONE);
  }

  public get isInteger(): boolean {
    const value = this.nanos / ONE;
    return this.nanos % ONE === 0n && BigInt.asIntN(64, value) === value;
  }

  public asInteger(): bigint {
    if (!this.isInteger) throw new Error('cannot convert value to integer');
    return this.nanos / ONE;
  }

  public asNumber(): number {
    return Number(this.nanos) / Number(ONE);
  }

  public sign(): bigint {
    return this.nanos === 0n ? 0n : this.nanos < 0n ? -1n : 1n;
  }

  public add(other: Quantity): Quantity {
    return new Quantity(this.nanos + other.nanos);
  }

  public sub(other: Quantity): Quantity {
    return new Quantity(this.nanos - other.nanos);
  }

  public compareTo(other: Quantity): bigint {
    return this.sub(other).sign();
  }
}

/** Smaller than a billionth rounds away from zero. */
const roundUp = (n: bigint, by: bigint): bigint => (n % by === 0n ? n / by : n / by + 1n);
