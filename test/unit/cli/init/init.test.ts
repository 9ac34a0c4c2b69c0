import { projectFiles, projectKinds } from '../../../../src/cli/init/project';
import { projectName, versionOf } from '../../../../src/cli/init/run';

const files = (kind: (typeof projectKinds)[number]): Record<string, string> =>
  projectFiles({ kind, name: 'shop', virt8s: '1.2.3', versionOf });

test.each(projectKinds)('a %s project names exact versions, those that we were tested with', (kind) => {
  const { dependencies, devDependencies } = JSON.parse(files(kind)['package.json']!) as Record<
    string,
    Record<string, string>
  >;
  const { virt8s, ...others } = { ...dependencies, ...devDependencies };
  expect(virt8s).toBe('1.2.3');
  // Pulumi rejects TypeScript 7
  expect(devDependencies!.typescript).toMatch(/^6\./);
  for (const [name, version] of Object.entries(others)) {
    const installed = (jest.requireActual(`../../../../node_modules/${name}/package.json`) as { version: string })
      .version;
    expect([name, version]).toEqual([name, installed]);
  }
});

test.each([
  ['shop', 'shop'],
  ['My Shop!', 'my-shop'],
  ['2nd-try', 'nd-try'],
  ['--', 'machines'],
  ['Ärger', 'rger'],
  ['a'.repeat(80), 'a'.repeat(40)],
])('folder %j becomes %s', (folder, name) => expect(projectName(folder)).toBe(name));
