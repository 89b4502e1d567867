import type { IconSide } from '#base/look.ts'
import type { Readable } from 'node:stream'

export type Stored = { /** Of the whole, also where a part was asked for. */ bytes: number; stream: Readable }
/** From the first byte to the last, both among them. */
export type Part = { from: number; to: number }
/** Where and how a browser brings a file by itself. */
export type Admission = { url: string; headers: Record<string, string> }

/** What a picture may be kept as, the usual first. */
export const originalForms = ['webp', 'jpeg', 'png'] as const
export type OriginalForm = (typeof originalForms)[number]

/** Where files lie. A name says its owner first: `<file id>.webp`, `<file id>.240.webp`. */
export type Storage = {
  /** Whole and safe on the medium when it returns; a name that exists is replaced. */
  put(name: string, content: Uint8Array | Stored): Promise<void>
  get(name: string, part?: Part): Promise<Stored | null>
  /** The same bytes under another name too. */
  copy(name: string, other: string): Promise<void>
  /** Removing what is not there is no error. */
  remove(name: string): Promise<void>
  /** All of ours that was put before a time, in no order. */
  list(before: Date): AsyncIterable<string>
  /** Lets a browser put exactly so many bytes here, for a while; null where the only way in leads through this server. */
  admit(name: string, bytes: number, seconds: number): Promise<Admission | null>
}

/** What was brought and not yet looked at. */
export function incomingName(id: string): string {
  return `${id}.incoming`
}

export function originalName(id: string, form: OriginalForm = 'webp'): string {
  return `${id}.${form}`
}

export function attachmentName(id: string): string {
  return `${id}.file`
}

export function iconName(id: string, side: IconSide): string {
  return `${id}.${side}.png`
}

/** What lies in the storage under the id of a file. */
export function idIn(name: string): string {
  return name.split('.')[0] ?? name
}

/** Whether a name is of our making: what else lies in a folder or a bucket is not ours to clear away. */
export function isOurs(name: string): boolean {
  return /^f_[\w-]{22}\.[\w.]+$/.test(name)
}
