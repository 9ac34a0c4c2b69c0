import { StatusCause } from '../../../api/meta';

/** Collects field errors under one path, worded as `k8s.io/apimachinery/pkg/util/validation/field` words them. */
export class Fields {
  private constructor(
    public readonly path: string,
    public readonly causes: StatusCause[],
  ) {}

  public static root(path = ''): Fields {
    return new Fields(path, []);
  }

  /** The same collection, one field deeper. */
  public child(...names: string[]): Fields {
    return new Fields([this.path, ...names].filter(Boolean).join('.'), this.causes);
  }

  public index(i: number): Fields {
    return new Fields(`${this.path}[${i}]`, this.causes);
  }

  public key(key: string): Fields {
    return new Fields(`${this.path}[${key}]`, this.causes);
  }

  public invalid(value: unknown, detail: string): this {
    return this.add('FieldValueInvalid', `Invalid value: ${show(value)}`, detail);
  }

  /** Reports the field as a whole, without its value. */
  public invalidField(detail: string): this {
    return this.add('FieldValueInvalid', 'Invalid value', detail);
  }

  public required(detail = ''): this {
    return this.add('FieldValueRequired', 'Required value', detail);
  }

  public forbidden(detail: string): this {
    return this.add('FieldValueForbidden', 'Forbidden', detail);
  }

  public duplicate(value: unknown): this {
    return this.add('FieldValueDuplicate', `Duplicate value: ${show(value)}`, '');
  }

  public notFound(value: unknown): this {
    return this.add('FieldValueNotFound', `Not found: ${show(value)}`, '');
  }

  public notSupported(value: unknown, allowed: readonly string[]): this {
    const detail = allowed.length ? `supported values: ${allowed.map((a) => JSON.stringify(a)).join(', ')}` : '';
    return this.add('FieldValueNotSupported', `Unsupported value: ${show(value)}`, detail);
  }

  public tooLong(max: number): this {
    return this.add('FieldValueTooLong', 'Too long', `may not be more than ${max} ${max === 1 ? 'byte' : 'bytes'}`);
  }

  public internal(detail: string): this {
    return this.add('InternalError', 'Internal error', detail);
  }

  public tooMany(actual: number, max: number): this {
    const detail = `must have at most ${max} ${max === 1 ? 'item' : 'items'}`;
    return this.add('FieldValueTooMany', `Too many: ${actual}`, detail);
  }

  /** One error per message, all about `value`: what name validators return. */
  public invalidEach(value: unknown, details: readonly string[]): this {
    for (const detail of details) this.invalid(value, detail);
    return this;
  }

  /** One error with all messages about `value`, if there are any. */
  public invalidJoined(value: unknown, details: readonly string[]): this {
    return details.length ? this.invalid(value, details.join(',')) : this;
  }

  private add(reason: string, kind: string, detail: string): this {
    this.causes.push({ reason, message: detail ? `${kind}: ${detail}` : kind, field: this.path || '<nil>' });
    return this;
  }
}

/** Text of a rejected value as Go prints it: strings quoted, everything else as JSON. */
function show(value: unknown): string {
  if (value === undefined) return 'null';
  return JSON.stringify(value);
}
