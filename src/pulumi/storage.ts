import * as core from '../constructs';
import { component } from './component';

/** Scheduled import of an image (`cdi.kubevirt.io` DataImportCron). */
export class DataImportCron extends component(core.DataImportCron, 'virt8s:storage:DataImportCron') {}

/** Reference to the latest of several images (`cdi.kubevirt.io` DataSource). */
export class DataSource extends component(core.DataSource, 'virt8s:storage:DataSource') {}

/** Disk that is filled from a source (`cdi.kubevirt.io` DataVolume). */
export class DataVolume extends component(core.DataVolume, 'virt8s:storage:DataVolume') {}

/** Settings for claims of a storage class (`cdi.kubevirt.io` StorageProfile). */
export class StorageProfile extends component(core.StorageProfile, 'virt8s:storage:StorageProfile') {}

/** Claim from which volumes are filled. */
export class VolumeCloneSource extends component(core.VolumeCloneSource, 'virt8s:storage:VolumeCloneSource') {}

/** Image from which volumes are filled. */
export class VolumeImportSource extends component(core.VolumeImportSource, 'virt8s:storage:VolumeImportSource') {}

/** Upload from which volumes are filled. */
export class VolumeUploadSource extends component(core.VolumeUploadSource, 'virt8s:storage:VolumeUploadSource') {}
