import { Worker } from 'node:worker_threads'
import type { Doc } from '#base/rich-text/document.ts'
import { fromMarkdown, toMarkdown } from '#base/rich-text/markdown.ts'
import { pageFrom, type Page } from '#base/rich-text/page.ts'

export type LongTextTask = { markdown: string[] } | { document: string } | { source: string }
export type LongTextResult = { made: unknown } | { error: unknown }
type PendingTask = { done: (made: unknown) => void; failed: (error: unknown) => void }

// Up to this length, in characters, a worker costs more than it saves.
const maxInlineLength = 5_000

export async function renderPage(text: string): Promise<Page> {
  return (await renderPages([text]))(text)
}

/** Staff's Markdown texts as pages. Returns a lookup by text. */
export async function renderPages(texts: readonly string[]): Promise<(text: string) => Page> {
  const markdown = [...new Set(texts)]
  if (markdown.join('').length <= maxInlineLength) return pageFrom
  const pages = await inWorker<Page[]>({ markdown })
  const read = new Map(markdown.map((text, at) => [text, pages[at]]))
  return (text) => read.get(text) ?? pageFrom(text)
}

/** A post as Markdown. */
export async function markdownOf(doc: Doc): Promise<string> {
  const document = JSON.stringify(doc)
  return document.length <= maxInlineLength ? toMarkdown(doc) : inWorker({ document })
}

/** Markdown that may not hide parts, as a document. */
export async function parseMarkdown(source: string): Promise<Doc> {
  return source.length <= maxInlineLength ? fromMarkdown(source, { hides: false }) : inWorker({ source })
}

let worker: Worker | null = null
let waiting: PendingTask[] = []

// The longest texts take a tenth of a second, so one worker handles them in order, off the event loop.
function inWorker<T>(task: LongTextTask): Promise<T> {
  return new Promise((done, failed) => {
    worker ??= startWorker()
    waiting.push({ done: done as (made: unknown) => void, failed })
    worker.ref()
    worker.postMessage(task, [])
  })
}

function startWorker(): Worker {
  const begun = new Worker(new URL('./long-text-worker.ts', import.meta.url))
  begun.on('message', (result: LongTextResult) => {
    const task = waiting.shift()
    if ('made' in result) task?.done(result.made)
    else task?.failed(result.error)
    // An idle worker must not keep the program running.
    if (waiting.length === 0) begun.unref()
  })
  let why = new Error('Long texts can no longer be read.')
  begun.once('error', (error: Error) => void (why = error))
  begun.once('exit', () => failAll(why))
  return begun
}

function failAll(error: Error): void {
  const failed = waiting
  worker = null
  waiting = []
  for (const each of failed) each.failed(error)
}
