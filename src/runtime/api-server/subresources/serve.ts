import { kinds } from '../../../api/kinds/registry';
import { resources } from '../../kube';
import type { KubeClient } from '../../kube';
import type { Route } from '../routes';
import { badRequest, internalError } from '../status';
import { expandGiven, expandStored } from './expand';
import type { HandlerClient } from './handler';
import {
  hasAgent,
  mayBackUp,
  mayConsole,
  mayFreeze,
  mayPause,
  mayPortForward,
  mayReset,
  maySoftReboot,
  mayUnfreeze,
  mayUnpause,
  mayVnc,
} from './instance-rules';
import type { InstanceRule } from './instance-rules';
import { changeRunState, findVm, findVmi } from './lifecycle';
import type { Target } from './lifecycle';
import { isDryRun, parseOptions } from './options';
import type { PauseOptions } from './options';
import { changeVolumes } from './change-volumes';
import { dumpMemory } from './dump-memory';
import { clusterConfig } from '../../../api/cluster-config';
import type { ClusterConfig } from '../../../api/cluster-config';
import type { VirtualMachineInstance } from '../../../api';

type SubresourceRoute = Extract<Route, { to: 'subresource' }>;

/** Actions on a running guest that virt-handler performs, with the rule that allows each. */
const INSTANCE_ACTIONS: Record<string, InstanceRule> = {
  pause: mayPause,
  unpause: mayUnpause,
  freeze: mayFreeze,
  unfreeze: mayUnfreeze,
  backup: mayBackUp,
  softreboot: maySoftReboot,
  reset: mayReset,
};

const STREAM_RULES: Record<string, InstanceRule> = { console: mayConsole, vnc: mayVnc, portforward: mayPortForward };

/** Body of the answer to an action or query; undefined for an answer without one. */
export interface Answer {
  readonly code: 200 | 202;
  readonly json?: string;
}

/** Serves a subresource that is not a stream. */
export async function serveAction(
  client: KubeClient,
  handler: HandlerClient,
  route: SubresourceRoute,
  body: string,
  config: () => ClusterConfig = () => clusterConfig(undefined),
): Promise<Answer> {
  const { owner, name: subresource, method, body: type, accepted } = route.subresource;
  const code = accepted ? 202 : 200;
  if (owner === 'expand-vm-spec') return { code, json: await expandGiven(client, route.namespace, body) };
  if (subresource === 'expand-spec') return { code, json: await expandStored(client, targetOf(route)) };
  if (subresource === 'start' || subresource === 'stop' || subresource === 'restart') {
    await changeRunState(client, subresource, targetOf(route), body);
    return { code };
  }
  if (subresource === 'addvolume' || subresource === 'removevolume') {
    await changeVolumes(client, subresource, owner === kinds.VirtualMachine.plural ? 'vm' : 'vmi', targetOf(route), {
      body,
      config: config(),
    });
    return { code };
  }
  if (subresource === 'memorydump' || subresource === 'removememorydump') {
    await dumpMemory(client, subresource, targetOf(route), { body, config: config() });
    return { code };
  }
  // a VM without a VMI gets the VMI's 404; if neither exists, the VM's
  if (owner === kinds.VirtualMachine.plural) await findVm(client, targetOf(route));
  const vmi = await findVmi(client, targetOf(route));
  if (subresource === 'evacuate/cancel') {
    await cancelEvacuation(client, vmi, isDryRun(parseOptions<PauseOptions>('EvacuateCancelOptions', body)));
    return { code };
  }
  if (method === 'GET') {
    allow(vmi, hasAgent);
    return { code, json: await handler.call('GET', vmi, subresource) };
  }
  const rule = INSTANCE_ACTIONS[subresource];
  if (!rule) throw internalError(`${subresource} has no action`, 'report this as a defect of virt8s');
  const options = type && type !== 'VirtualMachine' ? parseOptions<PauseOptions>(type, body) : {};
  allow(vmi, rule);
  if (!isDryRun(options)) await handler.call('PUT', vmi, subresource, JSON.stringify(options));
  return { code };
}

/** Complete as soon as no eviction is requested; it can be repeated. */
async function cancelEvacuation(client: KubeClient, vmi: VirtualMachineInstance, dryRun: boolean): Promise<void> {
  if (!vmi.status?.evacuationNodeName) return;
  const { namespace, name = '', resourceVersion } = vmi.metadata;
  const patch = { metadata: { resourceVersion }, status: { evacuationNodeName: null } };
  await client.patch(resources.virtualMachineInstances, { namespace, name }, patch, 'merge', { dryRun });
}

/** The guest and the handler's stream that a request refers to; throws if the stream cannot be opened. */
export async function findStream(
  client: KubeClient,
  route: SubresourceRoute,
): Promise<{ vmi: VirtualMachineInstance; action: string }> {
  const action = streamAction(route);
  // a VM without a VMI gets the VMI's 404; if neither exists, the VM's
  if (route.subresource.owner === kinds.VirtualMachine.plural) await findVm(client, targetOf(route));
  const vmi = await findVmi(client, targetOf(route));
  allow(vmi, STREAM_RULES[route.subresource.name]);
  return { vmi, action };
}

const targetOf = ({ namespace, name }: SubresourceRoute): Target => ({ namespace, name });

function streamAction({ subresource, params }: SubresourceRoute): string {
  if (subresource.name !== 'portforward') return subresource.name;
  const { port = '', protocol = 'tcp' } = params;
  const number = Number(port);
  if (!/^\d{1,5}$/.test(port) || number < 1 || number > 65535) {
    throw badRequest(`port "${port}" is not a number from 1 to 65535`);
  }
  if (protocol !== 'tcp' && protocol !== 'udp') {
    throw badRequest(`protocol "${protocol}" cannot be forwarded`, 'use tcp or udp');
  }
  return `portforward/${number}/${protocol}`;
}

function allow(vmi: VirtualMachineInstance, rule: InstanceRule): void {
  const refusal = rule(vmi);
  if (refusal) throw refusal;
}
