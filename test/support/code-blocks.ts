import { readFileSync } from 'node:fs';

/** One fenced block of a page. */
export interface CodeBlock {
  /** `docs/guides/disks.md:12`. */
  readonly where: string;
  readonly language: string;
  /** Words after the language: `ts needs-cluster`. */
  readonly words: readonly string[];
  readonly text: string;
}

export function codeBlocks(file: string, name = file): CodeBlock[] {
  const page = readFileSync(file, 'utf8');
  return [...page.matchAll(/^```([^\n]*)\n(.*?)^```$/gms)].map(({ 1: info, 2: text, index }) => {
    const [language = '', ...words] = info.trim().split(/\s+/);
    return { where: `${name}:${page.slice(0, index).split('\n').length}`, language, words, text };
  });
}

/** Runtime exports of a module that blocks may name without an import. */
export type Exports = Readonly<Record<string, readonly string[]>>;

/**
 * A block as a program of its own. One with imports is complete; one without is a piece of a program that has imported
 * what it names and has `app`, `chart` and `vm`, unless it declares them.
 */
export function programOf({ text }: CodeBlock, modules: Exports): string {
  if (/^import /m.test(text)) return text;
  const setup = setupOf(text);
  const own = new Set([...text.matchAll(/\b(?:const|let|class|function)\s+(\w+)/g)].map(([, name]) => name));
  const named = new Set((setup + text).match(/\b[A-Za-z]\w*\b/g));
  const taken = new Set<string>();
  const imports = Object.entries(modules).flatMap(([module, exported]) => {
    const wanted = exported.filter((name) => named.has(name) && !own.has(name) && !taken.has(name));
    wanted.forEach((name) => taken.add(name));
    return wanted.length > 0 ? [`import { ${wanted.join(', ')} } from '${module}';\n`] : [];
  });
  const end = /\bapp\.synth/.test(text) ? '' : '\napp.synth();\n';
  return `${imports.join('')}${setup}${text}${end}export {};\n`;
}

const pieces: readonly (readonly [RegExp, RegExp, string])[] = [
  [/./s, /\b(?:const|let) app\b/, 'const app = new App();\n'],
  [
    /\bchart\b|(?<!['\w])vm(?!['\w])/,
    /\b(?:const|let) chart\b/,
    "const chart = new Chart(app, 'docs', { disableResourceNameHashes: true });\n",
  ],
  [
    // not the id of one
    /(?<!['\w])vm(?!['\w])/,
    /\b(?:const|let) vm\b/,
    "const vm = new VirtualMachine(chart, 'vm', { memory: Size.gibibytes(2), disks: [Disk.containerDisk('registry.example/os:1'), Disk.blank(Size.gibibytes(10))] });\n",
  ],
];

/** Declares `app`, `chart` and `vm` where a piece of a program uses them and does not. */
export function setupOf(text: string): string {
  return pieces
    .filter(([used, declared]) => used.test(text) && !declared.test(text))
    .map(([, , line]) => line)
    .join('');
}
