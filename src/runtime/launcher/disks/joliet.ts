/** File names in the form of Joliet, which Windows reads. Pure. */

const LIMIT = 64;
/** Control characters and those that Joliet forbids. */
const FORBIDDEN = /[\0-\x1f*/:;?\\]/g;

/** A name for each entry of a directory: unchanged if Joliet allows it, else cut and made unique. */
export function jolietNames(names: readonly string[]): string[] {
  const fits = (name: string): boolean => name.length <= LIMIT && name === legal(name);
  const used = new Set(names.filter(fits));
  return names.map((name) => {
    if (fits(name)) return name;
    const [stem, extension] = split(legal(name));
    for (let number = 1; ; number += 1) {
      const tail = `~${number}${extension}`;
      const candidate = stem.slice(0, LIMIT - tail.length).replace(/[\ud800-\udbff]$/, '') + tail;
      if (used.has(candidate)) continue;
      used.add(candidate);
      return candidate;
    }
  });
}

const legal = (name: string): string => name.replace(FORBIDDEN, '_').toWellFormed();

/** A short extension is kept, because Windows chooses the program for a file by it. */
function split(name: string): [string, string] {
  const match = /^(.+)(\.[^.]{1,8})$/s.exec(name);
  return match ? [match[1]!, match[2]!] : [name, ''];
}
