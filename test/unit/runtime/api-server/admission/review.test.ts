import { applyPatch } from 'rfc6902';
import { root } from '../../../../../src/api';
import type { KubeObject } from '../../../../../src/api';
import { parseReview, review } from '../../../../../src/runtime/api-server/admission/review';
import type { AdmissionRequest } from '../../../../../src/runtime/api-server/admission/review';

const object = (name = 'web'): KubeObject & { spec: Record<string, unknown> } => ({
  apiVersion: 'kubevirt.io/v1',
  kind: 'VirtualMachine',
  metadata: { name, namespace: 'default' },
  spec: { runStrategy: 'Always' },
});

const request: AdmissionRequest = {
  uid: 'u-1',
  kind: { group: 'kubevirt.io', version: 'v1', kind: 'VirtualMachine' },
  resource: { group: 'kubevirt.io', version: 'v1', resource: 'virtualmachines' },
  operation: 'CREATE',
  userInfo: {},
  object: object(),
};
const reviewOf = (given: unknown): string =>
  JSON.stringify({ apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview', request: given });
const parsed = (text: string): AdmissionRequest => parseReview(Buffer.from(text));

test('returns the changes of a rule as a JSON patch', async () => {
  const after = { ...object(), spec: { runStrategy: 'Always', template: { spec: {} } } };
  const { response } = await review(request, () => Promise.resolve({ object: after }));
  expect(response).toMatchObject({ uid: 'u-1', allowed: true, patchType: 'JSONPatch' });
  const patched = object();
  applyPatch(patched, JSON.parse(Buffer.from(response.patch ?? '', 'base64').toString('utf8')));
  expect(patched).toEqual(after);
});

test('an unchanged object needs no patch', async () => {
  const { response } = await review(request, () => Promise.resolve({ object: object() }));
  expect(response).toEqual({ uid: 'u-1', allowed: true });
});

test('each mistake is a cause with its field, and the message names all fields', async () => {
  const errors = [
    { rule: 'label' as const, path: root.at('spec', 'disks', 0, 'name'), cause: 'is taken', remedy: 'rename it' },
    {
      rule: 'name' as const,
      path: root.at('spec', 'x'),
      type: 'FieldValueNotSupported',
      cause: 'is unknown',
      remedy: 'drop it',
      allowed: ['y'],
    },
  ] as const;
  expect((await review(request, () => Promise.resolve({ errors }))).response).toEqual({
    uid: 'u-1',
    allowed: false,
    status: {
      status: 'Failure',
      code: 422,
      reason: 'Invalid',
      message: 'spec.disks[0].name: is taken; rename it, spec.x: is unknown (allowed: "y"); drop it',
      details: {
        name: 'web',
        group: 'kubevirt.io',
        kind: 'VirtualMachine',
        causes: [
          { reason: 'FieldValueInvalid', field: 'spec.disks[0].name', message: 'is taken; rename it' },
          { reason: 'FieldValueNotSupported', field: 'spec.x', message: 'is unknown (allowed: "y"); drop it' },
        ],
      },
    },
  });
});

test('warnings are passed on, cut to the length that Kubernetes keeps', async () => {
  const warnings = ['short', 'x'.repeat(255), 'y'.repeat(256), 'z'.repeat(257)];
  const { response } = await review(request, () => Promise.resolve({ warnings }));
  expect(response).toEqual({ uid: 'u-1', allowed: true, warnings: [...warnings.slice(0, 3), `${'z'.repeat(255)}…`] });
  expect((await review(request, () => Promise.resolve({ warnings: [] }))).response).not.toHaveProperty('warnings');
});

test('an answer is an AdmissionReview, also one that refuses', async () => {
  const refused = { code: 429, reason: 'TooManyRequests', message: 'later' };
  expect(await review(request, () => Promise.resolve({ refused }))).toEqual({
    apiVersion: 'admission.k8s.io/v1',
    kind: 'AdmissionReview',
    response: { uid: 'u-1', allowed: false, status: { status: 'Failure', ...refused } },
  });
});

test('one mistake rejects the request', async () => {
  const errors = [{ rule: 'label' as const, path: root.at('spec'), cause: 'is wrong', remedy: 'correct it' }];
  expect((await review(request, () => Promise.resolve({ errors }))).response.allowed).toBe(false);
});

const keys = (count: number): object => Object.fromEntries(Array.from({ length: count }, (_, i) => [`k${i}`, '']));
/** An object with this many fields and items, without its managed fields. */
const sized = (values: number): object => ({
  metadata: { name: 'web', managedFields: Array(50_000).fill({ f: {} }) },
  list: Array(values - 3).fill(1),
});
/** An object whose status has this many fields and items, and the rest the same number. */
const withStatus = (rest: number, status: number): object => ({
  ...sized(rest - 1),
  status: { list: Array(status - 1).fill(1) },
});
/** An object of this size in bytes. */
const long = (bytes: number): object => ({
  metadata: {},
  spec: 'x'.repeat(bytes - '{"metadata":{},"spec":""}'.length),
});
const MOST = 20_000;
const ETCD = 1.5 * 1024 * 1024;

test.each([
  ['one value less than the most', sized(MOST - 1), undefined],
  ['the most values', sized(MOST), undefined],
  ['the most values, as before', sized(MOST), sized(MOST)],
  ['fewer values than before', sized(MOST), sized(4 * MOST)],
  ['no values any more', null, sized(4 * MOST)],
  ['one value less than the most in its status', withStatus(4, MOST - 1), withStatus(4, MOST - 1)],
  ['the most values in its status', withStatus(4, MOST), undefined],
  ['the most values, and its first status', withStatus(MOST, 50), sized(MOST - 1)],
  ['the most values twice, as before', withStatus(MOST, MOST), withStatus(MOST, MOST)],
  ['one byte less than etcd takes', long(ETCD - 1), undefined],
  ['as many bytes as etcd takes', long(ETCD), undefined],
  ['as many bytes as before', long(ETCD + 1), long(ETCD + 1)],
  ['fewer bytes than before', long(ETCD + 1), long(ETCD + 2)],
])('an object with %s is validated', (_, now, before) => {
  const read = parsed(reviewOf({ ...request, object: now, oldObject: before }));
  const unmanaged = (of: unknown): unknown =>
    JSON.parse(JSON.stringify(of ?? null, (key, value: unknown) => (key === 'managedFields' ? undefined : value)));
  expect([read.object, read.oldObject ?? null]).toEqual([unmanaged(now), unmanaged(before)]);
  expect(read).not.toHaveProperty('excess');
  expect(read).not.toHaveProperty('outlined');
});

const TOO_MANY = 'the object has more than 20000 fields and items; split the object into smaller ones';
const TOO_LONG = "the object has more than 1572864 bytes, which is etcd's limit; split the object into smaller ones";
test.each([
  ['one value more than the most', sized(MOST + 1), undefined, TOO_MANY],
  ['one value more than the most in its status', withStatus(4, MOST + 1), withStatus(4, MOST), TOO_MANY],
  ['one value more than the most, and a status', withStatus(MOST + 1, 50), withStatus(MOST, 50), TOO_MANY],
  ['values that were fewer before', sized(MOST + 1), sized(MOST), TOO_MANY],
  ['values that were others before', sized(MOST + 1), sized(MOST + 2), TOO_MANY],
  ['one value more before than can be compared', sized(4), sized(4 * MOST + 1), TOO_MANY.replace('20000', '80000')],
  ['one byte more than etcd takes', long(ETCD + 1), undefined, TOO_LONG],
  ['one byte more than etcd takes, and none before', long(ETCD + 1), null, TOO_LONG],
  ['one byte more than before', long(ETCD + 2), long(ETCD + 1), TOO_LONG],
])('an object with %s is rejected, and no rule runs', async (_, now, before, message) => {
  const read = parsed(reviewOf({ ...request, name: 'web', object: now, oldObject: before }));
  expect([read.object, read.oldObject ?? null]).toEqual([null, null]);
  expect(read.excess?.rule).toBe(message === TOO_LONG ? 'object-bytes' : 'object-size');
  const admit = jest.fn();
  const { response } = await review(read, admit as never);
  expect(admit).not.toHaveBeenCalled();
  expect(response).toMatchObject({
    uid: 'u-1',
    allowed: false,
    status: { code: 422, reason: 'Invalid', message, details: { name: 'web', kind: 'VirtualMachine' } },
  });
});

/** An object whose spec and status have this many items each. */
const wide = (spec: number, status: number, more: object = {}): object => ({
  ...object(),
  spec: { list: Array(spec).fill(1) },
  status: { list: Array(status).fill(1) },
  ...more,
});

test.each([
  ['a spec', wide(100_000, 1), wide(100_000, 1)],
  ['a status that changes', wide(1, 100_000), wide(1, 100_001)],
  ['a spec and a status', wide(30_000, 30_000), wide(30_000, 30_000)],
])('of an object that was stored with %s too large only the rest is read', (_, now, before) => {
  const read = parsed(reviewOf({ ...request, object: now, oldObject: before }));
  const { metadata } = object();
  const rest = { apiVersion: 'kubevirt.io/v1', kind: 'VirtualMachine', metadata, spec: null, status: null };
  expect(read).toMatchObject({ outlined: true, object: rest, oldObject: rest });
});

test.each([
  ['one value more than is read', wide(4 * MOST - 9, 1)],
  ['one value more than is read in its status', wide(1, 4 * MOST - 9)],
])('of an object of %s, which is deleted, only the rest is read', (_, before) => {
  const read = parsed(reviewOf({ ...request, operation: 'DELETE', object: null, oldObject: before }));
  expect(read).toMatchObject({ outlined: true, object: null, oldObject: { ...object(), spec: null, status: null } });
  expect(read).not.toHaveProperty('excess');
});

test('a deleted object with the maximum number of values is read completely', () => {
  const read = parsed(reviewOf({ ...request, operation: 'DELETE', object: null, oldObject: wide(4 * MOST - 10, 1) }));
  expect(read.oldObject).toHaveProperty('spec.list');
  expect(read).not.toHaveProperty('outlined');
});

test.each([
  ['one of the two fits', wide(100_000, 1), wide(1, 1)],
  ['the spec changes', wide(100_000, 1), wide(100_001, 1)],
  ['it is large elsewhere', wide(1, 1, { other: Array(30_000).fill(1) }), wide(1, 1, { other: Array(30_000).fill(1) })],
])('an object that is too large is rejected when %s', (_, now, before) => {
  expect(parsed(reviewOf({ ...request, object: now, oldObject: before })).excess?.rule).toBe('object-size');
});

test('managed fields are not read, and no patch removes them', async () => {
  const metadata = { name: 'web', managedFields: [{ manager: 'kubectl' }] };
  const read = parsed(reviewOf({ ...request, object: { ...object(), metadata } }));
  expect(read.object?.metadata).toEqual({ name: 'web' });
  const after = { ...read.object!, metadata: { name: 'web', labels: { a: 'b' } } };
  const { response } = await review(read, () => Promise.resolve({ object: after }));
  expect(JSON.parse(Buffer.from(response.patch ?? '', 'base64').toString('utf8'))).toEqual([
    { op: 'add', path: '/metadata/labels', value: { a: 'b' } },
  ]);
});

const groups = (count: number): string =>
  reviewOf({ ...request, object: null, userInfo: { groups: Array(count).fill('g') } });
/** Of a review without groups. */
const OTHER_VALUES = 17;

test.each([
  ['the most keys', reviewOf({ ...request, oldObject: object(), object: { ...object(), spec: keys(19_990) } })],
  ['the most values besides its objects', groups(5000 - OTHER_VALUES)],
])('a review of %s is read', (_, body) => expect(parsed(body).uid).toBe('u-1'));

test.each([
  ['no JSON', '{', /the body is not JSON/],
  ['something else', '{"kind":"Pod","apiVersion":"v1"}', /not an AdmissionReview/],
  ['an older version', '{"kind":"AdmissionReview","apiVersion":"admission.k8s.io/v1beta1"}', /not an AdmissionReview/],
  ['a user of more groups than any', groups(5000 - OTHER_VALUES + 1), /more than 5000 fields and items besides/],
  ['two objects', reviewOf(request).replace('"object":', '"object":{},"object":'), /it has an object twice/],
  [
    'a map of more keys than any',
    reviewOf({ ...request, object: { ...object(), spec: keys(20_001) } }),
    /an object with more than 20000 fields/,
  ],
  [
    'an object of more values than any that is stored',
    reviewOf({ ...request, object: wide(200_000, 1), oldObject: wide(200_000, 1) }),
    /more than 400000 fields and items/,
  ],
  [
    'lists in lists',
    reviewOf(request).replace('"Always"', '['.repeat(200) + ']'.repeat(200)),
    /more than 128 nested objects/,
  ],
  ['half a request', reviewOf({ uid: 'u' }), /not whole: "kind" is absent/],
])('%s is a bad request', (_, body, message) => {
  expect(() => parsed(body)).toThrow(message);
});

test.each(['uid', 'kind', 'resource', 'operation', 'object'])('a request without %s is a bad request', (field) => {
  const { [field as 'uid']: _gone, ...rest } = request;
  expect(() => parsed(reviewOf(rest))).toThrow(
    `the AdmissionReview is not whole: "${field}" is absent or of another type`,
  );
});

test('a review without a request is a bad request, and so is an empty body', () => {
  expect(() => parsed(reviewOf(undefined))).toThrow('the AdmissionReview is not whole: "request"');
  expect(() => parsed('null')).toThrow('the body is not an AdmissionReview of admission.k8s.io/v1');
});

test('a request for a deletion has null for an object, and a user without a name is rejected', () => {
  expect(parsed(reviewOf({ ...request, object: null, userInfo: undefined }))).toMatchObject({ object: null });
  const { userInfo: _nobody, ...anonymous } = request;
  expect(parsed(reviewOf(anonymous)).userInfo).toEqual({});
});

test.each([
  ['the name of the request', { name: 'own' }, 'own'],
  ['the name of the object', {}, 'web'],
  ['the name of the object before', { object: null, oldObject: object('old') }, 'old'],
  ['what a name is made from', { object: { ...object(), metadata: { generateName: 'web-' } } }, 'web-'],
  ['no name', { object: null }, undefined],
])('a refusal names %s', async (_, more, name) => {
  const errors = [{ rule: 'label' as const, path: root, cause: 'is wrong', remedy: 'correct it' }];
  const { response } = await review({ ...request, ...more }, () => Promise.resolve({ errors }));
  expect(response.status?.details?.name).toBe(name);
  expect(response.status?.message).toBe('is wrong; correct it');
});

test('accepts an object without findings, and an unchanged object needs no patch', async () => {
  expect((await review(request, () => Promise.resolve({ errors: [] }))).response).toEqual({
    uid: 'u-1',
    allowed: true,
  });
  const none = { ...request, object: null };
  expect((await review(none, () => Promise.resolve({ object: object() }))).response).toEqual({
    uid: 'u-1',
    allowed: true,
  });
});

test('a whole review is read', () => {
  expect(parsed(reviewOf(request))).toEqual(request);
});

test('of many findings, the first are reported and the others are counted', async () => {
  const errors = (count: number) =>
    Array.from({ length: count }, (_, i) => ({
      rule: 'label' as const,
      path: root.at('spec', `f${i}`),
      cause: 'is wrong',
      remedy: 'correct it',
    }));
  const answer = async (count: number) =>
    (await review(request, () => Promise.resolve({ errors: errors(count) }))).response.status;
  expect((await answer(50))?.details?.causes).toHaveLength(50);
  expect((await answer(50))?.message).toMatch(/spec\.f49: is wrong; correct it$/);
  expect((await answer(51))?.details?.causes).toHaveLength(50);
  expect((await answer(51))?.message).toMatch(/spec\.f49: is wrong; correct it, and 1 more$/);
});

test('user input neither moves the cursor nor fills the screen', async () => {
  const nasty = `\u001b[2J\u009b1m\u202e${'x'.repeat(100_000)}`;
  const finding = {
    rule: 'label' as const,
    path: root.at(nasty),
    cause: nasty,
    remedy: nasty,
    allowed: Array<string>(1000).fill(nasty),
  };
  const answers = [
    await review(request, () => Promise.resolve({ errors: [finding] })),
    await review(request, () => Promise.resolve({ warnings: [nasty] })),
    await review(request, () => Promise.resolve({ refused: { code: 403, reason: 'Forbidden', message: nasty } })),
  ];
  for (const { response } of answers) {
    const { status, warnings = [] } = response;
    const texts = [...warnings, status?.message, ...(status?.details?.causes ?? []).flatMap(Object.values)].join('');
    expect(/[\u001b\u009b\u202e]/.test(texts)).toBe(false);
    expect(texts.length).toBeLessThan(25_000);
  }
});

test.each([
  ['a line of its own', 'a\nb', 'a\nb'],
  ['a tab, which a terminal obeys', 'a\tb', 'a\\u0009b'],
  ['an escape', '\u001b[2J', '\\u001b[2J'],
  ['overrides of direction', 'a\u202eb\u061cc', 'a\\u202eb\\u061cc'],
  ['invisible characters', 'a\u200bb\ufeffc\u00add\u{e0041}e', 'a\\u200bb\\ufeffc\\u00add\\u{e0041}e'],
  ['halves of characters', '\ud83d!', '\\ud83d!'],
  ['characters of any script', 'défini 日本 😀', 'défini 日本 😀'],
])('an error shows %s by their code points', async (_, message, want) => {
  const refused = { code: 403, reason: 'Forbidden', message };
  const { response } = await review(request, () => Promise.resolve({ refused }));
  expect(response.status?.message).toBe(want);
});
