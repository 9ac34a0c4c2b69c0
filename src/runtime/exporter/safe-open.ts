/** Opens files of exported claims, whose content is hostile: no link is followed, and no device or pipe is opened. */
import { constants } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';

const { O_DIRECTORY, O_NOFOLLOW, O_NONBLOCK, O_RDONLY } = constants;

/** Path of an open file or folder. */
export const pathOf = ({ fd }: FileHandle): string => `/proc/self/fd/${fd}`;

/** Opens a folder of the Pod itself, such as the root of a claim. */
export const openRoot = (path: string): Promise<FileHandle> => open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);

/** Opens a folder in an open folder. */
export const openFolder = (parent: FileHandle, name: string): Promise<FileHandle> =>
  open(`${pathOf(parent)}/${name}`, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);

/** Opens a regular file in an open folder. Undefined if the name belongs to something else. */
export async function openFile(parent: FileHandle, name: string): Promise<FileHandle | undefined> {
  // O_NONBLOCK: opening a pipe would wait for its writer
  const file = await open(`${pathOf(parent)}/${name}`, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  if ((await file.stat()).isFile()) return file;
  await file.close();
  return undefined;
}

/** Whether a name is one component of a path. */
export const isName = (name: string): boolean =>
  name !== '' && name !== '.' && name !== '..' && !name.includes('/') && !name.includes('\0');
