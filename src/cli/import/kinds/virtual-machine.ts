/** Virtual machines, instances, pools and replica sets. Pure. */
import { call, type Expression, object, value } from '../expression';
import { metadataOf } from '../metadata';
import { guestOf, type Template } from './guest';
import type { Mapping, Surroundings } from './kind';
import { kubernetes } from './kubernetes';
import { choice, secondsText, each, type Fields, fieldsOf, flag, number, onlyKey, some, text, texts } from './values';

type Props = Record<string, Expression | undefined>;

export const virtualMachine: Mapping = ({ spec }, around) => ({
  construct: 'VirtualMachine',
  props: vmProps(fieldsOf(spec), around),
  rest: { property: 'instanceSpec', path: ['spec', 'template', 'spec'] },
});

export const virtualMachineInstance: Mapping = ({ spec }, around) => {
  const { instanceMetadata: _, ...props } = guestOf({ spec }, undefined, around);
  return { construct: 'VirtualMachineInstance', props, rest: { property: 'instanceSpec', path: ['spec'] } };
};

export const replicaSet: Mapping = ({ spec }, around) => {
  const { replicas, paused, selector, template } = fieldsOf(spec);
  return {
    construct: 'VirtualMachineReplicaSet',
    props: {
      replicas: number(replicas),
      paused: flag(paused),
      selector: kubernetes('labelSelector', selector),
      ...guestOf(fieldsOf(template) as Template, undefined, around),
    },
    rest: { property: 'instanceSpec', path: ['spec', 'template', 'spec'] },
  };
};

export const pool: Mapping = ({ spec }, around) => {
  const fields = fieldsOf(spec);
  const { replicas, paused, selector, maxUnavailable, autohealing, nameGeneration } = fields;
  const { metadata, spec: vm } = fieldsOf(fields.virtualMachineTemplate);
  const { appendIndexToConfigMapRefs, appendIndexToSecretRefs } = fieldsOf(nameGeneration);
  const { startUpFailureThreshold, minFailingToStartDuration } = fieldsOf(autohealing);
  const healing = {
    failedStarts: number(startUpFailureThreshold),
    failingFor: secondsText(minFailingToStartDuration),
  };
  return {
    construct: 'VirtualMachinePool',
    props: {
      replicas: number(replicas),
      paused: flag(paused),
      selector: kubernetes('labelSelector', selector),
      maxUnavailable: unavailable(maxUnavailable),
      updateStrategy: updateStrategy(fields.updateStrategy, around),
      scaleInStrategy: scaleInStrategy(fields.scaleInStrategy, around),
      autohealing: autohealing === undefined ? undefined : (some(healing) ?? value({})),
      ownConfigMaps: flag(appendIndexToConfigMapRefs),
      ownSecrets: flag(appendIndexToSecretRefs),
      virtualMachineMetadata: metadataOf(metadata, around.name),
      ...vmProps(fieldsOf(vm), around),
    },
    rest: { property: 'instanceSpec', path: ['spec', 'virtualMachineTemplate', 'spec', 'template', 'spec'] },
  };
};

/** Properties of a VM, also in a pool. */
function vmProps(fields: Fields, around: Surroundings): Props {
  const { runStrategy, instancetype, preference, updateVolumesStrategy, dataVolumeTemplates, template } = fields;
  return {
    runStrategy: runStrategy === 'Always' ? undefined : choice(around, 'RunStrategy', runStrategy),
    instancetype: sizing('Instancetype', instancetype, around),
    inferInstancetype: inferred(instancetype),
    preference: sizing('Preference', preference, around),
    inferPreference: inferred(preference),
    updateVolumesStrategy: choice(around, 'UpdateVolumesStrategy', updateVolumesStrategy),
    ...guestOf(fieldsOf(template) as Template, dataVolumeTemplates, around, preference !== undefined),
  };
}

/** Constant of a declared instance type or preference, or a reference by name. */
function sizing(what: 'Instancetype' | 'Preference', given: unknown, around: Surroundings): Expression | undefined {
  const { name, kind, revisionName } = fieldsOf(given);
  if (typeof name !== 'string') return undefined;
  if (typeof kind !== 'string') return object({ name: value(name) });
  const isCluster = kind === `VirtualMachineCluster${what}`;
  if (revisionName === undefined) {
    const reference = around.reference(kind, name, isCluster ? '' : undefined);
    if (reference.type === 'variable') return reference;
  }
  if (!isCluster && kind !== `VirtualMachine${what}`) return object({ name: value(name) });
  const options = object({ revision: text(revisionName) });
  return call(`${isCluster ? 'Cluster' : ''}${what}.fromName`, value(name), options);
}

function inferred(given: unknown): Expression | undefined {
  const { inferFromVolume, inferFromVolumeFailurePolicy } = fieldsOf(given);
  if (typeof inferFromVolume !== 'string') return undefined;
  return object({
    volume: text(inferFromVolume),
    optional: inferFromVolumeFailurePolicy === 'Ignore' ? value(true) : undefined,
  });
}

function unavailable(given: unknown): Expression | undefined {
  if (typeof given === 'number') return call('PoolMaxUnavailable.count', value(given));
  const [, share] = (typeof given === 'string' && /^(0|[1-9]\d*)%$/.exec(given)) || [];
  return share === undefined ? undefined : call('PoolMaxUnavailable.percent', value(Number(share)));
}

interface Renders {
  _render(): unknown;
}

function updateStrategy(given: unknown, around: Surroundings): Expression | undefined {
  const key = onlyKey(given);
  if (key !== 'proactive' && key !== 'opportunistic' && key !== 'unmanaged') return undefined;
  const { selectionPolicy } = fieldsOf(fieldsOf(given)[key]);
  const made = call(`PoolUpdateStrategy.${key}`, selection(selectionPolicy, around));
  return around.exact<Renders>(made, given, (each) => each._render());
}

function scaleInStrategy(given: unknown, around: Surroundings): Expression | undefined {
  const key = onlyKey(given);
  if (key !== 'proactive' && key !== 'opportunistic' && key !== 'unmanaged') return undefined;
  const { selectionPolicy, statePreservation } = fieldsOf(fieldsOf(given)[key]);
  const options = object({
    selection: selection(selectionPolicy, around),
    statePreservation: choice(around, 'PoolStatePreservation', statePreservation),
  });
  return around.exact<Renders>(call(`PoolScaleInStrategy.${key}`, options), given, (each) => each._render());
}

function selection(given: unknown, around: Surroundings): Expression | undefined {
  const { selectors, sortPolicy } = fieldsOf(given);
  const { labelSelector, nodeSelectorRequirementMatcher } = fieldsOf(selectors);
  return some({
    labels: kubernetes('labelSelector', labelSelector),
    nodes: each(nodeSelectorRequirementMatcher, nodeQuery),
    order: choice(around, 'PoolOrder', sortPolicy),
  });
}

function nodeQuery({ key, operator, values }: Fields): Expression | undefined {
  const label = text(key);
  if (!label) return undefined;
  const some = Array.isArray(values) ? values : [];
  switch (operator) {
    case 'In':
      return some.length === 1 && texts(some)
        ? call('NodeQuery.is', label, value(some[0]))
        : texts(some) && call('NodeQuery.in', label, value(some));
    case 'NotIn':
      return texts(some) && call('NodeQuery.notIn', label, value(some));
    case 'Exists':
      return call('NodeQuery.exists', label);
    case 'DoesNotExist':
      return call('NodeQuery.doesNotExist', label);
    default:
      return undefined;
  }
}
