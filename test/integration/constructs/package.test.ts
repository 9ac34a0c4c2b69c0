import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseAllDocuments } from 'yaml';

const checkout = resolve(__dirname, '../../..');
const bin = (name: string): string => join(checkout, 'node_modules/.bin', name);
const folder = mkdtempSync(join(tmpdir(), 'virt8s-package-'));
afterAll(() => rmSync(folder, { recursive: true }));

interface Property {
  name: string;
  optional?: boolean;
  docs?: { summary?: string; default?: string };
}
interface Type {
  kind: string;
  name: string;
  docs?: { summary?: string };
  datatype?: boolean;
  properties?: Property[];
}

describe('the library as jsii sees it', () => {
  beforeAll(
    () => void execFileSync(bin('jsii'), ['--silence-warnings=reserved-word'], { cwd: checkout, stdio: 'pipe' }),
    120_000,
  );
  const types = (): Type[] => Object.values(JSON.parse(readFileSync(join(checkout, '.jsii'), 'utf8')).types);

  test('every type and property is documented, every optional property says its default', () => {
    const gaps = types().flatMap(({ name, docs, datatype, properties = [] }) => [
      ...(docs?.summary ? [] : [name]),
      ...properties
        .filter((property) => !property.docs?.summary || (datatype && property.optional && !property.docs.default))
        .map((property) => `${name}.${property.name}`),
    ]);
    expect(gaps).toEqual([]);
  });

  test('API.md is current', () => {
    const file = join(folder, 'API.md');
    execFileSync(bin('jsii-docgen'), ['-o', file], { cwd: checkout, stdio: 'pipe' });
    expect(readFileSync(join(checkout, 'API.md'), 'utf8')).toBe(readFileSync(file, 'utf8'));
  }, 60_000);
});

describe('examples/hello-vm', () => {
  const output = join(folder, 'dist'); // cdk8s empties it
  const synth = (env: Record<string, string>): { kind: string; metadata: { name: string } }[] => {
    execFileSync(bin('cdk8s'), ['synth', '-o', output, '--no-check-upgrade'], {
      cwd: join(checkout, 'examples/hello-vm'),
      env: { ...process.env, ...env },
      stdio: 'pipe',
    });
    return parseAllDocuments(readFileSync(join(output, 'hello.k8s.yaml'), 'utf8')).map((document) => document.toJSON());
  };

  test('synthesizes a VM and its Service, both named hello', () => {
    const objects = synth({ SSH_PUBLIC_KEY_FILE: '/nonexistent' });
    expect(objects.map(({ kind, metadata }) => `${kind}/${metadata.name}`)).toEqual([
      'VirtualMachine/hello',
      'Service/hello',
    ]);
    expect(JSON.stringify(objects)).not.toContain('ssh_authorized_keys');
  }, 60_000);

  test('carries the key that the environment names', () => {
    const key = join(folder, 'key');
    execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', key]);
    const publicKey = readFileSync(`${key}.pub`, 'utf8').trim();
    expect(JSON.stringify(synth({ SSH_PUBLIC_KEY_FILE: `${key}.pub` }))).toContain(publicKey);
  }, 60_000);
});
