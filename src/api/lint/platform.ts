import { nearest } from '../admission/rule';
import { featureGates, gateStage } from '../feature-gates';
import { type FieldError, root } from '../field-error';
import type { KubeVirt } from '../generated/kubevirt-v1';
import type { KubeObject } from '../meta';

/** A gate that the platform does not know switches nothing: the webhook takes it, as KubeVirt's does. */
export function gatesAreKnown(object: KubeObject): FieldError[] {
  if (object.kind !== 'KubeVirt' || object.apiVersion.split('/')[0] !== 'kubevirt.io') return [];
  const given = (object as KubeVirt).spec?.configuration?.developerConfiguration ?? {};
  return (['featureGates', 'disabledFeatureGates'] as const).flatMap((list) =>
    (given[list] ?? []).flatMap((got, i) =>
      gateStage(got)
        ? []
        : [
            {
              rule: 'gate-known',
              path: root.at('spec', 'configuration', 'developerConfiguration', list, i),
              type: 'FieldValueNotSupported',
              got,
              message: `no feature gate is called ${JSON.stringify(got)}`,
              remedy: remedyFor(got),
            } as const,
          ],
    ),
  );
}

function remedyFor(got: string): string {
  const near = nearest(got, featureGates);
  return near.startsWith('did you mean') ? near : 'remove it: it would switch nothing';
}
