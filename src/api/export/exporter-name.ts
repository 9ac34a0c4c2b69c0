import { createHash } from 'node:crypto';

const MOST_LETTERS = 63;
const DIGEST_LETTERS = 8;

/** A DNS label. Names that do not fit end with a digest, so that they remain different. */
export function labelName(prefix: string, name: string): string {
  const label = `${prefix}-${name.replaceAll('.', '-')}`;
  if (label.length <= MOST_LETTERS && !name.includes('.')) return label;
  const digest = createHash('sha256').update(name).digest('hex').slice(0, DIGEST_LETTERS);
  return `${label.slice(0, MOST_LETTERS - DIGEST_LETTERS - 1)}-${digest}`;
}

/** Name of the Pod and the Service of an export. */
export const exporterNameOf = (name: string): string => labelName('virt-export', name);
