import { AnyObject } from '../types';
import { Fields } from '../validation/fields';
import { isDns1123Label } from '../validation/names';

type Volume = AnyObject['spec'];

/** Fields without which a volume source means nothing. */
const REQUIRED: Record<string, readonly string[]> = {
  hostPath: ['path'],
  secret: ['secretName'],
  configMap: ['name'],
  persistentVolumeClaim: ['claimName'],
  nfs: ['server', 'path'],
  csi: ['driver'],
  image: ['reference'],
};

/** Checks a Pod's volumes; returns their names. */
export function validateVolumes(volumes: readonly Volume[], fields: Fields): Set<string> {
  const names = new Set<string>();
  volumes.forEach((volume, i) => {
    const at = fields.index(i);
    const { name, ...sources } = volume;
    if (!name) at.child('name').required();
    else {
      const wrong = isDns1123Label(name);
      at.child('name').invalidEach(name, wrong);
      if (!wrong.length && names.has(name)) at.child('name').duplicate(name);
      names.add(name);
    }
    const given = Object.keys(sources);
    if (!given.length) at.required('must specify a volume type');
    given.slice(1).forEach((source) => at.child(source).forbidden('may not specify more than 1 volume type'));
    for (const source of given.slice(0, 1)) {
      for (const field of REQUIRED[source] ?? []) {
        if (!sources[source][field]) at.child(source, field).required();
      }
      if (
        source === 'hostPath' &&
        String(sources.hostPath.path ?? '')
          .split('/')
          .includes('..')
      ) {
        at.child('hostPath', 'path').invalid(sources.hostPath.path, "must not contain '..'");
      }
      if (source === 'projected') validateProjected(sources.projected.sources ?? [], at.child('projected', 'sources'));
    }
  });
  return names;
}

function validateProjected(sources: Volume[], at: Fields): void {
  sources.forEach((source, i) => {
    const given = Object.keys(source);
    given.slice(1).forEach((name) => at.index(i).child(name).forbidden('may not specify more than 1 volume type'));
    const token = source.serviceAccountToken;
    if (!token) return;
    const here = at.index(i).child('serviceAccountToken');
    if (token.expirationSeconds < 600) {
      here
        .child('expirationSeconds')
        .invalid(token.expirationSeconds, 'may not specify a duration less than 10 minutes');
    }
    if (!token.path) here.child('path').required();
  });
}
