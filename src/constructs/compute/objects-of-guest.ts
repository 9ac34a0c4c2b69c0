import { ApiObject } from 'cdk8s';
import type { Construct } from 'constructs';
import { keys } from '../../api/keys';
import type { INamedObject } from '../resource';
import type { GuestProps } from './guest-props';

/** Objects that are generated beside that of a guest. */
export interface GeneratedObjects {
  /** Secret with data for cloud-init, if the data is not in the manifest of the guest. */
  readonly cloudInit?: INamedObject;
  /** Secret or ConfigMap with an answer file. */
  readonly sysprep?: INamedObject;
  /** Annotations with a checksum of each object, so that a change of an object also changes the guest. */
  readonly checksums: { readonly [annotation: string]: string };
}

/** Data of an object. */
type Content = { readonly kind: 'Secret' | 'ConfigMap' } & { readonly [field: string]: unknown };

const noChecksums = {};

/**
 * Creates the objects that the properties require beside that of the guest, in its namespace.
 *
 * @param guest - scope of the objects
 * @param props - properties of the guest
 */
export function generateObjects(
  guest: Construct,
  { cloudInit, sysprep, metadata }: Pick<GuestProps, 'cloudInit' | 'sysprep' | 'metadata'>,
): GeneratedObjects {
  const data = cloudInit?._secretData();
  const answers = answersOf(sysprep);
  if (!data && !answers) return { checksums: noChecksums };
  const generate = (id: string, content: Content): INamedObject =>
    new ApiObject(guest, id, {
      apiVersion: 'v1',
      ...content,
      ...(metadata?.namespace === undefined ? {} : { metadata: { namespace: metadata.namespace } }),
    });
  return {
    cloudInit: data && generate('CloudInit', secret(data)),
    sysprep: answers && generate('Sysprep', answers),
    checksums: {
      ...(data ? { [keys.cloudInitChecksum]: cloudInit?._checksum() ?? '' } : {}),
      ...(answers ? { [keys.sysprepChecksum]: sysprep?._checksum() ?? '' } : {}),
    },
  };
}

function answersOf(sysprep: GuestProps['sysprep']): Content | undefined {
  const stringData = sysprep?._secretData();
  if (stringData) return secret(stringData);
  const data = sysprep?._configData();
  return data && { kind: 'ConfigMap', data };
}

const secret = (stringData: { readonly [key: string]: string }): Content => ({
  kind: 'Secret',
  type: 'Opaque',
  stringData,
});
