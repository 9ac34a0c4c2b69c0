import { refusedBy } from '../../../../../src/runtime/controller/storage/refused';

test.each([
  ['persistentvolumeclaims "a" is forbidden: exceeded quota: claims, requested: 1', 'ErrExceededQuota', /; raise the/],
  ['admission webhook "policy.example" denied the request: no', 'ErrStartingPod', /denied the request: no$/],
])('%s has the reason %s', (message, reason, shown) => {
  const problem = refusedBy(new Error(message), 'ErrStartingPod');
  expect(problem).toEqual({ reason, message: expect.stringMatching(shown) as string, retryMs: 30_000 });
});

test.each([
  [999, 999],
  [1000, 1000],
  [1001, 1000],
])('of a message of %i characters, %i are shown', (length, shown) => {
  expect(refusedBy(new Error('x'.repeat(length)), 'ErrStartingPod').message).toHaveLength(shown);
});
