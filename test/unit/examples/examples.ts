import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { parseAllDocuments } from 'yaml';
import { updatesGoldens } from '../../support/golden';

/** The examples of this checkout: what they make, and what is known of them. */
export const checkout = resolve(__dirname, '../../..');
const folder = join(checkout, 'examples');
const goldens = join(__dirname, 'golden');
const key = join(__dirname, 'id_ed25519.pub');

export const fileOf = (example: string, file: string): string => join(folder, example, file);

const titleOf = (name: string): string => /^# (.*)$/m.exec(readFileSync(fileOf(name, 'README.md'), 'utf8'))?.[1] ?? '';

// readers may have copies here, as the main README suggests; these have the title of another example
const folders = readdirSync(folder)
  .filter((name) => existsSync(fileOf(name, 'README.md')))
  .filter((name) => titleOf(name) === name || !existsSync(join(folder, titleOf(name))));
/** Those that cdk8s synthesizes. */
export const apps = folders.filter((name) => existsSync(join(folder, name, 'cdk8s.yaml')));
/** Those that Pulumi runs. */
export const twins = folders.filter((name) => existsSync(join(folder, name, 'Pulumi.yaml')));
export const examples = [...apps, ...twins].sort();

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- manifests are data
export type Manifest = any;

/** Files by their path in the output, such as `dev/Service.shop.k8s.yaml`. */
export type Output = Readonly<Record<string, string>>;

const manifestsOf = (output: Output): Manifest[] =>
  Object.values(output).flatMap((text) => parseAllDocuments(text).map((document) => document.toJSON()));

const parsed = new Map<string, Manifest[]>();

/** The objects that an example makes. */
export function objectsOf(example: string): Manifest[] {
  if (!parsed.has(example)) parsed.set(example, manifestsOf(synthesized(example)));
  return parsed.get(example)!;
}

/** Environment of the examples, the same on every machine. */
export function environment(outdir: string): NodeJS.ProcessEnv {
  const { GUEST_IMAGE: _, JOB_IMAGE: __, ...env } = process.env;
  return { ...env, CDK8S_OUTDIR: outdir, SSH_PUBLIC_KEY_FILE: key };
}

const outputFolder = (): string => mkdtempSync(join(tmpdir(), 'virt8s-example-'));

/** Output of a command that runs in the folder of an example. */
export async function writtenBy(example: string, command: (outdir: string) => string[]): Promise<Output> {
  const outdir = outputFolder();
  try {
    const PATH = `${join(checkout, 'node_modules/.bin')}:${process.env.PATH}`;
    const [program, ...args] = command(outdir);
    await promisify(execFile)(program!, args, { cwd: fileOf(example, ''), env: { ...environment(outdir), PATH } });
    return readable(filesIn(outdir));
  } finally {
    rmSync(outdir, { recursive: true });
  }
}

const made = new Map<string, Output>();

/** Objects of an example, which runs once in this process. */
export function synthesized(example: string): Output {
  const known = made.get(example);
  if (known) return known;
  const before = process.env;
  const outdir = outputFolder();
  process.env = environment(outdir);
  try {
    // eslint-disable-next-line @typescript-eslint/no-require-imports -- a program, which runs when it is loaded
    require(fileOf(example, 'main.ts'));
  } finally {
    process.env = before;
  }
  const output = readable(filesIn(outdir));
  rmSync(outdir, { recursive: true });
  made.set(example, output);
  return output;
}

/** The reviewed output. `UPDATE_GOLDENS=1` makes it what the example makes now; never where nobody reviews it. */
export function golden(example: string, now: Output): Output {
  const reviewed = join(goldens, example);
  if (updatesGoldens()) {
    rmSync(reviewed, { recursive: true, force: true });
    for (const [path, text] of Object.entries(now)) {
      mkdirSync(dirname(join(reviewed, path)), { recursive: true });
      writeFileSync(join(reviewed, path), text);
    }
  }
  return existsSync(reviewed) ? filesIn(reviewed) : {};
}

/** Examples of which there is a golden. */
export const reviewed = (): string[] => readdirSync(goldens);

/** Without what is below a version's own fields. */
const short = (text: string): string =>
  text
    .replace(/^ {8}.*\n/gm, '')
    .replace(/^( {4}- )(?:additionalPrinterColumns:\n {6})/gm, '$1')
    .replace(/^ {6}(schema|additionalPrinterColumns|subresources):.*\n/gm, '');

/** Only kinds and names of the objects that virt-operator installs: their content is reviewed with the constructs. */
const named = (text: string): string =>
  text
    .replace(/^ {2}objects\.yaml: \|\n((?: {4}.*\n)+)/m, (_, objects: string) => {
      const installed = parseAllDocuments(objects.replace(/^ {4}/gm, '')).map(
        (document) => document.toJSON() as Manifest,
      );
      return `  objects.yaml: |\n${installed.map(({ kind, metadata }) => `    ${kind} ${metadata.name}\n`).join('')}`;
    })
    .replace(/--strategy-hash=[0-9a-f]{64}/, '--strategy-hash=…');

/**
 * The output as it is reviewed: of a CustomResourceDefinition, which has tests of its own, not the schemas, and of the
 * install strategy only names.
 */
const readable = (output: Output): Output =>
  Object.fromEntries(
    Object.entries(output).map(([path, text]) => [
      path,
      /^kind: CustomResourceDefinition$/m.test(text) ? short(text) : named(text),
    ]),
  );

function filesIn(path: string): Output {
  const entries = readdirSync(path, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const paths = entries.map((entry) => join(entry.parentPath, entry.name));
  return Object.fromEntries(paths.sort().map((file) => [file.slice(path.length + 1), readFileSync(file, 'utf8')]));
}
