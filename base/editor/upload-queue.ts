import { useEffect, useState } from 'react'
import type { Block } from '#base/rich-text/document.ts'
import { useLatest } from '#base/editor/latest.ts'

/** The number of pictures and files in a post. */
export type FileCounts = { pictures: number; files: number }

/** The page's upload functions for a post. */
export type Uploader = {
  /** The reason why the post cannot take one more, as a message; null if it can. */
  reasonToRefuse(file: File, present: FileCounts): Promise<string | null>
  /**
   * Uploads a file. `tell` receives the progress from 0 to 1. Throws an error with a message for the person; with
   * `mayRetry` it can be retried.
   */
  send(file: File, tell: (part: number) => void, signal: AbortSignal): Promise<UploadResult>
}

/** The uploaded file, with a message about anything that was lost. */
export type UploadResult = { block: Block; src?: string; told?: string }

export type Upload = {
  id: number
  name: string
  size: number
  isPicture: boolean
  preview: string | null
  /** Null while it waits for its turn. */
  part: number | null
  error: string | null
  mayRetry: boolean
  /** The message about a finished upload. */
  told: string | null
  /** The element of its placeholder in the text. */
  place: HTMLElement | null
}

export type Uploads = {
  all: readonly Upload[]
  start(file: File, place: Upload['place']): Upload
  retry(id: number): void
  drop(id: number): void
  /** Its placeholder was deleted. */
  displace(id: number): void
}

const maxConcurrent = 3

let last = 0

type UploadOptions = {
  uploader: Uploader
  /** The current contents of the post. */
  counts(): FileCounts
  /** Called when an upload has finished or failed for good. */
  onEnd(upload: Upload, brought: UploadResult | null): void
}

/** The uploads of a post, a few at a time. */
export function useUploads(options: UploadOptions): Uploads {
  const [all, setAll] = useState<readonly Upload[]>([])
  const latest = useLatest(options)
  const [queue] = useState(() => queueFor(latest, setAll))
  useEffect(() => () => queue.end(), [queue])
  return { all, ...queue }
}

type PendingUpload = { upload: Upload; file: File; control: AbortController; isRunning: boolean }
type Queue = {
  pending: Map<number, PendingUpload>
  options: { readonly current: UploadOptions }
  update: (change: (all: readonly Upload[]) => readonly Upload[]) => void
}

function queueFor(terms: Queue['options'], draw: Queue['update']) {
  const queue: Queue = { pending: new Map(), options: terms, update: draw }
  return {
    start: (file: File, place: Upload['place']) => start(queue, file, place),
    drop: (id: number) => drop(queue, id),
    displace: (id: number) => change(queue, id, { place: null }),
    retry(id: number) {
      change(queue, id, { error: null, mayRetry: false, part: null })
      next(queue)
    },
    end: () => queue.pending.forEach(({ control }) => control.abort()),
  }
}

function start(queue: Queue, file: File, place: Upload['place']): Upload {
  const isPicture = file.type.startsWith('image/')
  const preview = isPicture ? URL.createObjectURL(file) : null
  const known = { id: ++last, name: file.name, size: file.size, isPicture, preview, place }
  const upload: Upload = { ...known, part: null, error: null, mayRetry: false, told: null }
  queue.pending.set(upload.id, { upload, file, control: new AbortController(), isRunning: false })
  queue.update((all) => [...all, upload])
  next(queue)
  return upload
}

function next(queue: Queue): void {
  const all = [...queue.pending.values()]
  const running = all.filter(({ isRunning }) => isRunning).length
  const waiting = all.filter(({ isRunning, upload }) => !isRunning && upload.error === null)
  for (const one of waiting.slice(0, Math.max(0, maxConcurrent - running))) void run(queue, one)
}

async function run(queue: Queue, one: PendingUpload): Promise<void> {
  const { file, control } = one
  const { id } = one.upload
  const { uploader } = queue.options.current
  one.isRunning = true
  try {
    const why = await uploader.reasonToRefuse(file, countsBefore(queue, id))
    if (why) throw new Error(why)
    change(queue, id, { part: 0 })
    const brought = await uploader.send(file, (part) => change(queue, id, { part }), control.signal)
    const { told = null } = brought
    if (!leave(queue, id)) return
    queue.options.current.onEnd(one.upload, brought)
    if (told) queue.update((all) => [...all, { ...one.upload, preview: null, place: null, told }])
  } catch (error) {
    const mayRetry = error instanceof Error && 'mayRetry' in error && error.mayRetry === true
    if (!control.signal.aborted) change(queue, id, { error: error instanceof Error ? error.message : String(error), mayRetry, part: null })
  } finally {
    one.isRunning = false
    next(queue)
  }
}

// Earlier uploads count against the limit, later ones do not.
function countsBefore({ pending, options }: Queue, id: number): FileCounts {
  const counts = { ...options.current.counts() }
  for (const { upload } of pending.values()) {
    if (upload.id >= id || upload.error !== null) continue
    if (upload.isPicture) counts.pictures++
    else counts.files++
  }
  return counts
}

function change({ pending, update }: Queue, id: number, news: Partial<Upload>): void {
  const one = pending.get(id)
  if (!one) return
  one.upload = { ...one.upload, ...news }
  const { upload } = one
  update((all) => all.map((each) => (each.id === id ? upload : each)))
}

function drop(queue: Queue, id: number): void {
  const one = queue.pending.get(id)
  if (!one) return queue.update((all) => all.filter((upload) => upload.id !== id))
  one.control.abort()
  leave(queue, id)
  queue.options.current.onEnd(one.upload, null)
}

function leave({ pending, update }: Queue, id: number): boolean {
  const preview = pending.get(id)?.upload.preview
  if (preview) URL.revokeObjectURL(preview)
  update((all) => all.filter((upload) => upload.id !== id))
  return pending.delete(id)
}
