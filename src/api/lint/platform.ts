import { mistake, nearest } from '../admission/rule';
import { featureGates, gateStage } from '../feature-gates';
import { type FieldError, root } from '../field-error';
import type { KubeVirt } from '../generated/kubevirt-v1';
import type { KubeObject } from '../meta';
import type { World } from './world';

/** There is one platform in a cluster: of two KubeVirt objects, the webhook refuses the second. */
export function onePlatform(object: KubeObject, world: World): FieldError[] {
  if (!isKubeVirt(object)) return [];
  const all = world.all('KubeVirt').filter((declared) => isKubeVirt(declared));
  if (all.length < 2) return [];
  const message = `KubeVirt objects are declared by ${all.map(({ where }) => where).join(' and ')}`;
  return mistake('one-kubevirt', root.at('metadata', 'name'), message, 'keep one', { got: object.metadata.name });
}

/** A gate that the platform does not know switches nothing: the webhook takes it, as KubeVirt's does. */
export function gatesAreKnown(object: KubeObject): FieldError[] {
  if (!isKubeVirt(object)) return [];
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

const isKubeVirt = ({ apiVersion, kind }: Pick<KubeObject, 'apiVersion' | 'kind'>): boolean =>
  kind === 'KubeVirt' && apiVersion.split('/')[0] === 'kubevirt.io';
