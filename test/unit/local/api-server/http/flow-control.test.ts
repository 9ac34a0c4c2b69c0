import { IncomingMessage } from 'node:http';
import { Connections } from '../../../../../src/local/api-server/http/connections';
import { FlowControl, flowLimits, isComponent } from '../../../../../src/local/api-server/http/flow-control';
import { parseRequest } from '../../../../../src/local/api-server/http/request-info';
import { UserInfo } from '../../../../../src/local/api-server/types';

const control = (limits: Partial<typeof flowLimits> = {}) =>
  new FlowControl(new Connections(), { ...flowLimits, ...limits });
const user = (username: string, groups: string[] = []): UserInfo => ({ username, groups });
const enter = (flow: FlowControl, who: UserInfo, method = 'GET', url = '/api/v1/pods') =>
  flow.enter({ socket: {} } as IncomingMessage, who, parseRequest(method, url));

test.each([
  ['system:kube-scheduler', [], true],
  ['system:node:a', ['system:nodes'], true],
  ['system:serviceaccount:kubevirt:kubevirt-controller', [], true],
  ['system:serviceaccount:kube-system:default', [], true],
  ['kubernetes-admin', ['system:masters'], true],
  ['system:serviceaccount:default:default', [], false],
  ['system:serviceaccount:kubevirt-x:default', [], false],
  ['system:anonymous', ['system:unauthenticated'], false],
  ['alice', ['developers'], false],
])('%s of %j is a component: %s', (name, groups, want) => expect(isComponent(user(name, groups))).toBe(want));

test('a user may use half of the places and gets 429 beyond, while others are served', () => {
  const flow = control({ readOnly: 4 });
  enter(flow, user('alice'));
  enter(flow, user('alice'));
  expect(() => enter(flow, user('alice'))).toThrow('Too many requests, please try again later.');
  enter(flow, user('bob'));
  expect(flow.rejected).toBe(1);
});

test('a rejection asks the client to try again after one second', () => {
  const flow = control({ mutating: 0 });
  try {
    enter(flow, user('alice'), 'POST');
    throw new Error('admitted');
  } catch (error) {
    expect(error).toMatchObject({
      status: { code: 429, reason: 'TooManyRequests', details: { retryAfterSeconds: 1 } },
    });
  }
});

test.each([
  ['GET', '/healthz'],
  ['GET', '/readyz/ping'],
  ['GET', '/api/v1/pods?watch=true'],
  ['POST', '/api/v1/namespaces/a/pods/p/exec'],
  ['GET', '/api/v1/namespaces/a/pods/p/log'],
])('%s %s is not counted', (method, url) => {
  const flow = control({ readOnly: 0, mutating: 0 });
  expect(() => enter(flow, user('alice'), method, url)).not.toThrow();
});

test('components keep their places when other users use all of theirs', () => {
  const flow = control({ readOnly: 2 });
  enter(flow, user('alice'));
  enter(flow, user('bob'));
  expect(() => enter(flow, user('carol'))).toThrow();
  enter(flow, user('system:kube-scheduler'));
  enter(flow, user('system:kube-scheduler'));
  expect(() => enter(flow, user('system:kube-scheduler'))).toThrow();
});

test('the end of a request frees its place and its bytes', () => {
  const flow = control({ readOnly: 2, bodyBytesPerUser: 10 });
  const permit = enter(flow, user('alice'));
  permit.receive(10);
  permit.end();
  permit.end();
  expect(flow.bodies.size).toBe(0);
  enter(flow, user('alice')).receive(10);
});

test.each([
  ['at the limit of the user', [10], true],
  ['over the limit of the user', [6, 5], false],
])('body bytes %s', (_, parts, fits) => {
  const flow = control({ bodyBytesPerUser: 10 });
  const permits = parts.map(() => enter(flow, user('alice'), 'POST'));
  const receive = () => parts.forEach((bytes, i) => permits[i].receive(bytes));
  if (fits) expect(receive).not.toThrow();
  else expect(receive).toThrow('Too many requests');
});

test('body bytes of all users together are limited', () => {
  const flow = control({ bodyBytes: 10 });
  enter(flow, user('alice'), 'POST').receive(6);
  expect(() => enter(flow, user('bob'), 'POST').receive(5)).toThrow('Too many requests');
});

const stream = (backlog: number) => ({ backlog, close: jest.fn() });

test('watches of one user are limited', () => {
  const flow = control({ watchesPerUser: 1 });
  const permit = enter(flow, user('alice'));
  permit.watch(stream(0));
  expect(() => enter(flow, user('alice')).watch(stream(0))).toThrow('Too many requests');
  enter(flow, user('bob')).watch(stream(0));
  permit.end();
  enter(flow, user('alice')).watch(stream(0));
  expect(flow.watching).toBe(2);
});

test.each([
  ['at the limit', [4, 6], []],
  ['over the limit', [4, 7], [1]],
])("the slowest watch is closed when the backlog of a user's watches is %s", (_, backlogs, closed) => {
  const flow = control({ watchBytesPerUser: 10 });
  const permit = enter(flow, user('alice'));
  const streams = backlogs.map(stream);
  for (const one of streams) permit.watch(one);
  permit.limitBacklog();
  expect(streams.flatMap(({ close }, i) => (close.mock.calls.length ? [i] : []))).toEqual(closed);
});
