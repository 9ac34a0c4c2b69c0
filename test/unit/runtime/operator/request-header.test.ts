import { requestHeaderOf } from '../../../../src/runtime/operator/request-header';

const authority = '-----BEGIN CERTIFICATE-----';
const data = (names?: string) => ({
  'requestheader-client-ca-file': authority,
  ...(names === undefined ? {} : { 'requestheader-allowed-names': names }),
});

test.each([
  ['one name', '["front-proxy-client"]', 'front-proxy-client'],
  ['several names', '["a","b"]', 'a,b'],
  ['names next to other values', '["a", "", 5, null]', 'a'],
])('%s of the front proxy', (_, names, want) =>
  expect(requestHeaderOf(data(names))).toEqual({ data: { 'client-ca.crt': authority, 'allowed-names': want } }),
);

test.each([
  ['no list', undefined],
  ['an empty list', '[]'],
  ['a list of empty names', '["",""]'],
  ['damaged text', '["front-'],
  ['something else', '{"a":1}'],
  ['null', 'null'],
])('%s of names is a problem: every client of the authority could act as any user', (_, names) =>
  expect(requestHeaderOf(data(names))).toEqual({
    problem: expect.stringMatching(
      /allows every client.*; set --requestheader-allowed-names of the API server$/,
    ) as string,
  }),
);

test.each([
  ['no ConfigMap', undefined],
  ['an empty ConfigMap', {}],
  ['an empty authority', { ...data('["a"]'), 'requestheader-client-ca-file': '' }],
])('%s is a problem', (_, given) =>
  expect(requestHeaderOf(given)).toEqual({
    problem: expect.stringMatching(
      /names no authority.*; set --requestheader-client-ca-file of the API server$/,
    ) as string,
  }),
);
