import { createContext, useContext } from 'react'
import type { Api, CallOptions, Endpoint, RawInput, Output } from '#base/contract.ts'
import type { LanguageCode } from '#base/language.ts'
import type { HttpRequest } from '#base/web/send.ts'

export type UploadOptions = CallOptions & { onProgress?: (part: number) => void }

export type Subscription<News = unknown> = {
  /** The id of the last event received: only newer ones are sent. */
  lastId: string
  onUpdate(news: News, id: string): void
  /** The server wishes that the next connection waits for this time. */
  onRetry?(ms: number): void
  signal: AbortSignal
}

/** The reader of a streamed answer. Aborting the signal stops the work on the server too. One idempotency key starts it once. */
export type StreamReader<Piece = unknown> = { onPiece(piece: Piece): void; signal: AbortSignal; idempotencyKey?: string }

/** The API of the browser, which can also send files and read streams. */
export type BrowserApi = Api & {
  /** Subscribes to a stream of events until it ends, normally after some minutes. */
  subscribe<E extends Endpoint>(path: E['path'], input: RawInput<E>, subscription: Subscription<Output<E>>): Promise<void>
  /** Makes a streamed call and resolves when the answer is complete. */
  stream<E extends Endpoint>(path: E['path'], input: RawInput<E>, reader: StreamReader<Output<E>>): Promise<void>
  upload<E extends Endpoint>(path: E['path'], file: File, fields: RawInput<E>, options?: UploadOptions): Promise<Output<E>>
}

/** The side effects of a call on the page: navigation, messages, the signed-in member. */
export type CallPort = {
  apiUrl(): string
  language(): LanguageCode
  /** Path and query of the page. */
  currentPath(): string
  navigate(to: string, options: { replace: boolean }): void
  /** Shows a toast; a persistent one stays until it is closed. */
  toast(text: string, options?: { isPersistent?: boolean }): void
  /** A dialog with the site's own text. It is shown once, however many calls ask for it. */
  showNotice(title: string, text: string): void
  /** Asks for a new proof of identity, where the page can. False when the person declines. */
  reauthenticate?(): Promise<boolean>
  translate(key: string, values?: Record<string, string | number>): string
  onTopicPermission(isAllowed: boolean): void
  onSignedOut(): void
  onRenewed(systemUser: unknown): void
}

/** A request before it is sent. */
export type SendOptions = Omit<HttpRequest, 'address' | 'headers'> & {
  path: string
  query?: URLSearchParams
  options: UploadOptions & { subscription?: Subscription; reader?: StreamReader }
}

/** The API through which components write. Only the browser provides it: server-rendered pages write nothing. */
export const ApiContext = createContext<BrowserApi | null>(null)

export function useApi(): BrowserApi {
  const api = useContext(ApiContext)
  if (!api) throw new Error('There is no API around this component')
  return api
}
