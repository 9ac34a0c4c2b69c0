/** Bodies of forms (RFC 7578), as browsers and `curl --form` send them. Their bytes are hostile: headers are bounded. */
import { ImportError } from '../import-error';

const MOST_HEADER_BYTES = 8 << 10;
const LINE_END = '\r\n';

/** Boundary in the header `Content-Type` of a form. */
export function boundaryOf(contentType = ''): string {
  const [, quoted, bare] =
    /^multipart\/form-data\s*;(?:.*;)?\s*boundary=(?:"([^"]{1,70})"|([^\s;"]{1,70})(?=[\s;]|$))/i.exec(contentType) ??
    [];
  const boundary = quoted ?? bare;
  if (boundary) return boundary;
  throw invalid('its Content-Type has no boundary', 'send the header Content-Type: multipart/form-data; boundary=…');
}

/** Yields the content of the first part, which must have the name `file`. */
export async function* fileOfForm(body: AsyncIterable<Buffer>, boundary: string): AsyncGenerator<Buffer> {
  const delimiter = Buffer.from(`${LINE_END}--${boundary}`);
  // the first delimiter has no line before it
  let rest: Buffer = Buffer.from(LINE_END);
  let isInside = false;
  for await (const chunk of body) {
    rest = Buffer.concat([rest, chunk]);
    if (!isInside) {
      const header = headerOf(rest, delimiter);
      if (!header) continue;
      requireFile(header.text);
      rest = rest.subarray(header.end);
      isInside = true;
    }
    const end = rest.indexOf(delimiter);
    if (end >= 0) return yield rest.subarray(0, end); // what follows is not read
    // a delimiter may be divided between chunks
    const safe = rest.length - delimiter.length + 1;
    if (safe <= 0) continue;
    yield rest.subarray(0, safe);
    rest = Buffer.from(rest.subarray(safe));
  }
  throw invalid('it ends within its part', 'send the whole form');
}

/** Header of the first part, when it has arrived. */
function headerOf(rest: Buffer, delimiter: Buffer): { text: string; end: number } | undefined {
  const start = rest.indexOf(delimiter);
  const end = rest.indexOf(`${LINE_END}${LINE_END}`, Math.max(0, start) + delimiter.length - LINE_END.length);
  if (start >= 0 && end >= 0 && end <= MOST_HEADER_BYTES) {
    return { text: rest.toString('latin1', start + delimiter.length, end), end: end + 2 * LINE_END.length };
  }
  if (rest.length <= MOST_HEADER_BYTES) return undefined;
  throw invalid(`the header of its part is not in the first ${MOST_HEADER_BYTES} bytes`, 'send one part, the file');
}

function requireFile(header: string): void {
  if (/^content-disposition:\s*form-data\s*;(?:.*;)?\s*name="?file"?\s*(?:;|$)/im.test(header)) return;
  throw invalid('its first part does not have the name "file"', 'send the file so: curl --form file=@disk.img');
}

const invalid = (problem: string, remedy: string): ImportError =>
  new ImportError('RequestInvalid', `the form is not valid: ${problem}`, remedy);
