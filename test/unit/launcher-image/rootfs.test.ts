import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { requireLibvirt, unpackPackages } from '../../../src/launcher-image/rootfs';
import { run } from '../../../src/launcher-image/run';

jest.mock('../../../src/launcher-image/run');
const answers = (text: string): void => void jest.mocked(run).mockResolvedValue(text);

test('accepts packages with the libvirt whose protocol is generated', async () => {
  answers('libvirtd (libvirt) 11.3.0\n');
  await expect(requireLibvirt('11.3.0', '/unpacked')).resolves.toBeUndefined();
  expect(run).toHaveBeenCalledWith('chroot', ['/unpacked', '/usr/sbin/libvirtd', '--version']);
});

test.each(['9.0.0', '11.3.01', '11.9.0'])(
  'rejects packages with libvirt %s and names the constant',
  async (version) => {
    answers(`libvirtd (libvirt) ${version}\n`);
    await expect(requireLibvirt('11.3.0', '/unpacked')).rejects.toThrow(
      `contain libvirt ${version}, not 11.3.0: set LIBVIRT_VERSION in src/launcher-image/recipe.ts to ${version}`,
    );
  },
);

test('lists the unpacked packages and their versions in the image', async () => {
  answers('');
  await unpackPackages(['hello'], '/unpacked');
  const [, args] = jest.mocked(run).mock.lastCall!;
  const hook = args.find((arg) => arg.startsWith('--extract-hook='))!.replace('--extract-hook=', '');
  const root = mkdtempSync(join(tmpdir(), 'virt8s-root-'));
  try {
    const archives = join(root, 'var/cache/apt/archives');
    mkdirSync(archives, { recursive: true });
    for (const [name, version] of Object.entries({ hello: '1:2.10-3', libc6: '2.41-12' })) {
      const folder = join(root, name);
      mkdirSync(join(folder, 'DEBIAN'), { recursive: true });
      const control = `Package: ${name}\nVersion: ${version}\nArchitecture: all\nMaintainer: a <a@b.c>\nDescription: x\n`;
      writeFileSync(join(folder, 'DEBIAN/control'), control);
      execFileSync('dpkg-deb', ['--build', folder, archives]);
    }
    execFileSync('sh', ['-c', hook, 'exec', root]);
    expect(readFileSync(join(root, 'etc/packages'), 'utf8')).toBe('hello 1:2.10-3\nlibc6 2.41-12\n');
  } finally {
    rmSync(root, { recursive: true });
  }
});
