/** Values of Kubernetes objects that their API server rejects although they have the right shape. */
import { mistake } from '../admission/rule';
import { type Finding, root } from '../findings';
import { kindFacts, type KindName, kinds } from '../kinds/registry';
import type { KubeObject } from '../meta';
import { tryParseQuantity } from '../quantity';
import { xmlProblem } from '../sysprep/well-formed';
import { objectAt, read, textAt } from './read';

const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/** Reports values that are not base64. The messages do not repeat them: they may be secrets. */
export function encodedValues(object: KubeObject): Finding[] {
  const field = object.kind === 'Secret' ? 'data' : 'binaryData';
  const remedy =
    field === 'data'
      ? 'write the text itself under stringData, or encode it with base64 -w0'
      : 'write the text itself under data, or encode it with base64 -w0';
  return Object.entries(objectAt(object, field) ?? {}).flatMap(([key, value]) =>
    typeof value !== 'string' || BASE64.test(value.replace(/[\r\n]/g, ''))
      ? []
      : mistake('value-base64', root.at(field, key), `the value of ${field} is not base64`, remedy),
  );
}

/** Groups of the kinds from which claims are filled. */
const FILLING: Readonly<Record<string, string>> = {
  VolumeSnapshot: 'snapshot.storage.k8s.io',
  ...Object.fromEntries(
    (
      [
        'VolumeImportSource',
        'VolumeUploadSource',
        'VolumeCloneSource',
        'OpenstackVolumePopulator',
        'OvirtVolumePopulator',
      ] as const
    ).map((kind) => [kind, kindFacts[kind].group]),
  ),
};

/** Reports a claim without a size, and one that is filled from a kind without its group. */
export function claimValues(object: KubeObject): Finding[] {
  const resources = root.at('spec', 'resources');
  const size = read(object, 'spec', 'resources', 'requests', 'storage');
  const isSized = objectAt(object, 'spec', 'resources') === undefined || (size !== undefined && size !== null);
  return [
    ...(isSized
      ? []
      : mistake('claim-size', resources.at('requests', 'storage'), 'the claim has no size', 'write one, such as 10Gi', {
          type: 'FieldValueRequired',
        })),
    ...((tryParseQuantity(size)?.nanos ?? 1n) <= 0n
      ? mistake(
          'claim-size',
          resources.at('requests', 'storage'),
          'the size must be greater than 0',
          'write one, such as 10Gi',
          { value: size },
        )
      : []),
    ...['dataSource', 'dataSourceRef'].flatMap((field) => sourceGroup(object, field)),
  ];
}

function sourceGroup(object: KubeObject, field: string): Finding[] {
  const source = objectAt(object, 'spec', field);
  const kind = textAt(source, 'kind');
  if (kind === undefined || kind === 'PersistentVolumeClaim') return [];
  const group = textAt(source, 'apiGroup');
  const right = Object.hasOwn(FILLING, kind) ? FILLING[kind] : undefined;
  const path = root.at('spec', field, 'apiGroup');
  if (group === undefined) {
    const remedy = right === undefined ? 'add the API group of this kind' : `add apiGroup: ${right}`;
    return mistake('claim-source-group', path, `${kind} is not a kind of the core group`, remedy, {
      type: 'FieldValueRequired',
    });
  }
  if (right === undefined || group === right) return [];
  const cause = `${group} has no kind ${kind}`;
  return mistake('claim-source-group', path, cause, `write ${right}, without a version`, {
    value: group,
    allowed: [right],
  });
}

const SCALED: readonly KindName[] = ['VirtualMachinePool', 'VirtualMachineInstanceReplicaSet'];

/** Reports an autoscaler of a kind of the platform that has no replicas. */
export function scaledKind(object: KubeObject): Finding[] {
  const target = objectAt(object, 'spec', 'scaleTargetRef');
  const kind = textAt(target, 'kind');
  if (kind === undefined || !Object.hasOwn(kinds, kind)) return [];
  const { group, version } = kindFacts[kind as KindName];
  const apiVersion = textAt(target, 'apiVersion');
  const path = root.at('spec', 'scaleTargetRef');
  if (apiVersion?.startsWith(`${group}/`) && !SCALED.includes(kind as KindName)) {
    const cause = `a ${kind} has no replicas, so it cannot be scaled`;
    const remedy = 'scale a VirtualMachinePool or a VirtualMachineInstanceReplicaSet';
    return mistake('autoscaler-target', path.at('kind'), cause, remedy, { value: kind, allowed: SCALED });
  }
  if (!SCALED.includes(kind as KindName) || apiVersion?.startsWith(`${group}/`)) return [];
  const cause = `${kind} is a kind of ${group}`;
  return mistake('autoscaler-target', path.at('apiVersion'), cause, `write apiVersion: ${group}/${version}`, {
    value: apiVersion,
  });
}

/** Reports an answer file that Windows Setup cannot read, and would ignore. */
export function answerFiles(object: KubeObject): Finding[] {
  return (['data', 'stringData'] as const).flatMap((field) =>
    Object.entries(objectAt(object, field) ?? {}).flatMap(([key, value]): Finding[] => {
      const isEncoded = object.kind === 'Secret' && field === 'data';
      if (isEncoded || typeof value !== 'string' || !/^(auto)?unattend\.xml$/i.test(key)) return [];
      const problem = xmlProblem(value, 'unattend');
      if (!problem) return [];
      const { line, cause, remedy } = problem;
      return [{ rule: 'sysprep-xml', path: root.at(field, key), line, cause: `line ${line}: ${cause}`, remedy }];
    }),
  );
}
