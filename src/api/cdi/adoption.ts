import type { CDIConfig, DataVolume } from '../generated/cdi-v1beta1';
import { keys } from '../keys';

const TRUE = ['1', 't', 'T', 'TRUE', 'true', 'True'];

/**
 * Whether a DataVolume takes over a claim of its name that nothing has filled for it: its annotation
 * `cdi.kubevirt.io/allowClaimAdoption` decides, and without one the feature gate DataVolumeClaimAdoption of the CDIConfig.
 */
export function adoptsClaims({ metadata }: Pick<DataVolume, 'metadata'>, config: CDIConfig | undefined): boolean {
  const answer = metadata.annotations?.[keys.allowClaimAdoption];
  if (answer !== undefined) return TRUE.includes(answer);
  return config?.spec?.featureGates?.includes('DataVolumeClaimAdoption') ?? false;
}
