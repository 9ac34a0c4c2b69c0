/** DHCPv4 messages (RFC 2131, 2132, 3397, 3442) as data. Pure. */

export const MessageType = {
  DISCOVER: 1,
  OFFER: 2,
  REQUEST: 3,
  DECLINE: 4,
  ACK: 5,
  NAK: 6,
  RELEASE: 7,
  INFORM: 8,
} as const;

const MAGIC = 0x63825363;
const FIXED_BYTES = 236;
/** Size that every client must accept. */
const MINIMUM_BYTES = 300;

export interface DhcpPacket {
  /** 1: request, 2: reply. */
  op: number;
  xid: number;
  secs: number;
  flags: number;
  clientIp: string;
  yourIp: string;
  serverIp: string;
  mac: string;
  options: ReadonlyMap<number, Buffer>;
}

const ip = (bytes: Buffer): string => [...bytes].join('.');
/** The four bytes of an address. */
export const ipBytes = (address: string): Buffer => Buffer.from(address.split('.').map(Number));

function readOptions(bytes: Buffer): Map<number, Buffer> {
  const options = new Map<number, Buffer>();
  for (let at = 0; at < bytes.length;) {
    const code = bytes[at++]!;
    if (code === 0) continue;
    if (code === 255) break;
    const length = bytes[at++];
    if (length === undefined || at + length > bytes.length) break; // truncated; the options before are used
    const value = bytes.subarray(at, at + length);
    // an option that is split into parts is one option (RFC 3396)
    const before = options.get(code);
    options.set(code, before ? Buffer.concat([before, value]) : value);
    at += length;
  }
  return options;
}

/** Parses a message; undefined if the bytes are not one of an Ethernet client. */
export function decodeDhcp(bytes: Buffer): DhcpPacket | undefined {
  if (bytes.length < FIXED_BYTES + 4 || bytes.readUInt32BE(FIXED_BYTES) !== MAGIC) return undefined;
  if (bytes[1] !== 1 || bytes[2] !== 6) return undefined;
  return {
    op: bytes[0]!,
    xid: bytes.readUInt32BE(4),
    secs: bytes.readUInt16BE(8),
    flags: bytes.readUInt16BE(10),
    clientIp: ip(bytes.subarray(12, 16)),
    yourIp: ip(bytes.subarray(16, 20)),
    serverIp: ip(bytes.subarray(20, 24)),
    mac: [...bytes.subarray(28, 34)].map((b) => b.toString(16).padStart(2, '0')).join(':'),
    options: readOptions(bytes.subarray(FIXED_BYTES + 4)),
  };
}

/** Encodes a message. Long options are split into parts. */
export function encodeDhcp(packet: DhcpPacket): Buffer {
  const fixed = Buffer.alloc(FIXED_BYTES + 4);
  fixed.set([packet.op, 1, 6, 0]);
  fixed.writeUInt32BE(packet.xid, 4);
  fixed.writeUInt16BE(packet.secs, 8);
  fixed.writeUInt16BE(packet.flags, 10);
  ipBytes(packet.clientIp).copy(fixed, 12);
  ipBytes(packet.yourIp).copy(fixed, 16);
  ipBytes(packet.serverIp).copy(fixed, 20);
  Buffer.from(packet.mac.split(':').map((part) => parseInt(part, 16))).copy(fixed, 28);
  fixed.writeUInt32BE(MAGIC, FIXED_BYTES);
  const options: Buffer[] = [];
  for (const [code, value] of packet.options) {
    for (let at = 0; at === 0 || at < value.length; at += 255) {
      const part = value.subarray(at, at + 255);
      options.push(Buffer.from([code, part.length]), part);
    }
  }
  const message = Buffer.concat([fixed, ...options, Buffer.from([255])]);
  return Buffer.concat([message, Buffer.alloc(Math.max(0, MINIMUM_BYTES - message.length))]);
}
