import type { UploadForm } from '../../../api/cdi/upload';
import { errorText } from '../../../api/error-text';
import { ImportError, type ImportProblem } from '../import-error';
import { Incoming, ReplacedError } from './incoming';
import type { UsedTokens } from './used-tokens';

/** Answer to a request. */
export interface Answer {
  readonly code: number;
  readonly text: string;
}

/** Request of a client. */
export interface UploadRequest {
  readonly form: UploadForm;
  /** Identifier of its token. */
  readonly token: string;
  /** Position of its first byte, if it continues an upload. */
  readonly offset?: number;
  /** Bytes of the whole upload, if they are known. */
  readonly length?: number;
  readonly key?: string;
  readonly body: AsyncIterable<Buffer>;
  /** Ends the connection. */
  abort(): void;
}

export interface UploadOptions {
  /** Imports what arrives. Rejects if the image is rejected. */
  readonly begin: (source: Incoming, isArchive: boolean) => Promise<void>;
  readonly tokens: UsedTokens;
  readonly onStart: (bytes: number | undefined) => void;
  readonly onBytes: (bytes: number) => void;
  readonly now: () => number;
}

interface Transfer {
  readonly incoming: Incoming;
  readonly isArchive: boolean;
  readonly outcome: Promise<void>;
}

/** Time without a byte after which another request may take the place of one. Its connection may be broken unnoticed. */
const STALLED_MS = 5_000;
/** Failures of the content, and not of this server. */
const BAD_CONTENT: readonly ImportProblem[] = [
  'ArchiveUnsafe',
  'FormatUnsupported',
  'ImageInvalid',
  'ImageTooLarge',
  'RequestInvalid',
];

const answer = (code: number, text = ''): Answer => ({ code, text });

/** Upload of one claim: its state, and the rules for requests. */
export class Upload {
  private transfer?: Transfer;
  private active?: { readonly request: UploadRequest; lastByteAt: number };
  private isProcessing = false;
  /** Resolves when the content is complete, and rejects when the import fails. */
  public readonly ended: Promise<void>;
  private settle!: (outcome: Promise<void>) => void;

  public constructor(private readonly options: UploadOptions) {
    this.ended = new Promise((resolve) => (this.settle = resolve));
    this.ended.catch(() => undefined);
  }

  /** Bytes that have arrived of the file with this key. */
  public offsetFor(key: string | undefined): number {
    const { incoming } = this.transfer ?? {};
    return incoming?.key !== undefined && incoming.key === key ? incoming.received : 0;
  }

  /** Receives the body of a request, which may be a part of the upload. */
  public async receive(request: UploadRequest): Promise<Answer> {
    const refusal = this.refusalOf(request);
    if (refusal) return refusal;
    this.active = { request, lastByteAt: this.options.now() };
    try {
      const transfer = await this.transferFor(request);
      if (this.active?.request !== request) return answer(503, 'another request has taken the place of this one');
      return await this.take(request, transfer);
    } finally {
      if (this.active?.request === request) this.active = undefined;
    }
  }

  private refusalOf({ token, offset, key }: UploadRequest): Answer | undefined {
    const { tokens, now } = this.options;
    if (this.isProcessing) return answer(503, 'the upload is complete, and its image is converted');
    if (this.active) {
      if (now() - this.active.lastByteAt < STALLED_MS)
        return answer(503, 'another upload to this claim is in progress');
      this.active.request.abort();
    }
    if (offset !== undefined && offset !== this.offsetFor(key)) {
      return answer(409, `the upload continues at byte ${this.offsetFor(key)}, not ${offset}`);
    }
    if (tokens.has(token)) return answer(401, 'the token was used; request another UploadTokenRequest');
    if (!tokens.add(token, now())) return answer(429, 'too many tokens were used; try again in five minutes');
    return undefined;
  }

  /** The transfer that the request continues, or a new one in place of any other. */
  private async transferFor({ form, offset, length, key }: UploadRequest): Promise<Transfer> {
    if (offset && this.transfer) return this.transfer;
    if (this.transfer) {
      this.transfer.incoming.finish(new ReplacedError());
      await this.transfer.outcome.catch(() => undefined);
    }
    const { begin, onStart, onBytes } = this.options;
    onStart(length);
    const incoming = new Incoming(length, key, onBytes);
    const { isArchive } = form;
    const outcome = begin(incoming, isArchive);
    const transfer = { incoming, isArchive, outcome };
    this.transfer = transfer;
    outcome.then(
      () => incoming.close(),
      (error: unknown) => {
        incoming.fail(error);
        if (!(error instanceof ReplacedError)) this.settle(outcome);
      },
    );
    return transfer;
  }

  private async take(request: UploadRequest, { incoming, outcome }: Transfer): Promise<Answer> {
    try {
      for await (const chunk of request.body) {
        if (this.active?.request !== request) return answer(503, 'another request has taken the place of this one');
        this.active.lastByteAt = this.options.now();
        const { transferBytes } = incoming;
        if (transferBytes !== undefined && incoming.received + chunk.length > transferBytes) {
          const message = `more than the declared ${transferBytes} bytes arrived`;
          const error = new ImportError('RequestInvalid', message, 'upload the file again while nothing changes it');
          incoming.finish(error);
          await outcome;
          return failed(error);
        }
        // a race with the outcome would keep memory for each chunk until the end of the upload
        await incoming.push(chunk);
      }
      const { received, transferBytes } = incoming;
      if (transferBytes !== undefined && received < transferBytes) {
        return answer(200, `${received} of ${transferBytes} bytes have arrived`);
      }
      this.isProcessing = true;
      incoming.finish();
      this.settle(outcome);
      if (!request.form.isAsync) await outcome;
      return answer(200);
    } catch (error) {
      return failed(error);
    }
  }
}

/** Answer with the cause of a failure. After a broken body, the upload may continue. */
export function failed(error: unknown): Answer {
  if (error instanceof ImportError) {
    const code = BAD_CONTENT.includes(error.problem) ? 400 : 500;
    return answer(code, `${error.message}; ${error.remedy}`);
  }
  return answer(500, errorText(error));
}
