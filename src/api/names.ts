/** Name rules of Kubernetes, and suggestions for misspelt words. */

const label = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/;
const subdomain = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;
const labelValue = /^([A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?)?$/;
const qualified = /^[A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?$/;

/** RFC 1123 label, at most 63 characters: names of VMs that become host names, of disks, networks, ports. */
export function isDnsLabel(name: string): boolean {
  return name.length <= 63 && label.test(name);
}

/** RFC 1123 subdomain, at most 253 characters: names of most objects. */
export function isDnsSubdomain(name: string): boolean {
  return name.length <= 253 && subdomain.test(name);
}

/** Value of a label: empty or at most 63 characters. */
export function isLabelValue(value: string): boolean {
  return value.length <= 63 && labelValue.test(value);
}

/** Key of a label: `name` or `prefix/name`. */
export function isQualifiedName(name: string): boolean {
  const slash = name.indexOf('/');
  const prefix = slash < 0 ? undefined : name.slice(0, slash);
  const own = name.slice(slash + 1);
  return (prefix === undefined || isDnsSubdomain(prefix)) && own.length <= 63 && qualified.test(own);
}

/** IANA service name of a port: lower case letters, digits, single dashes, at least one letter, at most 15. */
export function isPortName(name: string): boolean {
  return name.length <= 15 && /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/.test(name) && /[a-z]/.test(name) && !/--/.test(name);
}

/** Returns the known word that is nearest to a misspelt one, if at most `limit` letters differ. */
export function closest(
  word: string,
  known: readonly string[],
  limit = Math.max(1, Math.floor(word.length / 3)),
): string | undefined {
  if (word.length > 100) return undefined;
  const ranked = known
    .filter((candidate) => Math.abs(candidate.length - word.length) <= limit)
    .map((candidate) => ({ candidate, distance: editDistance(word.toLowerCase(), candidate.toLowerCase()) }))
    .filter(({ distance }) => distance <= limit)
    .sort((a, b) => a.distance - b.distance);
  return ranked[0]?.candidate;
}

/** Number of letters that are missing, superfluous, wrong, or swapped with their neighbour. */
function editDistance(a: string, b: string): number {
  let before: number[] = [];
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      next[j] = Math.min(next[j - 1] + 1, row[j] + 1, row[j - 1] + (a[i - 1] === b[j - 1] ? 0 : 1));
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        next[j] = Math.min(next[j], before[j - 2] + 1);
      }
    }
    before = row;
    row = next;
  }
  return row[b.length];
}
