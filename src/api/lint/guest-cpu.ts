/** CPU of a guest: models and features that no node has, and realtime CPUs that the guest lacks. */
import { duplicates, mistake } from '../admission/rule';
import { intendedFeature, intendedModel, isAmd64Model } from '../cpu-models';
import type { Finding, Path } from '../findings';
import { isLabelValue } from '../names';
import { type Json, listAt, objectAt, read, textAt } from './read';

type Rule = (spec: Json, at: Path) => Finding[];

/** Reports a name that cannot be that of a model. The Pod selects nodes by a label with this name. */
export function cpuModel(model: string | undefined, path: Path): Finding[] {
  if (model === undefined) return [];
  const intended = intendedModel(model);
  if (intended === undefined && isLabelValue(model)) return [];
  const cause = `no node has a CPU model "${model}", so the guest is never scheduled`;
  const remedy =
    intended === undefined ? 'use host-model, or a name of libvirt such as Haswell' : `did you mean "${intended}"?`;
  return mistake('cpu-model', path, cause, remedy, { value: model });
}

/** libvirt's names have lower case letters, digits, dots, dashes and underscores. */
const FEATURE = /^[a-z\d][\w.-]*$/;

/** Reports features that libvirt does not know by this name. */
export const cpuFeatures = (features: readonly Json[], at: Path): Finding[] => [
  ...features.flatMap((feature, i) => {
    const name = textAt(feature, 'name');
    const intended = name && intendedFeature(name);
    if (name === undefined || (!intended && FEATURE.test(name))) return [];
    const cause = `libvirt knows no CPU feature "${name}", so the guest does not start`;
    const remedy = intended ? `did you mean "${intended}"?` : 'write the name of libvirt, such as vmx';
    return mistake('cpu-feature-name', at.at(i, 'name'), cause, remedy, { value: name });
  }),
  ...duplicates(features, (feature) => textAt(feature, 'name')).flatMap(({ key, index }) => {
    const cause = `the feature "${key}" is in the list twice: libvirt rejects the guest`;
    const extra = { value: key, type: 'FieldValueDuplicate' } as const;
    return mistake('cpu-feature-unique', at.at(index, 'name'), cause, 'keep one', extra);
  }),
];

/** Reports realtime CPUs beyond those of the guest, and masks that libvirt cannot read. */
export function realtimeMask(mask: string | undefined, vcpus: number | undefined, path: Path): Finding[] {
  if (mask === undefined) return [];
  const extra = { value: mask };
  const parts = mask.split(',').map((part) => /^\^?(\d+)(?:-(\d+))?$/.exec(part.trim()));
  if (parts.includes(null)) {
    return mistake('realtime-mask', path, `"${mask}" is not a list of vCPUs`, 'write it like 0-3,^1', extra);
  }
  const last = Math.max(...parts.map((part) => Number(part![2] ?? part![1])));
  if (vcpus === undefined || last < vcpus) return [];
  const cause = `the mask contains vCPU ${last}, and the guest has ${vcpus}, numbered from 0`;
  return mistake('realtime-mask', path, cause, `use 0 to ${vcpus - 1}`, extra);
}

/** Returns the vCPUs that the guest itself sets; undefined if an instance type or its resources may set them. */
function vcpusOf(cpu: Json): number | undefined {
  const counts = ['sockets', 'cores', 'threads'].map((field) => cpu[field]);
  if (!counts.some((count) => typeof count === 'number' && count > 0)) return undefined;
  return counts.reduce<number>((all, count) => all * (Number(count ?? 1) || 1), 1);
}

const cpu: Rule = (spec, at) => {
  const own = objectAt(spec, 'domain', 'cpu');
  if (!own) return [];
  const path = at.at('domain', 'cpu');
  const model = textAt(own, 'model');
  return [
    ...cpuModel(model, path.at('model')),
    ...(own.features === undefined ? [] : cpuFeatures(listAt(own, 'features'), path.at('features'))),
    ...realtimeMask(textAt(own, 'realtime', 'mask'), vcpusOf(own), path.at('realtime', 'mask')),
    ...modelOfArchitecture(model, textAt(spec, 'architecture'), path.at('model')),
  ];
};

/** arm64 has a rule of the webhook. */
function modelOfArchitecture(model: string | undefined, architecture: string | undefined, path: Path): Finding[] {
  if (model === undefined || architecture !== 's390x' || !isAmd64Model(model)) return [];
  const cause = `"${model}" is a model of amd64, and the guest has the architecture s390x: no node fits`;
  return mistake('cpu-model-architecture', path, cause, 'use host-model, or leave it out', { value: model });
}

/** Reports enlightenments whose values libvirt rejects. */
const hyperv: Rule = (spec, at) => {
  const own = objectAt(spec, 'domain', 'features', 'hyperv');
  if (!own) return [];
  const path = at.at('domain', 'features', 'hyperv');
  const retries = read(own, 'spinlocks', 'spinlocks');
  const vendor = textAt(own, 'vendorid', 'vendorid');
  const spinlocks =
    typeof retries === 'number' && retries < 4096 && read(own, 'spinlocks', 'enabled') !== false
      ? mistake(
          'hyperv-spinlocks',
          path.at('spinlocks', 'spinlocks'),
          `the guest must try to take a lock at least 4096 times before it notifies the host, not ${retries}`,
          'use 4096 or more, such as 8191',
          { value: retries },
        )
      : [];
  if (vendor === undefined || (vendor.length <= 12 && !vendor.includes(','))) return spinlocks;
  const cause = `"${vendor}" has ${vendor.includes(',') ? 'a comma' : `${vendor.length} characters`}: libvirt rejects the guest`;
  const remedy = 'use up to 12 characters without commas';
  return [...spinlocks, ...mistake('hyperv-vendor', path.at('vendorid', 'vendorid'), cause, remedy, { value: vendor })];
};

/** Rules about the CPU of a guest, and what Hyper-V adds to it. */
export const cpuValues: readonly Rule[] = [cpu, hyperv];
