/** Writes to a store as fast as it can and prints each write that was acknowledged. Ended by SIGKILL (store.test.ts). */
import { DatabaseSync } from 'node:sqlite';
import { Store } from '../../../../src/local/api-server/store/store';

const [, , file, start, unsafe] = process.argv;
const store = new Store(file!);
if (unsafe) (store as unknown as { db: DatabaseSync }).db.exec('PRAGMA synchronous = OFF');
const key = (name: string) => ({ resource: '/things', namespace: 'default', name });
for (let i = Number(start); ; i++) {
  const name = `thing-${i % 50}`;
  const current = store.get(key(name));
  const object = {
    apiVersion: 'v1',
    kind: 'Thing',
    metadata: { name, namespace: 'default', uid: `uid-${i % 50}` },
    data: { count: String(i), filler: 'x'.repeat(3000) },
  };
  if (current && i % 7 === 0) {
    store.delete(key(name));
    process.stdout.write(`- ${name} ${store.rv}\n`);
  } else {
    const written = current
      ? store.update(key(name), object, current.metadata.resourceVersion!)
      : store.create(key(name), object);
    process.stdout.write(`${i} ${name} ${written.metadata.resourceVersion}\n`);
  }
}
