import { logOptions, routeOf } from '../../../../../src/local/node/kubelet-api/request';

test.each<[string | undefined, string, string[]]>([
  [undefined, '', []],
  ['/healthz', 'healthz', []],
  ['/containerLogs/ns/pod/c?follow=true', 'containerLogs', ['ns', 'pod', 'c']],
  ['/exec/ns/a%2Fb/c?command=%25', 'exec', ['ns', 'a/b', 'c']],
  ['//', '', ['']],
  ['http://other/exec', '', ['other', 'exec']],
])('the path %s is read', (url, room, rest) => expect(routeOf({ url })).toMatchObject({ room, rest }));

test.each(['/%', '/exec/%ff/c', '/containerLogs/%E0%A4%A/p'])('the path %s is rejected', (url) =>
  expect(() => routeOf({ url })).toThrow(
    expect.objectContaining({ code: 400, message: `the path "${url}" is not correctly percent-encoded` }),
  ),
);

const NOW = Date.parse('2026-01-01T00:01:00Z');
const options = (query: string) => logOptions(new URLSearchParams(query), NOW);

test.each<[string, object]>([
  ['', { follow: false, timestamps: false, tailLines: undefined, limitBytes: undefined, since: undefined }],
  ['follow=true&timestamps=true', { follow: true, timestamps: true }],
  ['tailLines=0&limitBytes=1', { tailLines: 0, limitBytes: 1 }],
  ['sinceSeconds=1', { since: NOW - 1000 }],
  ['sinceTime=2026-01-01T00:00:00Z', { since: NOW - 60_000 }],
])('log options "%s" are read', (query, want) => expect(options(query)).toMatchObject(want));

test.each([
  ['tailLines=-1', 'tailLines: "-1" is not an integer of at least 0'],
  ['tailLines=x', 'tailLines: "x" is not an integer of at least 0'],
  ['tailLines=1.5', 'tailLines: "1.5" is not an integer of at least 0'],
  ['limitBytes=0', 'limitBytes: "0" is not an integer of at least 1'],
  ['sinceSeconds=0', 'sinceSeconds: "0" is not an integer of at least 1'],
  ['sinceTime=yesterday', 'sinceTime: "yesterday" is not an RFC 3339 time'],
])('log options "%s" are rejected', (query, message) =>
  expect(() => options(query)).toThrow(expect.objectContaining({ code: 400, message })),
);

test.each([
  ['/exec/ns/p/c?command=a&x=y?z', 'a'],
  ['?command=a', 'a'],
  ['/exec', null],
])('the query of %s is read', (url, command) => expect(routeOf({ url }).query.get('command')).toBe(command));
