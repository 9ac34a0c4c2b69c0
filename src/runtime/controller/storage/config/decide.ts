/** Decides what the CDIConfig tells clients of uploads. Pure. */
import type { cdi, KubeObject } from '../../../../api';

export type Config = cdi.CDIConfig & KubeObject;

/** Name of the only CDIConfig. */
export const CONFIG = 'config';

/** Upload proxy of the platform. */
export interface UploadProxy {
  /** Address for clients, unless the administrator declares another one. */
  readonly url?: string;
  /** Authority of its certificate, in PEM. */
  readonly authority?: string;
}

export const newConfig = (): Config => ({
  apiVersion: 'cdi.kubevirt.io/v1beta1',
  kind: 'CDIConfig',
  metadata: { name: CONFIG },
  spec: {},
});

/** Fields of the status that change; undefined if none does. */
export function statusChanges({ spec, status }: Config, { url, authority }: UploadProxy): object | undefined {
  const override = spec.uploadProxyURLOverride;
  // behind an address of the administrator is a certificate of the administrator
  const wanted = {
    uploadProxyURL: override || url,
    uploadProxyCA: override || !url ? undefined : authority,
  };
  const changed = (Object.keys(wanted) as (keyof typeof wanted)[]).filter((key) => wanted[key] !== status?.[key]);
  return changed.length ? Object.fromEntries(changed.map((key) => [key, wanted[key] ?? null])) : undefined;
}
