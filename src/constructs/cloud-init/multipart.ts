import { createHash } from 'node:crypto';
import type { CloudPart } from './cloud-part';

/** Maximum length of a line in a MIME message (RFC 5322). */
const LONGEST_LINE = 998;

/** Renders all parts as one MIME message. The same parts always give the same text. */
export function renderMultipart(parts: readonly CloudPart[]): string {
  const bodies = parts.map((part) => part._render());
  const boundary = `==${createHash('sha256').update(JSON.stringify(bodies)).digest('hex').slice(0, 24)}==`;
  const messages = parts.map((part, i) => {
    const content = bodies[i];
    const plain =
      /^[\x20-\x7e\t\n]*$/.test(content) && content.split('\n').every((line) => line.length <= LONGEST_LINE);
    return [
      `--${boundary}`,
      `Content-Type: ${part.contentType}; charset="utf-8"`,
      'MIME-Version: 1.0',
      `Content-Transfer-Encoding: ${plain ? '7bit' : 'base64'}`,
      `Content-Disposition: attachment; filename="part-${String(i + 1).padStart(3, '0')}"`,
      '',
      plain
        ? content
        : (
            Buffer.from(content)
              .toString('base64')
              .match(/.{1,76}/g) ?? []
          ).join('\n'),
    ].join('\n');
  });
  const head = `Content-Type: multipart/mixed; boundary="${boundary}"\nMIME-Version: 1.0\n\n`;
  return `${head}${messages.join('\n')}\n--${boundary}--\n`;
}
