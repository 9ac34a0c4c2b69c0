/** Longest first line. */
const MAX_LINE = 64;

export type Request = { protocol: 'tcp' | 'udp'; port: number; early: Buffer } | { error: string };

/** Parses a client's first line, and the bytes after it; undefined until the line is complete. */
export function parseRequest(bytes: Buffer): Request | undefined {
  const end = bytes.indexOf(0x0a);
  if (end < 0 && bytes.length <= MAX_LINE) return undefined;
  const match = /^(tcp|udp) (\d{1,5})$/.exec(bytes.toString('latin1', 0, Math.max(end, 0)));
  const port = Number(match?.[2]);
  if (!match || port < 1 || port > 65_535) return { error: 'the first line must be "tcp <port>" or "udp <port>"' };
  return { protocol: match[1] as 'tcp' | 'udp', port, early: bytes.subarray(end + 1) };
}
