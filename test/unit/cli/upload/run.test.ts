import { mayPass } from '../../../../src/cli/upload/run';

test.each([
  ['continues after a conflict', 409, true],
  ['continues when there are too many requests', 429, true],
  ['continues while the proxy or the API is unavailable', 503, true],
  ['ends when the content is rejected', 400, false],
  ['ends without permission', 403, false],
  ['ends when the target was deleted', 404, false],
])('an upload %s', (_, code, passes) => expect(mayPass(code)).toBe(passes));
