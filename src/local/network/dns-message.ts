/** DNS messages (RFC 1035), the subset for a cluster's names. Pure. */

export const TYPE = { A: 1, NS: 2, CNAME: 5, SOA: 6, PTR: 12, AAAA: 28, SRV: 33, OPT: 41, ANY: 255 } as const;
export const RCODE = { ok: 0, format: 1, failure: 2, noSuchName: 3, notImplemented: 4, refused: 5 } as const;

export interface Question {
  readonly id: number;
  readonly flags: number;
  /** Lower case, without the final dot. */
  readonly name: string;
  readonly type: number;
  readonly class: number;
  /** Question section in its original bytes: responses repeat it. */
  readonly raw: Buffer;
  /** Largest UDP response that the client accepts. */
  readonly udpSize: number;
}

export type Answer =
  | { readonly type: 'A' | 'AAAA' | 'CNAME' | 'PTR'; readonly name: string; readonly value: string }
  | {
      readonly type: 'SRV';
      readonly name: string;
      readonly value: string;
      readonly port: number;
      readonly priority?: number;
      readonly weight?: number;
    };

const HEADER = 12;
const MAX_NAME = 255;

/** Parses the only question of a query; undefined if the query is malformed. */
export function parseQuery(message: Buffer): Question | undefined {
  try {
    if (message.length < HEADER || message.readUInt16BE(4) !== 1) return undefined;
    const flags = message.readUInt16BE(2);
    if (flags & 0x8000) return undefined;
    const { name, next } = readName(message, HEADER);
    const type = message.readUInt16BE(next);
    const cls = message.readUInt16BE(next + 2);
    const end = next + 4;
    return {
      id: message.readUInt16BE(0),
      flags,
      name: name.toLowerCase(),
      type,
      class: cls,
      raw: message.subarray(HEADER, end),
      udpSize: udpSizeOf(message, end),
    };
  } catch {
    return undefined;
  }
}

/** Whether a message responds to a query: same id and same question, regardless of case. */
export function answers(message: Buffer, query: Buffer): boolean {
  const asked = parseQuery(query);
  if (!asked || message.length < HEADER + asked.raw.length) return false;
  const isResponse = (message.readUInt16BE(2) & 0x8000) !== 0;
  const question = message.toString('latin1', HEADER, HEADER + asked.raw.length);
  return (
    isResponse &&
    message.readUInt16BE(0) === asked.id &&
    message.readUInt16BE(4) === 1 &&
    question.toLowerCase() === asked.raw.toString('latin1').toLowerCase()
  );
}

/** EDNS: an OPT record directly after the question. */
function udpSizeOf(message: Buffer, at: number): number {
  if (message.readUInt16BE(10) === 0 || at + 5 > message.length || message[at] !== 0) return 512;
  return message.readUInt16BE(at + 1) === TYPE.OPT ? Math.max(512, message.readUInt16BE(at + 3)) : 512;
}

function readName(message: Buffer, start: number): { name: string; next: number } {
  const labels: string[] = [];
  let at = start;
  let size = 0;
  for (;;) {
    const length = message.readUInt8(at);
    if (length === 0) return { name: labels.join('.'), next: at + 1 };
    // queries need no compression
    if (length > 63) throw new Error('compressed or long label');
    size += length + 1;
    if (size > MAX_NAME || at + 1 + length > message.length) throw new Error('long name');
    labels.push(message.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
}

function writeName(name: string): Buffer {
  const labels = name.split('.').filter(Boolean);
  return Buffer.concat([
    ...labels.map((label) => Buffer.concat([Buffer.from([label.length]), Buffer.from(label, 'latin1')])),
    Buffer.from([0]),
  ]);
}

/** Response to a question. Names that equal the question's name are compressed. */
export function writeResponse(
  question: Question,
  options: { rcode: number; answers?: readonly Answer[]; ttl?: number; zone?: string },
): Buffer {
  const { rcode, answers = [], ttl = 5, zone } = options;
  const header = Buffer.alloc(HEADER);
  header.writeUInt16BE(question.id, 0);
  // response, authoritative for the cluster's zone, recursion available; opcode and "recursion desired" repeated
  header.writeUInt16BE(0x8080 | (zone !== undefined ? 0x0400 : 0) | (question.flags & 0x7900) | rcode, 2);
  header.writeUInt16BE(1, 4);
  header.writeUInt16BE(answers.length, 6);
  // without answers, the zone's SOA limits how long the response may be cached
  const authority = zone !== undefined && !answers.length ? [soa(zone, ttl)] : [];
  header.writeUInt16BE(authority.length, 8);
  return Buffer.concat([
    header,
    question.raw,
    ...answers.map((answer) => writeAnswer(answer, question, ttl)),
    ...authority,
  ]);
}

function writeAnswer(answer: Answer, question: Question, ttl: number): Buffer {
  const name = answer.name.toLowerCase() === question.name ? Buffer.from([0xc0, HEADER]) : writeName(answer.name);
  return Buffer.concat([name, record(TYPE[answer.type], ttl, dataOf(answer))]);
}

function dataOf(answer: Answer): Buffer {
  switch (answer.type) {
    case 'A':
      return Buffer.from(answer.value.split('.').map(Number));
    case 'AAAA':
      return ipv6Bytes(answer.value);
    case 'SRV': {
      const head = Buffer.alloc(6);
      head.writeUInt16BE(answer.priority ?? 0, 0);
      head.writeUInt16BE(answer.weight ?? 100, 2);
      head.writeUInt16BE(answer.port, 4);
      return Buffer.concat([head, writeName(answer.value)]);
    }
    default:
      return writeName(answer.value);
  }
}

function soa(zone: string, ttl: number): Buffer {
  const numbers = Buffer.alloc(20);
  [1, 7200, 1800, 86_400, ttl].forEach((value, index) => numbers.writeUInt32BE(value, index * 4));
  const data = Buffer.concat([writeName(`ns.dns.${zone}`), writeName(`hostmaster.${zone}`), numbers]);
  return Buffer.concat([writeName(zone), record(TYPE.SOA, ttl, data)]);
}

function record(type: number, ttl: number, data: Buffer): Buffer {
  const head = Buffer.alloc(10);
  head.writeUInt16BE(type, 0);
  head.writeUInt16BE(1, 2);
  head.writeUInt32BE(ttl, 4);
  head.writeUInt16BE(data.length, 8);
  return Buffer.concat([head, data]);
}

/** Truncated response without records: the client retries over TCP. */
export function truncated(response: Buffer, question: Question): Buffer {
  const short = Buffer.from(response.subarray(0, HEADER + question.raw.length));
  short.writeUInt16BE(short.readUInt16BE(2) | 0x0200, 2);
  short.fill(0, 6, 12);
  return short;
}

export function ipv6Bytes(address: string): Buffer {
  const [head = '', tail] = address.split('::');
  const groups = (text: string): number[] =>
    text
      .split(':')
      .filter(Boolean)
      .flatMap((group) => {
        if (!group.includes('.')) return [parseInt(group, 16)];
        const [a = 0, b = 0, c = 0, d = 0] = group.split('.').map(Number);
        return [a * 256 + b, c * 256 + d];
      });
  const left = groups(head);
  const right = tail === undefined ? [] : groups(tail);
  const middle = Array<number>(Math.max(0, 8 - left.length - right.length)).fill(0);
  const bytes = Buffer.alloc(16);
  [...left, ...middle, ...right].slice(0, 8).forEach((group, index) => bytes.writeUInt16BE(group, index * 2));
  return bytes;
}

/** `10.77.0.5` → `5.0.77.10.in-addr.arpa`, and IPv6 likewise. */
export function reverseName(address: string): string {
  if (!address.includes(':')) return `${address.split('.').reverse().join('.')}.in-addr.arpa`;
  return `${[...ipv6Bytes(address).toString('hex')].reverse().join('.')}.ip6.arpa`;
}
