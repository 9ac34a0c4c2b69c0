import { X509Certificate } from 'node:crypto';
import { operatorSecrets, platformCertificates } from '../../../../../src/api/install/certificates';
import { validityOf } from '../../../../../src/runtime/operator/certificates/facts';
import { lifetimesOf } from '../../../../../src/runtime/operator/certificates/lifetimes';
import fc, { runs } from '../../../../support/fast-check';
import { leaves, MemoryStore } from './memory-store';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const NOW = Date.UTC(2026, 0, 1, 12, 34, 56, 789);
const { overlapMs } = lifetimesOf();
const { authority, virtApi } = operatorSecrets;

/** A store after its first pass. */
async function installed(): Promise<MemoryStore> {
  const store = new MemoryStore(NOW, overlapMs);
  await store.keep();
  store.written.length = 0;
  return store;
}

const fingerprints = (store: MemoryStore): (string | undefined)[] =>
  leaves.map((name) => store.leaf(name)?.fingerprint256);

describe('the first pass', () => {
  test('writes the authority first, and then each certificate', async () => {
    const store = new MemoryStore(NOW);
    const { trusted, again, changes } = await store.keep();
    expect(store.written).toEqual([authority, ...leaves]);
    expect(leaves.map((name) => store.text(name, 'ca.crt'))).toEqual(leaves.map(() => trusted));
    // a fifth of a day before the end
    expect(Math.round((again - NOW) / MINUTE)).toBe((24 - 4.8) * 60);
    expect(changes).toEqual(['a new authority signs the certificates of the platform']);
  });

  test('issues each certificate for its names', async () => {
    const store = await installed();
    for (const { secret, commonName, hosts } of platformCertificates('kubevirt', true)) {
      const leaf = store.leaf(secret)!;
      expect([leaf.subject, leaf.subjectAltName]).toEqual([
        `CN=${commonName}`,
        hosts.length > 0 ? hosts.map((host) => `DNS:${host}`).join(', ') : undefined,
      ]);
      expect(leaf.checkIssued(store.authority())).toBe(true);
    }
  });
});

test('a second pass writes nothing', async () => {
  const store = await installed();
  expect(await store.keep()).toMatchObject({ changes: [] });
  expect(store.written).toEqual([]);
});

describe('over a month', () => {
  test('every authority is trusted before it signs, and the list of trusted ones stays short', async () => {
    const store = await installed();
    const signers = new Set<string>();
    let most = 0;
    let least = Infinity;
    let again = NOW;
    while (store.now < NOW + 30 * DAY) {
      // as the operator does: at the next change, or after ten minutes of nothing
      store.now = Math.max(again, store.now + 1000);
      ({ again } = await store.keep());
      expect(again).toBeGreaterThan(store.now);
      signers.add(store.authority().fingerprint256);
      const count = store.trustIn(virtApi).length;
      most = Math.max(most, count);
      least = Math.min(least, count);
      for (const name of leaves) expect(validityOf(store.leaf(name)!).until).toBeGreaterThan(store.now);
    }
    expect(store.violations).toEqual([]);
    expect(signers.size).toBe(6);
    expect([least, most]).toEqual([1, 2]);
  });

  test('an authority that has ended is removed from the Secrets', async () => {
    const store = await installed();
    const first = store.authority();
    const trusts = (): boolean => store.trustIn(virtApi).some(({ raw }) => raw.equals(first.raw));
    store.now = validityOf(first).until - 1.2 * DAY;
    await store.keep();
    store.now += HOUR;
    await store.keep();
    expect(store.authority().raw.equals(first.raw)).toBe(false);
    expect(trusts()).toBe(true);
    store.now = validityOf(first).until;
    await store.keep();
    expect(trusts()).toBe(false);
  });
});

test('everything is replaced after a long absence', async () => {
  const store = await installed();
  const before = fingerprints(store);
  store.now += 60 * DAY;
  await store.keep();
  expect(fingerprints(store).filter((each) => before.includes(each))).toEqual([]);
  expect(store.trustIn(virtApi)).toHaveLength(1);
});

describe('a clock', () => {
  test.each([
    ['back by a day', -DAY],
    ['back by less than the backdating', -MINUTE],
    ['forward by a day', DAY],
    ['forward by a year', 365 * DAY],
  ])('that is set %s leaves certificates that are valid', async (_, step) => {
    const store = await installed();
    store.now += step;
    await store.keep();
    for (const pem of [store.authority(), ...leaves.map((name) => store.leaf(name)!)]) {
      const { from, until } = validityOf(pem);
      expect([from <= store.now, store.now < until]).toEqual([true, true]);
    }
  });

  test('that is set back by a minute changes nothing', async () => {
    const store = await installed();
    store.now -= MINUTE;
    await store.keep();
    expect(store.written).toEqual([]);
  });

  test('that is set back during an overlap lets the overlap begin again', async () => {
    const store = await installed();
    const first = store.authority();
    store.now = validityOf(first).until - 1.3 * DAY;
    await store.keep();
    store.now -= HOUR;
    const { again } = await store.keep();
    expect(again - store.now).toBe(overlapMs);
    store.now += overlapMs - 1;
    await store.keep();
    expect(store.authority().raw.equals(first.raw)).toBe(true);
    store.now += 1;
    await store.keep();
    expect(store.authority().raw.equals(first.raw)).toBe(false);
  });
});

describe('damage', () => {
  const broken = (store: MemoryStore, name: string, key: string, text: string | undefined): void => {
    const secret = store.secrets.get(name)!;
    const { [key]: _, ...data } = secret.data!;
    const encoded = text === undefined ? {} : { [key]: Buffer.from(text).toString('base64') };
    store.secrets.set(name, { ...secret, data: { ...data, ...encoded } });
  };

  test.each(['tls.crt', 'tls.key'])('of %s of a program, which is that of another, is repaired there', async (key) => {
    const store = await installed();
    store.now += HOUR;
    const other = key === 'tls.key' ? store.text(leaves[1]!, key) : store.text(authority, key);
    broken(store, virtApi, key, other);
    await store.keep();
    expect(store.written).toEqual([virtApi]);
    expect(store.violations).toEqual([]);
  });

  test('of the list of authorities of a program is repaired with the same certificate', async () => {
    const store = await installed();
    const before = fingerprints(store);
    broken(store, virtApi, 'ca.crt', 'text');
    await store.keep();
    expect([store.written, fingerprints(store)]).toEqual([[virtApi], before]);
  });

  test('of swapped certificates is repaired', async () => {
    const store = await installed();
    const [a, b] = [store.secrets.get(leaves[0]!)!, store.secrets.get(leaves[1]!)!];
    store.secrets.set(leaves[0]!, b).set(leaves[1]!, a);
    await store.keep();
    expect(store.written).toEqual([leaves[0], leaves[1]]);
  });

  test('of a deleted Secret is repaired', async () => {
    const store = await installed();
    store.secrets.delete(virtApi);
    await store.keep();
    expect(store.written).toEqual([virtApi]);
  });

  test("of the authority's key replaces everything, but what it has signed stays trusted", async () => {
    const store = await installed();
    const first = store.authority();
    broken(store, authority, 'tls.key', undefined);
    await store.keep();
    expect(store.written).toEqual([authority, ...leaves]);
    for (const name of leaves) {
      expect(store.trustIn(name).map(({ raw }) => raw.equals(first.raw))).toEqual([false, true]);
    }
  });
});

describe('a write', () => {
  test('that conflicts fails the pass, and the next one finishes', async () => {
    const store = new MemoryStore(NOW);
    store.beforeWrite = (name) => {
      if (name === virtApi) throw new Error('conflict');
    };
    await expect(store.keep()).rejects.toThrow('conflict');
    store.beforeWrite = () => undefined;
    await store.keep();
    expect(store.written).toEqual([authority, ...leaves]);
  });

  test.each([...leaves.keys(), leaves.length])('that fails as number %i of a renewal is repeated', async (n) => {
    const store = await installed();
    store.now = validityOf(store.authority()).until - 1.3 * DAY;
    let left = n;
    store.beforeWrite = () => {
      if (left-- === 0) throw new Error('unreachable');
    };
    await expect(store.keep()).rejects.toThrow('unreachable');
    // long enough for the overlap, if it had begun
    store.now += overlapMs + 1;
    await store.keep();
    const announced = store.authority();
    for (let pass = 0; pass < 3; pass += 1) {
      store.now += overlapMs + 1;
      await store.keep();
    }
    expect(store.authority().raw.equals(announced.raw)).toBe(false);
    expect(store.violations).toEqual([]);
  });

  test('that fails at any time breaks no connection', async () => {
    const short = { ca: { duration: '60m', renewBefore: '30m' }, server: { duration: '20m' } };
    const step = fc.record({ minutes: fc.integer({ min: 0, max: 6 }), failsAt: fc.integer({ min: 0, max: 12 }) });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 8, maxLength: 16 }), async (steps) => {
        const store = new MemoryStore(NOW, lifetimesOf(short).overlapMs);
        await store.keep(short);
        for (const { minutes, failsAt } of steps) {
          store.now += minutes * MINUTE;
          let left = failsAt;
          store.beforeWrite = () => {
            if (left-- === 0) throw new Error('unreachable');
          };
          await store.keep(short).catch(() => undefined);
        }
        expect(store.violations).toEqual([]);
      }),
      { numRuns: runs(6) },
    );
  });
});

test('nonsense lifetimes do not write in a loop', async () => {
  const store = new MemoryStore(NOW);
  const given = { ca: { duration: '1ns', renewBefore: '900h' }, server: { duration: '1us', renewBefore: '1h' } };
  await store.keep(given);
  store.written.length = 0;
  store.now += 1000;
  const { again } = await store.keep(given);
  expect([store.written, again > store.now]).toEqual([[], true]);
  expect(new X509Certificate(store.text(virtApi, 'tls.crt')).validTo).toBeTruthy();
});
