import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { VirtualMachineInstance } from '../../../../../src/api';
import { adoptState } from '../../../../../src/runtime/launcher/vm/adopt-state';

const [own, other, third] = ['1', '2', '3'].map((digit) => `${digit.repeat(8)}-1111-1111-1111-111111111111`);
const vmi = (persistent = true): VirtualMachineInstance =>
  ({
    metadata: { name: 'web' },
    spec: {
      domain: {
        firmware: { uuid: own, bootloader: { efi: { persistent } } },
        devices: { tpm: { persistent } },
      },
    },
  }) as unknown as VirtualMachineInstance;

let folder: string;
beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), 'virt8s-state-'))));
afterEach(() => rmSync(folder, { recursive: true }));

test.each<[string, string[], string[], boolean, [string[], string[]]]>([
  ['renames that of another VM', ['db_VARS.fd'], [other!], true, [['web_VARS.fd'], [own!]]],
  [
    'keeps its own',
    ['db_VARS.fd', 'web_VARS.fd'],
    [other!, own!],
    true,
    [
      ['db_VARS.fd', 'web_VARS.fd'],
      [own!, other!],
    ],
  ],
  [
    'does not choose between two others',
    ['a_VARS.fd', 'b_VARS.fd'],
    [other!, third!],
    true,
    [
      ['a_VARS.fd', 'b_VARS.fd'],
      [other!, third!],
    ],
  ],
  ['ignores other files', ['notes'], ['notes'], true, [['notes'], ['notes']]],
  ['begins empty', [], [], true, [[], []]],
  ['is not needed', ['db_VARS.fd'], [other!], false, [['db_VARS.fd'], [other!]]],
])('the state of a VM %s', async (_, files, tpms, isPersistent, want) => {
  const paths = { nvram: join(folder, 'nvram'), swtpm: join(folder, 'swtpm') };
  mkdirSync(paths.nvram);
  mkdirSync(paths.swtpm);
  for (const file of files) writeFileSync(join(paths.nvram, file), '');
  for (const tpm of tpms) mkdirSync(join(paths.swtpm, tpm));
  await adoptState(vmi(isPersistent), paths);
  expect([readdirSync(paths.nvram).sort(), readdirSync(paths.swtpm).sort()]).toEqual(want);
});

test('a Pod without folders for state starts', async () => {
  await adoptState(vmi(), { nvram: join(folder, 'none'), swtpm: join(folder, 'none') });
  expect(readdirSync(folder)).toEqual([]);
});
