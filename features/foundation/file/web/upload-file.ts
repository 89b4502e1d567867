import type { Output } from '#base/contract.ts'
import type { BrowserApi } from '#base/web/api.ts'
import { CallFailed } from '#base/web/call.ts'
import { newKey } from '#base/web/key.ts'
import { sendWithProgress } from '#base/web/send-file.ts'
import { NoResponse } from '#base/web/send.ts'
import type { beginUpload, finishUpload } from '#file/contract.ts'
import { sendPersistently } from '#file/web/send-persistently.ts'

export type UploadOptions = { onProgress?: (part: number) => void; signal?: AbortSignal }

// A hash needs the whole file in memory.
const maxHashedBytes = 50_000_000

/** Announces a file, uploads its bytes, and has it processed. */
export async function uploadFile(
  api: BrowserApi,
  file: File,
  kind: 'picture' | 'attachment',
  watch: UploadOptions,
): Promise<Output<typeof finishUpload>> {
  const options = { silent: true, ...(watch.signal && { signal: watch.signal }) }
  const announced = { kind, name: file.name.slice(-255) || 'file', bytes: file.size }
  const { file: id, url, headers } = await api.write<typeof beginUpload>('/file/begin', announced, { ...options, idempotencyKey: newKey() })
  const [sha256] = await Promise.all([hashOf(file), putBytes(file, { url, headers }, watch)])
  const received = { file: id, ...(sha256 && { sha256 }) }
  return sendPersistently(
    (idempotencyKey) => api.write<typeof finishUpload>('/file/finish', received, { ...options, idempotencyKey, sendsOnce: true }),
    watch.signal,
  )
}

async function putBytes(
  file: File,
  { url, headers }: { url: string; headers: Record<string, string> },
  { onProgress = () => undefined, signal }: UploadOptions,
): Promise<void> {
  try {
    const { status } = await sendWithProgress({ method: 'PUT', address: url, headers, body: file }, onProgress, signal)
    if (status >= 300) throw new CallFailed(status, '')
  } catch (error) {
    throw error instanceof NoResponse ? new CallFailed(0, '') : error
  }
}

async function hashOf(file: File): Promise<string | null> {
  if (!isSecureContext || file.size > maxHashedBytes) return null
  const hash = await crypto.subtle.digest('SHA-256', await file.arrayBuffer())
  return [...new Uint8Array(hash)].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}
