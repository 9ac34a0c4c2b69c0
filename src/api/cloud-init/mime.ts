/** Part of a MIME message. */
export interface MimePart {
  /** Content type in lower case, without parameters. */
  readonly type: string;
  /** Decoded content; undefined for an unsupported encoding. */
  readonly content?: string;
}

/** Returns the parts of a multipart message; undefined without parts. */
export function readMultipart(text: string): MimePart[] | undefined {
  const unix = text.replace(/\r\n/g, '\n');
  const [head] = unix.split('\n\n', 1);
  const boundary = /boundary="?([^"\n;]+)"?/i.exec(head)?.[1].trim();
  if (boundary === undefined) return undefined;
  const [, ...sections] = `\n${unix}`.split(`\n--${boundary}`);
  const parts = sections.filter((section) => !section.startsWith('--')).map(partOf);
  return parts.length > 0 ? parts : undefined;
}

function partOf(section: string): MimePart {
  const body = section.replace(/^[ \t]*\n/, '');
  // a part without headers begins with the empty line
  const end = body.startsWith('\n') ? 0 : body.indexOf('\n\n');
  const head = end < 0 ? body : body.slice(0, end);
  const content = end < 0 ? '' : body.slice(end).replace(/^\n{1,2}/, '');
  const header = (name: string): string | undefined => new RegExp(`^${name}:\\s*([^;\\s]+)`, 'im').exec(head)?.[1];
  const type = header('Content-Type')?.toLowerCase() ?? 'text/plain';
  switch (header('Content-Transfer-Encoding')?.toLowerCase()) {
    case 'base64':
      return { type, content: Buffer.from(content, 'base64').toString() };
    case undefined:
    case '7bit':
    case '8bit':
    case 'binary':
      return { type, content };
    default:
      return { type };
  }
}
