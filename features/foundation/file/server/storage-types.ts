import type { IconForm } from '#base/branding.ts'
import type { Readable } from 'node:stream'

export type StoredContent = { /** Of the whole file, also for a range. */ bytes: number; stream: Readable }
/** An inclusive range of bytes. */
export type ByteRange = { from: number; to: number }
/** The URL and headers with which a browser uploads a file itself. */
export type UploadTarget = { url: string; headers: Record<string, string> }

/** The formats of stored pictures, the most common first. */
export const originalForms = ['webp', 'jpeg', 'png'] as const
export type OriginalForm = (typeof originalForms)[number]

/** A file storage. Names begin with the file id: `<file id>.webp`, `<file id>.240.webp`. */
export type Storage = {
  /** Durable when it resolves; replaces an existing file. */
  put(name: string, content: Uint8Array | StoredContent): Promise<void>
  get(name: string, part?: ByteRange): Promise<StoredContent | null>
  copy(name: string, other: string): Promise<void>
  /** Idempotent. */
  remove(name: string): Promise<void>
  /** All files of the forum written before this time, in no order. */
  list(before: Date): AsyncIterable<string>
  /** An upload URL for exactly this many bytes with an expiry; null if uploads must go through this server. */
  admit(name: string, bytes: number, seconds: number): Promise<UploadTarget | null>
}

/** An upload that is not processed yet. */
export function incomingName(id: string): string {
  return `${id}.incoming`
}

export function originalName(id: string, form: OriginalForm = 'webp'): string {
  return `${id}.${form}`
}

export function attachmentName(id: string): string {
  return `${id}.file`
}

export function iconName(id: string, form: IconForm): string {
  return `${id}.${form}.png`
}

/** The file id in a stored name. */
export function idIn(name: string): string {
  return name.split('.')[0] ?? name
}

/** Whether a name has this module's form: other files in the folder or bucket are left alone. */
export function isOurs(name: string): boolean {
  return /^f_[\w-]{22}\.[\w.]+$/.test(name)
}
