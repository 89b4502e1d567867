import type { CallOptions } from '#base/contract.ts'
import type { LanguageCode } from '#base/language.ts'
import type { CallPort } from '#base/web/api.ts'
import { browserApi, CallFailed, FieldErrors } from '#base/web/call.ts'

export type Outcome = { answer?: unknown; failed?: { name: string; status?: number; message: string; fields?: Record<string, string> } }

const log: unknown[][] = []
let language: LanguageCode = 'en_US'
let here = '/thread?topicId=42'
let reauthenticates = true

const port: CallPort = {
  apiUrl: () => '/api',
  language: () => language,
  currentPath: () => here,
  navigate: (to, { replace }) => void log.push(['goes', to, replace ? 'replace' : 'push']),
  toast: (text, options) => void log.push(['says', text, options?.isPersistent ? 'persistent' : 'passing']),
  showNotice: (title, text) => void log.push(['notices', title, text]),
  reauthenticate: () => {
    log.push(['asks who is there'])
    return Promise.resolve(reauthenticates)
  },
  translate: (key, values) => (values ? `${key} ${Object.values(values).join(' ')}` : key),
  onTopicPermission: (isAllowed) => void log.push(['may view', isAllowed]),
  onSignedOut: () => void log.push(['signed out']),
  onRenewed: (systemUser) => void log.push(['renewed', systemUser]),
}

const api = browserApi(port)

async function outcome(call: Promise<unknown>): Promise<Outcome> {
  try {
    return { answer: await call }
  } catch (error) {
    if (!(error instanceof Error)) throw error
    const { name, message } = error
    if (error instanceof FieldErrors) return { failed: { name, message, status: error.status, fields: error.fields } }
    return { failed: error instanceof CallFailed ? { name, message, status: error.status } : { name, message } }
  }
}

let lastPieces: unknown[] = []
const opened: AbortController[] = []

const harness = {
  log,
  set: (now: { language?: LanguageCode; here?: string; proves?: boolean }) => {
    reauthenticates = now.proves ?? reauthenticates
    language = now.language ?? language
    here = now.here ?? here
  },
  read: (path: string, input: object = {}, options?: CallOptions) => outcome(api.read(path, input, options)),
  write: (path: string, input: object = {}, options?: CallOptions) => outcome(api.write(path, input, options)),
  async upload(path: string, fields: object, kilobytes: number) {
    const parts: number[] = []
    const file = new File([new Uint8Array(kilobytes * 1024).fill(65)], 'tea.png', { type: 'image/png' })
    const options = { idempotencyKey: 'a-key-of-a-file', onProgress: (part: number) => void parts.push(part) }
    const { answer, failed } = await outcome(api.upload(path, file, fields, options))
    return { answer, failed, parts }
  },
  hear: async (path: string, lastId: string) => {
    const news: unknown[] = []
    const { signal } = new AbortController()
    const waits: number[] = []
    const onUpdate = (update: unknown, id: string) => void news.push([id, update])
    const hearing = { lastId, onUpdate, onRetry: (ms: number) => void waits.push(ms), signal }
    return { ...(await outcome(api.subscribe(path, {}, hearing))), news, waits }
  },
  /** Subscribes and stays. */
  open: (path: string) => {
    const left = new AbortController()
    opened.push(left)
    void outcome(api.subscribe(path, {}, { lastId: '', onUpdate: () => undefined, signal: left.signal }))
  },
  leaveFirst: () => opened.shift()?.abort(),
  stream: async (path: string) => {
    const pieces: unknown[] = (lastPieces = [])
    const { signal } = new AbortController()
    const reading = { onPiece: (piece: unknown) => void pieces.push(piece), signal }
    return { ...(await outcome(api.stream(path, {}, reading))), pieces }
  },
  hasHeard: () => lastPieces.length > 0,
  callOff: async (path: string) => {
    const control = new AbortController()
    setTimeout(() => control.abort(), 50)
    return outcome(api.read(path, {}, { signal: control.signal }))
  },
}

export type Harness = typeof harness

declare global {
  interface Window {
    harness: Harness
  }
}

window.harness = harness
