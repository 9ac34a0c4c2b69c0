import { requireLibvirt } from '../../../src/launcher-image/rootfs';
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
