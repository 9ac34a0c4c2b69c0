import type { ImageFormat } from '../format/detect';
import { ImportError } from '../import-error';
import type { Target } from '../target/target';
import { ConfinedError, outputOf, type Confined, type Confiner, type Confinement } from './confined';
import { virtualSize } from './image-info';
import { serveNbd, type Served } from './nbd-server';

/** Bytes of the disk that one qemu-img converts. Its end is a point from which an interrupted conversion continues. */
const WINDOW_BYTES = 1 << 30;
const INFO_CPU_SECONDS = 60;
/** Generous: real images need less than a second for a window. */
const WINDOW_CPU_SECONDS = 600;

const DRIVERS: Readonly<Record<Exclude<ImageFormat, 'raw'>, string>> = {
  qcow2: 'qcow2',
  vdi: 'vdi',
  vhd: 'vpc',
  vhdx: 'vhdx',
  vmdk: 'vmdk',
};

/** Formats of which QEMU takes zeros for what is missing. For VHD and VHDX, it compares positions with the end of the image. */
const ENDLESS: readonly ImageFormat[] = ['qcow2', 'vdi'];
/** Position of a VMDK's flags, and the flag of compressed data, whose driver reads more than it needs and notices what is missing. */
const VMDK_FLAGS_AT = 8;
const VMDK_COMPRESSED = 1 << 16;

/** Converts an image to a raw disk with a confined qemu-img, which reads the image from this process. */
export class Converter {
  public constructor(
    private readonly image: Served,
    private readonly format: Exclude<ImageFormat, 'raw'>,
    private readonly target: Target,
    private readonly confiner: Confiner,
    private readonly signal?: AbortSignal,
  ) {}

  /** Size of the disk in the image. @throws ImportError if the image is rejected */
  public async size(): Promise<number> {
    const text = await this.run(['info', '--output=json', `json:${JSON.stringify(this.node())}`], {
      mostBytes: 0,
      cpuSeconds: INFO_CPU_SECONDS,
    });
    return virtualSize(text, this.format, this.target.capacity);
  }

  /** Converts the disk from a position. `done` is called with each position that is on the storage. */
  public async convert(size: number, from: number, done: (position: number) => Promise<void>): Promise<void> {
    for (let start = from; start < size; start += WINDOW_BYTES) {
      const end = Math.min(size, start + WINDOW_BYTES);
      const window = { offset: start, size: end - start };
      const source = { driver: 'raw', ...window, file: this.node() };
      const file = { driver: this.target.isDevice ? 'host_device' : 'file', filename: this.target.path };
      const target = { driver: 'raw', ...window, file };
      const images = [source, target].map((node) => `json:${JSON.stringify(node)}`);
      await this.run(['convert', '-n', ...images], {
        writes: [this.target.path],
        mostBytes: size,
        cpuSeconds: WINDOW_CPU_SECONDS,
      });
      await this.target.sync();
      await done(end);
    }
  }

  /** The image, read through the socket that qemu-img inherits. `backing`: none, even if the image names one. */
  private node(): object {
    const file = { driver: 'nbd', server: { type: 'fd', str: '3' }, export: '' };
    return { driver: DRIVERS[this.format], file, ...(this.format === 'qcow2' ? { backing: null } : {}) };
  }

  private async run(args: readonly string[], limits: Omit<Confinement, 'signal'>): Promise<string> {
    const isEndless = ENDLESS.includes(this.format) || (this.format === 'vmdk' && !(await isPacked(this.image)));
    const confined = this.confiner.start(['qemu-img', ...args], { ...limits, signal: this.signal });
    const served = serveNbd(confined.socket, this.image, isEndless);
    // the program waits for a reply that does not come
    served.catch(() => confined.kill());
    try {
      return await outputOf(confined);
    } catch (error) {
      // the source's failure explains the program's
      await settled(served, confined);
      throw invalid(error, this.format);
    } finally {
      confined.socket.destroy();
    }
  }
}

async function isPacked(image: Served): Promise<boolean> {
  if (image.size < VMDK_FLAGS_AT + 4) return false;
  return ((await image.read(VMDK_FLAGS_AT, 4)).readUInt32LE() & VMDK_COMPRESSED) !== 0;
}

/** Rejects if serving the image failed. */
async function settled(served: Promise<void>, { socket }: Confined): Promise<void> {
  socket.destroy();
  await served;
}

function invalid(error: unknown, format: ImageFormat): unknown {
  if (!(error instanceof ConfinedError)) return error;
  if (/No space left|Disk quota exceeded/.test(error.output)) {
    const remedy = 'request a larger claim, or free space on the storage; the import continues then';
    return new ImportError('StorageFull', 'the storage of the claim is full', remedy, { cause: error });
  }
  const problem = error.output.replace(/json:\{.*?\}(?=: )/g, 'image').replace(/^qemu-img: /gm, '');
  const message = `qemu-img cannot read the ${format} image: ${problem || error.how}`;
  return new ImportError('ImageInvalid', message, 'check the image with `qemu-img check`, or build it again', {
    cause: error,
  });
}
