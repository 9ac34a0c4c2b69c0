import { errors } from '../errors';
import { parseJson, refuseReservedKey } from '../json/parse';
import { Field, fieldsOf, goType } from './messages';

/** First bytes of a protobuf body: `k8s` and a zero. */
const MAGIC = Buffer.from([0x6b, 0x38, 0x73, 0]);

/** Reads protobuf's wire format. */
class Reader {
  private at = 0;

  public constructor(private readonly bytes: Buffer) {}

  public get done(): boolean {
    return this.at >= this.bytes.length;
  }

  public varint(): bigint {
    let value = 0n;
    for (let shift = 0n; ; shift += 7n) {
      if (this.done || shift > 63n) throw errors.badRequest('proto: unexpected EOF');
      const byte = this.bytes[this.at++];
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
  }

  public take(length: number): Buffer {
    if (this.at + length > this.bytes.length) throw errors.badRequest('proto: unexpected EOF');
    const taken = this.bytes.subarray(this.at, this.at + length);
    this.at += length;
    return taken;
  }

  /** The next field's number and value: a varint as bigint, everything else as bytes. */
  public field(): [number, bigint | Buffer] {
    const tag = this.varint();
    const number = Number(tag >> 3n);
    switch (Number(tag & 7n)) {
      case 0:
        return [number, this.varint()];
      case 1:
        return [number, this.take(8)];
      case 2:
        return [number, this.take(Number(this.varint()))];
      case 5:
        return [number, this.take(4)];
      default:
        throw errors.badRequest('proto: illegal wireType');
    }
  }
}

function entries(bytes: Buffer): [number, bigint | Buffer][] {
  const reader = new Reader(bytes);
  const found: [number, bigint | Buffer][] = [];
  while (!reader.done) found.push(reader.field());
  return found;
}

/** Whether a body is in Kubernetes' protobuf envelope. */
export const isProtobuf = (body: Buffer): boolean => body.subarray(0, 4).equals(MAGIC);

/**
 * Decodes a body in `application/vnd.kubernetes.protobuf` into the object that JSON would have given.
 * @throws StatusError 400 for broken bytes and kinds that the table does not have
 */
export function decodeProtobuf(body: Buffer): Record<string, unknown> {
  let apiVersion = '';
  let kind = '';
  let raw = Buffer.alloc(0);
  for (const [number, value] of entries(body.subarray(MAGIC.length))) {
    if (number === 1) {
      for (const [field, text] of entries(value as Buffer)) {
        if (field === 1) apiVersion = String(text);
        else if (field === 2) kind = String(text);
      }
    } else if (number === 2) raw = value as Buffer<ArrayBuffer>;
  }
  const [version, group = ''] = apiVersion.split('/').reverse();
  const type = goType(group, version, kind);
  if (!type) throw errors.badRequest(`no kind ${JSON.stringify(kind)} is registered for version "${apiVersion}"`);
  return { kind, apiVersion, ...message(raw, type) };
}

function message(bytes: Buffer, type: string): Record<string, unknown> {
  const object: Record<string, unknown> = {};
  const fields = fieldsOf(type);
  for (const [number, value] of entries(bytes)) {
    const field = fields.find((item) => item.number === number);
    if (field) assign(object, field, value);
  }
  return object;
}

function assign(object: Record<string, unknown>, field: Field, value: bigint | Buffer): void {
  const { name, type } = field;
  if (type.startsWith('[]')) {
    ((object[name] ??= []) as unknown[]).push(single(type.slice(2), value));
  } else if (type.startsWith('{}')) {
    let key = '';
    let item: unknown = type === '{}s' ? '' : undefined;
    for (const [number, part] of entries(value as Buffer)) {
      if (number === 1) key = String(part);
      else item = single(type.slice(2), part);
    }
    refuseReservedKey(key);
    ((object[name] ??= {}) as Record<string, unknown>)[key] = item;
  } else if (!name) {
    Object.assign(object, message(value as Buffer, type.slice(1)));
  } else {
    const decoded = single(type, value);
    // Go writes every field that is not a pointer; JSON omits the empty ones.
    const empty = decoded === '' || decoded === 0 || decoded === false || decoded === null;
    if (!empty || field.pointer || (field.printed && decoded !== null)) object[name] = decoded;
  }
}

function single(type: string, value: bigint | Buffer): unknown {
  if (type.startsWith('@')) return message(value as Buffer, type.slice(1));
  switch (type) {
    case 's':
      return (value as Buffer).toString('utf8');
    case 'b':
      return value !== 0n;
    case 'i':
      return Number(BigInt.asIntN(64, value as bigint));
    case 'n':
      return (value as Buffer).readDoubleLE();
    case 'y':
      return (value as Buffer).toString('base64');
    default:
      return special(type, entries(value as Buffer));
  }
}

/** Messages that JSON shows as one value. */
function special(type: string, parts: [number, bigint | Buffer][]): unknown {
  const at = (number: number) => parts.find(([field]) => field === number)?.[1];
  const integer = (number: number) => Number(BigInt.asIntN(64, (at(number) as bigint | undefined) ?? 0n));
  const text = (number: number) => ((at(number) as Buffer | undefined) ?? Buffer.alloc(0)).toString('utf8');
  switch (type) {
    case 't':
    case 'T': {
      if (!parts.length) return null;
      const date = new Date(integer(1) * 1000).toISOString();
      // Microtime keeps six digits.
      const micros = String(Math.floor(integer(2) / 1000)).padStart(6, '0');
      return type === 't' ? date.replace('.000Z', 'Z') : date.replace('.000Z', `.${micros}Z`);
    }
    case 'q':
      return text(1);
    case 'x':
      return integer(1) === 1 ? text(3) : integer(2);
    case 'd':
      return `${integer(1) / 1e9}s`;
    case 'f':
    case 'r':
      return text(1) ? parseJson(text(1)) : null;
    case 'v':
      return parts.map(([, item]) => String(item));
    default:
      return null;
  }
}
