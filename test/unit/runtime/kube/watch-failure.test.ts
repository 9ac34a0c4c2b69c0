import type { Status } from '../../../../src/api';
import { ApiError } from '../../../../src/runtime/kube';
import { isFutureVersion } from '../../../../src/runtime/kube/api-error';
import { afterFailure, BrokenStream, stricter } from '../../../../src/runtime/kube/watch-failure';
import type { AfterFailure } from '../../../../src/runtime/kube/watch-failure';

const refused = (code: number, message = 'no', reason?: string): ApiError =>
  ApiError.ofStatus({ ...(reason ? { details: { causes: [{ reason }] } } : {}), code, message } as Status, 'watch');

test.each<[string, unknown, number, AfterFailure]>([
  ['a broken connection', Object.assign(new Error('hang up'), { code: 'ECONNRESET' }), 0, 'probe'],
  ['many broken connections', new Error('connect ECONNREFUSED'), 99, 'probe'],
  ['a stream that makes no sense', new BrokenStream('not JSON'), 0, 'relist'],
  ['a version that was forgotten', refused(410), 0, 'relist'],
  ['a version of the future, by its cause', refused(504, 'no', 'ResourceVersionTooLarge'), 0, 'relist'],
  ['a version of the future, by its words', refused(504, 'Too large resource version: 9, current: 5'), 0, 'relist'],
  ['another timeout', refused(504, 'etcd did not answer', 'Other'), 0, 'resume'],
  ['too many requests', refused(429), 4, 'resume'],
  ['too many requests for long', refused(429), 5, 'relist'],
  ['a token that has expired', refused(401), 0, 'resume'],
  ['a role that is missing', refused(403), 0, 'resume'],
  ['an internal error', refused(500), 4, 'resume'],
  ['internal errors without an end', refused(500), 5, 'relist'],
  ['the code below', refused(499), 0, 'relist'],
  ['a bad request', refused(400), 0, 'relist'],
  ['a missing collection', refused(404), 0, 'relist'],
])('after %s', (_, error, refusals, want) => {
  expect(afterFailure(error, refusals)).toBe(want);
});

test.each([
  [refused(504, 'Too large resource version'), true],
  [refused(503, 'Too large resource version'), false],
  [new Error('Too large resource version'), false],
])('only a 504 is about a version of the future: %s', (error, want) => {
  expect(isFutureVersion(error)).toBe(want);
});

test.each<[AfterFailure, AfterFailure, AfterFailure]>([
  ['resume', 'resume', 'resume'],
  ['resume', 'probe', 'probe'],
  ['probe', 'resume', 'probe'],
  ['probe', 'relist', 'relist'],
  ['relist', 'resume', 'relist'],
  ['relist', 'probe', 'relist'],
])('a pending step is not forgotten: %s, then %s', (todo, next, want) => {
  expect(stricter(todo, next)).toBe(want);
});
