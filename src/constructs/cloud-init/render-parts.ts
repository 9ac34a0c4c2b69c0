/** Renders the library's structures as maps of cloud-config. Pure. */
import type { Size } from 'cdk8s';
import type { CloudFile } from './cloud-file';
import type { CloudAptSource, CloudYumRepository } from './cloud-packages';
import {
  type CloudDiskLayout,
  type CloudFilesystem,
  type CloudGrowpart,
  type CloudMount,
  CloudPartitionTable,
  type CloudSwap,
} from './cloud-storage';
import type { CloudCaCerts, CloudNtp, CloudPhoneHome, CloudPowerState, CloudSsh } from './cloud-system';
import { minutesOf, secondsOf } from '../duration';

export function renderFile(file: CloudFile): Record<string, unknown> {
  const { path, content, encoding, permissions, owner, append, defer } = file;
  return {
    path,
    content,
    ...(encoding === undefined ? {} : { encoding: encoding.value }),
    ...(owner === undefined ? {} : { owner }),
    permissions: permissions ?? '0644',
    ...(append === undefined ? {} : { append }),
    ...(defer === undefined ? {} : { defer }),
  };
}

export function renderAptSource({ source, key, keyId, keyServer }: CloudAptSource): Record<string, unknown> {
  return {
    source,
    ...(key === undefined ? {} : { key }),
    ...(keyId === undefined ? {} : { keyid: keyId }),
    ...(keyServer === undefined ? {} : { keyserver: keyServer }),
  };
}

export function renderYumRepository({ baseUrl, name, enabled, gpgKey }: CloudYumRepository): Record<string, unknown> {
  return {
    baseurl: baseUrl,
    ...(name === undefined ? {} : { name }),
    enabled: enabled ?? true,
    ...(gpgKey === undefined ? {} : { gpgcheck: true, gpgkey: gpgKey }),
  };
}

const bytes = (size: Size): number => size.toKibibytes() * 1024;

export function renderMount({ device, path, filesystem, options }: CloudMount): string[] {
  if (options === undefined) return filesystem === undefined ? [device, path] : [device, path, filesystem];
  return [device, path, filesystem ?? 'auto', options.join(',')];
}

export function renderSwap({ size, maxSize, file }: CloudSwap): Record<string, unknown> {
  return {
    filename: file ?? '/swap.img',
    size: size === undefined ? 'auto' : bytes(size),
    ...(maxSize === undefined ? {} : { maxsize: bytes(maxSize) }),
  };
}

export function renderLayout({ table, percentages, overwrite }: CloudDiskLayout): Record<string, unknown> {
  return {
    table_type: (table ?? CloudPartitionTable.GPT).value,
    layout: percentages ?? true,
    ...(overwrite === undefined ? {} : { overwrite }),
  };
}

export function renderFilesystem(made: CloudFilesystem): Record<string, unknown> {
  const { device, filesystem, label, partition, overwrite } = made;
  return {
    ...(label === undefined ? {} : { label }),
    device,
    filesystem,
    ...(partition === undefined ? {} : { partition: partition.value }),
    ...(overwrite === undefined ? {} : { overwrite }),
  };
}

export function renderGrowpart({ enabled, devices }: CloudGrowpart): Record<string, unknown> {
  return { mode: (enabled ?? true) ? 'auto' : 'off', ...(devices === undefined ? {} : { devices }) };
}

export function renderNtp({ pools, servers, enabled, client }: CloudNtp): Record<string, unknown> {
  return {
    ...(enabled === undefined ? {} : { enabled }),
    ...(client === undefined ? {} : { ntp_client: client }),
    ...(pools === undefined ? {} : { pools }),
    ...(servers === undefined ? {} : { servers }),
  };
}

export function renderCaCerts({ trusted, removeDefaults }: CloudCaCerts): Record<string, unknown> {
  return { ...(removeDefaults === undefined ? {} : { remove_defaults: removeDefaults }), trusted };
}

/** Renders the ssh keys of cloud-config's top level. */
export function renderSsh(ssh: CloudSsh): Record<string, unknown> {
  const { passwordAuthentication, disableRoot, hostKeys, deleteImageHostKeys, authorizedKeys } = ssh;
  return {
    ...(passwordAuthentication === undefined ? {} : { ssh_pwauth: passwordAuthentication }),
    ...(disableRoot === undefined ? {} : { disable_root: disableRoot }),
    ...(deleteImageHostKeys === undefined ? {} : { ssh_deletekeys: deleteImageHostKeys }),
    ...(hostKeys === undefined ? {} : { ssh_genkeytypes: hostKeys.map(({ value }) => value) }),
    ...(authorizedKeys?.length ? { ssh_authorized_keys: authorizedKeys.map((key) => key.trim()) } : {}),
  };
}

export function renderPowerState(state: CloudPowerState): Record<string, unknown> {
  const { mode, delay, message, timeout, condition } = state;
  return {
    mode: mode.value,
    ...(delay === undefined ? {} : { delay: minutesOf('delay', delay) }),
    ...(message === undefined ? {} : { message }),
    ...(timeout === undefined ? {} : { timeout: secondsOf('timeout', timeout) }),
    ...(condition === undefined ? {} : { condition }),
  };
}

export function renderPhoneHome({ url, post, tries }: CloudPhoneHome): Record<string, unknown> {
  return { url, post: post ?? 'all', ...(tries === undefined ? {} : { tries }) };
}
