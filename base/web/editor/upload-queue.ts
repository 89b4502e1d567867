import { useEffect, useState } from 'react'
import type { Block } from '#base/rich-text/document.ts'
import { useLatest } from '#base/web/editor/latest.ts'

/** The number of pictures and files in a post. */
export type Present = { pictures: number; files: number }

/** The page's upload functions for a post. */
export type TakeFiles = {
  /** The reason why the post cannot take one more, as a message; null if it can. */
  refusal(file: File, present: Present): Promise<string | null>
  /**
   * Uploads a file. `tell` receives the progress from 0 to 1. Throws an error with a message for the person; with
   * `mayRetry` it can be retried.
   */
  send(file: File, tell: (part: number) => void, signal: AbortSignal): Promise<Brought>
}

/** The uploaded file, with a message about anything that was lost. */
export type Brought = { block: Block; src?: string; told?: string }

export type Upload = {
  id: number
  name: string
  size: number
  isPicture: boolean
  preview: string | null
  /** Null while it waits for its turn. */
  part: number | null
  wrong: string | null
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

const mostAtOnce = 3

let last = 0

type UploadOptions = {
  take: TakeFiles
  /** The current contents of the post. */
  present(): Present
  /** Called when an upload has finished or failed for good. */
  ended(upload: Upload, brought: Brought | null): void
}

/** The uploads of a post, a few at a time. */
export function useUploads(terms: UploadOptions): Uploads {
  const [all, setAll] = useState<readonly Upload[]>([])
  const latest = useLatest(terms)
  const [queue] = useState(() => queueFor(latest, setAll))
  useEffect(() => () => queue.end(), [queue])
  return { all, ...queue }
}

type Going = { upload: Upload; file: File; control: AbortController; isRunning: boolean }
type Queue = {
  going: Map<number, Going>
  terms: { readonly current: UploadOptions }
  draw: (change: (all: readonly Upload[]) => readonly Upload[]) => void
}

function queueFor(terms: Queue['terms'], draw: Queue['draw']) {
  const queue: Queue = { going: new Map(), terms, draw }
  return {
    start: (file: File, place: Upload['place']) => start(queue, file, place),
    drop: (id: number) => drop(queue, id),
    displace: (id: number) => change(queue, id, { place: null }),
    retry(id: number) {
      change(queue, id, { wrong: null, mayRetry: false, part: null })
      next(queue)
    },
    end: () => queue.going.forEach(({ control }) => control.abort()),
  }
}

function start(queue: Queue, file: File, place: Upload['place']): Upload {
  const isPicture = file.type.startsWith('image/')
  const preview = isPicture ? URL.createObjectURL(file) : null
  const known = { id: ++last, name: file.name, size: file.size, isPicture, preview, place }
  const upload: Upload = { ...known, part: null, wrong: null, mayRetry: false, told: null }
  queue.going.set(upload.id, { upload, file, control: new AbortController(), isRunning: false })
  queue.draw((all) => [...all, upload])
  next(queue)
  return upload
}

function next(queue: Queue): void {
  const all = [...queue.going.values()]
  const running = all.filter(({ isRunning }) => isRunning).length
  const waiting = all.filter(({ isRunning, upload }) => !isRunning && upload.wrong === null)
  for (const one of waiting.slice(0, Math.max(0, mostAtOnce - running))) void run(queue, one)
}

async function run(queue: Queue, one: Going): Promise<void> {
  const { file, control } = one
  const { id } = one.upload
  const { take } = queue.terms.current
  one.isRunning = true
  try {
    const why = await take.refusal(file, before(queue, id))
    if (why) throw new Error(why)
    change(queue, id, { part: 0 })
    const brought = await take.send(file, (part) => change(queue, id, { part }), control.signal)
    const { told = null } = brought
    if (!leave(queue, id)) return
    queue.terms.current.ended(one.upload, brought)
    if (told) queue.draw((all) => [...all, { ...one.upload, preview: null, place: null, told }])
  } catch (error) {
    const mayRetry = error instanceof Error && 'mayRetry' in error && error.mayRetry === true
    if (!control.signal.aborted) change(queue, id, { wrong: error instanceof Error ? error.message : String(error), mayRetry, part: null })
  } finally {
    one.isRunning = false
    next(queue)
  }
}

// Earlier uploads count against the limit, later ones do not.
function before({ going, terms }: Queue, id: number): Present {
  const held = { ...terms.current.present() }
  for (const { upload } of going.values()) {
    if (upload.id >= id || upload.wrong !== null) continue
    if (upload.isPicture) held.pictures++
    else held.files++
  }
  return held
}

function change({ going, draw }: Queue, id: number, news: Partial<Upload>): void {
  const one = going.get(id)
  if (!one) return
  one.upload = { ...one.upload, ...news }
  const { upload } = one
  draw((all) => all.map((each) => (each.id === id ? upload : each)))
}

function drop(queue: Queue, id: number): void {
  const one = queue.going.get(id)
  if (!one) return queue.draw((all) => all.filter((upload) => upload.id !== id))
  one.control.abort()
  leave(queue, id)
  queue.terms.current.ended(one.upload, null)
}

function leave({ going, draw }: Queue, id: number): boolean {
  const preview = going.get(id)?.upload.preview
  if (preview) URL.revokeObjectURL(preview)
  draw((all) => all.filter((upload) => upload.id !== id))
  return going.delete(id)
}
