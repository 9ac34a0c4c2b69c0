import { Finding, root } from '../findings';
import type { ObjectTransfer } from '../generated/cdi-v1beta1';
import type { AdmissionContext, KindAdmission } from './kind';
import { refusal, when } from './refusal';
import { semanticDeepEqual, shaped } from './shape';

const spec = root.at('spec');

export const objectTransferAdmission: KindAdmission<ObjectTransfer> = shaped<ObjectTransfer>({
  create: transferRules,
  update: (transfer, old) =>
    when(
      !semanticDeepEqual(transfer.spec, old.spec),
      refusal('spec-immutable', spec, 'ObjectTransfer spec is immutable', 'create another one', { field: '' }),
    ),
  warnings: (_transfer, _context, old) =>
    old ? [] : ['ObjectTransfer feature is deprecated, and will be deleted soon'],
});

function transferRules({ spec: { source, target } }: ObjectTransfer, { find }: AdmissionContext): Finding[] {
  if (target.namespace === undefined && target.name === undefined) {
    return [
      refusal(
        'transfer-target',
        spec.at('target'),
        'Target namespace and/or target name must be supplied',
        'add spec.target with a namespace or a name',
        { field: '' },
      ),
    ];
  }
  const allowed = ['DataVolume', 'PersistentVolumeClaim'];
  if (!allowed.includes(source.kind)) {
    return [
      refusal(
        'transfer-kind',
        spec.at('source', 'kind'),
        `Unsupported kind "${source.kind}"`,
        'transfer an object of an allowed kind',
        {
          value: source.kind,
          allowed,
          field: '',
        },
      ),
    ];
  }
  const namespace = target.namespace ?? source.namespace;
  const name = target.name ?? source.name;
  return when(
    find(source.kind, namespace, name),
    refusal(
      'transfer-exists',
      spec.at('target'),
      `ObjectTransfer target "${namespace}/${name}" already exists`,
      'choose another name',
      { value: name, field: '' },
    ),
  );
}
