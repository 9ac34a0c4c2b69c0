import type { VirtualMachineInstance } from '../../../../../src/api';
import { SUBRESOURCES } from '../../../../../src/runtime/api-server/registry';
import type { HandlerClient } from '../../../../../src/runtime/api-server/subresources/handler';
import { findStream, serveAction } from '../../../../../src/runtime/api-server/subresources/serve';
import type { KubeClient } from '../../../../../src/runtime/kube';

type Route = Parameters<typeof serveAction>[2];

const conditions = (...types: string[]) => types.map((type) => ({ type, status: 'True' }));
const running = (...types: string[]): VirtualMachineInstance =>
  ({
    metadata: { name: 'web', namespace: 'shop', resourceVersion: '7' },
    spec: { domain: { devices: {} } },
    status: { phase: 'Running', conditions: conditions(...types) },
  }) as never;
const VM = { metadata: { name: 'web', namespace: 'shop' }, spec: { runStrategy: 'Halted', template: {} } };

/** A cluster with a VM and its VMI, and a node's handler; their requests are recorded. */
function world(vmi: object | undefined, vm: object | undefined = VM) {
  const asked: string[] = [];
  const client = {
    find: async ({ plural }: { plural: string }) => {
      asked.push(`find ${plural}`);
      return plural === 'virtualmachines' ? vm : vmi;
    },
    patch: async (...call: unknown[]) => {
      const [{ plural }, target, patch, type, options] = call as [{ plural: string }, object, object, string, object];
      asked.push(`patch ${plural} ${JSON.stringify([target, patch, type, options])}`);
      return { metadata: { resourceVersion: '8' } };
    },
  } as unknown as KubeClient;
  const handler = {
    call: async (method: string, { metadata }: VirtualMachineInstance, action: string, body?: string) => {
      asked.push(`${method} ${metadata.name} ${action} ${body ?? ''}`.trim());
      return '{"answer":1}';
    },
  } as unknown as HandlerClient;
  return { asked, client, handler };
}

const routeTo = (
  name: string,
  method: string,
  owner = 'virtualmachineinstances',
  params: Record<string, string> = {},
): Route => {
  const served = SUBRESOURCES.find((each) => each.owner === owner && each.name === name && each.method === method);
  const subresource = served ?? { owner, name, method };
  return { to: 'subresource', namespace: 'shop', name: 'web', subresource, params } as never;
};

/** Requests to the cluster and the handler besides the VMI, and the answers. */
async function serve(route: Route, vmi: object | undefined = running(), body = '', vm: object | undefined = VM) {
  const { asked, client, handler } = world(vmi, vm);
  const answer = await serveAction(client, handler, route, body).catch((error: Error) => error);
  return { asked: asked.filter((each) => each !== 'find virtualmachineinstances'), answer };
}

test.each<[string, Route, VirtualMachineInstance, string, string[]]>([
  ['a pause', routeTo('pause', 'PUT'), running(), '', ['PUT web pause {}']],
  ['an unpause', routeTo('unpause', 'PUT'), running('Paused'), '', ['PUT web unpause {}']],
  [
    'a freeze',
    routeTo('freeze', 'PUT'),
    running('AgentConnected'),
    '{"unfreezeTimeout":"1m0s"}',
    ['PUT web freeze {"unfreezeTimeout":"1m0s"}'],
  ],
  ['an unfreeze', routeTo('unfreeze', 'PUT'), running(), '', ['PUT web unfreeze {}']],
  ['a soft reboot', routeTo('softreboot', 'PUT'), running('AgentConnected'), '', ['PUT web softreboot {}']],
  ['a reset', routeTo('reset', 'PUT'), running(), '', ['PUT web reset {}']],
  ['a pause that only tries', routeTo('pause', 'PUT'), running(), '{"dryRun":["All"]}', []],
  ['an unpause that only tries', routeTo('unpause', 'PUT'), running('Paused'), '{"dryRun":["All"]}', []],
])('%s is done by the handler of its node', async (_, route, vmi, body, want) => {
  const { asked, answer } = await serve(route, vmi, body);
  expect(asked).toEqual(want);
  expect(answer).toEqual({ code: 200 });
});

test.each(['guestosinfo', 'filesystemlist', 'userlist'])('%s returns the response of the guest agent', async (name) => {
  expect(await serve(routeTo(name, 'GET'), running('AgentConnected'))).toEqual({
    asked: [`GET web ${name}`],
    answer: { code: 200, json: '{"answer":1}' },
  });
  const { asked, answer } = await serve(routeTo(name, 'GET'), running());
  expect(asked).toEqual([]);
  expect(answer).toMatchObject({ code: 409 });
});

test.each<[string, Route, object | undefined, string, number]>([
  ['a pause of a paused guest', routeTo('pause', 'PUT'), running('Paused'), '', 409],
  ['an unpause of a guest that runs', routeTo('unpause', 'PUT'), running(), '', 409],
  ['a refused pause that only tries', routeTo('pause', 'PUT'), running('Paused'), '{"dryRun":["All"]}', 409],
  ['a body that is not JSON', routeTo('pause', 'PUT'), running(), '{', 400],
  ['options of another type', routeTo('pause', 'PUT'), running(), '{"dryRun":"All"}', 400],
  ['a route without an action, a mistake of ours,', routeTo('explode', 'PUT'), running(), '', 500],
  ['a guest that is not there', routeTo('pause', 'PUT'), undefined, '', 404],
])('%s is rejected before the handler is called', async (_, route, vmi, body, code) => {
  const { client, handler, asked } = world(vmi);
  await expect(serveAction(client, handler, route, body)).rejects.toMatchObject({ code });
  expect(asked).toEqual(['find virtualmachineinstances']);
});

describe('of a VM', () => {
  test.each(['start', 'stop', 'restart'])('%s changes its run state', async (verb) => {
    const vmi = verb === 'start' ? undefined : running();
    const vm = { ...VM, spec: { ...VM.spec, runStrategy: verb === 'start' ? 'Halted' : 'Always' } };
    const { client, handler, asked } = world(vmi, vm);
    expect(await serveAction(client, handler, routeTo(verb, 'PUT', 'virtualmachines'), '')).toEqual({ code: 202 });
    expect(asked.filter((each) => each.startsWith('patch'))).toHaveLength(1);
  });

  test('an action on its guest needs the VM', async () => {
    const { client, handler } = world(running(), undefined);
    const none = { ...client, find: async () => undefined } as never;
    await expect(serveAction(none, handler, routeTo('pause', 'PUT', 'virtualmachines'), '')).rejects.toMatchObject({
      code: 404,
      details: { kind: 'virtualmachine', name: 'web' },
    });
  });

  test('a stream of its guest looks up the VM first, so that an unknown name is not reported as a guest', async () => {
    const route = routeTo('portforward', 'GET', 'virtualmachines', { port: '22' });
    const { client } = world(undefined, undefined);
    await expect(findStream({ ...client, find: async () => undefined } as never, route)).rejects.toMatchObject({
      code: 404,
      details: { kind: 'virtualmachine', name: 'web' },
    });
    const halted = world(undefined);
    await expect(findStream(halted.client, route)).rejects.toMatchObject({
      code: 404,
      details: { kind: 'virtualmachineinstance', name: 'web' },
    });
    const guest = world(running());
    await findStream(guest.client, routeTo('console', 'GET'));
    expect(guest.asked).toEqual(['find virtualmachineinstances']);
  });
});

describe('an evacuation', () => {
  const leaving = { ...running(), status: { phase: 'Running', evacuationNodeName: 'node-a' } };
  const patched = (dryRun: boolean): string =>
    `patch virtualmachineinstances ${JSON.stringify([
      { namespace: 'shop', name: 'web' },
      { metadata: { resourceVersion: '7' }, status: { evacuationNodeName: null } },
      'merge',
      { dryRun },
    ])}`;
  test.each<[string, object, string, string[]]>([
    ['is cancelled', leaving, '', [patched(false)]],
    ['is cancelled to try only', leaving, '{"dryRun":["All"]}', [patched(true)]],
    ['that was not requested needs nothing', running(), '', []],
  ])('%s', async (_, vmi, body, want) => {
    expect(await serve(routeTo('evacuate/cancel', 'PUT'), vmi, body)).toEqual({ asked: want, answer: { code: 200 } });
  });
});

describe('a stream', () => {
  const find = (name: string, vmi: object | undefined = running(), params: Record<string, string> = {}) =>
    findStream(world(vmi).client, routeTo(name, 'GET', 'virtualmachineinstances', params));

  test.each<[string, Record<string, string>, string]>([
    ['console', {}, 'console'],
    ['vnc', {}, 'vnc'],
    ['portforward', { port: '1' }, 'portforward/1/tcp'],
    ['portforward', { port: '00022', protocol: 'tcp' }, 'portforward/22/tcp'],
    ['portforward', { port: '65535', protocol: 'udp' }, 'portforward/65535/udp'],
  ])('%s with %j is the handler’s %s', async (name, params, action) => {
    expect((await find(name, running(), params)).action).toBe(action);
  });

  test.each<[Record<string, string>, string]>([
    [{}, 'port "" is not a number from 1 to 65535'],
    [{ port: '0' }, 'port "0" is not'],
    [{ port: '65536' }, 'port "65536" is not'],
    [{ port: '-1' }, 'port "-1" is not'],
    [{ port: '1e3' }, 'port "1e3" is not'],
    [{ port: '22/../../pause' }, 'port "22/../../pause" is not'],
    [{ port: '22', protocol: 'sctp' }, 'protocol "sctp" cannot be forwarded'],
    [{ port: '22', protocol: '' }, 'protocol "" cannot be forwarded'],
  ])('to %j is refused', async (params, message) => {
    const { client, asked } = world(running());
    const route = routeTo('portforward', 'GET', 'virtualmachineinstances', params);
    await expect(findStream(client, route)).rejects.toMatchObject({
      code: 400,
      message: expect.stringContaining(message),
    });
    expect(asked).toEqual([]);
  });

  test.each([
    ['console', { ...running(), spec: { domain: { devices: { autoattachSerialConsole: false } } } }, 400],
    ['vnc', { ...running(), spec: { domain: { devices: { autoattachGraphicsDevice: false } } } }, 400],
    ['console', { ...running(), status: { phase: 'Pending' } }, 400],
    ['portforward', running('Paused'), 409],
  ])('%s that its guest cannot have is refused', async (name, vmi, code) => {
    await expect(find(name, vmi, { port: '22' })).rejects.toMatchObject({ code });
  });
});
