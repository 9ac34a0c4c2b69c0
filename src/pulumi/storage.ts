import * as core from '../constructs';
import { component } from './component';

/** An image that is imported on a schedule (`cdi.kubevirt.io` DataImportCron). */
export class DataImportCron extends component(core.DataImportCron, 'virt8s:storage:DataImportCron') {}

/** The latest of several images (`cdi.kubevirt.io` DataSource). */
export class DataSource extends component(core.DataSource, 'virt8s:storage:DataSource') {}

/** A disk that is filled from a source (`cdi.kubevirt.io` DataVolume). */
export class DataVolume extends component(core.DataVolume, 'virt8s:storage:DataVolume') {}

/** How claims of a storage class are made (`cdi.kubevirt.io` StorageProfile). */
export class StorageProfile extends component(core.StorageProfile, 'virt8s:storage:StorageProfile') {}

/** A claim that volumes are filled from. */
export class VolumeCloneSource extends component(core.VolumeCloneSource, 'virt8s:storage:VolumeCloneSource') {}

/** An image that volumes are filled from. */
export class VolumeImportSource extends component(core.VolumeImportSource, 'virt8s:storage:VolumeImportSource') {}

/** An upload that volumes are filled from. */
export class VolumeUploadSource extends component(core.VolumeUploadSource, 'virt8s:storage:VolumeUploadSource') {}
