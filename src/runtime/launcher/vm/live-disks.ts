/** The disks that a running guest has, from libvirt's live XML. Pure. */
import type { DiskLocation } from '../domain/facts';
import { el, toXml } from '../domain/xml';

export interface LiveDisk {
  /** Name of the volume. */
  readonly name: string;
  /** `sda` */
  readonly target: string;
  readonly isCdrom: boolean;
  /** Path of its file or device; undefined for a drive without a medium. */
  readonly path?: string;
  readonly xml: string;
}

const ENTITIES: Record<string, string> = { lt: '<', gt: '>', quot: '"', apos: "'", amp: '&' };
const plain = (text: string | undefined): string | undefined =>
  text?.replace(/&(lt|gt|quot|apos|amp);/g, (_, name: string) => ENTITIES[name]!);

/**
 * XML that inserts a medium into an empty drive. libvirt compares everything else with the drive, so that is the drive's own XML.
 */
export function withMedium({ xml }: LiveDisk, { type, path }: DiskLocation): string {
  const source = toXml(el('source', type === 'block' ? { dev: path } : { file: path })).trim();
  return xml
    .replace(/^<disk type='[^']*'/, `<disk type='${type}'`)
    .replace(/<(?=backingStore|target)/, () => `${source}<`);
}

/** XML that ejects the medium of a drive. */
export const withoutMedium = ({ xml }: LiveDisk): string => xml.replace(/<source [\s\S]*?(?:\/>|<\/source>)/, '');

/** Disks with the alias that the renderer gives them: `ua-` and the name of the volume. */
export function liveDisks(xml: string): LiveDisk[] {
  return [...xml.matchAll(/<disk [\s\S]*?<\/disk>/g)].flatMap(([element]): LiveDisk[] => {
    const name = plain(/<alias name='ua-([^']*)'/.exec(element)?.[1]);
    const target = /<target dev='([^']*)'/.exec(element)?.[1];
    if (!name || !target) return [];
    const top = element.replace(/<backingStore[\s\S]*<\/backingStore>/, '');
    const path = plain(/<source (?:file|dev)='([^']*)'/.exec(top)?.[1]);
    return [{ name, target, isCdrom: / device='cdrom'/.test(element), ...(path && { path }), xml: element }];
  });
}
