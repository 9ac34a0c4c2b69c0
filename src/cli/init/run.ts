import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { basename, join, relative, resolve } from 'node:path';
import { devDependencies, peerDependencies, version } from '../../../package.json';
import { CliError } from '../errors';
import { packageRoot } from '../package-root';
import { type ProjectKind, projectFiles, projectKinds } from './project';

/** Version in the package.json of a checkout that was never released. */
const UNRELEASED = '0.0.0';

/** `virt8s init`: writes a project that builds without changes. */
export function runInit(kind: string | undefined, directory: string | undefined): void {
  const known = projectKinds.find((name) => name === (kind ?? 'cdk8s'));
  if (!known) throw new CliError(`unknown kind of project "${kind}" (allowed: ${projectKinds.join(', ')})`);
  const folder = resolve(directory ?? '.');
  if (existsSync(folder) && readdirSync(folder).length > 0) {
    throw new CliError(`${folder} is not empty; pass a new folder: virt8s init ${known} DIR`);
  }
  mkdirSync(folder, { recursive: true });
  const virt8s = version === UNRELEASED ? archive(folder) : version;
  const files = projectFiles({ kind: known, name: projectName(basename(folder)), virt8s, versionOf });
  for (const [path, text] of Object.entries(files)) writeFileSync(join(folder, path), text);
  console.log(nextSteps(known, relative('.', folder)));
}

/** Version with which this virt8s was tested. */
export function versionOf(name: string): string {
  const range = { ...devDependencies, ...peerDependencies }[name as keyof typeof devDependencies] as string | undefined;
  if (!range) throw new Error(`package.json does not contain ${name}`);
  return range.replace(/^[~^]/, '');
}

/** Project name as a DNS label, because names of objects contain it. */
export function projectName(folder: string): string {
  const plain = folder
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 40)
    .replace(/^[-0-9]+|-+$/g, '');
  return plain || 'machines';
}

/** Packs this checkout into the project, because no registry has an unreleased version. */
function archive(folder: string): string {
  try {
    const out = execFileSync('npm', ['pack', '--silent', '--pack-destination', folder, packageRoot()], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    return `file:${out.trim().split('\n').at(-1)!}`;
  } catch (error) {
    const { stderr, message } = error as Error & { stderr?: string };
    throw new CliError(`this virt8s could not be packed for the project (npm pack): ${(stderr || message).trim()}`);
  }
}

function nextSteps(kind: ProjectKind, folder: string): string {
  const steps = {
    cdk8s: ['npm install', 'npm test', 'npm run build        # writes dist/', 'kubectl apply -f dist'],
    pulumi: ['npm install', 'npm test', 'pulumi stack init dev', 'pulumi up'],
  };
  const into = folder === '' ? [] : [`cd ${folder}`];
  return ['A project that builds. Next:', ...[...into, ...steps[kind]].map((step) => `  ${step}`)].join('\n');
}
