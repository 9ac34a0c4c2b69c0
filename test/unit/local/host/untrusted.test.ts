import { execFileSync, spawn } from 'node:child_process';
import {
  chmodSync,
  closeSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { giveToGroup, openInRoot, readInRoot, tailInRoot } from '../../../../src/local/host/untrusted';

let dir: string;
let root: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'virt8s-untrusted-'));
  root = join(dir, 'root');
  mkdirSync(join(root, 'etc'), { recursive: true });
  writeFileSync(join(dir, 'secret'), 'of the host');
});
afterEach(() => rmSync(dir, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 }));

const openDescriptors = (): number => readdirSync('/proc/self/fd').length;
const inRoot = (path: string): string => join(root, path);

describe('a file below an untrusted root', () => {
  test.each<[string, () => void]>([
    ['a FIFO', () => execFileSync('mkfifo', [inRoot('etc/passwd')])],
    ['a directory', () => mkdirSync(inRoot('etc/passwd'))],
    [
      'a socket',
      () =>
        execFileSync('perl', [
          '-MIO::Socket::UNIX',
          '-e',
          `IO::Socket::UNIX->new(Local=>"${inRoot('etc/passwd')}",Listen=>1) or die`,
        ]),
    ],
    ['a device', () => symlinkSync('/dev/null', inRoot('etc/passwd'))],
  ])('is rejected at once when it is %s', (what, make) => {
    // the device is one of this machine: its root is /
    make();
    const before = openDescriptors();
    expect(() =>
      readInRoot(what === 'a device' ? '/' : root, what === 'a device' ? '/dev/null' : '/etc/passwd', 100),
    ).toThrow(`is ${what}, not a regular file`);
    expect(openDescriptors()).toBe(before);
  });

  test.each([
    ['below the limit', 9, false],
    ['at the limit', 10, false],
    ['above the limit', 11, true],
  ])('%s', (_, size, refused) => {
    writeFileSync(inRoot('etc/passwd'), 'x'.repeat(size));
    const read = (): Buffer => readInRoot(root, 'etc/passwd', 10);
    if (refused) expect(read).toThrow('etc/passwd has more than 10 bytes');
    else expect(read()).toHaveLength(size);
  });

  test.each([
    ['no more than is there', 'abc', 10, 'abc'],
    ['all of it', 'abc', 3, 'abc'],
    ['its last bytes', 'abcdef', 3, 'def'],
    ['nothing of an empty file', '', 3, ''],
  ])('its tail is %s', (_, content, bytes, want) => {
    writeFileSync(inRoot('message'), content);
    expect(tailInRoot(root, 'message', bytes).toString()).toBe(want);
  });

  test.each([
    ['a relative link', 'passwd.real'],
    ['an absolute link, which means the root', '/etc/passwd.real'],
    ['a link that climbs, which ends at the root', '../../../../etc/passwd.real'],
    ['a link to a link', 'passwd.link'],
  ])('is found through %s', (_, target) => {
    writeFileSync(inRoot('etc/passwd.real'), 'of the image');
    symlinkSync('passwd.real', inRoot('etc/passwd.link'));
    symlinkSync(target, inRoot('etc/passwd'));
    expect(readInRoot(root, '/etc/passwd', 100).toString()).toBe('of the image');
  });

  test.each([
    ['an absolute path of the host', () => join(dir, 'secret')],
    ['a path that climbs', () => '../../secret'],
  ])('is never one of the host through %s', (_, target) => {
    symlinkSync(target(), inRoot('etc/passwd'));
    const before = openDescriptors();
    expect(() => readInRoot(root, 'etc/passwd', 100)).toThrow(expect.objectContaining({ code: 'ENOENT' }));
    expect(openDescriptors()).toBe(before);
  });

  test('links in a circle end', () => {
    symlinkSync('b', inRoot('a'));
    symlinkSync('a', inRoot('b'));
    expect(() => readInRoot(root, 'a', 100)).toThrow('a has more than 40 symbolic links');
  });
});

describe('directories that are created for a path', () => {
  test('have the wanted mode, regardless of the umask', () => {
    const before = process.umask(0o077);
    try {
      closeSync(openInRoot(root, 'a/b', 0o777));
    } finally {
      process.umask(before);
    }
    expect([statSync(inRoot('a')).mode & 0o777, statSync(inRoot('a/b')).mode & 0o777]).toEqual([0o777, 0o777]);
  });

  test('leave those that exist as they are', () => {
    chmodSync(inRoot('etc'), 0o700);
    closeSync(openInRoot(root, 'etc', 0o777));
    expect(statSync(inRoot('etc')).mode & 0o777).toBe(0o700);
  });

  test('stay in the root while a link out of it is swapped in again and again', async () => {
    const outside = join(dir, 'outside');
    mkdirSync(outside);
    mkdirSync(inRoot('d'));
    symlinkSync(outside, inRoot('link'));
    // renameat2 with RENAME_EXCHANGE: there is always something at both names
    const script = `my ($a, $b, $n) = ("d", "link", $ARGV[1] + 0); chdir $ARGV[0]; $| = 1; print "ready"; syscall($n, -100, $a, -100, $b, 2) == 0 or die $! while 1`;
    const number = process.arch === 'arm64' ? '276' : '316';
    const swapper = spawn('perl', ['-e', script, root, number], { stdio: ['ignore', 'pipe', 'inherit'] });
    try {
      await new Promise((done) => swapper.stdout.once('data', done));
      let [direct, linked] = [0, 0];
      for (let i = 0; (direct < 20 || linked < 20) && swapper.exitCode === null && i < 100_000; i++) {
        let fd: number;
        try {
          fd = openInRoot(root, `d/${i}`, 0o755);
        } catch (error) {
          // a directory where the link was when it was seen
          expect(error).toMatchObject({ code: 'EINVAL' });
          continue;
        }
        const made = readlinkSync(`/proc/self/fd/${fd}`);
        closeSync(fd);
        expect(made.startsWith(`${root}/`)).toBe(true);
        if (made.startsWith(root + outside)) linked++;
        else direct++;
      }
      expect(readdirSync(outside)).toEqual([]);
      expect([direct, linked].every((count) => count > 0)).toBe(true);
    } finally {
      swapper.kill('SIGKILL');
    }
    // on a busy machine, neither process may get a turn for seconds
  });
});

describe('giving a volume to a group', () => {
  test('changes what is in it, and nothing that its links lead to', async () => {
    writeFileSync(inRoot('file'), '', { mode: 0o600 });
    chmodSync(join(dir, 'secret'), 0o600);
    symlinkSync(join(dir, 'secret'), inRoot('link'));
    execFileSync('mkfifo', [inRoot('fifo')]);
    await giveToGroup(root, 4242);
    const look = (path: string): number[] => [statSync(path).gid, statSync(path).mode & 0o7777];
    expect(look(inRoot('file'))).toEqual([4242, 0o660]);
    expect(look(inRoot('etc'))).toEqual([4242, 0o2775]);
    expect(look(inRoot('fifo'))[0]).toBe(4242);
    expect(look(join(dir, 'secret'))).toEqual([0, 0o600]);
    expect(existsSync(inRoot('link'))).toBe(true);
  });

  test.each<[number, boolean]>([
    [256, true],
    [257, false],
  ])('of paths of %d parts is possible: %s', async (parts, possible) => {
    mkdirSync(join(root, ...Array<string>(parts).fill('d')), { recursive: true });
    const before = openDescriptors();
    const given = giveToGroup(root, 4242);
    if (possible) await given;
    else {
      await expect(given).rejects.toThrow(
        `volume ${root} has a path of more than 256 parts, which begins with "d/d/d/" (allowed where fsGroup is set: ` +
          `256); move what is deeper up, or leave fsGroup out of the Pod's securityContext`,
      );
    }
    // a volume that has its group is not looked at again
    expect(statSync(root).gid === 4242).toBe(possible);
    expect(openDescriptors()).toBe(before);
  });
});
