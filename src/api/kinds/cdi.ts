import { root } from '../findings';
import { keys } from '../keys';
import type { CDI } from '../generated/cdi-v1beta1';
import type { KindAdmission } from './kind';
import { refusal, when } from './refusal';
import { shaped } from './shape';

const IMPORT_CRON_LABEL = keys.dataImportCron;
/** Limit of DataVolumes to count for a message. */
const MOST_COUNTED = 100;

export const cdiAdmission: KindAdmission<CDI> = shaped<CDI>({
  create: () => [],
  /** Rejects the uninstallation while there are DataVolumes, if the uninstall strategy requires it. */
  delete({ spec, status }, { list }) {
    const installed = status?.phase !== undefined && status.phase !== 'Error';
    if (!installed || spec.uninstallStrategy !== 'BlockUninstallIfWorkloadsExist') return [];
    const left = list('DataVolume', undefined, { most: MOST_COUNTED, labelSelector: `!${IMPORT_CRON_LABEL}` }).filter(
      ({ metadata }) => !Object.hasOwn(metadata.labels ?? {}, IMPORT_CRON_LABEL),
    );
    const count = left.length < MOST_COUNTED ? left.length : `${MOST_COUNTED} or more`;
    return when(
      left.length > 0,
      refusal(
        'uninstall-blocked',
        root.at('spec', 'uninstallStrategy'),
        `rejecting the uninstall request, since there are still ${count} DataVolumes present. Either delete all ` +
          'DataVolumes or change the uninstall strategy before uninstalling CDI',
        'delete the DataVolumes, or set uninstallStrategy to RemoveWorkloads',
        { field: '' },
      ),
    );
  },
});
