import { clusterConfig, describe, validateSchema, withoutNulls } from '../../../api';
import type { Finding, KubeVirt, VirtualMachine } from '../../../api';
import { expandVirtualMachine } from '../../../api/instancetype';
import type { ExpandedVirtualMachine } from '../../../api/instancetype';
import { DEEPEST, MOST_KEYS, MOST_VALUES, tooLarge } from '../../../api/kinds/bounded';
import { decideWith, sourceOf } from '../../kube';
import type { KubeClient } from '../../kube';
import { jsonSize } from '../admission/json-size';
import { badRequest, internalError, Refusal } from '../status';
import { findVm } from './lifecycle';
import type { Target } from './lifecycle';

/** `expand-spec`: returns a stored VM with its instance type and preference expanded. Nothing is stored. */
export async function expandStored(client: KubeClient, target: Target): Promise<string> {
  const vm = await findVm(client, target);
  return answer(await expand(client, vm), (message, remedy) => internalError(message, remedy));
}

/** `expand-vm-spec`: the same for a VM in the request's body. */
export async function expandGiven(client: KubeClient, namespace: string, body: string): Promise<string> {
  const vm = parse(body);
  const own = vm.metadata.namespace;
  if (own && own !== namespace) throw badRequest(`VM namespace must be empty or ${namespace}`);
  const expanded = await expand(client, { ...vm, metadata: { ...vm.metadata, namespace } });
  return answer(expanded, badRequest);
}

function expand(client: KubeClient, vm: VirtualMachine): Promise<ExpandedVirtualMachine> {
  return decideWith(sourceOf(client), ({ find, list }) => {
    const config = clusterConfig(list('KubeVirt', undefined)[0] as KubeVirt | undefined);
    return expandVirtualMachine(vm, { config, find });
  });
}

function answer(
  { vm, errors, problems }: ExpandedVirtualMachine,
  refuse: (message: string, remedy?: string) => Refusal,
): string {
  if (problems.length > 0) throw withCauses(refuse(problems[0].cause, problems[0].remedy), problems);
  if (errors.length > 0) {
    const fields = errors.map(({ path, field }) => field ?? `${path}`).join(', ');
    const [first] = errors;
    const one = first.rule !== 'instancetype-conflict';
    throw withCauses(
      refuse(one ? first.cause : `VM field(s) ${fields} conflicts with selected instance type`, first.remedy),
      errors,
    );
  }
  return JSON.stringify(vm);
}

function parse(body: string): VirtualMachine {
  if (body === '') throw badRequest('empty request body', 'send a VirtualMachine as JSON');
  const limits = { values: 2 * MOST_VALUES, keys: 2 * MOST_KEYS, depth: 2 * DEEPEST };
  const { excess } = jsonSize(Buffer.from(body), limits);
  if (excess) throw badRequest(`Object is not a valid VirtualMachine: it has ${excess}`);
  let object: VirtualMachine;
  try {
    object = withoutNulls(JSON.parse(body) as VirtualMachine);
  } catch (error) {
    throw badRequest(`Can not unmarshal Request body to struct, error: ${(error as Error).message}`);
  }
  const isVm = object?.kind === 'VirtualMachine' && object.apiVersion?.startsWith('kubevirt.io/');
  if (!isVm) throw badRequest('Object is not a valid VirtualMachine', 'send kind VirtualMachine of kubevirt.io/v1');
  const large = tooLarge(object);
  if (large.length > 0) throw withCauses(badRequest('Object is not a valid VirtualMachine'), large);
  const errors = validateSchema(object, ({ path }) => !/^status\b|\.domain\.devices$/.test(`${path}`));
  if (errors.length > 0) throw withCauses(badRequest('Object is not a valid VirtualMachine'), errors);
  return { ...object, metadata: object.metadata ?? {} };
}

function withCauses({ code, reason, message, details, remedy }: Refusal, errors: readonly Finding[]): Refusal {
  const causes = errors.map((error) => ({
    reason: error.type ?? 'FieldValueInvalid',
    message: describe(error),
    field: error.field ?? `${error.path}`,
  }));
  return new Refusal(code, reason, message, { ...details, causes }, remedy);
}
