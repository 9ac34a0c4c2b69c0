import type { IncomingMessage } from 'node:http';
import { PassThrough, Readable } from 'node:stream';
import { Bodies } from '../../../../src/runtime/api-server/body';

const bytes = (size: number, remoteAddress = '192.0.2.1'): IncomingMessage =>
  Object.assign(Readable.from([Buffer.alloc(size)]), { socket: { remoteAddress } }) as unknown as IncomingMessage;
const sizeOf = (bodies: Bodies, size: number, from?: string): Promise<number> =>
  bodies.read(bytes(size, from), 10, (body) => Promise.resolve(body.length));

test.each([0, 9, 10])('a body of %i of 10 bytes is read', async (size) => {
  expect(await sizeOf(new Bodies(), size)).toBe(size);
});

test('a body above the limit is rejected, and its sender can still read the reason', async () => {
  const request = bytes(11);
  await expect(new Bodies().read(request, 10, () => Promise.resolve())).rejects.toMatchObject({ code: 413 });
  expect(request.destroyed).toBe(false);
});

test('bodies in pieces arrive completely', async () => {
  const request = Readable.from([Buffer.from('a'), Buffer.from('b')]) as unknown as IncomingMessage;
  expect(await new Bodies().read(request, 2, (body) => Promise.resolve(body.toString()))).toBe('ab');
});

test('all bodies together have a limit, until they are answered', async () => {
  const bodies = new Bodies(10);
  let finish = (): void => undefined;
  const slow = bodies.read(bytes(6), 10, () => new Promise<void>((done) => (finish = done)));
  await new Promise((later) => setImmediate(later));
  expect(await sizeOf(bodies, 4)).toBe(4);
  await expect(sizeOf(bodies, 5)).rejects.toMatchObject({ code: 503 });
  finish();
  await slow;
  expect(await sizeOf(bodies, 10)).toBe(10);
});

test('bodies of one address have a limit, and leave room for others', async () => {
  const bodies = new Bodies(20, 10);
  let finish = (): void => undefined;
  const slow = bodies.read(bytes(10, 'a'), 10, () => new Promise<void>((done) => (finish = done)));
  await new Promise((later) => setImmediate(later));
  await expect(sizeOf(bodies, 1, 'a')).rejects.toMatchObject({ code: 503 });
  expect(await sizeOf(bodies, 10, 'b')).toBe(10);
  finish();
  await slow;
  expect(await sizeOf(bodies, 10, 'a')).toBe(10);
});

test('an incomplete body, or one whose answer fails, is released', async () => {
  const bodies = new Bodies(10);
  await expect(bodies.read(bytes(10), 10, () => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
  const request = new PassThrough();
  const broken = bodies.read(request as unknown as IncomingMessage, 10, () => Promise.resolve());
  request.write(Buffer.alloc(10));
  request.destroy(new Error('gone'));
  await expect(broken).rejects.toThrow('gone');
  expect(await sizeOf(bodies, 10)).toBe(10);
});
