import { parseForward, parseSshTarget, parseTarget } from '../../../src/cli/target';

test.each([
  ['vm/web', { kind: 'vm', name: 'web' }],
  ['vms/web/prod', { kind: 'vm', name: 'web', namespace: 'prod' }],
  ['VirtualMachineInstance/web', { kind: 'vmi', name: 'web' }],
])('target %s', (text, expected) => {
  expect(parseTarget(text)).toEqual(expected);
});

test.each([
  ['web', /must contain type and name separated by '\/', as in vm\/web/],
  ['pod/web', /unsupported resource type 'pod' \(allowed: vm, vmi\)/],
  ['vm/', /cannot be empty/],
  ['vm/web/', /cannot be empty/],
  ['vm/web/prod/x', /more than two/],
  ['constructor/web', /unsupported resource type/],
])('target %s is rejected', (text, message) => {
  expect(() => parseTarget(text)).toThrow(message);
});

test('a target of ssh may name the user', () => {
  expect(parseSshTarget('jdoe@vm/web/prod')).toEqual({ kind: 'vm', name: 'web', namespace: 'prod', user: 'jdoe' });
  expect(parseSshTarget('a@b@vm/web')).toEqual({ kind: 'vm', name: 'web', user: 'a@b' });
  expect(() => parseSshTarget('-oProxyCommand=x@vm/web')).toThrow(/cannot begin with "-"/);
});

test.each([
  ['80', { protocol: 'tcp', local: 80, remote: 80 }],
  ['8080:80', { protocol: 'tcp', local: 8080, remote: 80 }],
  ['0:80', { protocol: 'tcp', local: 0, remote: 80 }],
  ['UDP/5353:53', { protocol: 'udp', local: 5353, remote: 53 }],
])('port %s', (text, expected) => {
  expect(parseForward(text)).toEqual(expected);
});

test.each([
  ['http', /not of the form/],
  ['80:', /not of the form/],
  ['sctp/80', /"sctp" is not supported \(allowed: tcp, udp\)/],
  ['70000', /70000 is not a port/],
  ['0', /0 is not a port of a guest/],
  ['80:0', /0 is not a port of a guest/],
])('port %s is rejected', (text, message) => {
  expect(() => parseForward(text)).toThrow(message);
});
