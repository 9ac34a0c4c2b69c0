/** Mode of new files and folders in images: the same for every user who builds. */

const IMAGE_UMASK = 0o022;

/** The umask belongs to the process. Builds of several layers overlap, so the last one restores it. */
let building = 0;
let previous = IMAGE_UMASK;

/** Runs a function, and the commands that it starts, with the umask of images. */
export async function withImageUmask<T>(use: () => Promise<T>): Promise<T> {
  if (building === 0) previous = process.umask(IMAGE_UMASK);
  building += 1;
  try {
    return await use();
  } finally {
    building -= 1;
    if (building === 0) process.umask(previous);
  }
}
