import type { KubeVirt } from '../../../api';

/** Keeps the fields of the KubeVirt object that the handler reads. */
export function slimKubeVirt({ apiVersion, kind, metadata, spec }: KubeVirt): KubeVirt {
  const { name, namespace, uid, resourceVersion } = metadata;
  const { handlerConfiguration, developerConfiguration, obsoleteCPUModels, permittedHostDevices, ksmConfiguration } =
    spec?.configuration ?? {};
  const { featureGates, disabledFeatureGates, useEmulation } = developerConfiguration ?? {};
  return {
    apiVersion,
    kind,
    metadata: { name, namespace, uid, resourceVersion },
    spec: {
      configuration: {
        handlerConfiguration,
        obsoleteCPUModels,
        permittedHostDevices,
        ksmConfiguration,
        developerConfiguration: { featureGates, disabledFeatureGates, useEmulation },
      },
    },
  } as KubeVirt;
}
