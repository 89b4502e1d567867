import { createContext, useContext } from 'react'
import type { Api, CallOptions, Endpoint, RawInput, Output } from '#base/contract.ts'
import type { LanguageCode } from '#base/language.ts'
import type { Sent } from '#base/web/send.ts'

export type UploadOptions = CallOptions & { onProgress?: (part: number) => void }

export type Subscription<News = unknown> = {
  /** The id of what was heard last: only what is newer is told. */
  lastId: string
  onUpdate(news: News, id: string): void
  signal: AbortSignal
}

/** The reader of an answer that comes in pieces. Aborting the signal stops it on the server too. Under one key it begins once. */
export type StreamReader<Piece = unknown> = { onPiece(piece: Piece): void; signal: AbortSignal; idempotencyKey?: string }

/** What a page in the browser can do beside what loaders on the server can: send a file. */
export type BrowserApi = Api & {
  /** Listens to a stream of events until it ends, which it does not by itself for some minutes. */
  subscribe<E extends Endpoint>(path: E['path'], input: RawInput<E>, hearing: Subscription<Output<E>>): Promise<void>
  /** Makes a streamed call and resolves when it is answered in whole. */
  stream<E extends Endpoint>(path: E['path'], input: RawInput<E>, reading: StreamReader<Output<E>>): Promise<void>
  upload<E extends Endpoint>(path: E['path'], file: File, fields: RawInput<E>, options?: UploadOptions): Promise<Output<E>>
}

/** What the page does for a call: go somewhere, say something, know who is here. */
export type CallPort = {
  apiUrl(): string
  language(): LanguageCode
  /** Path and query of the page. */
  here(): string
  navigate(to: string, options: { replace: boolean }): void
  /** A message; a persistent one stays until it is closed. */
  say(text: string, options?: { isPersistent?: boolean }): void
  /** A dialog with the site's own words. However many calls ask for it, it is shown once. */
  notice(title: string, text: string): void
  /** Asks the person to show again that it is them, where that can be asked. False when they would rather not. */
  prove?(): Promise<boolean>
  words(key: string, values?: Record<string, string | number>): string
  topicDetailPermission(isAllowed: boolean): void
  signedOut(): void
  renewed(systemUser: unknown): void
}

/** A call on its way out. */
export type SendOptions = Omit<Sent, 'address' | 'headers'> & {
  path: string
  query?: URLSearchParams
  options: UploadOptions & { subscription?: Subscription; reader?: StreamReader }
}

/** The API that components write through. Only the browser provides one: the server's pages write nothing. */
export const ApiContext = createContext<BrowserApi | null>(null)

export function useApi(): BrowserApi {
  const api = useContext(ApiContext)
  if (!api) throw new Error('There is no API around this component')
  return api
}
