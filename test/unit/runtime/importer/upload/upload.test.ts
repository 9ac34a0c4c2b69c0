import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { uploadForms } from '../../../../../src/api/cdi/upload';
import { ImportError } from '../../../../../src/runtime/importer/import-error';
import type { Incoming } from '../../../../../src/runtime/importer/upload/incoming';
import { Upload, type UploadRequest } from '../../../../../src/runtime/importer/upload/upload';
import { UsedTokens } from '../../../../../src/runtime/importer/upload/used-tokens';
import { CHUNKS, measured, MOST_HEAP_MIB } from '../heap';

describe('upload of a claim', () => {
  let folder: string;
  let now: number;
  let count: number;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'upload-'));
    now = 1_000_000;
    count = 0;
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  /** An upload whose import collects what arrives, unless it fails or does something else. */
  const start = (rejects?: Error, begin?: (source: Incoming) => Promise<void>) => {
    const imported: string[] = [];
    const collect = async (source: Incoming): Promise<void> => {
      let text = '';
      for await (const chunk of source.stream()) {
        if (rejects) throw rejects;
        text += chunk.toString();
      }
      imported.push(text);
    };
    const upload = new Upload({
      begin: begin ?? collect,
      tokens: new UsedTokens(join(folder, 'tokens')),
      onStart: () => undefined,
      onBytes: () => undefined,
      now: () => now,
    });
    return { upload, imported };
  };
  const body = (...parts: (string | Error)[]): AsyncIterable<Buffer> =>
    (async function* () {
      for (const part of parts) {
        if (part instanceof Error) throw part;
        yield Buffer.from(part);
      }
    })();
  const to = (parts: (string | Error)[], more: Partial<UploadRequest> = {}): UploadRequest => ({
    form: uploadForms.upload!,
    token: `token-${count++}`,
    body: body(...parts),
    abort: () => undefined,
    ...more,
  });
  const broken = new Error('aborted');

  test('ends with a whole body', async () => {
    const { upload, imported } = start();
    expect(await upload.receive(to(['ab', 'cd']))).toMatchObject({ code: 200 });
    await upload.ended;
    expect(imported).toEqual(['abcd']);
    expect(await upload.receive(to(['x']))).toMatchObject({ code: 503 });
  });

  test('continues where a connection broke, with the same file only', async () => {
    const { upload, imported } = start();
    expect(await upload.receive(to(['ab', broken], { key: 'k', offset: 0, length: 4 }))).toMatchObject({ code: 500 });
    expect(upload.offsetFor('k')).toBe(2);
    expect(upload.offsetFor('other')).toBe(0);
    expect(upload.offsetFor(undefined)).toBe(0);
    expect(await upload.receive(to(['cd'], { key: 'k', offset: 1 }))).toMatchObject({ code: 409 });
    expect(await upload.receive(to(['cd'], { key: 'other', offset: 2 }))).toMatchObject({ code: 409 });
    expect(await upload.receive(to(['cd'], { key: 'k', offset: 2 }))).toMatchObject({ code: 200 });
    expect(imported).toEqual(['abcd']);
  });

  test('begins again with a body that does not continue it', async () => {
    const { upload, imported } = start();
    await upload.receive(to(['ab', broken]));
    expect(await upload.receive(to(['new']))).toMatchObject({ code: 200 });
    expect(imported).toEqual(['new']);
  });

  test('accepts a part of the declared length, and not more than it', async () => {
    const { upload } = start();
    expect(await upload.receive(to(['ab'], { key: 'k', offset: 0, length: 4 }))).toMatchObject({
      code: 200,
      text: expect.stringMatching(/2 of 4 bytes/) as string,
    });
    const more = await upload.receive(to(['cde'], { key: 'k', offset: 2 }));
    expect(more).toMatchObject({ code: 400, text: expect.stringMatching(/more than the declared 4 bytes/) as string });
    await expect(upload.ended).rejects.toThrow(/declared/);
  });

  test('takes a token once, also after its server was killed', async () => {
    const { upload } = start();
    await upload.receive(to(['ab', broken], { token: 'used' }));
    expect(await upload.receive(to(['ab'], { token: 'used' }))).toMatchObject({ code: 401 });
    expect(await start().upload.receive(to(['ab'], { token: 'used' }))).toMatchObject({ code: 401 });
  });

  test('has one request at a time, until it stalls', async () => {
    const { upload, imported } = start();
    let aborted = false;
    let end!: () => void;
    const stalled = new Promise<void>((resolve) => (end = resolve));
    const slow = (async function* () {
      yield Buffer.from('ab');
      await stalled;
      yield Buffer.from('late');
    })();
    const first = upload.receive(to([], { key: 'k', body: slow, abort: () => (aborted = true) }));
    await new Promise((resolve) => setImmediate(resolve));
    expect(await upload.receive(to(['cd'], { key: 'k', offset: 2 }))).toMatchObject({ code: 503 });
    now += 5_000;
    const second = upload.receive(to(['cd'], { key: 'k', offset: 2 }));
    expect(aborted).toBe(true);
    end();
    expect(await first).toMatchObject({ code: 503 });
    expect(await second).toMatchObject({ code: 200 });
    expect(imported).toEqual(['abcd']);
  });

  test.each([
    [new ImportError('ImageTooLarge', 'too large', 'make it smaller'), 400, 'too large; make it smaller'],
    [new ImportError('StorageFull', 'full', 'free space'), 500, 'full; free space'],
    [new Error('defect'), 500, 'defect'],
  ])('answers why its import failed (%s)', async (error, code, text) => {
    const { upload } = start(error);
    expect(await upload.receive(to(['ab', 'cd']))).toEqual({ code, text });
    await expect(upload.ended).rejects.toBe(error);
  });

  test('answers before the image is converted, if that was requested', async () => {
    const { upload, imported } = start();
    expect(await upload.receive(to(['ab'], { form: uploadForms['upload-async'] }))).toMatchObject({ code: 200 });
    await upload.ended;
    expect(imported).toEqual(['ab']);
  });

  test('answers why its import failed while a chunk waits for it', async () => {
    const error = new ImportError('StorageFull', 'full', 'free space');
    const { upload } = start(undefined, async (source) => {
      await source.stream().next();
      await new Promise((resolve) => setImmediate(resolve));
      throw error;
    });
    const endless = (async function* () {
      for (;;) yield Buffer.from('ab');
    })();
    expect(await upload.receive(to([], { body: endless }))).toEqual({ code: 500, text: 'full; free space' });
    await expect(upload.ended).rejects.toBe(error);
  });

  test('rejects more than the declared length after its import has ended', async () => {
    const { upload } = start(undefined, async (source) => {
      for await (const _chunk of source.stream()) break;
    });
    expect(await upload.receive(to(['ab', 'cd', 'e'], { length: 4 }))).toMatchObject({
      code: 400,
      text: expect.stringMatching(/more than the declared 4 bytes/) as string,
    });
  });

  test('needs no memory for each chunk', async () => {
    let grownMiB = Infinity;
    let size = 0;
    const { upload } = start(undefined, async (source) => {
      for await (const chunk of source.stream()) size += chunk.length;
    });
    const body = measured(Buffer.from('x'), CHUNKS, (mib) => (grownMiB = mib));
    expect(await upload.receive(to([], { body }))).toMatchObject({ code: 200 });
    expect(size).toBe(CHUNKS);
    expect(grownMiB).toBeLessThan(MOST_HEAP_MIB);
  });
});
