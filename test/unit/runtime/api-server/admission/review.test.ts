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

test('what a rule changed goes back as a JSON patch', async () => {
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
    { rule: 'a', path: root.at('spec', 'disks', 0, 'name'), message: 'is taken', remedy: 'rename it' },
    {
      rule: 'b',
      path: root.at('spec', 'x'),
      type: 'FieldValueNotSupported',
      message: 'is unknown',
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

test('one mistake is enough for a refusal', async () => {
  const errors = [{ rule: 'a', path: root.at('spec'), message: 'is wrong', remedy: 'correct it' }];
  expect((await review(request, () => Promise.resolve({ errors }))).response.allowed).toBe(false);
});

const keys = (count: number): object => Object.fromEntries(Array.from({ length: count }, (_, i) => [`k${i}`, '']));
/** A review of so many values, half of them as they were. */
function sized(values: number): string {
  const of = (now: number, before: number): string =>
    reviewOf({ ...request, object: { list: Array(now).fill(1) }, oldObject: { list: Array(before).fill(1) } });
  const own = of(1, 1).replace(/[^,{[]/g, '').length + 1;
  const more = values - own + 2;
  return of(Math.ceil(more / 2), Math.floor(more / 2));
}

test.each([
  ['the most values', sized(200_000)],
  ['the most keys', reviewOf({ ...request, object: { ...object(), spec: keys(20_000) } })],
])('a review of %s is read', (_, body) => expect(parsed(body).uid).toBe('u-1'));

test.each([
  ['no JSON', '{', /the body is not JSON/],
  ['something else', '{"kind":"Pod","apiVersion":"v1"}', /expected an AdmissionReview/],
  ['an older version', '{"kind":"AdmissionReview","apiVersion":"admission.k8s.io/v1beta1"}', /v1beta1/],
  ['an object of more values than any', sized(200_001), /more than 200000 fields and items/],
  [
    'a map of more keys than any',
    reviewOf({ ...request, object: { ...object(), spec: keys(20_001) } }),
    /an object with more than 20000 fields/,
  ],
  ['lists in lists', reviewOf(request).replace('"Always"', '['.repeat(200) + ']'.repeat(200)), /more than 128 objects/],
  ['half a request', reviewOf({ uid: 'u' }), /no whole request/],
])('%s is a bad request', (_, body, message) => {
  expect(() => parsed(body)).toThrow(message);
});

test.each(['uid', 'kind', 'resource', 'operation', 'object'])('a request without %s is a bad request', (field) => {
  const { [field as 'uid']: _gone, ...rest } = request;
  expect(() => parsed(reviewOf(rest))).toThrow(
    'the AdmissionReview has no whole request (uid, kind, resource, operation, object)',
  );
});

test('a review without a request is a bad request, and nothing is none', () => {
  expect(() => parsed(reviewOf(undefined))).toThrow('the AdmissionReview has no whole request');
  expect(() => parsed('null')).toThrow('expected an AdmissionReview of admission.k8s.io/v1, got nothing of undefined');
});

test('a request of a deletion has null for an object, and nobody may ask without a name', () => {
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
  const errors = [{ rule: 'a', path: root, message: 'is wrong', remedy: 'correct it' }];
  const { response } = await review({ ...request, ...more }, () => Promise.resolve({ errors }));
  expect(response.status?.details?.name).toBe(name);
  expect(response.status?.message).toBe('is wrong; correct it');
});

test('no mistakes are no refusal, and an object that does not change needs no patch', async () => {
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

test('of many mistakes the first are told, and the rest is counted', async () => {
  const errors = (count: number) =>
    Array.from({ length: count }, (_, i) => ({
      rule: 'a',
      path: root.at('spec', `f${i}`),
      message: 'is wrong',
      remedy: 'correct it',
    }));
  const answer = async (count: number) =>
    (await review(request, () => Promise.resolve({ errors: errors(count) }))).response.status;
  expect((await answer(50))?.details?.causes).toHaveLength(50);
  expect((await answer(50))?.message).toMatch(/spec\.f49: is wrong; correct it$/);
  expect((await answer(51))?.details?.causes).toHaveLength(50);
  expect((await answer(51))?.message).toMatch(/spec\.f49: is wrong; correct it, and 1 more$/);
});

test('what somebody wrote neither moves a cursor nor fills a screen', async () => {
  const nasty = `\u001b[2J\u009b1m\u202e${'x'.repeat(100_000)}`;
  const told = {
    rule: 'a',
    path: root.at(nasty),
    message: nasty,
    remedy: nasty,
    allowed: Array<string>(1000).fill(nasty),
  };
  const answers = [
    await review(request, () => Promise.resolve({ errors: [told] })),
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
])('a refusal shows %s by what they are', async (_, message, want) => {
  const refused = { code: 403, reason: 'Forbidden', message };
  const { response } = await review(request, () => Promise.resolve({ refused }));
  expect(response.status?.message).toBe(want);
});
