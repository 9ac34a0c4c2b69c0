import { gvOf, Kind } from '../registry/kind';
import { AnyObject } from '../types';

/** Stored objects in the version of `kind`. @throws StatusError if a webhook does not convert them */
export async function fromStored(kind: Kind, stored: readonly AnyObject[]): Promise<AnyObject[]> {
  return kind.conversion
    ? kind.conversion.convert(stored, gvOf(kind))
    : stored.map((object) => kind.fromStorage(object));
}

/** As `fromStored`, for one object. */
export async function oneFromStored(kind: Kind, stored: AnyObject): Promise<AnyObject> {
  return (await fromStored(kind, [stored]))[0];
}

/** An object as it is stored. @throws StatusError if a webhook does not convert it */
export async function toStored(kind: Kind, object: AnyObject): Promise<AnyObject> {
  if (!kind.conversion) return kind.toStorage(object);
  return (await kind.conversion.convert([object], kind.conversion.storageVersion))[0];
}
