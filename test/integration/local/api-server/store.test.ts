/** @needs alone */
import { execFileSync, spawn } from 'node:child_process';
import { closeSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FullError, Store } from '../../../../src/local/api-server/store/store';
import { startTestApiServer } from '../../../support/api-server';
import { bundle } from '../../../support/api-server-process';
import { client } from './client';
import { until } from '../../../support/until';

let directory: string;
let program: string;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'virt8s-store-'));
  program = bundle(join(__dirname, 'store-writer.ts'), directory);
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

/** Runs the writer until it has acknowledged so many writes, then stops and kills it; returns what it acknowledged. */
async function writeUntil(
  file: string,
  from: number,
  writes: number,
  stop = () => {},
  unsafe = false,
): Promise<string[]> {
  // a file, because writes to it are done when they return; a pipe's would wait for a reader that is slow
  const acknowledgements = join(directory, `acknowledged-${from}`);
  const out = openSync(acknowledgements, 'w');
  const child = spawn(process.execPath, [program, file, String(from), ...(unsafe ? ['unsafe'] : [])], {
    stdio: ['ignore', out, 'ignore'],
  });
  closeSync(out);
  const closed = new Promise((resolve) => child.once('close', resolve));
  const acknowledged = (): string[] => readFileSync(acknowledgements, 'utf8').split('\n').slice(0, -1);
  await until(() => acknowledged().length >= writes, { everyMs: 5 });
  stop();
  child.kill('SIGKILL');
  await closed;
  return acknowledged();
}

/** Names of objects whose newest acknowledged write the store does not have. Opening it checks its integrity. */
function lost(file: string, acknowledged: readonly string[]): string[] {
  const expected = new Map<string, string | undefined>();
  let newest = 0;
  for (const line of acknowledged) {
    const [count, name, rv] = line.split(' ');
    expected.set(name, count === '-' ? undefined : count);
    newest = Number(rv);
  }
  const store = new Store(file);
  // At most one committed write may be missing in the output.
  expect(store.rv - newest).toBeLessThanOrEqual(1);
  const late = store.rv > newest ? [...store.changes('/things', newest)].map((change) => change.key.name) : [];
  const found = new Map([...store.list({ resource: '/things' })].map((item) => [item.metadata.name!, item.data.count]));
  store.close();
  return [...expected]
    .filter(([name, count]) => !late.includes(name) && found.get(name) !== count)
    .map(([name]) => name);
}

test('SIGKILL loses no acknowledged write and tears nothing', async () => {
  const file = join(directory, 'state.db');
  const acknowledged: string[] = [];
  for (const round of [0, 1, 2]) {
    const before = acknowledged.length;
    acknowledged.push(...(await writeUntil(file, round * 100_000, 20 + round * 17)));
    expect(acknowledged.length - before).toBeGreaterThan(10);
    expect(lost(file, acknowledged)).toEqual([]);
  }
});

/** A file system of its own. ext4 in an image can lose power; a small tmpfs can be full. */
class Disk {
  public readonly mount: string;

  public constructor(private readonly arguments_: string[]) {
    this.mount = join(directory, 'disk');
    mkdirSync(this.mount);
    this.attach();
  }

  public static image(): Disk {
    const image = join(directory, 'image');
    execFileSync('truncate', ['-s', '64M', image]);
    execFileSync('mkfs.ext4', ['-q', image]);
    return new Disk(['-o', 'loop', image]);
  }

  /** Stops all input and output at once: pages and journal entries that were not synced never reach the image. */
  public losePower(): void {
    // EXT4_IOC_SHUTDOWN with EXT4_GOING_FLAGS_NOLOGFLUSH
    const script = 'open(F, "<", $ARGV[0]) or die; my $flag = pack("L", 2); ioctl(F, 0x8004587d, $flag) or die $!';
    execFileSync('perl', ['-e', script, this.mount]);
  }

  public attach(): void {
    execFileSync('mount', [...this.arguments_, this.mount]);
  }

  public detach(): void {
    execFileSync('umount', [this.mount]);
  }
}

test.each([
  ['keeps every acknowledged write', false, 5],
  // shows that the simulation drops what is not synced
  ['without synchronous writes loses acknowledged writes', true, 1],
])('a power failure %s', async (_, unsafe, rounds) => {
  const disk = Disk.image();
  try {
    const file = join(disk.mount, 'state.db');
    const acknowledged: string[] = [];
    for (let round = 0; round < rounds; round++) {
      const stop = () => disk.losePower();
      acknowledged.push(...(await writeUntil(file, round * 100_000, 10 + round * 9, stop, unsafe)));
      disk.detach();
      disk.attach();
      const missing = statSync(file, { throwIfNoEntry: false }) ? lost(file, acknowledged) : ['everything'];
      if (unsafe) expect(missing).not.toEqual([]);
      else expect(missing).toEqual([]);
    }
    expect(acknowledged.length).toBeGreaterThan(20);
  } finally {
    disk.detach();
  }
});

test('a full disk rejects writes, keeps what it has, and takes writes when space returns', () => {
  const disk = new Disk(['-t', 'tmpfs', '-o', 'size=24m', 'tmpfs']);
  try {
    const file = join(disk.mount, 'state.db');
    const key = (i: number) => ({ resource: '/things', namespace: 'a', name: `t${i}` });
    const thing = (i: number) => ({
      apiVersion: 'v1',
      kind: 'Thing',
      metadata: { name: `t${i}`, namespace: 'a', uid: `u${i}` },
      data: 'x'.repeat(500_000),
    });
    let store = new Store(file);
    const ballast = join(disk.mount, 'ballast');
    execFileSync('dd', ['if=/dev/zero', `of=${ballast}`, 'bs=1M', 'count=6', 'status=none']);
    let written = 0;
    const fill = () => {
      for (;;) {
        store.create(key(written), thing(written));
        written++;
      }
    };
    expect(fill).toThrow(FullError);
    expect(fill).toThrow(/no space is left for the store .*Free disk space or delete objects/);
    expect([...store.list({ resource: '/things' })]).toHaveLength(written);
    store.close();
    store = new Store(file); // also a start with a full disk
    expect([...store.list({ resource: '/things' })]).toHaveLength(written);
    rmSync(ballast);
    store.create(key(written), thing(written));
    expect([...store.list({ resource: '/things' })]).toHaveLength(written + 1);
    store.close();
  } finally {
    disk.detach();
  }
});

test('a write on a full disk is answered with 507 and succeeds when space returns', async () => {
  const disk = new Disk(['-t', 'tmpfs', '-o', 'size=24m', 'tmpfs']);
  try {
    const server = await startTestApiServer({ storePath: join(disk.mount, 'state.db') });
    const send = client(server);
    const ballast = join(disk.mount, 'ballast');
    execFileSync('dd', ['if=/dev/zero', `of=${ballast}`, 'bs=1M', 'count=6', 'status=none']);
    const MAPS = '/api/v1/namespaces/default/configmaps';
    const create = (i: number) =>
      send('POST', MAPS, {
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: { name: `c${i}` },
        data: { a: 'x'.repeat(500_000) },
      });
    let i = 0;
    let answer = await create(i);
    while (answer.code === 201 && i < 100) answer = await create(++i);
    expect(answer.body).toMatchObject({ kind: 'Status', code: 507, reason: 'InsufficientStorage' });
    expect(answer.body.message).toMatch(/no space is left for the store .* Free disk space or delete objects/s);
    expect((await send('GET', `${MAPS}/c0`)).code).toBe(200);
    const together = await Promise.all([200, 201, 202, 203].map(create));
    expect(together.map(({ code }) => code)).toEqual([507, 507, 507, 507]);
    expect((await send('GET', MAPS)).body.items).toHaveLength(i + 1); // with kube-root-ca.crt
    rmSync(ballast);
    expect((await create(i)).code).toBe(201);
    await server.close();
  } finally {
    disk.detach();
  }
});
